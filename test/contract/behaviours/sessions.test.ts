import { expect, it, onTestFinished } from 'vitest'

import {
  faults,
  scenarios,
  type SessionOptions,
  sessions,
  states,
} from '../../../src/behaviours.ts'
import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import type { FixtureListener } from '../../../src/core/fixtures/fixtures.ts'
import { createManualClock, createMock, type Mock, type MockOptions } from '../../../src/index.ts'
import { createCountingClock } from '../../clocks.ts'
import { contract } from '../../faces.ts'

type Options = MockOptions<Record<string, unknown>>
const withSessions = (options?: SessionOptions) => (): Options => ({
  fixtures: { posts: [{ id: 1 }] },
  use: [sessions(options)],
})
const as = (session: string, request: string, body?: unknown) => ({
  request,
  headers: { 'x-mock-session': session },
  ...(body !== undefined && { body }),
})

contract('a session', withSessions({ cookie: 'mock' }), [
  ['has its own data', [as('a', 'DELETE /posts/1'), as('b', 'GET /posts/1')], { status: 200 }],
  [
    'leaves the data of others unchanged',
    [as('a', 'DELETE /posts/1'), 'GET /posts/1'],
    { status: 200 },
  ],
  [
    'lasts from request to request',
    [as('a', 'DELETE /posts/1'), as('a', 'GET /posts/1')],
    { status: 404 },
  ],
  [
    'has its own ids',
    [as('a', 'POST /posts', {}), as('b', 'POST /posts', {})],
    { status: 201, body: { id: 2 } },
  ],
])

contract('the name of a session', withSessions({ cookie: 'mock' }), [
  [
    'can be the title of a test',
    [as('pays by card (2)', 'DELETE /posts/1'), as('pays by card (3)', 'GET /posts/1')],
    { status: 200 },
  ],
  [
    'is an error if too long',
    as('x'.repeat(129), 'DELETE /posts/1'),
    { status: 400, headers: { 'content-type': /problem\+json/ } },
  ],
  ['is ignored if empty', as('', 'GET /posts/1'), { status: 200 }],
])

it('is read from its cookie among others', async () => {
  const mock = createMock(withSessions({ cookie: 'mock' })())
  const statuses = async (Cookie: string) => {
    await mock.fetch('/posts/1', { method: 'DELETE', headers: { Cookie } })
    return (await mock.fetch('/posts/1', { headers: { 'x-mock-session': 'a' } })).status
  }
  expect(await statuses('other=a; mocks=a; mock; mock=b')).toBe(200)
  expect(await statuses('other=b; mock = a')).toBe(404)
})

it('is read from the cookie "mock-session" by default, unless the header names another', async () => {
  const mock = createMock(withSessions()())
  const remove = (headers: Record<string, string>) =>
    mock.fetch('/posts/1', { method: 'DELETE', headers: { Cookie: 'mock-session=a', ...headers } })
  const status = async (name: string) =>
    (await mock.fetch('/posts/1', { headers: { 'X-Mock-Session': name } })).status
  await remove({ 'X-Mock-Session': 'b' })
  expect([await status('a'), await status('b')]).toEqual([200, 404])
  await remove({})
  expect([await status('a'), mock.db['posts']?.get(1)]).toEqual([404, { id: 1 }])
})

contract('a session that is required', withSessions({ required: true }), [
  ['is required', 'GET /posts', { status: 400, headers: { 'content-type': /problem\+json/ } }],
  ['is accepted', as('a', 'GET /posts'), { status: 200 }],
  ['must have a valid name', as('x'.repeat(129), 'GET /posts'), { status: 400 }],
])

async function count(mock: Mock, session: string, method = 'GET'): Promise<string | null> {
  const headers = { 'x-mock-session': session, 'content-type': 'application/json' }
  const body = method === 'POST' ? '{}' : undefined
  const url = 'http://mock.test/posts'
  const response = await mock.fetch(new Request(url, { method, headers, ...(body && { body }) }))
  return response.headers.get('x-total-count')
}

it('ends a session that is unused for its ttl', async () => {
  const clock = createManualClock()
  const mock = createMock({ ...withSessions({ ttl: '10m' })(), clock })
  await count(mock, 'a', 'POST')
  clock.advance(9 * 60_000)
  expect(await count(mock, 'a')).toBe('2')
  clock.advance(10 * 60_000 + 1)
  expect(await count(mock, 'a')).toBe('1')
})

it('ends the least recently used session above the limit', async () => {
  const mock = createMock(withSessions({ limit: 2 })())
  for (const name of ['a', 'b']) await count(mock, name, 'POST')
  await count(mock, 'a')
  await count(mock, 'c', 'POST')
  expect([await count(mock, 'a'), await count(mock, 'b')]).toEqual(['2', '1'])
})

