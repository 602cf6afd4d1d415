import { describe, expect, it, onTestFinished } from 'vitest'

import { scenarios } from '../../../src/behaviours.ts'
import { createManualClock, createMock, type Mock, MockError } from '../../../src/index.ts'
import { serve } from '../../../src/node.ts'
import { connect } from '../../../src/remote.ts'
import type { RemoteMock } from '../../../src/remote.ts'

interface Post {
  id: number | string
  title: string
  views?: number
  at?: string
}
interface Data {
  posts: Post[]
  'v1/tags': { id: string; name: string }[]
  profile: { theme: string; size?: number }
  version: string
  [other: string]: unknown
}

const fixtures: Data = {
  posts: [
    { id: 1, title: 'One', views: 5 },
    { id: 2, title: 'Two', views: 3 },
    { id: 'a/b?c=%20&d', title: 'Ünï\u{1F600}' },
    { id: '..', title: 'undefined' },
  ],
  'v1/tags': [{ id: 'x', name: 'X' }],
  profile: { theme: 'light' },
  version: '1.0',
}

/** A mock, local or remote, and a function that sends a request to its API. */
interface World {
  mock: RemoteMock<Data>
  ask(line: string, body?: unknown): Promise<unknown>
}

/** Calls by their names. */
type Calls = Record<string, (world: World) => unknown>

const data: Calls = {
  all: ({ mock }) => mock.db.posts.all(),
  get: ({ mock }) => Promise.all([1, '2', 9, '..', '', '.'].map((id) => mock.db.posts.get(id))),
  'get by an id with escapes': ({ mock }) => mock.db.posts.get('a/b?c=%20&d'),
  'get of a folder': ({ mock }) => mock.db['v1/tags'].get('x'),
  'get by undefined': ({ mock }) => mock.db.posts.get(undefined as never),
  find: ({ mock }) => mock.db.posts.find(),
  'find by a filter': ({ mock }) => mock.db.posts.find({ where: { views: { gt: 3 } } }),
  'find sorted, a part': ({ mock }) =>
    mock.db.posts.find({ sort: ['-views', 'title'], limit: 2, offset: 1 }),
  'find by undefined': ({ mock }) => mock.db.posts.find({ where: { title: undefined } }),
  'find by NaN': ({ mock }) => mock.db.posts.find({ where: { views: NaN } }),
  'find by a bigint': ({ mock }) => mock.db.posts.find({ where: { views: 5n as never } }),
  'find without options': ({ mock }) => mock.db.posts.find({ where: undefined } as never),
  count: ({ mock }) => mock.db.posts.count(),
  'count by a filter': ({ mock }) => mock.db.posts.count({ where: { title: { like: 'T%' } } }),
  insert: ({ mock }) => mock.db.posts.insert({ title: 'New', at: '2026' }),
  'insert with a date': ({ mock }) => mock.db.posts.insert({ at: new Date(0) as never }),
  'insert with an id': ({ mock }) => mock.db.posts.insert({ id: 7, title: 'Seven' }),
  'insert with __proto__': ({ mock }) => mock.db.posts.insert(JSON.parse('{"__proto__":1}')),
  update: ({ mock }) => mock.db.posts.update(1, { views: 6 }),
  'update with undefined': ({ mock }) => mock.db.posts.update(1, { title: undefined as never }),
  'update of an odd id': ({ mock }) => mock.db.posts.update('..', { views: 6 }),
  replace: ({ mock }) => mock.db.posts.replace('2', { title: 'Zwei' }),
  remove: ({ mock }) => mock.db.posts.remove(2),
  clear: ({ mock }) => mock.db.posts.clear(),
  'a singleton': ({ mock }) => mock.db.profile.get(),
  'update of a singleton': ({ mock }) => mock.db.profile.update({ size: 1 }),
  'replace of a singleton': ({ mock }) => mock.db.profile.replace({ theme: 'dark' }),
  'a document': ({ mock }) => mock.db.version.get(),
  'two writes': ({ mock }) => Promise.all([1, 2].map((id) => mock.db.posts.remove(id))),
  'what promises ask for': ({ mock }) => [mock.db, mock.db.then, mock.db.toJSON].length,
}

