import { describe, expect, it, vi } from 'vitest'

import {
  type Behaviour,
  delay,
  fields,
  idempotency,
  limit,
  type LimitOptions,
  onLeave,
  routes,
} from '../../../src/behaviours.ts'
import { jsonServer0, jsonServer1, simpleRest } from '../../../src/dialects.ts'
import { createManualClock, createMock } from '../../../src/index.ts'
import { createSteppingClock, onNextTurn } from '../../clocks.ts'
import { contract } from '../../faces.ts'

const fixtures = { posts: [{ id: 1 }], comments: [{ id: 1 }] }
const still = (use: ReturnType<typeof limit>) => () => ({
  fixtures,
  clock: createManualClock(),
  use: [use],
})

contract('a limit', still(limit({ requests: 2, per: '1m' })), [
  [
    'says on every answer what is left',
    'GET /posts',
    {
      status: 200,
      headers: { 'ratelimit-policy': '"default";q=2;w=60', ratelimit: '"default";r=1;t=60' },
    },
  ],
  [
    'refuses what is past it',
    ['GET /posts', 'GET /posts', 'GET /posts/1'],
    {
      status: 429,
      headers: {
        'retry-after': '60',
        ratelimit: '"default";r=0;t=60',
        'content-type': /problem\+json/,
        'cache-control': 'no-store',
      },
    },
  ],
  ['counts errors too', ['GET /posts/9', 'GET /posts/9', 'GET /posts/1'], { status: 429 }],
])

contract('a limit by caller', still(limit({ requests: 1, per: '1h', by: 'X-Api-Key' })), [
  [
    'tells callers apart',
    [
      { request: 'GET /posts', headers: { 'x-api-key': 'a' } },
      { request: 'GET /posts', headers: { 'x-api-key': 'b' } },
    ],
    { status: 200 },
  ],
  [
    'refuses the one that is past it',
    [
      { request: 'GET /posts', headers: { 'x-api-key': 'a' } },
      { request: 'GET /posts', headers: { 'x-api-key': 'a' } },
    ],
    { status: 429 },
  ],
])

contract('a limit for some', still(limit({ requests: 1, per: '1h', only: ['POST posts'] })), [
  [
    'leaves others alone',
    ['GET /posts', 'GET /posts'],
    { status: 200, headers: { ratelimit: null } },
  ],
  [
    'refuses those',
    [
      { request: 'POST /posts', body: {} },
      { request: 'POST /posts', body: {} },
    ],
    { status: 429 },
  ],
])

const many = {
  posts: Array.from({ length: 25 }, (_, at) => ({ id: at + 1, tag: at < 3 ? 'a' : 'b' })),
  users: [{ id: 1 }],
}
const capped = (page: LimitOptions['page'], only?: string[]) => () => ({
  fixtures: many,
  use: [limit({ ...(page !== undefined && { page }), ...(only && { only }) })],
})
const ids = (from: number, to: number): { id: number }[] =>
  Array.from({ length: to - from + 1 }, (_, at) => ({ id: from + at }))

contract('a cap on pages', capped(10), [
  [
    'leaves what is within it',
    'GET /posts?_page=2&_limit=5&_fields=id',
    { status: 200, headers: { 'content-range': 'posts 5-9/25' }, body: ids(6, 10) },
  ],
  [
    'reduces a page',
    'GET /posts?_page=2&_limit=500&_fields=id',
    {
      status: 200,
      headers: {
        'content-range': 'posts 10-19/25',
        link: /<\/posts\?_page=3&_limit=500&_fields=id>; rel="next"/,
      },
      body: ids(11, 20),
    },
  ],
  [
    'reduces an envelope',
    'GET /posts?_page=3&_per_page=500&_fields=id',
    { status: 200, body: expect.objectContaining({ pages: 3, next: null, data: ids(21, 25) }) },
  ],
  [
    'reduces a range',
    'GET /posts?_start=3&_end=300&_fields=id',
    { status: 200, headers: { 'content-range': 'posts 3-12/25' }, body: ids(4, 13) },
  ],
  [
    'reduces a range without an end',
    'GET /posts?_start=3&_fields=id',
    { status: 200, headers: { 'content-range': 'posts 3-12/25' }, body: ids(4, 13) },
  ],
  [
    'reduces what a cursor leads to',
    'GET /posts?_cursor=&_limit=500&_fields=id',
    { status: 200, headers: { link: /rel="next"/ }, body: ids(1, 10) },
  ],
  [
    'makes pages of a list that asks for none',
    'GET /posts?_fields=id',
    {
      status: 200,
      headers: { 'x-total-count': '25', link: /_start=10>; rel="next"/ },
      body: ids(1, 10),
    },
  ],
  [
    'leaves a short list as it is',
    'GET /users',
    { status: 200, headers: { link: null, 'content-range': null }, body: many.users },
  ],
  [
    'reduces a question in a body',
    { request: 'QUERY /posts', body: { limit: 500, fields: ['id'] } },
    { status: 200, body: ids(1, 10) },
  ],
  ['counts no requests', 'GET /posts', { status: 200, headers: { ratelimit: null } }],
])

