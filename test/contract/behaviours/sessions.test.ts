import { expect, it } from 'vitest'

import { type SessionOptions, sessions } from '../../../src/behaviours.ts'
import { createManualClock, createMock, type Mock, type MockOptions } from '../../../src/index.ts'
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
    'leaves the data of others alone',
    [as('a', 'DELETE /posts/1'), 'GET /posts/1'],
    { status: 200 },
  ],
  [
    'goes on from request to request',
    [as('a', 'DELETE /posts/1'), as('a', 'GET /posts/1')],
    { status: 404 },
  ],
  [
    'has its own ids',
    [as('a', 'POST /posts', {}), as('b', 'POST /posts', {})],
    { status: 201, body: { id: 2 } },
  ],
])

contract('a session that is required', withSessions({ required: true }), [
  ['is asked for', 'GET /posts', { status: 400, headers: { 'content-type': /problem\+json/ } }],
  ['is taken', as('a', 'GET /posts'), { status: 200 }],
  ['has to have a name that can be one', as('x'.repeat(129), 'GET /posts'), { status: 400 }],
])

async function count(mock: Mock, session: string, method = 'GET'): Promise<string | null> {
  const headers = { 'x-mock-session': session, 'content-type': 'application/json' }
  const body = method === 'POST' ? '{}' : undefined
  const url = 'http://mock.test/posts'
  const response = await mock.fetch(new Request(url, { method, headers, ...(body && { body }) }))
  return response.headers.get('x-total-count')
}

it('forgets a session that was not used for its time', async () => {
  const clock = createManualClock()
  const mock = createMock({ ...withSessions({ ttl: '10m' })(), clock }) as Mock
  await count(mock, 'a', 'POST')
  clock.advance(9 * 60_000)
  expect(await count(mock, 'a')).toBe('2')
  clock.advance(10 * 60_000 + 1)
  expect(await count(mock, 'a')).toBe('1')
})

it('keeps no more sessions than it is told to', async () => {
  const mock = createMock(withSessions({ limit: 2 })()) as Mock
  for (const name of ['a', 'b']) await count(mock, name, 'POST')
  await count(mock, 'a')
  await count(mock, 'c', 'POST')
  expect([await count(mock, 'a'), await count(mock, 'b')]).toEqual(['2', '1'])
})

it('shows the requests of sessions in the log', async () => {
  const mock = createMock(withSessions()()) as Mock
  await count(mock, 'a')
  expect(mock.log).toMatchObject([{ url: '/posts', reason: 'session a' }])
})

it('forgets all sessions on a reset', async () => {
  const mock = createMock(withSessions()()) as Mock
  await count(mock, 'a', 'POST')
  mock.reset()
  expect(await count(mock, 'a')).toBe('1')
})