const errors: Calls = {
  'an unknown collection': ({ mock }) => (mock.db as AnyDb)['post']?.all(),
  'an unknown collection in a folder': ({ mock }) => (mock.db as AnyDb)['v1/tag']?.get(1),
  'a taken id': ({ mock }) => mock.db.posts.insert({ id: 1 }),
  'an id of another type': ({ mock }) => mock.db.posts.insert({ id: true as never }),
  'an id that is taken as a text': ({ mock }) => mock.db.posts.insert({ id: '1' }),
  'a missing record of update': ({ mock }) => mock.db.posts.update(9, { views: 1 }),
  'a missing record of replace': ({ mock }) => mock.db.posts.replace(9, { views: 1 }),
  'a missing record of remove': ({ mock }) => mock.db.posts.remove(9),
  'remove by an empty id': ({ mock }) => mock.db.posts.remove(''),
  'remove by a dot': ({ mock }) => mock.db.posts.remove('.'),
  'a list as a record': ({ mock }) => mock.db.posts.insert([] as never),
  'no record': ({ mock }) => mock.db.posts.insert(undefined as never),
  'a map as a record': ({ mock }) => mock.db.posts.update(1, new Map() as never),
  'a function as a singleton': ({ mock }) => mock.db.profile.replace((() => 1) as never),
  'a circle as a record': ({ mock }) => mock.db.posts.insert(createCircle()),
  'an unknown option of find': ({ mock }) => mock.db.posts.find({ wher: {} } as never),
  'a wrong limit': ({ mock }) => mock.db.posts.find({ limit: Infinity }),
  'a wrong offset': ({ mock }) => mock.db.posts.find({ offset: NaN }),
  'no options of find': ({ mock }) => mock.db.posts.find(null as never),
  'an unknown field of find': ({ mock }) => mock.db.posts.find({ where: { titel: 1 } as never }),
  'an unknown field of sort': ({ mock }) => mock.db.posts.find({ sort: ['id', '-titel'] } as never),
  'an unknown field of count': ({ mock }) => mock.db.posts.count({ where: { titel: 1 } as never }),
  'a wrong operator': ({ mock }) => mock.db.posts.find({ where: { views: { above: 1 } as never } }),
  'a wrong tree': ({ mock }) => mock.db.posts.find({ where: { and: { views: 1 } } as never }),
  'a wrong filter of count': ({ mock }) => mock.db.posts.count('x' as never),
  'an object as a value': ({ mock }) =>
    mock.db.posts.count({ where: { title: { eq: { a: 1 } } as never } }),
  'an unknown snapshot': ({ mock }) => mock.restore('none'),
  'a wrong status': ({ mock }) => mock.on('GET', '/posts').fail(99),
  'a wrong status of reply': ({ mock }) => mock.on('GET', '/posts').reply('200' as never),
  'a wrong place to drop a connection': ({ mock }) =>
    mock.on('GET', '/posts').drop({ after: 'half' }),
  'a wrong option of a rule': ({ mock }) => mock.on('GET', '/posts').drop({ time: 1 } as never),
  'wrong times': ({ mock }) => mock.on('GET', '/posts').times(0),
  'a wrong delay': ({ mock }) => mock.on('GET', '/posts').delay('soon'),
  'a wrong header': ({ mock }) => mock.on('*', '*').fail(500, { headers: { 'a b': '' } }),
  'a circle as a body': ({ mock }) => mock.on('*', '*').reply(200, createCircle()),
  'a wrong method': ({ mock }) => mock.on('GTE', '/posts').fail(500),
  'no path': ({ mock }) => mock.on('GET', undefined as never).fail(500),
  'a query in a path': ({ mock }) => mock.on('GET', '/posts?a=1').fail(500),
  'a wrong pattern': ({ mock }) => mock.log.count({ methd: 'GET' } as never),
  'a wrong status of a pattern': ({ mock }) => mock.log.find({ status: NaN }),
  'no pattern': ({ mock }) => mock.log.filter(null as never),
  'a wrong request': ({ mock }) => mock.log.nearMisses({ path: '/posts?a=1' }),
  'a wrong duration': ({ mock }) => mock.clock.advance('5 years'),
  'an endless duration': ({ mock }) => mock.clock.advance(Infinity),
  'too long a duration': ({ mock }) => mock.clock.advance(1e300),
  'a wrong time': ({ mock }) => mock.clock.set('tomorrow'),
}

