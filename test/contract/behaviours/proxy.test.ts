import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'

import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { proxy, type ProxyOptions } from '../../../src/behaviours.ts'
import { serve } from '../../../src/node.ts'
import { createManualClock, createMock, type Mock, type MockOptions } from '../../../src/index.ts'
import { expectAnswer, faces, type Row, type TableRequest } from '../../faces.ts'

let server: Server
let origin = ''

beforeAll(async () => {
  server = createServer((request, response) => void answer(request, response))
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})

afterAll(() => {
  server.closeAllConnections()
  server.close()
})

/** The paths of the real server. */
const pages: Record<string, (response: ServerResponse) => void> = {
  '/gone': (response) => response.writeHead(410).end('{"error":"gone"}'),
  '/moved': (response) => response.writeHead(302, { Location: `${origin}/reports/1` }).end(),
  '/login': (response) =>
    response
      .writeHead(200, { 'Set-Cookie': ['a=1; Secure; Domain=127.0.0.1', 'b=2; Path=/'] })
      .end('{}'),
  '/packed': (response) =>
    response
      .writeHead(200, { 'Content-Type': 'application/json', 'Content-Encoding': 'gzip' })
      .end(gzipSync('{"packed":true}')),
  '/empty': (response) => response.writeHead(204).end(),
  '/chunked': (response) => {
    response.writeHead(200, { 'Content-Type': 'application/json' }).write('{"a":')
    response.end('1}')
  },
  '/broken': (response) =>
    response.writeHead(200, { 'Content-Length': 9 }).write('abc', () => response.destroy()),
  '/never': () => undefined,
  '/events': (response) =>
    response.writeHead(200, { 'Content-Type': 'text/event-stream' }).end('data: 1\n\n'),
}

async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { method, url = '', headers } = request
  const page = pages[url]
  if (page) return page(response)
  const body = await text(request)
  const value = {
    method,
    url,
    type: headers['content-type'],
    secret: headers['x-secret'],
    // Only what a request of the table names, as clients have other defaults.
    ...(headers.accept?.startsWith('image/') && { accept: headers.accept }),
    body,
  }
  const content = method === 'HEAD' ? '' : JSON.stringify(value)
  response.writeHead(200, { 'Content-Type': 'application/json', 'X-Real': 'yes' })
  response.end(content)
}

const fixtures = { posts: [{ id: 1, title: 'Hello' }], reports: [{ id: 1, local: true }] }

function withProxy(
  options: Partial<ProxyOptions> = {},
  config: Partial<MockOptions<typeof fixtures>> = {},
): () => MockOptions<typeof fixtures> {
  return () => ({ fixtures, ...config, use: [proxy({ to: origin, ...options })] })
}

// The MSW face passes requests for other paths than those of resources and `only` through.
const base = '/api'
const missing: Row[] = [
  [
    'leaves a fixture to the mock',
    'GET /api/posts/1',
    { status: 200, body: { id: 1, title: 'Hello' } },
  ],
  ['leaves a member that is not there to the mock', 'GET /api/posts/9', { status: 404 }],
  ['leaves the root to the mock', 'GET /api', { status: 200, headers: { 'X-Real': null } }],
  [
    'passes a request for another path on',
    'GET /api/search?q=a%20b',
    {
      status: 200,
      headers: { 'X-Real': 'yes', 'Content-Type': 'application/json' },
      body: { method: 'GET', url: '/api/search?q=a%20b', body: '' },
    },
  ],
  [
    'passes method, headers and body on',
    {
      request: 'PUT /api/other',
      headers: { 'Content-Type': 'text/plain', 'X-Secret': 'x' },
      body: 'ü',
    },
    {
      status: 200,
      body: { method: 'PUT', url: '/api/other', type: 'text/plain', secret: 'x', body: 'ü' },
    },
  ],
  [
    'passes Accept on as it was sent',
    { request: 'GET /api/other', headers: { Accept: 'image/png, */*' } },
    { status: 200, body: { method: 'GET', url: '/api/other', accept: 'image/png, */*', body: '' } },
  ],
  ['answers HEAD without a body', 'HEAD /api/other', { status: 200, headers: { 'X-Real': 'yes' } }],
  [
    'lets a path that continues a fixture pass',
    'GET /api/posts/1/likes',
    { status: 200, body: { method: 'GET', url: '/api/posts/1/likes', body: '' } },
  ],
]

