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
    'sends the remaining requests with every response',
    'GET /posts',
    {
      status: 200,
      headers: { 'ratelimit-policy': '"default";q=2;w=60', ratelimit: '"default";r=1;t=60' },
    },
  ],
  [
    'refuses requests above the limit',
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

const twice =
  (...use: Behaviour[]) =>
  () => ({ fixtures, clock: createManualClock(), use })

contract(
  'several limits',
  twice(
    limit({ requests: 2, per: '1s' }),
    limit({ requests: 100, per: '1m' }),
    limit({ requests: 5, per: '1h', name: 'default' }),
    limit({ requests: 1, per: '1h', only: ['POST *'], name: 'say "no"' }),
    limit({ page: 10 }),
  ),
  [
    [
      'have names of their own',
      'GET /posts',
      {
        status: 200,
        headers: {
          'ratelimit-policy': '"default-2";q=2;w=1, "default-3";q=100;w=60, "default";q=5;w=3600',
          ratelimit: '"default-2";r=1;t=1, "default-3";r=99;t=60, "default";r=4;t=3600',
        },
      },
    ],
    [
      'are all in the policy when the first is reached',
      ['GET /posts', 'GET /posts', 'GET /posts'],
      {
        status: 429,
        headers: {
          'ratelimit-policy': '"default-2";q=2;w=1, "default-3";q=100;w=60, "default";q=5;w=3600',
          ratelimit: '"default-2";r=0;t=1',
        },
        body: expect.objectContaining({ 'violated-policies': ['default-2'] }),
      },
    ],
    [
      'can have any name of printable characters',
      { request: 'POST /posts', body: {} },
      { status: 201, headers: { ratelimit: /, "say \\"no\\"";r=0;t=3600$/ } },
    ],
  ],
)

contract('a limit by client', still(limit({ requests: 1, per: '1h', by: 'X-Api-Key' })), [
  [
    'counts clients separately',
    [
      { request: 'GET /posts', headers: { 'x-api-key': 'a' } },
      { request: 'GET /posts', headers: { 'x-api-key': 'b' } },
    ],
    { status: 200 },
  ],
  [
    'refuses the client above the limit',
    [
      { request: 'GET /posts', headers: { 'x-api-key': 'a' } },
      { request: 'GET /posts', headers: { 'x-api-key': 'a' } },
    ],
    { status: 429 },
  ],
])

contract('a limit with only', still(limit({ requests: 1, per: '1h', only: ['POST posts'] })), [
  [
    'leaves other requests unlimited',
    ['GET /posts', 'GET /posts'],
    { status: 200, headers: { ratelimit: null } },
  ],
  [
    'limits matching requests',
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

contract('a page limit', capped(10), [
  [
    'leaves smaller pages',
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
        link: /<http:\/\/mock\.test\/posts\?_page=3&_limit=500&_fields=id>; rel="next"/,
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
    'reduces a page of a cursor',
    'GET /posts?_cursor=&_limit=500&_fields=id',
    { status: 200, headers: { link: /rel="next"/ }, body: ids(1, 10) },
  ],
  [
    'splits a list without paging into pages',
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
    'reduces the page of a QUERY body',
    { request: 'QUERY /posts', body: { limit: 500, fields: ['id'] } },
    { status: 200, body: ids(1, 10) },
  ],
  ['does not count requests', 'GET /posts', { status: 200, headers: { ratelimit: null } }],
])

contract('a page limit in another dialect', () => ({ ...capped(10)(), dialect: simpleRest }), [
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
    'reduces a list without paging',
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

contract('a strict page limit', capped({ max: 10, over: 'refuse' }), [
  ['allows smaller pages', 'GET /posts?_page=1&_limit=10', { status: 200 }],
  [
    'refuses a larger page and names its parameter',
    'GET /posts?_page=1&_limit=500',
    {
      status: 400,
      body: expect.objectContaining({
        detail:
          'Failed to list "posts": 500 records are more than a page may have. Please ask for at most 10.',
        errors: { _limit: 'has to be at most 10' },
      }),
    },
  ],
  ['refuses a range', 'GET /posts?_start=0&_end=11', { status: 400 }],
  [
    'splits a list without paging into pages',
    'GET /posts?_fields=id',
    { status: 200, body: ids(1, 10) },
  ],
])

contract('a page limit above the size of the collection', capped(25), [
  [
    'leaves the list whole',
    'GET /posts',
    { status: 200, headers: { link: null }, body: many.posts },
  ],
])

contract('a page limit with only', capped(10, ['users']), [
  ['leaves other requests unlimited', 'GET /posts', { status: 200, headers: { link: null } }],
])

const slow =
  (timeout: LimitOptions['timeout'], time = '3s') =>
  () => ({
    fixtures,
    clock: createSteppingClock(100),
    use: [delay(time, { only: ['posts'] }), limit({ ...(timeout !== undefined && { timeout }) })],
  })

contract('a timeout', slow('2s'), [
  ['leaves fast responses', 'GET /comments', { status: 200 }],
  [
    'replaces a slow response',
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

contract('a timeout with a status', slow({ after: '2s', status: 503 }), [
  ['responds with the status', 'GET /posts', { status: 503, headers: { 'retry-after': '2' } }],
])

contract('a timeout below a second', slow({ after: '100ms', status: 503 }), [
  [
    'rounds Retry-After up to a second',
    'GET /posts',
    { status: 503, headers: { 'retry-after': '1' } },
  ],
])

contract('a long timeout', slow('4s'), [['waits', 'GET /posts', { status: 200 }]])

contract(
  'several timeouts',
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
    ['apply to their own requests', 'GET /posts', { status: 503 }],
    ['end with the shortest', 'GET /comments', { status: 504 }],
  ],
)

it('responds at the timeout while the request still takes effect', async () => {
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
  await expect.poll(() => mock.db.posts.count()).toBe(2)
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

describe('an error after a timeout', () => {
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

  it('is stored by idempotency, which replays it', async () => {
    const { post, postLate } = start(idempotency(), fields({ posts: { required: ['title'] } }))
    await postLate()
    const again = await post()
    expect(again.status).toBe(422)
    expect(again.headers.get('idempotency-replayed')).toBe('true')
  })

  it('leaves the late response of a route to idempotency', async () => {
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

  it('is reported if it comes from a leave hook, without a rejection', async () => {
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

const clients: [title: string, by: LimitOptions['by'], statuses: number[]][] = [
  ['the promise of a name', async ({ headers }) => String(headers['x-key']), [200, 200, 429]],
  ['a rejection', async () => Promise.reject(new Error('no key')), [200, 429, 429]],
  [
    'an error',
    () => {
      throw new Error('no key')
    },
    [200, 429, 429],
  ],
  ['no name', (() => undefined) as never, [200, 429, 429]],
]

it.each(clients)('counts by a function that gives %s', async (title, by, statuses) => {
  const reported = vi.spyOn(console, 'error').mockReturnValue()
  const mock = createMock({ fixtures, use: [limit({ requests: 1, per: '1h', ...(by && { by }) })] })
  const answers: number[] = []
  for (const key of ['a', 'b', 'a']) {
    answers.push((await mock.fetch('/posts', { headers: { 'X-Key': key } })).status)
  }
  expect(answers).toEqual(statuses)
  const isWrong = ['a rejection', 'an error'].includes(title)
  expect(reported.mock.calls.map(([message]) => String(message))).toEqual(
    isWrong
      ? Array(3).fill('Failed to read the client of a request by the option "by" of "limit":')
      : [],
  )
  reported.mockRestore()
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
  [{ requests: 1, per: `${'9'.repeat(400)}d` }, '"per" cannot be'],
  [{ requests: 1e15, per: '1m' }, '"requests" cannot be 1000000000000000'],
  [{ requests: 1, per: '1m', name: 'é' }, 'Please give a name of printable ASCII characters'],
  [{ requests: 1, per: '1m', name: '' }, '"name" cannot be ""'],
  [{ requests: 1, per: '1m', by: 'x key' }, 'Please give the name of a header'],
  [{ timeout: 1e16 }, '"timeout" cannot be'],
])('refuses the options %j', (options, message) => {
  expect(() => limit(options as never)).toThrow(message)
})