const others: Calls = {
  'the routes': ({ mock }) => mock.routes,
  'a reset': async ({ mock }) => [await mock.db.posts.clear(), await mock.reset()],
  snapshots: async ({ mock }) => {
    for (const name of ['a', '..', '', 'a/b c']) {
      await mock.snapshot(name)
      await mock.db.posts.clear()
      await mock.restore(name)
    }
    await mock.snapshot('empty')
    await mock.db.posts.clear()
    return mock.snapshots()
  },
  'the clock': async ({ mock }) => {
    const start = await mock.clock.now()
    await mock.clock.advance('5s')
    await mock.clock.advance(500)
    const times = [start, await mock.clock.now()]
    await mock.clock.set('2027-05-01T12:00:00Z')
    times.push(await mock.clock.now())
    await mock.clock.set(new Date(5))
    return [...times, await mock.clock.now()]
  },
  'an error, once': async ({ mock, ask }) => {
    await mock.on('GET', '/posts').fail(500, { times: 1 })
    return [await ask('GET posts/1'), await ask('GET posts'), await ask('GET posts')]
  },
  'an error with a body and headers': async ({ mock, ask }) => {
    await mock.on('GET', '/posts').fail(429, { body: { a: 1 }, headers: { 'Retry-After': '5' } })
    return ask('GET posts')
  },
  ...Object.fromEntries(
    [{ a: [1] }, 'text', null, 5, undefined, new Date(0), '"quoted"'].map((body) => [
      `a reply of ${typeof body} ${JSON.stringify(body)}`,
      async ({ mock, ask }: World) => {
        await mock.on('GET', '/flags').reply(202, body)
        return ask('GET flags')
      },
    ]),
  ),
  'a reply without content': async ({ mock, ask }) => {
    await mock.on('GET', '/flags').reply(204, { a: 1 })
    return ask('GET flags')
  },
  'a reply with a type': async ({ mock, ask }) => {
    await mock.on('GET', '/flags').reply(200, '<a/>', { headers: { 'Content-Type': 'text/xml' } })
    return ask('GET flags')
  },
  'a dropped connection': async ({ mock, ask }) => {
    await mock.on('*', '*').drop({ times: 1 })
    return [await ask('GET posts').catch(() => 'dropped'), await ask('GET posts/1')]
  },
  'a connection that drops partway': async ({ mock, ask }) => {
    await mock.on('*', '*').drop({ after: '12.5%', times: 1 })
    const rules = await mock.rules.list()
    return [rules, await ask('GET posts').catch(() => 'dropped'), await ask('GET posts/1')]
  },
  'an error in place of a drop': async ({ mock, ask }) => {
    await mock.on('GET', '/flags').drop({ after: 3 }).fail(503)
    return [await mock.rules.list(), await ask('GET flags')]
  },
  'a delayed error as one rule': async ({ mock, ask }) => {
    await mock.on('GET', '/posts').delay(0).fail(503).times(2)
    return ask('GET posts')
  },
  'a removed rule': async ({ mock, ask }) => {
    const rule = await mock.on('GET', '/posts').fail(500)
    await mock.on('GET', '/posts/:id').fail(418)
    await rule.remove()
    await rule.remove()
    return [await ask('GET posts'), await ask('GET posts/1')]
  },
  'a rule of before a reset, which does not remove a new one': async ({ mock, ask }) => {
    const old = await mock.on('GET', '/posts').fail(500)
    await mock.reset()
    await mock.on('GET', '/posts').fail(503)
    await old.remove()
    return ask('GET posts')
  },
  'the rules': async ({ mock }) => {
    await mock.on('GET', '/posts').delay(5).fail(500, { times: 2 })
    await mock.on('*', '*').drop()
    const all = await mock.rules.list()
    const isEnded = [await mock.rules.end(2), await mock.rules.end(2)]
    const rest = await mock.rules.list()
    return [all, isEnded, rest, await mock.rules.end(), await mock.rules.list()]
  },
  'a rule of an escaped path, below the base': async ({ mock, ask }) => {
    await mock.on('GET', '/a b/ü').reply(200, 1)
    await mock.on('GET', '/api/with/*').reply(200, 2)
    return [await ask('GET a%20b/%C3%BC'), await ask('GET with/base')]
  },
  'the log': async ({ mock, ask }) => {
    await ask('POST posts', { title: 'New', password: 'secret' })
    await ask('GET posts?views=5')
    await ask('GET nothing')
    const { log } = mock
    return [
      await log.find('POST /posts'),
      await log.find('DELETE /posts'),
      await log.find(({ status }) => status === 404),
      await log.filter({ method: 'GET' }),
      await log.filter((entry) => entry.url.includes('views')),
      await log.count(),
      await log.count({ path: '/posts', body: { password: 'secret' } }),
      await log.count({ query: { views: 5 }, status: 200 }),
      await log.nearMisses('PUT /posts'),
      await log.explain({ method: 'GET', url: '/api/post' }),
    ]
  },
}