onEveryFace('proxy, what no fixture answers', withProxy({}, { base }), missing)

const rooted = { base, rewrite: { '/api/*': '/$1' } }
onEveryFace('proxy, responses', () => ({ ...withProxy({ rewrite: rooted.rewrite }, { base })() }), [
  ['passes an error on', 'GET /api/gone', { status: 410, body: '{"error":"gone"}' }],
  [
    'reads a compressed body',
    'GET /api/packed',
    { status: 200, headers: { 'Content-Encoding': null }, body: { packed: true } },
  ],
  ['passes a response without a body on', 'GET /api/empty', { status: 204, body: '' }],
  ['passes a body of unknown length on', 'GET /api/chunked', { status: 200, body: { a: 1 } }],
  [
    'passes an event stream on',
    'GET /api/events',
    { status: 200, headers: { 'Content-Type': 'text/event-stream' }, body: 'data: 1\n\n' },
  ],
  [
    'reports a response that broke off',
    'GET /api/broken',
    { status: 502, headers: { 'Content-Type': /^application\/problem\+json/ } },
  ],
])

onEveryFace(
  'proxy, always',
  withProxy({ only: ['/reports/*'], except: ['/reports/mine'], when: 'always' }, { base }),
  [
    [
      'answers for a fixture',
      'GET /api/reports/1',
      { status: 200, body: { method: 'GET', url: '/api/reports/1', body: '' } },
    ],
    ['leaves other fixtures to the mock', 'GET /api/posts', { status: 200, body: fixtures.posts }],
    ['leaves other paths to the mock', 'GET /api/other', { status: 404 }],
    [
      'leaves exceptions to the mock',
      'GET /api/reports/mine',
      { status: 404, headers: { 'X-Real': null } },
    ],
  ],
)

onEveryFace('proxy without a base', withProxy({ only: ['GET /search', 'orders'] }), [
  ['answers what `only` lists', 'GET /search', { status: 200, headers: { 'X-Real': 'yes' } }],
  ['reads a name as a resource', 'DELETE /orders/1', { status: 200, headers: { 'X-Real': 'yes' } }],
])

onEveryFace(
  'proxy, headers and path',
  () => withProxy({ to: `${origin}/v2`, headers: { 'X-Secret': 'set' } }, { base })(),
  [
    [
      'sets headers, and puts its path in front',
      { request: 'GET /api/x', headers: { 'X-Secret': 'sent' } },
      { status: 200, body: { method: 'GET', url: '/v2/api/x', secret: 'set', body: '' } },
    ],
  ],
)

onEveryFace(
  'proxy without a server',
  () => ({ fixtures, base, use: [proxy({ to: 'http://127.0.0.1:1' })] }),
  [
    [
      'answers 502 that says why',
      'GET /api/x',
      {
        status: 502,
        headers: { 'Content-Type': /^application\/problem\+json/ },
        body: {
          type: 'about:blank',
          title: 'Bad Gateway',
          status: 502,
          detail: expect.stringMatching(/^Failed to get a response from http:\/\/127\.0\.0\.1:1: /),
          message: expect.any(String),
        },
      },
    ],
  ],
)

