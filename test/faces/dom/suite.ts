import { create } from 'axios'
import * as msw from 'msw'
import { setupServer } from 'msw/node'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'

import { auth, type MockRequest, type MockResponse } from '../../../src/behaviours.ts'
import { createMock, type Mock } from '../../../src/index.ts'
import { handlers, strict } from '../../../src/msw.ts'

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: string | URLSearchParams | FormData
}

interface Answered {
  status: number
  text: string
  total: string | null
}

type Send = (path: string, sent?: Sent) => Promise<Answered>

const api = 'http://api.test/api'
const client = create({ baseURL: api, transformResponse: (data: string) => data })

/** The HTTP clients of a page. */
const clients: [name: string, send: Send][] = [
  [
    'fetch',
    async (path, sent) => {
      const response = await fetch(api + path, sent)
      const { status, headers } = response
      return { status, text: await response.text(), total: headers.get('X-Total-Count') }
    },
  ],
  [
    'axios',
    async (path, { method = 'GET', headers = {}, body } = {}) => {
      const request = { url: path, method, headers, data: body, validateStatus: () => true }
      const response = await client.request<string>(request)
      const total: unknown = response.headers['x-total-count']
      return {
        status: response.status,
        text: response.data,
        total: typeof total === 'string' ? total : null,
      }
    },
  ],
]