describe.each([
  ['data', data],
  ['errors', errors],
  ['other calls', others],
])('%s', (_title, calls) => {
  it.each(Object.entries(calls))(
    'of a running mock are those of the library: %s',
    async (_name, run) => {
      const [local, remote] = [await openLocal(), await openRemote()]
      const expected = await outcomeOf(run, local)
      expect('error' in expected).toBe(calls === errors)
      expect(await outcomeOf(run, remote)).toEqual(expected)
      expect(stateOf(remote.whole)).toEqual(stateOf(local.whole))
    },
  )
})

it('lists and activates scenarios', async () => {
  const { mock } = await openRemote()
  expect(await mock.scenarios()).toEqual({ active: null, scenarios: ['empty'] })
  await mock.scenario('empty')
  expect(await mock.scenarios()).toEqual({ active: 'empty', scenarios: ['empty'] })
  expect(await mock.db.posts.all()).toEqual([])
  await mock.scenario(null)
  expect(await mock.db.posts.count()).toBe(4)
  await expect(mock.scenario('emtpy')).rejects.toMatchObject({
    status: 400,
    code: 'SCENARIO_UNKNOWN',
    message: 'Failed to find the scenario "emtpy". Did you mean "empty"?',
  })
})

it('returns a summary of the mock', async () => {
  const { mock, ask } = await openRemote()
  await mock.snapshot('a')
  await ask('GET posts')
  expect(await mock.state()).toMatchObject({
    base: '/api',
    dialect: 'rest',
    resources: [
      { name: 'posts', path: '/api/posts', kind: 'collection', count: 4, idField: 'id' },
      { name: 'v1/tags', path: '/api/v1/tags', kind: 'collection', count: 1, idField: 'id' },
      { name: 'profile', path: '/api/profile', kind: 'singleton', count: 1 },
      { name: 'version', path: '/api/version', kind: 'document', count: 1 },
    ],
    behaviours: [{ name: 'scenarios', controls: ['GET', 'PUT'] }],
    snapshots: ['a'],
    requests: 1,
  })
})

it('sends one request a call', async () => {
  let count = 0
  const { url } = await openRemote()
  const mock = connect<Data>(url, {
    fetch(address, init) {
      count++
      return fetch(address, init)
    },
  })
  const calls = [
    () => mock.db.posts.update(1, { views: 1 }),
    () => mock.db.posts.clear(),
    () => mock.on('GET', '/posts').delay(5).fail(500).times(2),
    () => mock.log.find('GET /posts'),
    () => mock.rules.end(),
    () => mock.scenarios(),
    () => mock.state(),
    () => mock.clock.advance('5s'),
    () => mock.routes,
    () => mock.reset(),
  ]
  for (const call of calls) await call()
  expect(count).toBe(calls.length)
})

