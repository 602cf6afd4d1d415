import { type IncomingMessage, request } from 'node:http'

import { setupServer } from 'msw/node'
import { afterEach, describe, expect, it } from 'vitest'

import {
  auth,
  type EventOptions,
  events,
  routes,
  sessions,
  states,
} from '../../../src/behaviours.ts'
import type { AnyMock } from '../../../src/core/http/contract/any-mock.ts'
import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import {
  type Clock,
  createManualClock,
  createMock,
  type ManualClock,
  type Mock,
} from '../../../src/index.ts'
import { reloadAll } from '../../../src/core/store/reload.ts'
import { handlers } from '../../../src/msw.ts'
import { serve } from '../../../src/node.ts'
import { createCountingClock } from '../../clocks.ts'

/** Reads a stream until it holds a text. */
interface Reader {
  status: number
  type: string
  until(text: string): Promise<string>
  /** Reads until the server ends the stream. */
  untilEnd(): Promise<string>
  close(): Promise<void>
}

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function fromResponse(response: Response): Reader {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  const next = async (): Promise<string | undefined> => (await reader?.read())?.value
  return {
    ...createReading(next),
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    close: async () => reader?.cancel(),
  }
}

/** Reads chunks; `next` gives undefined at the end. */
function createReading(
  next: () => Promise<string | undefined>,
): Pick<Reader, 'until' | 'untilEnd'> {
  let text = ''
  return {
    async until(wanted) {
      while (!text.includes(wanted)) {
        const value = await next()
        if (value === undefined) throw new Error(`The stream ended after ${text}`)
        text += value
      }
      return text
    },
    async untilEnd() {
      for (;;) {
        const value = await next()
        if (value === undefined) return text
        text += value
      }
    },
  }
}

type Asked = AnyMock & Pick<Mock, 'fetch'>
type Open = (mock: Asked, path: string, headers?: Record<string, string>) => Promise<Reader>

const asked = { accept: 'text/event-stream' }
/** The part of an event id that names the run: the time at which the mock was created. */
const run = createManualClock().now().toString(36)
const url = 'http://mock.test'

const ways: Record<string, Open> = {
  fetch: async (mock, path, headers) =>
    fromResponse(await mock.fetch(new Request(url + path, { headers: { ...asked, ...headers } }))),

  msw: async (mock, path, headers) => {
    const server = setupServer(...handlers(mock))
    server.listen()
    closers.push(() => server.close())
    const gone = new AbortController()
    const { signal } = gone
    const response = await fetch(url + path, { headers: { ...asked, ...headers }, signal })
    // Between the two there may be another reader, which keeps a cancelled stream open.
    return { ...fromResponse(response), close: async () => gone.abort() }
  },

  http: async (mock, path, headers) => {
    const serving = await serve(mock, { port: 0, host: '127.0.0.1' })
    closers.push(() => serving.close())
    const response = await new Promise<IncomingMessage>((resolve, reject) => {
      const options = {
        port: serving.port,
        host: '127.0.0.1',
        path,
        headers: { ...asked, ...headers },
      }
      request(options, resolve).on('error', reject).end()
    })
    response.setEncoding('utf8')
    const chunks = response[Symbol.asyncIterator]() as AsyncIterator<string, undefined>
    return {
      ...createReading(async () => (await chunks.next()).value),
      status: response.statusCode ?? 0,
      type: response.headers['content-type'] ?? '',
      async close() {
        response.destroy()
      },
    }
  },
}

const getPosts = {
  method: 'GET',
  path: '/posts',
  search: '',
  origin: url,
  text: () => '',
  form: () => [],
}

const fixtures = {
  posts: [
    { id: 1, title: '' },
    { id: 2, title: '' },
  ],
  comments: [{ id: 1 }],
  colours: ['red'],
}

const shop = (options?: EventOptions) =>
  createMock({ fixtures, clock: createManualClock(), use: [events(options)] })

