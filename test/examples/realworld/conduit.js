// The parts of the RealWorld API that the configuration does not say: values that depend on who asks, and the
// endpoints that answer with something else than a record of their path.
import { MockError } from 'fixtura'
import { routes } from 'fixtura/behaviours'

/** An error of one field: `{ "errors": { "email": ["has already been taken"] } }`. */
const fault = (status, field, message) =>
  new MockError(`${field} ${message}`, { status, issues: [{ path: [field], message }] })

/** A user as others see it. */
function toProfile(db, { id, username, bio, image }, viewer) {
  const following = viewer ? db.users.get(viewer.id).following.includes(id) : false
  return { username, bio, image, following }
}

const withAuthor = (db, record, viewer) => ({
  ...record,
  author: toProfile(db, db.users.get(record.authorId), viewer),
})

/** An article with its author, its tags in order, and its favorites by name, for the filter `favorited`. */
const toArticle = (db, { favoritedBy, ...article }, viewer) => ({
  ...withAuthor(db, article, viewer),
  tagList: article.tagList.toSorted(),
  favorited: favoritedBy.includes(viewer?.id),
  favoritesCount: favoritedBy.length,
  favoritedBy: favoritedBy.map((id) => db.users.get(id).username),
})

/** The fields of articles that no response has. */
export const hiddenOfArticles = ['number', 'authorId', 'favoritedBy']

/** The records of each collection as requests see them, which filters and sorts see as well. */
const presenters = {
  articles: toArticle,
  comments: withAuthor,
}

/** Records as the RealWorld API has them, for the resources of the mock. */
export const conduit = () => ({
  name: 'conduit',
  create({ db }) {
    return {
      view: (collection, { user }) => ({
        present: (record) => presenters[collection]?.(db, record, user) ?? record,
      }),
      write(write) {
        const { action, resource, record } = write
        if (resource.name === 'articles' && action === 'create') {
          const number = (db.articles.all().at(-1)?.number ?? 0) + 1
          write.record = { ...record, number, slug: `${toSlug(record.title)}-${number}` }
        }
      },
    }
  },
})

const toSlug = (title) =>
  String(title)
    .normalize('NFKD')
    .replaceAll(/\p{Mark}/gu, '')
    .toLowerCase()
    .match(/[\p{Letter}\p{Number}]+/gu)
    ?.join('-') ?? 'article'

/** The endpoints beside the resources. */
export const endpoints = () =>
  routes({
    'GET /profiles/:username': (_, context) => ({ profile: profileOf(context) }),
    'POST /profiles/:username/follow': (_, context) => follow(context, true),
    'DELETE /profiles/:username/follow': (_, context) => follow(context, false),
    'POST /favorites/:slug': (_, context) => favorite(context, true),
    'DELETE /favorites/:slug': (_, context) => favorite(context, false),
    'GET /tags': (_, { db }) => ({
      tags: [...new Set(db.articles.all().flatMap(({ tagList }) => tagList))],
    }),
  })

const findProfile = ({ db, params }) => {
  const [found] = db.users.find({ where: { username: params.username } })
  if (!found) throw fault(404, 'profile', 'not found')
  return found
}

const profileOf = (context) => toProfile(context.db, findProfile(context), context.user)

function follow(context, isFollowed) {
  const { db, user } = context
  const { id } = findProfile(context)
  const { following } = db.users.get(user.id)
  db.users.update(user.id, { following: withId(following, id, isFollowed) })
  return { profile: profileOf(context) }
}

function favorite({ db, params, user }, isFavorite) {
  const article = db.articles.get(params.slug)
  if (!article) throw fault(404, 'article', 'not found')
  const favoritedBy = withId(article.favoritedBy, user.id, isFavorite)
  const changed = db.articles.update(params.slug, { favoritedBy })
  const shown = toArticle(db, changed, user)
  for (const field of hiddenOfArticles) delete shown[field]
  return { article: shown }
}

/** Adds an id to a list of ids once, or removes it. */
const withId = (ids, id, isIn) => [...ids.filter((one) => one !== id), ...(isIn ? [id] : [])]