it('adds a rule without being awaited, but takes no further effects then', async () => {
  const { mock, whole } = await openRemote()
  const rule = mock.on('GET', '/posts').fail(500)
  const handle = await rule
  expect(whole.rules.list()).toEqual([
    { number: handle.number, on: 'GET /posts', status: 500, isDelayed: false },
  ])
  await expect(rule.times(1)).rejects.toThrow('it is already sent')
})

it('adds no rule where one of its effects is wrong', async () => {
  const { mock, whole } = await openRemote()
  await expect(mock.on('GET', '/posts').fail(500).delay('soon')).rejects.toThrow('"soon"')
  await expect(mock.on('GET', '/posts').fail(99).delay(5)).rejects.toThrow('cannot be 99')
  expect(whole.rules.list()).toEqual([])
})

const unsendable: [title: string, call: (mock: RemoteMock<Data>) => unknown, message: string][] = [
  ['a function as a body', (mock) => mock.on('*', '*').reply(200, () => 1), 'Please give JSON or'],
  [
    'bytes',
    (mock) => mock.on('*', '*').reply(200, new Uint8Array(1)),
    'Please give JSON or a text',
  ],
  [
    'a function in a pattern',
    (mock) => mock.log.count({ body: () => true }),
    '"body" of the pattern',
  ],
  [
    'undefined in a pattern',
    (mock) => mock.log.find({ body: { a: undefined } }),
    '"a" of the pattern',
  ],
]
it.each(unsendable)('refuses %s, which it cannot send', async (_title, call, message) => {
  const { mock } = await openRemote()
  await expect(Promise.resolve(call(mock))).rejects.toThrow(message)
})

type AnyDb = RemoteMock['db'] & Record<string, { all(): unknown; get(id: unknown): unknown }>

function createCircle(): object {
  const circle: Record<string, unknown> = {}
  return Object.assign(circle, { circle })
}

interface Opened extends World {
  whole: Mock<Data>
  url: string
}

async function open(): Promise<Opened> {
  const whole = createMock<Data>({
    fixtures,
    base: '/api',
    seed: 1,
    clock: createManualClock(),
    use: [scenarios({ sets: { empty: { fixtures: { posts: [] } } } })],
  })
  const { url, close } = await serve(whole, { port: 0, host: '127.0.0.1' })
  onTestFinished(close)
  const ask: World['ask'] = async (line, body) => {
    const [method = '', path = ''] = line.split(' ')
    const headers = { 'Content-Type': 'application/json' }
    const init = { method, headers, ...(body !== undefined && { body: JSON.stringify(body) }) }
    const response = await fetch(`${url}/${path}`, init)
    const { 'content-type': type, 'retry-after': wait } = Object.fromEntries(response.headers)
    return [response.status, type, wait, await response.text()]
  }
  return { whole, url, ask, mock: connect<Data>(url) }
}

const openRemote = open

/** A local mock with the few names that only a remote mock has. */
async function openLocal(): Promise<Opened> {
  const opened = await open()
  return { ...opened, mock: opened.whole as unknown as RemoteMock<Data> }
}

/** The result of a row, or the parts of its error. Without the port of the server. */
async function outcomeOf(run: Calls[string], world: Opened) {
  const withoutPort = (value: unknown): unknown =>
    value === undefined
      ? undefined
      : JSON.parse(JSON.stringify(value).replaceAll(new URL(world.url).host, 'host'))
  try {
    return { value: withoutPort(await run(world)) }
  } catch (error) {
    if (!(error instanceof MockError)) return { error: String(error) }
    const { name, message, status, code, errors, headers, extensions } = error
    return { error: { name, message, status, code, errors, headers, extensions } }
  }
}

function stateOf(mock: Mock<Data>): unknown {
  const { db, rules, clock, log } = mock
  return {
    data: Object.fromEntries(Object.keys(db).map((name) => [name, valueOf(db as never, name)])),
    rules: rules.list(),
    now: clock.now(),
    log: log.map(({ method, url, status, reason }) => [method, url, status, reason]),
  }
}

function valueOf(db: Record<string, { all?(): unknown; get(): unknown }>, name: string): unknown {
  const resource = db[name]
  return resource?.all ? resource.all() : resource?.get()
}