describe.each(Object.keys(faces))('proxy (%s)', (name) => {
  async function connected(mock: Mock, run: Parameters<typeof use>[1]): Promise<void> {
    await use(name, run, mock)
  }

  // The client of the MSW face follows redirects.
  it.skipIf(name === 'msw')('rewrites redirects', () =>
    connected(createMock(withProxy({ rewrite: rooted.rewrite }, { base })()), async (send) => {
      const { status, headers } = await send('GET /api/moved')
      expect(status).toBe(302)
      expect(headers['location']).not.toContain('127.0.0.1')
      expect(headers['location']).toMatch(/^http:\/\/mock\.test\/reports\/1$/)
    }),
  )

  it('answers 504 when the time is over', () => {
    const clock = createManualClock()
    const options = { rewrite: rooted.rewrite, timeout: '2s' }
    const mock = createMock({ ...withProxy(options, { base })(), clock })
    pages['/never'] = () => clock.advance('2s')
    return connected(mock, async (send) => {
      const { status, text } = await send('GET /api/never')
      expect([status, JSON.parse(text)]).toEqual([
        504,
        expect.objectContaining({ detail: expect.stringContaining('within 2 s') }),
      ])
    })
  })

  it('logs where the response is from', () => {
    const mock = createMock(withProxy({}, { base })())
    return connected(mock, async (send) => {
      await send('GET /api/x')
      expect(mock.log.at(-1)?.reason).toBe(`proxied to ${origin}`)
    })
  })
})

async function use(
  name: string,
  run: (send: Awaited<ReturnType<(typeof faces)[string]>>['send']) => Promise<void>,
  mock: Mock,
): Promise<void> {
  const connection = await faces[name]?.(mock)
  if (!connection) throw new Error(`There is no face "${name}".`)
  try {
    await run(connection.send)
  } finally {
    await connection.close()
  }
}

describe('proxy', () => {
  it.each([
    [{}, '"to" is missing'],
    [{ to: 'api.example.com' }, 'the URL of a server'],
    [{ to: 'ftp://a' }, 'the URL of a server'],
    [{ to: 'http://a?x' }, 'the URL of a server'],
    [{ to: 'http://a', when: 'never' }, 'missing'],
    [{ to: 'http://a', headers: { 'a b': 'c' } }, 'is not a header'],
    [{ to: 'http://a', only: ['/a?b'] }, 'without a query'],
    [{ to: 'http://a', onyl: [] }, 'Did you mean "only"'],
  ])('refuses %j', (options, message) => {
    expect(() => proxy(options as ProxyOptions)).toThrow(message)
  })

  it('says that it cannot record without files', async () => {
    const mock = createMock(withProxy({ record: true })())
    await mock.fetch('/x')
    expect(mock.log.at(-1)?.reason).toContain('not recorded')
  })

  it('needs files for certificates that are not trusted', async () => {
    const mock = createMock(withProxy({ insecure: true })())
    const response = await mock.fetch('/x')
    expect([response.status, await response.text()]).toEqual([
      502,
      expect.stringContaining('loadMock'),
    ])
  })
})

/**
 * Runs every row of a table through every face. Not `contract`, as a page that creates the mock of a table does
 * not know the port of the real server.
 */
function onEveryFace(
  title: string,
  create: () => MockOptions<typeof fixtures>,
  rows: readonly Row[],
): void {
  describe.each(Object.keys(faces))(`${title} (%s)`, (name) => {
    it.each(
      rows.map(([row, request, expected]) => [row, request as TableRequest, expected] as const),
    )('%s', (_row, request, expected) =>
      use(name, async (send) => expectAnswer(await send(request), expected), createMock(create())),
    )
  })
}

describe('a ring of proxies', () => {
  it('ends with a 508', async () => {
    const relay = createServer(({ url = '', headers }, response) => {
      // Another proxy, which passes everything on to the first one.
      const loop = String(headers['cdn-loop'])
      void fetch(ring.url + url, { headers: { 'CDN-Loop': loop } }).then(async (back) =>
        response.writeHead(back.status).end(await back.text()),
      )
    })
    await new Promise<void>((resolve) => relay.listen(0, '127.0.0.1', resolve))
    const to = `http://127.0.0.1:${(relay.address() as AddressInfo).port}`
    const ring = await serve(createMock({ fixtures, use: [proxy({ to })] }), { port: 0 })
    try {
      const response = await fetch(`${ring.url}/nothing`)
      expect(response.status).toBe(508)
      expect(await response.text()).toContain('the request has come back to this proxy')
    } finally {
      await ring.close()
      relay.close()
    }
  })
})