it('lists sessions in the control API, and ends one or all', async () => {
  const clock = createManualClock()
  const mock = createMock({ ...withSessions()(), clock })
  const control = internalsOf(mock).behaviours[0]?.controls
  const start = clock.now()
  for (const name of ['a', 'b', 'c']) {
    await count(mock, name, 'POST')
    clock.advance(1000)
  }
  expect(control?.['DELETE']?.('a')).toBe(2)
  expect(control?.['GET']?.(null)).toEqual([
    { name: 'b', used: start + 1000 },
    { name: 'c', used: start + 2000 },
  ])
  expect([await count(mock, 'a'), await count(mock, 'b')]).toEqual(['1', '2'])
  expect([control?.['DELETE']?.(null), control?.['GET']?.(null)]).toEqual([0, []])
})

it('cancels the timers of an ended session', async () => {
  const { clock, waiting } = createCountingClock()
  const after = { open: { to: 'closed', in: '7d' } }
  const mock = createMock<{ posts: { id: number; status: string }[] }>({
    fixtures: {
      posts: [
        { id: 1, status: 'open' },
        { id: 2, status: 'open' },
      ],
    },
    clock,
    use: [
      sessions({ limit: 2, ttl: '10m' }),
      states({ posts: { transitions: { open: ['closed'] }, after } }),
      scenarios({ sets: { same: {} } }),
    ],
  })
  const ask = (headers: Record<string, string>) =>
    mock.fetch(new Request('http://mock.test/posts', { headers }))
  // Two records in each world, and one timer for all sessions.
  expect(waiting()).toBe(2)
  for (const name of ['a', 'b', 'c', 'd']) await ask({ 'x-mock-session': name })
  expect(waiting()).toBe(7)
  clock.advance(11 * 60_000)
  expect(waiting()).toBe(2)
  await ask({ 'x-mock-session': 'e' })
  expect(waiting()).toBe(5)
  void internalsOf(mock).behaviours[0]?.controls?.['DELETE']?.('e')
  expect(waiting()).toBe(2)
  await ask({ 'x-mock-session': 'f' })
  await ask({ 'x-mock-scenario': 'same' })
  expect(waiting()).toBe(7)
  mock.reset()
  expect(waiting()).toBe(2)
  clock.advance(7 * 24 * 3_600_000)
  expect(mock.db.posts.get(1)?.status).toBe('closed')
})

it('shows the requests of sessions in the log', async () => {
  const mock = createMock(withSessions()())
  await count(mock, 'a')
  expect(mock.log).toMatchObject([{ url: '/posts', reason: 'session a' }])
})

it('receives edits of the fixtures and keeps its own changes', async () => {
  let change: FixtureListener = () => undefined
  const source = {
    data: { posts: [{ id: 1 }, { id: 2 }] },
    subscribe(listener: FixtureListener) {
      change = listener
      return () => undefined
    },
  }
  const mock = createMock({ fixtures: source, use: [sessions({ limit: 1 })] })
  const ask = async (session: string, method: string, path: string): Promise<Response> =>
    mock.fetch(path, { method, headers: { 'X-Mock-Session': session } })
  await ask('a', 'DELETE', '/posts/1')
  change({ posts: [{ id: 1 }, { id: 2, title: 'Edited' }, { id: 3 }] })
  const records = [{ id: 2, title: 'Edited' }, { id: 3 }]
  expect(await (await ask('a', 'GET', '/posts')).json()).toEqual(records)
  expect(await (await ask('b', 'GET', '/posts')).json()).toEqual([{ id: 1 }, ...records])
})

it('is controlled alone by requests that name it', async () => {
  // A page that loads this file for its tables has no Node.
  const { serve } = await import('../../../src/node.ts')
  const mock = createMock({ fixtures: { posts: [{ id: 1 }] }, use: [sessions(), faults()] })
  const serving = await serve(mock, { port: 0, host: '127.0.0.1' })
  onTestFinished(serving.close)
  const send = async (session: string, line: string, body?: object): Promise<unknown> => {
    const [method = '', path = ''] = line.split(' ')
    const headers: Record<string, string> = session ? { 'X-Mock-Session': session } : {}
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) }
    const response = await fetch(serving.url + path, init)
    return path === '/posts/1' ? response.status : response.json()
  }
  for (const session of ['a', 'b', '']) await send(session, 'DELETE /posts/1')
  await send('a', 'POST /__mock/reset')
  await send('b', 'POST /__mock/faults/rules', { status: 503 })
  const statuses: unknown[] = []
  for (const session of ['a', 'b', '']) statuses.push(await send(session, 'GET /posts/1'))
  expect(statuses).toEqual([200, 503, 404])
  expect(await send('a', 'GET /__mock/log')).toHaveLength(1)
  expect(await send('a', 'GET /__mock/sessions')).toMatchObject([{ name: 'b' }, { name: 'a' }])
  await send('', 'POST /__mock/reset')
  expect(await send('b', 'GET /posts/1')).toBe(200)
})

it('ends all sessions with a reset', async () => {
  const mock = createMock(withSessions()())
  await count(mock, 'a', 'POST')
  mock.reset()
  expect(await count(mock, 'a')).toBe('1')
})

// Not every page's worker is handed such a header.
it('refuses a name that is not ASCII', async () => {
  const mock = createMock(withSessions()())
  const headers = { 'x-mock-session': '\u00fc' }
  const { status } = await mock.fetch(new Request('http://mock.test/posts', { headers }))
  expect(status).toBe(400)
})