describe.each(Object.entries(ways))('events (%s)', (_, open) => {
  it('release a client that has disconnected', async () => {
    const { clock, waiting } = createCountingClock()
    const mock = createMock({ fixtures, clock, use: [events()] })
    const reader = await open(mock, '/posts')
    await reader.until('retry')
    expect(waiting()).toBe(1)
    await reader.close()
    await expect.poll(() => waiting()).toBe(0)
  })

  it('stream the changes of a collection', async () => {
    const mock = shop()
    const reader = await open(mock, '/posts')
    expect([reader.status, reader.type]).toEqual([200, 'text/event-stream; charset=utf-8'])
    await reader.until('retry: 1000\n\n')
    mock.db.comments.insert({})
    mock.db.posts.insert({ title: 'New' })
    const text = await reader.until('New')
    expect(text).toContain(
      `id: ${run}-2\nevent: created\ndata: {"type":"created","collection":"posts","id":"3","record":{"id":3,"title":"New"}}\n\n`,
    )
    expect(text).not.toContain('comments')
    await reader.close()
  })

  it('stream the changes of a record', async () => {
    const mock = shop()
    const reader = await open(mock, '/posts/1')
    mock.db.posts.update(2, { title: 'Other' })
    mock.db.posts.remove(1)
    expect(await reader.until('deleted')).not.toContain('Other')
    await reader.close()
  })

  it('replay missed events after Last-Event-ID', async () => {
    const mock = shop()
    for (const title of ['one', 'two', 'three']) mock.db.posts.update(1, { title })
    const reader = await open(mock, '/posts', { 'last-event-id': `${run}-1` })
    const text = await reader.until('three')
    expect(text).toContain('two')
    expect(text).not.toContain(`id: ${run}-1\n`)
    await reader.close()
  })

  it.each([
    ['of another run', 'abc-1'],
    ['that is too old', `${run}-0`],
    ['that is no id of this server', '2'],
    ['from the future', `${run}-4`],
  ])('begin with a reset after a Last-Event-ID %s', async (_, id) => {
    const mock = shop({ replay: 2 })
    for (const title of ['one', 'two', 'three']) mock.db.posts.update(1, { title })
    const reader = await open(mock, '/posts', { 'last-event-id': id })
    mock.db.posts.update(1, { title: 'live' })
    expect((await reader.until('live')).match(/^(?:id|event|data: {"type").*/gm)).toEqual([
      `id: ${run}-3`,
      'event: reset',
      'data: {"type":"reset"}',
      `id: ${run}-4`,
      'event: updated',
      expect.stringContaining('live'),
    ])
    await reader.close()
  })

  it('replay nothing after the id of the last event', async () => {
    const mock = shop()
    mock.db.posts.update(1, { title: 'one' })
    const reader = await open(mock, '/posts', { 'last-event-id': `${run}-1` })
    mock.db.posts.update(1, { title: 'live' })
    expect((await reader.until('live')).match(/^event: .*/gm)).toEqual(['event: updated'])
    await reader.close()
  })

  it.each<[title: string, path: string, events: string[]]>([
    ['of a field', '/posts?title=open', ['created 3', 'created 1', 'updated 1', 'deleted 1']],
    ['with an operator', '/posts?id_gt=2&title_ne=x', ['created 3']],
    ['of a search', '/posts?q=PE', ['created 3', 'created 1', 'updated 1', 'deleted 1']],
    [
      'and not its pages',
      '/posts?id_lte=1&_page=2&_limit=1',
      ['updated 1', 'updated 1', 'updated 1'],
    ],
  ])('stream the changes as seen through a filter %s', async (_, path, events) => {
    const mock = shop()
    const reader = await open(mock, path)
    await reader.until('retry')
    mock.db.posts.insert({ title: 'open' })
    mock.db.posts.update(2, { title: 'other' })
    mock.db.posts.update(1, { title: 'open' })
    mock.db.posts.update(1, { title: 'open', body: 'new' } as object)
    mock.db.posts.update(1, { title: 'closed' })
    internalsOf(mock).store.changes.emit({ type: 'reset' })
    const text = await reader.until('reset')
    const seen = text.matchAll(/^data: {"type":"(\w+)","collection":"posts","id":"(\d)"/gm)
    expect(Array.from(seen, ([, type, id]) => `${type} ${id}`)).toEqual(events)
    await reader.close()
  })

  it('replay missed events through the filter', async () => {
    const mock = shop()
    mock.db.posts.update(1, { title: 'before' })
    for (const title of ['open', 'closed']) mock.db.posts.update(1, { title })
    const path = `/posts?title=open&lastEventId=${run}-1`
    const reader = await open(mock, path)
    expect((await reader.until('deleted')).match(/^event: .*/gm)).toEqual([
      'event: created',
      'event: deleted',
    ])
    await reader.close()
  })
})

type User = {
  id: number
  email: string
  role: string
  name?: string
  apiKey?: string
  password?: string
}
type Shop = Mock<typeof fixtures & { users: User[] }> & { clock: ManualClock }

/** A mock with users, who log in by any scheme, and sessions. */
function createShop(): Shop {
  const clock = createManualClock()
  const users = [
    { id: 1, email: 'ada', role: 'admin', apiKey: 'key-ada', password: 'a' },
    { id: 2, email: 'bob', role: 'user' },
  ]
  const scheme = ['bearer', 'apiKey', 'basic', 'cookie'] as const
  const use = [
    sessions({ limit: 2, ttl: '10m' }),
    auth({ scheme, tokens: 'opaque', expires: '1h', protect: ['posts'], known: { known: 1 } }),
    states({ users: { softDelete: true } }),
    events({ heartbeat: '1d' }),
  ]
  const mock = createMock({ fixtures: { ...fixtures, users }, clock, use })
  return mock
}

const session = (name: string) => ({ 'x-mock-session': name, authorization: 'Bearer known' })
const key = { 'x-api-key': 'key-ada' }

/** Logs in and returns the header that authenticates by the scheme. */
async function logIn(mock: Asked, scheme: 'bearer' | 'cookie') {
  const body = JSON.stringify({ email: 'ada', password: 'a' })
  const init = { method: 'POST', body, headers: { 'content-type': 'application/json' } }
  const response = await mock.fetch('/login', init)
  const cookie = response.headers.getSetCookie()[0]?.split(';', 1)[0] ?? ''
  const { access_token: token } = (await response.json()) as { access_token: string }
  return scheme === 'bearer' ? { authorization: `Bearer ${token}` } : { cookie }
}

const ends: [
  title: string,
  login: (mock: Shop) => Record<string, string> | Promise<Record<string, string>>,
  end: (mock: Shop, headers: Record<string, string>) => unknown,
][] = [
  ['the ttl of its session', () => session('a'), ({ clock }) => clock.advance(600_001)],
  [
    'its session, for which there is no more room',
    () => session('a'),
    async (mock) => {
      for (const name of ['b', 'c']) await mock.fetch('/comments', { headers: session(name) })
    },
  ],
  [
    'its session, which the control API ends',
    () => session('a'),
    (mock) => internalsOf(mock).behaviours[0]?.controls?.['DELETE']?.('a'),
  ],
  ['its session, which a reset ends', () => session('a'), (mock) => mock.reset()],
  [
    'a logout by token',
    (mock) => logIn(mock, 'bearer'),
    (mock, headers) => mock.fetch('/logout', { method: 'POST', headers }),
  ],
  [
    'a logout by cookie',
    (mock) => logIn(mock, 'cookie'),
    (mock, headers) => mock.fetch('/logout', { method: 'POST', headers }),
  ],
  ['its token', (mock) => logIn(mock, 'bearer'), ({ clock }) => clock.advance(3_600_000)],
  ['its cookie', (mock) => logIn(mock, 'cookie'), ({ clock }) => clock.advance(3_600_000)],
  ['a login that a reset revokes', (mock) => logIn(mock, 'bearer'), (mock) => mock.reset()],
  ['its user, who is removed', () => key, ({ db }) => db.users.remove(1)],
  [
    'its user, who is soft-deleted',
    () => key,
    (mock) => mock.fetch('/users/1', { method: 'DELETE' }),
  ],
  ['the role of its user', () => key, ({ db }) => db.users.update(1, { role: 'user' })],
  ['its API key', () => key, ({ db }) => db.users.update(1, { apiKey: 'other' })],
  [
    'its password',
    () => ({ authorization: `Basic ${btoa('ada:a')}` }),
    ({ db }) => db.users.update(1, { password: 'other' }),
  ],
]

describe.each(Object.entries(ways))('a stream (%s)', (_, open) => {
  it.each(ends)('ends with %s', async (_title, login, end) => {
    const mock = createShop()
    const headers = await login(mock)
    const reader = await open(mock, '/posts', headers)
    expect(reader.status).toBe(200)
    await reader.until('retry')
    await end(mock, headers)
    await reader.untilEnd()
  })
})

it('goes on while its login lasts', async () => {
  const mock = createShop()
  const cookie = await logIn(mock, 'cookie')
  const token = await logIn(mock, 'bearer')
  const other = await logIn(mock, 'bearer')
  const open = async (headers: Record<string, string>) => ways['fetch']?.(mock, '/posts', headers)
  const readers = await Promise.all([cookie, token, key].map(open))
  const anonymous = await ways['fetch']?.(mock, '/comments')
  mock.clock.advance(1_800_000)
  await mock.fetch('/refresh', { method: 'POST', headers: cookie })
  await mock.fetch('/logout', { method: 'POST', headers: other })
  mock.db.users.remove(2)
  mock.db.users.update(1, { name: 'Ada' })
  mock.db.posts.update(1, { title: 'first' })
  for (const reader of readers) await reader?.until('first')
  mock.clock.advance(1_800_000)
  mock.db.posts.update(1, { title: 'second' })
  await readers[0]?.until('second')
  await readers[1]?.untilEnd()
  await readers[2]?.until('second')
  mock.reset()
  await anonymous?.until('event: reset')
  await readers[2]?.until('event: reset')
  for (const reader of [...readers, anonymous]) await reader?.close()
})

it('leaves no timer and no listener of a login when it has ended', async () => {
  const { clock, waiting } = createCountingClock()
  const users = [{ id: 1, email: 'ada' }]
  const use = [auth({ tokens: 'opaque' }), events()]
  const mock = createMock({ fixtures: { ...fixtures, users }, clock, use })
  const headers = await logIn(mock, 'bearer')
  const reader = await ways['fetch']?.(mock, '/posts', headers)
  expect(waiting()).toBe(2)
  await reader?.close()
  expect(waiting()).toBe(0)
})

it('ends a stream of a route and the log of a session with the session', async () => {
  const start = (controller: ReadableStreamDefaultController): void =>
    controller.enqueue(new TextEncoder().encode('data: 1\n\n'))
  const ticking = new ReadableStream({ start })
  const headers = { 'content-type': 'text/event-stream' }
  const use = [sessions(), routes({ 'GET /ticks': () => new Response(ticking, { headers }) })]
  const mock = createMock({ fixtures, use })
  const serving = await serve(mock, { port: 0, host: '127.0.0.1' })
  closers.push(() => serving.close())
  const get = { headers: { ...asked, 'x-mock-session': 'a' } }
  const ticks = await fetch(`${serving.url}/ticks`, get)
  const log = await fetch(`${serving.url}/__mock/log`, get)
  const ended = Promise.all([ticks.text(), log.text()])
  void internalsOf(mock).behaviours[0]?.controls?.['DELETE']?.('a')
  expect(await ended).toEqual(['data: 1\n\n', expect.stringContaining('retry')])
})

it('keeps as many past events as the option replay', async () => {
  const mock = shop({ replay: 2 })
  for (const title of 'abcdefg') mock.db.posts.update(1, { title })
  const reader = await ways['fetch']?.(mock, `/posts?lastEventId=${run}-5`)
  expect((await reader?.until('-7'))?.match(/^id: .*/gm)).toEqual([`id: ${run}-6`, `id: ${run}-7`])
  await reader?.close()
})

it('limits the total size of past events', async () => {
  const mock = shop()
  for (let at = 0; at < 6; at++) mock.db.posts.update(1, { title: String(at).repeat(8_000_000) })
  mock.db.posts.update(1, { title: 'short' })
  const reader = await ways['fetch']?.(mock, `/posts?lastEventId=${run}-3`)
  const ids = (await reader?.until('-7'))?.match(/^id: .*/gm)
  expect(ids).toEqual([4, 5, 6, 7].map((number) => `id: ${run}-${number}`))
  await reader?.close()
  const tooLate = await ways['fetch']?.(mock, `/posts?lastEventId=${run}-2`)
  expect(await tooLate?.until('-7')).toContain('event: reset')
  await tooLate?.close()
})

it('streams only the configured collections', async () => {
  const mock = shop({ collections: ['comments'] })
  const types = ['/posts', '/comments'].map(async (path) => {
    const response = await mock.fetch(path, { headers: { accept: 'text/event-stream, */*;q=0.5' } })
    const type = response.headers.get('content-type')
    await response.body?.cancel()
    return type
  })
  expect(await Promise.all(types)).toEqual([
    'application/json; charset=utf-8',
    'text/event-stream; charset=utf-8',
  ])
})

it('sends a reset to all streams, and a reload to the streams of its collection', async () => {
  const mock = shop()
  const posts = await ways['fetch']?.(mock, '/posts')
  const post = await ways['fetch']?.(mock, '/posts/1')
  const comments = await ways['fetch']?.(mock, '/comments')
  reloadAll(internalsOf(mock).store, { ...fixtures, posts: [{ id: 1, title: 'New' }] })
  mock.reset()
  for (const reader of [posts, post]) {
    expect((await reader?.until('reset'))?.match(/^event: \w+/gm)).toEqual([
      'event: reloaded',
      'event: reset',
    ])
  }
  expect((await comments?.until('reset'))?.match(/^event: \w+/gm)).toEqual(['event: reset'])
  for (const reader of [posts, post, comments]) await reader?.close()
})

it('sends the reconnection time in whole milliseconds, which clients read', async () => {
  const mock = createMock({ fixtures: { posts: [] }, use: [events({ retry: '1.5ms' })] })
  const reader = await ways['fetch']?.(mock, '/posts')
  expect(await reader?.until('\n\n')).toBe('retry: 2\n\n')
  await reader?.close()
})

it('keeps an idle stream open with a comment', async () => {
  const clock = createManualClock()
  const mock = createMock({ fixtures: { posts: [{ id: 1 }] }, clock, use: [events()] })
  const reader = await ways['fetch']?.(mock, '/posts')
  clock.advance(15_000)
  expect(await reader?.until(': still here')).toContain('retry')
  await reader?.close()
})

it('does not keep the process alive for comments', async () => {
  const calls: unknown[] = []
  const manual = createManualClock()
  const clock: Clock = {
    ...manual,
    after(milliseconds, callback, isBackground) {
      calls.push(isBackground)
      return manual.after(milliseconds, callback)
    },
  }
  const mock = createMock({ fixtures: { posts: [{ id: 1 }] }, clock, use: [events()] })
  const reader = await ways['fetch']?.(mock, '/posts')
  manual.advance(30_000)
  expect(calls).toEqual([true, true, true])
  await reader?.close()
})

it('sends no hidden records or fields', async () => {
  const hiding = {
    name: 'hiding',
    create: () => ({
      view: () => ({
        includes: (record: Record<string, unknown>) => record['id'] !== 2,
        present: (record: Record<string, unknown>) => ({ ...record, title: '' }) as never,
      }),
    }),
  }
  const mock = createMock({ fixtures, clock: createManualClock(), use: [events(), hiding] })
  const reader = await ways['fetch']?.(mock, '/posts')
  mock.db.posts.update(2, { title: 'secret' })
  mock.db.posts.update(1, { title: 'secret' })
  mock.db.posts.remove(1)
  const text = await reader?.until('deleted')
  expect(text).not.toContain('secret')
  expect(text).not.toContain('"id":2')
  await reader?.close()
})

it('sends deleted for a record that becomes hidden, and created for one that becomes visible', async () => {
  const use = [states({ posts: { softDelete: 'goneAt' } }), events()]
  const mock = createMock({ fixtures, clock: createManualClock(), use })
  const reader = await ways['fetch']?.(mock, '/posts')
  await mock.fetch(new Request(`${url}/posts/1`, { method: 'DELETE' }))
  mock.db.posts.update(1, { goneAt: null } as object)
  mock.db.posts.update(2, { title: 'end' })
  expect(await reader?.until('end')).toContain(`id: ${run}-1
event: deleted
data: {"type":"deleted","collection":"posts","id":"1","previous":{"id":1,"title":""}}

id: ${run}-2
event: created
data: {"type":"created","collection":"posts","id":"1","record":{"id":1,"title":"","goneAt":null}}

id: ${run}-3
event: updated`)
  await reader?.close()
})

it('sends only the children of a parent below its path', async () => {
  const comments = [
    { id: 1, postId: 1 },
    { id: 2, postId: 2 },
  ]
  const mock = createMock({ fixtures: { ...fixtures, comments }, use: [events()] })
  const reader = await ways['fetch']?.(mock, '/posts/1/comments')
  mock.db.comments.update(2, { text: 'elsewhere' } as object)
  mock.db.comments.update(2, { postId: 1, text: 'moved' } as object)
  mock.db.comments.update(2, { postId: 2 })
  mock.db.comments.update(1, { text: 'end' } as object)
  const text = (await reader?.until('end')) ?? ''
  expect(text.match(/event: \w+/g)).toEqual(['event: created', 'event: deleted', 'event: updated'])
  expect(text).not.toContain('elsewhere"}}')
  await reader?.close()
})

it.each([
  ['a soft-deleted record', '/posts/1', 410],
  ['the children of a soft-deleted record', '/posts/1/comments', 410],
  ['a missing record', '/posts/9', 404],
  ['the children of a missing record', '/posts/9/comments', 404],
])('does not stream %s', async (_, path, status) => {
  const use = [states({ posts: { softDelete: true } }), events()]
  const comments = [{ id: 1, postId: 1 }]
  const mock = createMock({ fixtures: { ...fixtures, comments }, use })
  await mock.fetch('/posts/1', { method: 'DELETE' })
  const headers = { accept: 'text/event-stream, */*;q=0.5' }
  expect((await mock.fetch(path, { headers })).status).toBe(status)
})

/** Reads the events of a mock's posts as they come, with no face in between. */
async function listen(mock: Mock, headers: Record<string, string> = {}) {
  const request = { ...getPosts, headers: { host: 'mock.test', ...asked, ...headers } }
  const { body } = await internalsOf(mock).handle(request, { origins: 'any' })
  return (body as AsyncIterable<string>)[Symbol.asyncIterator]()
}

it('closes the stream of a client that does not read', async () => {
  const mock = shop()
  const reader = await listen(mock)
  for (const sign of 'abcd') mock.db.posts.update(1, { title: sign.repeat(600_000) })
  expect(await reader.next()).toEqual({ done: true, value: undefined })
})

it('sends long events, and many at once, to a waiting client', async () => {
  const mock = shop()
  const reader = await listen(mock)
  await reader.next()
  for (const sign of 'abcd') {
    const next = reader.next()
    mock.db.posts.update(1, { title: sign.repeat(600_000) })
    expect((await next).value).toContain(sign.repeat(600_000))
  }
  const next = reader.next()
  for (const sign of 'efgh') mock.db.posts.update(1, { title: sign.repeat(600_000) })
  expect((await next).value?.match(/^id: /gm)).toHaveLength(4)
})

it('replays long missed events', async () => {
  const mock = shop()
  await listen(mock)
  for (const sign of 'abcd') mock.db.posts.update(1, { title: sign.repeat(600_000) })
  const reader = await listen(mock, { 'last-event-id': `${run}-1` })
  expect((await reader.next()).value?.match(/^id: /gm)).toHaveLength(3)
})

it('streams a change of state after a time', async () => {
  const clock = createManualClock()
  const after = { open: { to: 'closed', in: '1h' } }
  const use = [states({ issues: { transitions: { open: ['closed'] }, after } }), events()]
  const mock = createMock({ fixtures: { issues: [{ id: 1, status: 'open' }] }, clock, use })
  const reader = await ways['fetch']?.(mock, '/issues/1')
  clock.advance(3_600_000)
  expect(await reader?.until('closed')).toContain(
    '"record":{"id":1,"status":"closed"},"previous":{"id":1,"status":"open"}',
  )
  await reader?.close()
})

it.each([
  ['Text/Event-Stream', 'text/event-stream'],
  ['text/event-stream, application/json', 'text/event-stream'],
  ['application/json;q=0.9, text/event-stream', 'text/event-stream'],
  ['application/json, text/event-stream;q=0.9', 'application/json'],
  ['application/json, text/event-stream;q=0', 'application/json'],
  ['application/json, text/event-streams', 'application/json'],
  ['text/event-stream;q=0.5, */*', 'application/json'],
  ['text/event-stream, */*;q=0.5', 'text/event-stream'],
  ['*/*', 'application/json'],
])('answers the Accept header "%s" with %s', async (accept, type) => {
  const response = await shop().fetch(new Request(`${url}/posts`, { headers: { accept } }))
  expect(response.headers.get('content-type')).toContain(type)
  await response.body?.cancel()
})

it.each([
  ['a document', '/colours', 200, 'application/json'],
  ['a missing record without a soft delete', '/posts/9', 404, 'application/problem+json'],
])('does not stream %s', async (_, path, status, type) => {
  const response = await shop().fetch(
    new Request(url + path, { headers: { accept: 'text/event-stream, */*;q=0.5' } }),
  )
  expect(response.status).toBe(status)
  expect(response.headers.get('content-type')).toContain(type)
})
