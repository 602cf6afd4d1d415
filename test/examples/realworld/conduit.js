// The parts of the RealWorld API that the configuration does not say: tags in order, and the endpoints that answer with
// something else than a record of their path.
import { MockError } from 'fixtura'
import { routes } from 'fixtura/behaviours'

/** Keeps the tags of articles in order. */
export const sortTags = () => ({
  name: 'sortTags',
  create: () => ({
    write(write) {
      const { record } = write
      if (Array.isArray(record?.tagList)) {
        write.record = { ...record, tagList: record.tagList.toSorted() }
      }
    },
  }),
})

/** The endpoints beside the resources. */
export const endpoints = () =>
  routes({
    'GET /profiles/:username': (_, context) => ({ profile: profileOf(context) }),
    'POST /profiles/:username/follow': (_, context) => follow(context, true),
    'DELETE /profiles/:username/follow': (_, context) => follow(context, false),
    'GET /tags': (_, { db }) => ({
      tags: [...new Set(db.articles.all().flatMap(({ tagList }) => tagList))],
    }),
  })

function findProfile({ db, params }) {
  const [found] = db.users.find({ where: { username: params.username } })
  if (found) return found
  const issues = [{ path: ['profile'], message: 'not found' }]
  throw new MockError('profile not found', { status: 404, issues })
}

function profileOf(context) {
  const { username, bio, image, followers } = findProfile(context)
  return { username, bio, image, following: followers.includes(context.user?.id) }
}

function follow(context, isFollowed) {
  const { db, user } = context
  const { id, followers } = findProfile(context)
  const others = followers.filter((one) => one !== user.id)
  db.users.update(id, { followers: isFollowed ? [...others, user.id] : others })
  return { profile: profileOf(context) }
}
