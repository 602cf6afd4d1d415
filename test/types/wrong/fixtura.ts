// Lines marked `wrong` must not compile; all others must.
import type { FaultRule, ListHook, ViewHook, WriteHook } from '../../../src/behaviours.ts'
import type { Answer, Call, Changes, Data as DialectData, Dialect } from '../../../src/dialects.ts'
import {
  type Change,
  type CollectionDb,
  createMock,
  defineConfig,
  type Mock,
  type Route,
} from '../../../src/index.ts'
import { handlers, strict } from '../../../src/msw.ts'
import { type Diagnostic, isolate, loadMock } from '../../../src/node.ts'
import { connect } from '../../../src/remote.ts'
import data from '../data.json' with { type: 'json' }

const mock = createMock({ fixtures: data, base: '/api' })

mock.db.posts.insert({ title: 'x' })
mock.db.posts.insert({ titel: 'x' }) // wrong
mock.db.posts.insert({ title: 1 }) // wrong
mock.db.posts.insert({ id: 'c', deletedAt: '2026-01-01', tags: ['a'], subtitle: null })
mock.db.posts.insert({ id: true }) // wrong
mock.db.posts.update(1, { views: 2 })
mock.db.posts.update('b', { view: 2 }) // wrong
mock.db.posts.replace(1, { author: { name: 'Cat' } })
mock.db.posts.replace(1, { author: { nme: 'Cat' } }) // wrong
mock.db.posts.get(1)?.title.toUpperCase()
mock.db.posts.get(1).title // wrong
mock.db.posts.get(1)?.views.toFixed() // wrong
mock.db.post.all() // wrong
mock.db.posts.find({
  where: { title: 'x', views: { gte: 1, lt: 9 } },
  sort: '-views,title',
  limit: 1,
})
mock.db.posts.find({ where: { titel: 'x' } }) // wrong
mock.db.posts.find({ where: { views: { gtt: 1 } } }) // wrong
mock.db.posts.find({ where: { title: { contains: 'x', in: ['a', 'b'] }, id: [1, 'b'] } })
mock.db.posts.find({ where: { 'author.name': 'Ada', 'tags.0': null, 'comments.by': 'Bo' } })
mock.db.posts.find({ where: { 'auhtor.name': 'Ada' } }) // wrong
mock.db.posts.find({ where: { or: [{ title: 'x' }, { not: { and: [{ views: 1 }] } }] } })
mock.db.posts.find({ where: { or: [{ titel: 'x' }] } }) // wrong
mock.db.posts.find({ where: { not: { titel: 'x' } } }) // wrong
mock.db.posts.find({ sort: ['-views', 'author.name'] })
mock.db.posts.find({ sort: '-titel' }) // wrong
mock.db.posts.find({ sort: ['views', 'titel'] }) // wrong
mock.db.posts.find({ sort: 'title', limt: 1 }) // wrong
mock.db.posts.count({ where: { title: 'x' } }).toFixed()
mock.db.posts.count({ where: { titel: 'x' } }) // wrong
mock.db.nothing.find({ where: { any: 1, not: { or: [{ 'a.b': { gt: 1 } }] } }, sort: '-any' })
mock.db.nothing.find({ where: () => true }) // wrong

const countFirst = (posts: CollectionDb<{ id: string | number }>): number =>
  posts.count({ where: { id: 1 } })
countFirst(mock.db.posts)
const anyCollection: CollectionDb = mock.db.posts
anyCollection.find({ where: { anything: 1 } })

type Shape = { id: number; kind: 'a'; size: number } | { id: number; kind: 'b'; not: string }
const shapes = createMock<{ shapes: Shape[]; any: Record<string, unknown>[] }>({
  fixtures: { shapes: [], any: [] },
})
shapes.db.shapes.find({ where: { kind: 'a', size: { gt: 1 } }, sort: '-size' })
shapes.db.shapes.find({ where: { not: { size: 1 } } })
shapes.db.shapes.find({ where: { sise: 1 } }) // wrong
shapes.db.any.find({ where: { anything: 1 }, sort: ['anything', '-else'] })
mock.db.profile.update({ theme: 'light' })
mock.db.profile.update({ thme: 'light' }) // wrong
mock.db.profile.insert({}) // wrong
mock.db.colours.insert('blue') // wrong

mock.on('GET', '/posts').fail(500, { times: 1 })
mock.on('DELETE', '/posts/:id').drop()
mock.on('*', '/elsewhere/*').reply(200, { any: 'thing' }, { headers: { 'X-A': '1' } })
mock.on('GET', '/posts').delay('200-800').fail(503).times(2).remove()
mock.on('GET').fail(500) // wrong
mock.on('GET', '/posts').fail('500') // wrong
mock.on('GET', '/posts').fail(500, { time: 1 }) // wrong