contract('a cap on pages in another dialect', () => ({ ...capped(10)(), dialect: simpleRest }), [
  [
    'reduces a range',
    'GET /posts?range=[5,24]&filter={}',
    {
      status: 200,
      headers: { 'content-range': 'posts 5-14/25', link: null },
      body: many.posts.slice(5, 15),
    },
  ],
  [
    'reduces a list that asks for none',
    'GET /posts',
    { status: 200, headers: { 'content-range': 'posts 0-9/25', link: null } },
  ],
])

it.each([
  ['json-server-0', jsonServer0],
  ['json-server-1', jsonServer1],
])('does not cap what %s pages itself', (_, dialect) => {
  expect(() => createMock({ ...capped(10)(), dialect })).toThrow(
    `the options of "limit": the dialect "${dialect.name}" makes its own pages. Please leave "page" out.`,
  )
  expect(() => createMock({ ...slow('2s')(), dialect })).not.toThrow()
})

contract('a strict cap on pages', capped({ max: 10, over: 'refuse' }), [
  ['allows what is within it', 'GET /posts?_page=1&_limit=10', { status: 200 }],
  [
    'refuses a page, and says which parameter asks for too much',
    'GET /posts?_page=1&_limit=500',
    {
      status: 400,
      body: expect.objectContaining({
        detail:
          'Failed to list "posts": 500 records are more than a page may have. Please ask for at most 10.',
        errors: { _limit: ['has to be at most 10'] },
      }),
    },
  ],
  ['refuses a range', 'GET /posts?_start=0&_end=11', { status: 400 }],
  [
    'makes pages of a list that asks for none',
    'GET /posts?_fields=id',
    { status: 200, body: ids(1, 10) },
  ],
])

contract('a cap that all there is fits into', capped(25), [
  [
    'makes no pages of it',
    'GET /posts',
    { status: 200, headers: { link: null }, body: many.posts },
  ],
])

contract('a cap on some pages', capped(10, ['users']), [
  ['leaves others alone', 'GET /posts', { status: 200, headers: { link: null } }],
])

const slow =
  (timeout: LimitOptions['timeout'], time = '3s') =>
  () => ({
    fixtures,
    clock: createSteppingClock(100),
    use: [delay(time, { only: ['posts'] }), limit({ ...(timeout !== undefined && { timeout }) })],
  })

contract('a time-out', slow('2s'), [
  ['leaves what is fast', 'GET /comments', { status: 200 }],
  [
    'answers for what is slow',
    'GET /posts',
    {
      status: 504,
      headers: {
        'content-type': /problem\+json/,
        'cache-control': 'no-store',
        'retry-after': null,
      },
      body: expect.objectContaining({
        title: 'Gateway Timeout',
        detail: 'Failed to answer in time: the response took longer than 2 s.',
      }),
    },
  ],
])

contract('a time-out of its own kind', slow({ after: '2s', status: 503 }), [
  ['answers with its status', 'GET /posts', { status: 503, headers: { 'retry-after': '2' } }],
])

contract('a time-out below a second', slow({ after: '100ms', status: 503 }), [
  ['asks for whole seconds', 'GET /posts', { status: 503, headers: { 'retry-after': '1' } }],
])

contract('a time-out that is long enough', slow('4s'), [['waits', 'GET /posts', { status: 200 }]])

contract(
  'several time-outs',
  () => ({
    fixtures,
    clock: createSteppingClock(100),
    use: [
      delay('3s'),
      limit({ timeout: { after: '2s', status: 503 }, only: ['posts'] }),
      limit({ timeout: '1s', only: ['comments'] }),
      limit({ timeout: '10s' }),
    ],
  }),
  [
    ['count each for its own', 'GET /posts', { status: 503 }],
    ['end with the first that is up', 'GET /comments', { status: 504 }],
  ],
)

