import { describe, expect, it } from 'vitest'

import { createMock, type Mock } from '../../src/index.ts'
import { createInstantClock } from '../clocks.ts'
import { contract, faces, type Row } from '../faces.ts'

const fixtures = {
  posts: [
    { id: 1, title: 'First' },
    { id: 2, title: 'Second' },
  ],
  'v1/tags': [{ id: 1 }],
}

/** Rules by what they are, and what a request gets then. */
const rules: [title: string, rule: (mock: Mock) => unknown, ...Row[]][] = [
  [
    'a rule that fails',
    (mock) => mock.on('GET', '/posts/:id').fail(500, { times: 1 }),
    [
      'answers with an error of the dialect',
      'GET /posts/1',
      {
        status: 500,
        headers: { 'content-type': /problem\+json/, 'cache-control': 'no-store' },
        body: {
          type: 'about:blank',
          title: 'Internal Server Error',
          status: 500,
          detail: 'Internal Server Error, simulated by the mock.',
          message: 'Internal Server Error, simulated by the mock.',
        },
      },
    ],
    ['ends after its times', ['GET /posts/1', 'GET /posts/2'], { status: 200 }],
    ['means HEAD where it says GET', 'HEAD /posts/1', { status: 500, body: '' }],
    ['leaves another path alone', 'GET /posts', { status: 200 }],
    ['leaves another method alone', 'DELETE /posts/1', { status: 200 }],
  ],
  [
    'a rule that fails with a body',
    (mock) =>
      mock.on('POST', '/posts').fail(422, {
        body: { errors: { title: 'is required' } },
        headers: { 'Content-Type': 'application/problem+json', 'X-A': '1' },
      }),
    [
      'sends it',
      { request: 'POST /posts', body: {} },
      {
        status: 422,
        headers: { 'content-type': 'application/problem+json', 'x-a': '1' },
        body: { errors: { title: 'is required' } },
      },
    ],
  ],
  [
    'a rule with relative URLs',
    (mock) => {
      const headers = { Location: '/posts/1', Link: '</posts>; rel="up"' }
      mock.on('POST', '/posts').reply(201, {}, { headers })
      mock.on('GET', '/posts').fail(503, { headers })
    },
    [
      'sends them as they are',
      { request: 'POST /posts', body: {} },
      { status: 201, headers: { location: '/posts/1', link: '</posts>; rel="up"' } },
    ],
    [
      'sends them as they are with an error',
      'GET /posts',
      { status: 503, headers: { location: '/posts/1', link: '</posts>; rel="up"' } },
    ],
  ],
  [
    'a rule that makes its answer',
    (mock) => {
      let count = 0
      mock.on('GET', '/posts').reply(200, async () => ({ count: ++count }))
      mock.on('GET', '/stream').reply(200, stream, { headers: { 'Content-Type': 'text/css' } })
      mock.on('GET', '/nothing').reply(200, () => undefined)
    },
    [
      'makes one for each request',
      ['GET /posts', 'GET /posts'],
      { status: 200, body: { count: 2 } },
    ],
    [
      'streams again',
      ['GET /stream', 'GET /stream'],
      { status: 200, headers: { 'content-type': 'text/css' }, body: 'one two' },
    ],
    ['sends nothing where it makes nothing', 'GET /nothing', { status: 200, body: '' }],
  ],
  [
    'a rule that fails with headers',
    (mock) => mock.on('*', '*').fail(503, { headers: { 'Retry-After': '5' } }),
    ['sends them', 'GET /posts', { status: 503, headers: { 'retry-after': '5' } }],
    ['means every method', 'DELETE /posts/1', { status: 503 }],
    ['means every path', 'GET /posts/nowhere/at/all', { status: 503 }],
    [
      'lets preflights pass',
      {
        request: 'OPTIONS /posts',
        headers: { origin: 'http://localhost:1', 'access-control-request-method': 'GET' },
      },
      { status: 204 },
    ],
    [
      'sends the headers of CORS',
      { request: 'GET /posts', headers: { origin: 'http://localhost:1' } },
      { status: 503, headers: { 'access-control-allow-origin': 'http://localhost:1' } },
    ],
  ],
  [
    'a rule with headers that are usual',
    (mock) => {
      const headers = {
        'content-type': 'text/x-a',
        'Cache-Control': 'max-age=1',
        'Access-Control-Allow-Origin': 'http://other.test',
        'Content-Length': '3',
        'transfer-encoding': 'chunked',
      }
      mock.on('GET', '/posts').fail(503, { headers })
      mock.on('GET', '/flags').reply(200, 'hello', { headers })
      mock.on('GET', '/empty').reply(200, null, { headers: { 'Content-Length': '9' } })
      mock.on('GET', '/none').reply(404, undefined, { headers: { 'Content-Length': '9' } })
    },
    ...['GET /posts', 'GET /flags'].map((request): Row => [
      `wins over them (${request})`,
      { request, headers: { origin: 'http://localhost:1' } },
      {
        status: request === 'GET /posts' ? 503 : 200,
        headers: {
          'content-type': 'text/x-a',
          'cache-control': 'max-age=1',
          'access-control-allow-origin': 'http://other.test',
        },
      },
    ]),
    ['does not say how long a body is', 'GET /flags', { status: 200, body: 'hello' }],
    ['does not say so for HEAD', 'HEAD /flags', { status: 200, body: '' }],
    ['does not say so for JSON', 'GET /empty', { status: 200, body: null }],
    ['does not say so for no body', 'GET /none', { status: 404 }],
  ],
  [
    'a rule that replies',
    (mock) => {
      mock.on('GET', '/flags').reply(200, { isNew: true }, { headers: { 'X-A': '1' } })
      mock.on('ANY', '/text/*').reply(201, 'hello')
      mock.on('get', '/csv').reply(200, 'a,b', { headers: { 'content-type': 'text/csv' } })
      mock.on('GET', '/null').reply(200, null)
      mock.on('GET', '/nothing').reply(204, 'x')
      mock.on('GET', '/empty').reply(200)
      mock.on('GET', '/bytes').reply(200, new TextEncoder().encode('x'))
      mock.on('GET', '/kept').reply(200, [], { headers: { 'Cache-Control': 'max-age=1' } })
      mock.on('GET', '/a b/ä').reply(200, 'found')
      mock.on('GET', '/posts/1/*').reply(200, 'below')
    },
    [
      'sends JSON where no resource is',
      'GET /flags',
      {
        status: 200,
        headers: {
          'content-type': 'application/json; charset=utf-8',
          'x-a': '1',
          'cache-control': 'no-store',
        },
        body: { isNew: true },
      },
    ],
    [
      'sends a text as it is',
      'DELETE /text/a/b',
      { status: 201, headers: { 'content-type': 'text/plain; charset=utf-8' }, body: 'hello' },
    ],
    [
      'sends a text of another type',
      'GET /csv',
      { status: 200, headers: { 'content-type': 'text/csv' }, body: 'a,b' },
    ],
    ['sends null', 'GET /null', { status: 200, body: null }],
    ['sends no body with 204', 'GET /nothing', { status: 204, body: '' }],
    ['sends no body where none is given', 'GET /empty', { status: 200, body: '' }],
    ['sends bytes', 'GET /bytes', { status: 200, body: 'x' }],
    [
      'keeps its own caching',
      'GET /kept',
      { headers: { 'cache-control': 'max-age=1' }, status: 200 },
    ],
    ['finds an escaped path', 'GET /a%20b/%C3%A4', { status: 200, body: 'found' }],
    ['finds what is below', 'GET /posts/1/x/y', { status: 200, body: 'below' }],
    ['does not change what is not below', 'GET /posts/2', { status: 200 }],
  ],
  [
    'of two rules the later',
    (mock) => {
      mock.on('GET', '/posts').fail(500)
      mock.on('GET', '/posts').reply(200, 'later', { times: 1 })
    },
    ['wins', 'GET /posts', { status: 200, body: 'later' }],
    ['gives way once it is used up', ['GET /posts', 'GET /posts'], { status: 500 }],
  ],
  [
    'a later answer',
    (mock) => {
      mock.on('GET', '/posts').drop()
      mock.on('GET', '/posts').reply(200, 'later')
    },
    ['wins over a dropped connection', 'GET /posts', { status: 200, body: 'later' }],
  ],
  [
    'a rule that is removed',
    (mock) => mock.on('GET', '/posts').fail(500).remove(),
    ['does nothing', 'GET /posts', { status: 200 }],
  ],
  [
    'a rule without an effect',
    (mock) => mock.on('GET', '/posts'),
    ['does nothing', 'GET /posts', { status: 200 }],
  ],
  [
    'a rule that was reset',
    (mock) => {
      mock.on('GET', '/posts').fail(500)
      mock.reset()
    },
    ['does nothing', 'GET /posts', { status: 200 }],
  ],
  [
    'a rule for a resource by name',
    (mock) => mock.on('GET', 'posts').fail(500),
    ['means it', 'GET /posts', { status: 500 }],
    ['means what is below', 'GET /posts/1', { status: 500 }],
  ],
]