mock.log.count({ method: 'POST', path: '/posts', body: { title: 'x' } }).toFixed()
mock.log.find({ path: '/posts' })?.reason.toUpperCase()
mock.log.find(({ status }) => status === 404)?.url.toUpperCase()
mock.log.filter(({ ms }) => ms > 10).length.toFixed()
mock.log.count({ methd: 'POST' }) // wrong
mock.log.count({ status: '404' }) // wrong
mock.log.find(({ stats }) => stats) // wrong

mock.onRequest(({ status }) => status.toFixed())
mock.rules.list().map(({ left }) => left)
mock.fork().clock.advance('5s')
mock.background // wrong
mock.behaviours // wrong
mock.divert // wrong
mock.end // wrong
mock.handle // wrong
mock.onFailure // wrong
mock.owns // wrong
mock.redactor // wrong
mock.store // wrong
mock.fork().handle // wrong

createMock({ fixtures: data, bas: '/api' }) // wrong
createMock({ base: '/api' }) // wrong
createMock<{ posts: { id: number }[] }>({ fixtures: data }).db.posts.insert({ title: 'x' }) // wrong

handlers(mock, { origin: 'https://a.test' })
handlers({}) // wrong
strict().onUnhandledRequest satisfies 'error'

isolate(mock, ({ db }) => db.posts.clear())
isolate(mock, ({ db }) => db.post.clear()) // wrong

const config = defineConfig({ base: '/api', port: 3000, dialect: 'json-server-1', use: [] })
createMock({ fixtures: data, base: config.base, use: config.use })
loadMock({ ...config, persist: true, id: { posts: '_id' } }).catch(String)
defineConfig({}) satisfies object
defineConfig({ bas: '/api' }) // wrong
defineConfig({ base: '/api', prot: 3000 }) // wrong
defineConfig({ base: '/api', port: '3000' }) // wrong
defineConfig({ dialect: 'json-server-2' }) // wrong
defineConfig({ use: ['delay'] }) // wrong

interface Data {
  posts: { id: number; title: string }[]
  profile: { name: string }
  version: string
}
const declared = createMock<Data>({ fixtures: data })
const anyOf = (one: Mock): void => one.reset()
anyOf(declared)
anyOf(mock)
anyOf(declared.fork())
anyOf({}) // wrong

// Types in public signatures are exported.
const tell = (change: Change): string => change.type
mock.subscribe(tell)
const describe = ({ path, methods }: Route): string => `${methods.join()} ${path}`
mock.routes.map(describe)
const countOf = (records: CollectionDb<Data['posts'][number]>): number => records.count()
countOf(declared.db.posts).toFixed()
const warn = ({ message, advice }: Diagnostic): void => console.warn(message, advice)
loadMock('fixtures', { onProblem: warn }).catch(String)
const serve = (call: Call, data: DialectData): Answer | Changes => ({
  status: 200,
  headers: [],
  value: data.read(call.path.slice(1)),
})
serve satisfies Dialect['serve']
const hooks: [ListHook, ViewHook, WriteHook] = [() => {}, () => undefined, () => {}]
hooks.length.toFixed()
const rules: FaultRule[] = [{ on: 'POST *', status: 503 }]
rules.length.toFixed()

const remote = connect<typeof data>('http://localhost:3000', { session: 'a', token: 'b', fetch })
remote.db.posts.insert({ title: 'x' }).then(({ id }) => id, String)
remote.db.posts.insert({ titel: 'x' }).catch(String) // wrong
remote.db.posts.get(1).then((post) => post?.title.toUpperCase(), String)
remote.db.posts.get(1).title // wrong
remote.db.posts.find({ where: { title: 'x' }, sort: ['-views', 'title'] }).catch(String)
remote.db.posts.find({ where: { titel: 'x' } }).catch(String) // wrong
remote.db.posts.find({ sort: '-titel' }).catch(String) // wrong
remote.db.posts.count({ where: { title: 'x' } }).then((count) => count.toFixed(), String)
remote.db.posts.count({ where: { titel: 'x' } }).catch(String) // wrong
remote.db.post.all().catch(String) // wrong
remote.db.profile.update({ theme: 'light' }).catch(String)
remote.db.profile.insert({}).catch(String) // wrong
remote.db.colours.clear().catch(String) // wrong
remote
  .on('GET', '/posts')
  .delay(5)
  .fail(500, { times: 1 })
  .then((rule) => rule.remove(), String)
remote.on('GET', '/posts').fail('500').catch(String) // wrong
remote.on('GET', '/posts').remove() // wrong
remote.scenario(null).catch(String)
remote.scenario(undefined).catch(String) // wrong
remote.clock.advance('5s').catch(String)
remote.clock.set(new Date()).catch(String)
remote.clock.set({}).catch(String) // wrong
remote.log.find('POST /posts').then((entry) => entry?.reason.toUpperCase(), String)
remote.log.count({ methd: 'POST' }).catch(String) // wrong
remote.routes.then(([route]) => route?.path.toUpperCase(), String)
connect('http://localhost:3000', { sesion: 'a' }) // wrong
