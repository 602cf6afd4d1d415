// The parts of the RealWorld API that no option can say: bodies in envelopes, values that depend on who asks, and
// the endpoints that answer with something else than a record of their path.
import { MockError } from 'fixtura'
import { onLeave, routes } from 'fixtura/behaviours'

/** An error of one field: `{ "errors": { "email": ["has already been taken"] } }`. */
const fault = (status, field, message) =>
  new MockError(`${field} ${message}`, { status, issues: [{ path: [field], message }] })

/** A user as the user sees it. The stored key is what the header `Authorization` has to be. */
const toAccount = ({ username, email, bio, image, key }) => {
  const token = key.slice('Token '.length)
  return { username, email, bio, image, token }
}

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
  users: (_, user) => ({ id: user.id, ...toAccount(user) }),
  articles: toArticle,
  comments: withAuthor,
}

/** Bodies, paths and records as the RealWorld API has them, for the resources of the mock. */
export const conduit = () => ({
  name: 'conduit',
  create({ db, random, service: { base } }) {
    return {
      at: {
        entry(exchange) {
          const { request, headers } = exchange
          if (exchange.path === `${base}/user`) {
            const [user] = db.users.find({ where: { key: headers.authorization ?? '' } })
            exchange.path = `${base}/users/${user?.id ?? 'me'}`
          }
          if (exchange.path === `${base}/users`) onLeave(exchange, toConflict)
          const text = async (limit) => unwrap(await request.text(limit))
          exchange.request = { ...request, text, bytes: undefined }
        },
        resource({ path, search, target, user }) {
          const isFeed = search.includes('author.following=true')
          if (isFeed && !user) throw fault(401, 'token', 'is missing')
          const isNested = /^\/articles\/[^/]+\/comments/.test(path.slice(base.length))
          const article = db.articles.get(target?.parent?.id ?? '')
          if (isNested && !article) throw fault(404, 'article', 'not found')
        },
      },
      view: (collection, { user }) => ({
        present: (record) => presenters[collection](db, record, user),
      }),
      write(write) {
        const { action, resource, record } = write
        if (resource.name === 'users' && record) {
          const { bio, image } = record
          write.record = { ...record, bio: bio || null, image: image || null }
          if (action === 'create') write.record.key = `Token ${createToken(random)}`
        }
        if (resource.name === 'articles' && action === 'create') {
          const number = (db.articles.all().at(-1)?.number ?? 0) + 1
          write.record = { ...record, number, slug: `${toSlug(record.title)}-${number}` }
        }
      },
    }
  },
})

/** Makes a 409 of a 422 that names nothing but fields whose values are taken. */
function toConflict(response) {
  if (response.status !== 422) return response
  const texts = Object.values(JSON.parse(response.body).errors).flat()
  const isConflict = texts.every((text) => text === 'has already been taken')
  return isConflict ? { ...response, status: 409 } : response
}

/** Returns the record in a body `{ "article": { … } }`; a body that is not JSON is refused by the mock. */
function unwrap(text) {
  try {
    const { user, article, comment } = JSON.parse(text) ?? {}
    return JSON.stringify(user ?? article ?? comment ?? {})
  } catch {
    return text
  }
}

const createToken = (random) =>
  Array.from({ length: 24 }, () => Math.floor(random() * 36).toString(36)).join('')

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
    async 'POST /users/login'(request, { db }) {
      const credentials = await request.json()
      for (const field of ['email', 'password']) {
        if (!credentials[field]) throw fault(422, field, "can't be blank")
      }
      const { email, password } = credentials
      const user = db.users.all().find((one) => one.email === email && one.password === password)
      if (!user) throw fault(401, 'credentials', 'invalid')
      return { user: toAccount(user) }
    },
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
