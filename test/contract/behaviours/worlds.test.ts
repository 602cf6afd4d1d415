import { describe, expect, it } from 'vitest'

import {
  auth,
  type AuthOptions,
  type Behaviour,
  faults,
  idempotency,
  limit,
  sessions,
  states,
} from '../../../src/behaviours.ts'
import { createManualClock, createMock, type Mock } from '../../../src/index.ts'

type Lines = Record<string, string>
type Asked = readonly [request: string, headers?: Lines, body?: unknown]

/** Where the last request of a row goes, after those before it have gone to the mock itself. */
const places = ['the mock itself', 'a fork', 'a session', 'the mock after a reset'] as const

const post = (key: string, total: number): Asked => [
  'POST /orders',
  { 'idempotency-key': key },
  { total },
]
const ship = { to: 'shipped', takes: '5s' }
const login: Asked = ['POST /login', {}, { email: 'ada@x.org', password: 'pa' }]
const who = (options: AuthOptions): Behaviour => auth({ protect: [], ...options })

/** What a behaviour has come to know: the requests, and what the last of them is answered where. */
const rows: [what: string, use: Behaviour, before: Asked[], last: Asked, statuses: number[]][] = [
  [
    'the count of requests',
    limit({ requests: 1, per: '1h' }),
    [['GET /orders']],
    ['GET /orders'],
    [429, 200, 200, 200],
  ],
  [
    'the count of a fault',
    faults({ rules: [{ status: 500, times: 1 }] }),
    [['GET /orders']],
    ['GET /orders'],
    [200, 200, 200, 500],
  ],
  ['an idempotency key', idempotency(), [post('k', 1)], post('k', 2), [422, 201, 201, 201]],
  [
    'a running action',
    states({ orders: { transitions: { placed: ['shipped'] }, actions: { ship } } }),
    [['POST /orders/1/ship']],
    ['GET /orders/1/ship/1'],
    [200, 404, 404, 404],
  ],
  ['a cookie', who({ scheme: 'cookie' }), [login], ['GET /me'], [200, 200, 200, 401]],
  ['an opaque token', who({ tokens: 'opaque' }), [login], ['GET /me'], [200, 200, 200, 401]],
  ['a signed token', who({}), [login], ['GET /me'], [200, 200, 200, 200]],
]

describe.each(rows)('%s', (_, use, before, last, statuses) => {
  it.each(places.map((place, at) => [place, statuses[at]] as const))(
    'has the expected state in %s',
    async (place, status) => {
      const mock = createMock({
        fixtures: {
          orders: [{ id: 1, status: 'placed' }],
          users: [{ id: 1, email: 'ada@x.org', password: 'pa' }],
        },
        clock: createManualClock(),
        use: [sessions(), use],
      })
      const client = createClient()
      for (const asked of before) await client(mock, asked)
      if (place === 'the mock after a reset') mock.reset()
      const [request, headers = {}, body] = last
      const named = place === 'a session' ? { ...headers, 'x-mock-session': 'a' } : headers
      const world = place === 'a fork' ? mock.fork() : mock
      expect(await client(world, [request, named, body])).toBe(status)
    },
  )
})

/** Sends requests with whatever login it was given last. */
function createClient(): (mock: Pick<Mock, 'fetch'>, asked: Asked) => Promise<number> {
  const login: Lines = {}
  return async (mock, [request, headers, body]) => {
    const [method = '', path = ''] = request.split(' ')
    const response = await mock.fetch(path, {
      method,
      headers: { 'Content-Type': 'application/json', ...login, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const cookie = response.headers.get('Set-Cookie')
    if (cookie) login['Cookie'] = cookie
    const { access_token: token } = (await response.json()) as { access_token?: string }
    if (token !== undefined) login['Authorization'] = `Bearer ${token}`
    return response.status
  }
}