it('answers when the time is up, while what was asked for still happens', async () => {
  const clock = createManualClock()
  const use = [
    limit({ timeout: '2s' }),
    delay('5s'),
    idempotency(),
    limit({ requests: 9, per: '1m' }),
  ]
  const mock = createMock({ fixtures, clock, use })
  const post = () =>
    mock.fetch(
      new Request('http://mock.test/posts', {
        method: 'POST',
        body: '{"title":"x"}',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k1' },
      }),
    )
  const late = post()
  clock.advance(2000)
  expect((await late).status).toBe(504)
  expect(mock.log).toMatchObject([{ status: 504, ms: 2000 }])
  expect(mock.db.posts.count()).toBe(1)
  clock.advance(3000)
  await vi.waitFor(() => expect(mock.db.posts.count()).toBe(2))
  const again = post()
  clock.advance(1999)
  clock.advance(1)
  expect((await again).status).toBe(504)
  clock.advance(3000)
  await turn()
  expect(mock.db.posts.count()).toBe(2)
  expect(mock.log).toHaveLength(2)
})

const turn = () => new Promise<void>((resolve) => onNextTurn(resolve))

describe('what goes wrong behind a time-out', () => {
  const start = (...use: Behaviour[]) => {
    const clock = createManualClock()
    let isSlow = true
    const slow: Behaviour = {
      name: 'slow',
      create: () => ({
        at: {
          quota: () =>
            isSlow ? new Promise<void>((resolve) => void clock.after(5000, resolve)) : undefined,
        },
      }),
    }
    const mock = createMock({ fixtures, clock, use: [limit({ timeout: '2s' }), slow, ...use] })
    const post = () =>
      mock.fetch('http://mock.test/posts', {
        method: 'POST',
        body: '{}',
        headers: { 'Content-Type': 'application/json', 'Idempotency-Key': 'k1' },
      })
    const postLate = async (): Promise<void> => {
      const late = post()
      await turn()
      clock.advance(2000)
      expect((await late).status).toBe(504)
      isSlow = false
      clock.advance(3000)
      await turn()
    }
    return { post, postLate }
  }

  it('is seen by who waits for the answer, so that the same request gets it again', async () => {
    const { post, postLate } = start(idempotency(), fields({ posts: { required: ['title'] } }))
    await postLate()
    const again = await post()
    expect(again.status).toBe(422)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  it('is kept for who asks again, when the time was up while it was being done', async () => {
    const clock = createManualClock()
    const pay = async (): Promise<string> => {
      await new Promise<void>((resolve) => void clock.after(5000, resolve))
      return 'paid'
    }
    const use = [idempotency(), routes({ 'POST /pay': pay }), limit({ timeout: '2s' })]
    const mock = createMock({ fixtures, clock, use })
    await mock.fetch('http://mock.test/posts')
    const headers = { 'Idempotency-Key': 'k1' }
    const post = () => mock.fetch('http://mock.test/pay', { method: 'POST', headers })
    const late = post()
    await turn()
    clock.advance(2000)
    expect((await late).status).toBe(504)
    expect((await post()).status).toBe(409)
    clock.advance(3000)
    await turn()
    const again = await post()
    expect([again.status, await again.json()]).toEqual([200, 'paid'])
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  it('is told where who waits for the answer fails, and rejects nothing', async () => {
    const failing: Behaviour = {
      name: 'failing',
      create: () => ({
        at: {
          resource(exchange) {
            onLeave(exchange, () => {
              throw new TypeError('no way out')
            })
          },
        },
      }),
    }
    const told = vi.spyOn(console, 'error').mockReturnValue()
    await start(failing).postLate()
    expect(told.mock.calls.map(([, error]) => String(error))).toEqual(['TypeError: no way out'])
    told.mockRestore()
  })
})

it.each([
  [{}, 'no limit is set. Please give "requests" and "per", "page" or "timeout"'],
  [{ requests: 1 }, '"per" is missing'],
  [{ per: '1m' }, '"requests" is missing'],
  [{ page: 0 }, '"page" cannot be 0'],
  [{ page: { mx: 5 } }, 'there is no "mx". Did you mean "max"?'],
  [{ page: { over: 'refuse' } }, '"max" is missing'],
  [{ timeout: 'soon' }, 'cannot be "soon"'],
  [{ timeout: { after: '1s', status: 500 } }, '"status" cannot be 500. Please give 503 or 504'],
  [{ requests: 0, per: '1m' }, '"requests" cannot be 0'],
  [{ requests: 1, per: '1m', algoritm: 'fixed' }, 'Did you mean "algorithm"?'],
  [{ requests: 1, per: 'soon' }, 'cannot be "soon"'],
])('refuses the options %j', (options, message) => {
  expect(() => limit(options as never)).toThrow(message)
})
