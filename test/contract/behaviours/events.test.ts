import { type IncomingMessage, request } from 'node:http'

import { setupServer } from 'msw/node'
import { afterEach, describe, expect, it, vi } from 'vitest'

import { type EventOptions, events, states } from '../../../src/behaviours.ts'
import type { Controlled } from '../../../src/core/http/contract/behaviour.ts'
import { type Clock, createManualClock, createMock, type Mock } from '../../../src/index.ts'
import { reloadAll } from '../../../src/core/store/reload/reload.ts'
import { handlers } from '../../../src/msw.ts'
import { serve } from '../../../src/node.ts'

/** Reads a stream until it holds a text. */
interface Reader {
  status: number
  type: string
  until(text: string): Promise<string>
  close(): Promise<void>
}

const closers: (() => unknown)[] = []
afterEach(async () => {
  for (const close of closers.splice(0).reverse()) await close()
})

function fromResponse(response: Response): Reader {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  return {
    status: response.status,
    type: response.headers.get('content-type') ?? '',
    async until(wanted) {
      while (!text.includes(wanted)) {
        const { done, value } = (await reader?.read()) ?? { done: true, value: '' }
        if (done) throw new Error(`The stream ended after ${text}`)
        text += value
      }
      return text
    },
    close: async () => reader?.cancel(),
  }
}

type Asked = Controlled & Pick<Mock, 'fetch'>
type Open = (mock: Asked, path: string, headers?: Record<string, string>) => Promise<Reader>

const asked = { accept: 'text/event-stream' }
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
    const chunks = response[Symbol.asyncIterator]() as AsyncIterator<string>
    let text = ''
    return {
      status: response.statusCode ?? 0,
      type: response.headers['content-type'] ?? '',
      async until(wanted) {
        while (!text.includes(wanted)) text += (await chunks.next()).value
        return text
      },
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

/** A clock, and how many calls wait for it. */
function createCountingClock(): { clock: Clock; waiting: () => number } {
  const { now, after } = createManualClock()
  const calls = new Set<object>()
  const clock: Clock = {
    now,
    after(...call) {
      const cancel = after(...call)
      calls.add(cancel)
      return () => {
        calls.delete(cancel)
        cancel()
      }
    },
  }
  return { clock, waiting: () => calls.size }
}

describe.each(Object.entries(ways))('events (%s)', (_, open) => {
  it('release a client that has disconnected', async () => {
    const { clock, waiting } = createCountingClock()
    const mock = createMock({ fixtures, clock, use: [events()] })
    const reader = await open(mock, '/posts')
    await reader.until('retry')
    expect(waiting()).toBe(1)
    await reader.close()
    await vi.waitFor(() => expect(waiting()).toBe(0), { timeout: 10_000 })
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
      'id: 2\nevent: created\ndata: {"type":"created","collection":"posts","id":"3","record":{"id":3,"title":"New"}}\n\n',
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
    const reader = await open(mock, '/posts', { 'last-event-id': '1' })
    const text = await reader.until('three')
    expect(text).toContain('two')
    expect(text).not.toContain('id: 1\n')
    await reader.close()
  })
})

it('keeps as many past events as the option replay', async () => {
  const mock = shop({ replay: 2 })
  for (const title of 'abcdefg') mock.db.posts.update(1, { title })
  for (const path of ['/posts?lastEventId=0', '/posts?lastEventId=5']) {
    const reader = await ways['fetch']?.(mock, path)
    expect((await reader?.until('id: 7'))?.match(/^id: \d/gm)).toEqual(['id: 6', 'id: 7'])
    await reader?.close()
  }
})

it('limits the total size of past events', async () => {
  const mock = shop()
  for (let at = 0; at < 6; at++) mock.db.posts.update(1, { title: String(at).repeat(8_000_000) })
  mock.db.posts.update(1, { title: 'short' })
  const reader = await ways['fetch']?.(mock, '/posts?lastEventId=0')
  const ids = (await reader?.until('id: 7'))?.match(/^id: \d/gm)
  expect(ids).toEqual(['id: 4', 'id: 5', 'id: 6', 'id: 7'])
  await reader?.close()
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
  reloadAll(mock.store, { ...fixtures, posts: [{ id: 1, title: 'New' }] })
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
  expect(await reader?.until('end')).toContain(`id: 1
event: deleted
data: {"type":"deleted","collection":"posts","id":"1","previous":{"id":1,"title":""}}

id: 2
event: created
data: {"type":"created","collection":"posts","id":"1","record":{"id":1,"title":"","goneAt":null}}

id: 3
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
  const { body } = await mock.handle(request, { origins: 'any' })
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
  const reader = await listen(mock, { 'last-event-id': '1' })
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