/** Tests requests from a DOM environment to an API of another origin. */
export function describePages(environment: string): void {
  const mock = createMock({ fixtures: { posts: [{ id: 1, title: 'First' }] }, base: '/api' })
  const server = setupServer(...handlers(mock))

  beforeAll(() => server.listen(strict()))
  afterEach(() => mock.reset())
  afterAll(() => server.close())

  // A header that a form cannot send causes a preflight.
  const headers = { Authorization: 'Bearer abc' }

  // A `Request` made from files of jsdom has no content: `fetch` creates one, and so does the
  // XMLHttpRequest of MSW 2.
  const losesFiles = (name: string): boolean =>
    environment === 'jsdom' && (name === 'fetch' || 'graphql' in msw)

  // MSW 3 stores no cookies in Node.
  it.skipIf(!('graphql' in msw))(`sends the cookie of its login in ${environment}`, async () => {
    const users = [{ id: 1, email: 'ada' }]
    const use = [auth({ scheme: 'cookie' })]
    server.use(...handlers(createMock({ fixtures: { users }, base: '/club', use })))
    document.cookie = 'theme=dark'
    const ask = (path: string, sent?: RequestInit): Promise<Response> =>
      fetch(`http://api.test/club${path}`, { credentials: 'include', ...sent })

    const body = JSON.stringify({ email: 'ada' })
    const json = { 'Content-Type': 'application/json' }
    await ask('/login', { method: 'POST', headers: json, body })
    expect(await (await ask('/me')).json()).toEqual(users[0])
    server.resetHandlers()
    document.cookie = 'theme=; Max-Age=0'
  })

  const set = (): Promise<Response> =>
    fetch('http://api.test/set/posts', { credentials: 'include' })

  it.each([
    ['is only for https', 'x=1; Secure'],
    ['is for another host', 'x=1; Domain=other.test'],
    ['is invalid', 'x'],
  ])(`gets a response whose cookie %s in ${environment}`, async (_title, line) => {
    server.use(...handlers(createSetting([line]).world))
    const { status, headers } = await set()
    expect([status, headers.get('x-set')]).toEqual([200, line])
    server.resetHandlers()
  })

  it.skipIf(!('graphql' in msw))(`sends every cookie of a response in ${environment}`, async () => {
    const { world, seen } = createSetting(['a=1; Path=/; HttpOnly', 'b=2; HttpOnly', 'c=3', 'd'])
    server.use(...handlers(world))
    await set()
    await set()
    server.resetHandlers()
    expect(seen).toEqual(['', 'a=1; b=2; c=3'])
  })

  describe.each(clients)(`%s in ${environment}`, (name, send) => {
    it('reads a list and its headers', async () => {
      const { status, text, total } = await send('/posts')
      expect([status, text, total]).toEqual([200, '[{"id":1,"title":"First"}]', '1'])
    })

    it('reads a long list again and again', async () => {
      const title = 'x'.repeat(5000)
      mock.db.posts.update(1, { title })
      const expected = JSON.stringify([{ id: 1, title }])
      expect((await send('/posts')).text).toBe(expected)
      expect((await send('/posts')).text).toBe(expected)
    })

    it('gets 404 for an unknown path', async () => {
      expect((await send('/nothing', { headers })).status).toBe(404)
    })

    it('gets 405 for an unsupported method', async () => {
      expect((await send('/posts', { method: 'DELETE', headers })).status).toBe(405)
    })

    it('gets 415 for an unsupported type', async () => {
      const csv = { 'Content-Type': 'text/csv' }
      expect((await send('/posts', { method: 'POST', headers: csv, body: 'a' })).status).toBe(415)
    })

    it('sends JSON', async () => {
      const json = { ...headers, 'Content-Type': 'application/json' }
      const body = JSON.stringify({ title: 'Ü' })
      const { status, text } = await send('/posts', { method: 'POST', headers: json, body })
      expect([status, text]).toEqual([201, '{"id":2,"title":"Ü"}'])
    })

    it('sends a form', async () => {
      const body = new URLSearchParams({ title: 'a & b' })
      const { status, text } = await send('/posts', { method: 'POST', body })
      expect([status, text]).toEqual([201, '{"id":2,"title":"a & b"}'])
    })

    it.skipIf(losesFiles(name))('sends a file', async () => {
      const body = new FormData()
      body.append('title', 'With a file')
      body.append('file', new File(['abc'], 'a.txt', { type: 'text/plain' }))
      const { status, text } = await send('/posts', { method: 'POST', body })
      expect(status, text).toBe(201)
      expect(JSON.parse(text)).toEqual({
        id: 2,
        title: 'With a file',
        file: { name: 'a.txt', type: 'text/plain', size: 3, url: 'data:text/plain;base64,YWJj' },
      })
    })

    it('gets an error of a rule for all requests, without a preflight in the log', async () => {
      mock.on('*', '*').fail(503)
      expect((await send('/posts/1', { method: 'DELETE', headers })).status).toBe(503)
      expect(mock.log.map(({ method }) => method)).toEqual(['DELETE'])
    })

    it('reads a stream to its end', async () => {
      mock.on('GET', '/stream').reply(200, iterate(['one ', 'two']))
      expect((await send('/stream')).text).toBe('one two')
    })

    it('rejects when a rule drops the connection', async () => {
      mock.on('*', '*').drop()
      await expect(send('/posts')).rejects.toThrow()
    })
  })
}

/** A mock that sets cookies with every response, and records the cookies `a`, `b` and `c` of each request. */
function createSetting(lines: readonly string[]): { world: Mock; seen: string[] } {
  const seen: string[] = []
  const headers: [string, string][] = lines.map((line) => ['Set-Cookie', line])
  const entry = ({ request }: { request: MockRequest }): MockResponse => {
    const cookies = request.headers['cookie']?.split('; ') ?? []
    seen.push(
      // MSW finds a cookie that scripts can read in the document and in its own store.
      [...new Set(cookies)]
        .filter((cookie) => /^[a-c]=/.test(cookie))
        .toSorted()
        .join('; '),
    )
    return { status: 200, headers: [...headers, ['X-Set', lines.join()]], body: '' }
  }
  const use = [{ name: 'setting', create: () => ({ at: { entry } }) }]
  return { world: createMock({ fixtures: { posts: [] }, base: '/set', use }), seen }
}

async function* iterate(chunks: readonly string[]): AsyncGenerator<string> {
  yield* chunks
}