for (const [title, rule, ...rows] of rules) {
  const create = (): Mock => {
    const mock = createMock({ fixtures })
    rule(mock)
    return mock
  }
  contract(title, create, rows)
}

const withBase: Row[] = [
  ['means a path below the base', 'GET /api/posts', { status: 500 }],
  ['means a path that repeats the base', 'GET /api/posts/1', { status: 501 }],
  ['leaves the others alone', 'GET /api/posts/2', { status: 200 }],
]
contract(
  'a rule with a base',
  () => {
    const mock = createMock({ fixtures, base: '/api' })
    mock.on('GET', '/posts').fail(500)
    mock.on('GET', '/api/posts/1').fail(501)
    return mock
  },
  withBase,
)

describe.each(Object.keys(faces))('a rule through %s', (name) => {
  it.each([
    ['a request', 'GET /posts'],
    ['one whose body has been read', { request: 'POST /posts', body: { title: 'New' } }],
  ])('drops the connection of %s', async (_title, request) => {
    const mock = createMock({ fixtures })
    mock.on('*', '/posts').drop({ times: 1 })
    const connection = await faces[name]?.(mock)
    try {
      await expect(connection?.send(request)).rejects.toThrow()
      expect(mock.log.map(({ status, reason }) => [status, reason])).toEqual([
        [0, 'rule 1 answered'],
      ])
      expect((await connection?.send('GET /posts'))?.status).toBe(200)
    } finally {
      await connection?.close()
    }
  })

  it('waits by the clock', async () => {
    const mock = createMock({ fixtures, clock: createInstantClock() })
    mock.on('GET', '/posts').delay(300)
    const connection = await faces[name]?.(mock)
    try {
      expect((await connection?.send('GET /posts'))?.status).toBe(200)
      expect(mock.log.map(({ ms, reason }) => [ms, reason])).toEqual([[300, 'rule 1 waited']])
    } finally {
      await connection?.close()
    }
  })
})

async function* stream(): AsyncGenerator<string> {
  yield 'one '
  yield 'two'
}
