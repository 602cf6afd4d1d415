import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import { auth, routes, type RouteRow } from '../../../src/behaviours.ts'
import { createManualClock, createMock, MockError, type MockOptions } from '../../../src/index.ts'
import { contract, faces } from '../../faces.ts'

const fixtures = {
  users: [{ id: 1, email: 'a', password: 'a', name: 'Ada' }],
  posts: [
    { id: 1, title: 'One' },
    { id: 2, title: 'Two' },
  ],
}

function mockWith(
  table: Parameters<typeof routes<typeof fixtures>>[0],
): () => MockOptions<Record<string, unknown>> {
  return () => ({
    fixtures,
    base: '/api',
    seed: 1,
    clock: createManualClock(),
    use: [routes<typeof fixtures>(table), auth({ protect: ['/secret'], known: { ada: 1 } })],
  })
}

const handlers: Parameters<typeof routes<typeof fixtures>>[0] = {
  'GET /hello': () => ({ hello: 'world' }),
  'GET /nothing': () => undefined,
  'GET /null': () => null,
  'POST /posts/:id/publish': (_, { db, params }) =>
    db.posts.update(params['id'] ?? '', { title: 'New' }),
  'POST /echo': async (request) => ({
    method: request.method,
    url: request.url,
    type: request.headers.get('content-type'),
    // Whoever passes the request on would send them to another server.
    left: [request.headers.get('host'), request.headers.get('content-length')],
    body: await request.text(),
  }),
  'POST /json': async (request) => ({ got: (await request.json()) as unknown }),
  'POST /upload': async (request) => {
    const form = await request.formData()
    const file = form.get('file') as File
    return { note: form.get('note'), name: file.name, type: file.type, text: await file.text() }
  },
  'GET /text': () =>
    new Response('plain', {
      status: 203,
      headers: [
        ['X-Own', 'yes'],
        ['Location', '/posts/1'],
        ['Set-Cookie', 'a=1'],
        ['Set-Cookie', 'b=2'],
      ],
    }),
  'GET /sized': () =>
    new Response('sized', { headers: { 'Content-Length': '99', 'X-Sized': 'yes' } }),
  'GET /events': () =>
    new Response('data: 1\n\n', { headers: { 'Content-Type': 'text/event-stream' } }),
  'GET /teapot': () => {
    throw new MockError('Short and stout.', { status: 418 })
  },
  'GET /drop': () => Response.error(),
  'GET /secret': (_, { user }) => user,
  'GET /now': (_, { clock, random }) => [clock.now(), random() < 1],
  'GET /files/*': (request) => new URL(request.url).pathname,
  'GET /posts/1': () => 'mine',
  '/any/:one': (request, { params }) => [request.method, params],
}

contract('routes', mockWith(handlers), [
  [
    'respond with a value as JSON',
    'GET /api/hello',
    {
      status: 200,
      headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
      body: { hello: 'world' },
    },
  ],
  ['answer HEAD', 'HEAD /api/hello', { status: 200, body: '' }],
  ['respond with 204 to undefined', 'GET /api/nothing', { status: 204, body: '' }],
  ['respond with null', 'GET /api/null', { status: 200, body: null }],
  [
    'get the data and the path parameters',
    ['POST /api/posts/2/publish', 'GET /api/posts/2'],
    { status: 200, body: { id: 2, title: 'New' } },
  ],
  ['respond with an error of the data', 'POST /api/posts/9/publish', { status: 404 }],
  [
    'get the request',
    { request: 'POST /api/echo?a=1', body: { b: 'ü' } },
    {
      status: 200,
      body: {
        method: 'POST',
        url: expect.stringMatching(/^http:\/\/[^/]+\/api\/echo\?a=1$/),
        type: 'application/json',
        left: [null, null],
        body: '{"b":"ü"}',
      },
    },
  ],
  [
    'get a form with its files',
    {
      request: 'POST /api/upload',
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      body: [
        '--x\r\nContent-Disposition: form-data; name="note"\r\n\r\nhi\r\n',
        '--x\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n',
        'Content-Type: text/plain\r\n\r\nüber\r\n--x--\r\n',
      ].join(''),
    },
    { status: 200, body: { note: 'hi', name: 'a.txt', type: 'text/plain', text: 'über' } },
  ],
  [
    'respond with a Response',
    'GET /api/text',
    {
      status: 203,
      headers: { 'x-own': 'yes', location: '/posts/1', 'cache-control': 'no-store' },
      body: 'plain',
    },
  ],
  [
    'respond with a Response with a Content-Length',
    'GET /api/sized',
    { status: 200, headers: { 'x-sized': 'yes' }, body: 'sized' },
  ],
  [
    'respond with a stream of events',
    'GET /api/events',
    { status: 200, headers: { 'content-type': 'text/event-stream' }, body: 'data: 1\n\n' },
  ],
  [
    'respond with an error that they throw',
    'GET /api/teapot',
    { status: 418, body: expect.objectContaining({ detail: 'Short and stout.' }) },
  ],
  ['need a login if protected', 'GET /api/secret', { status: 401 }],
  [
    'get the user',
    { request: 'GET /api/secret', headers: { authorization: 'Bearer ada' } },
    { status: 200, body: { id: 1, email: 'a', name: 'Ada' } },
  ],
  ['get the clock and random', 'GET /api/now', { status: 200, body: [Date.UTC(2026, 0, 1), true] }],
  [
    'match everything below a path',
    'GET /api/files/a/b.txt',
    { status: 200, body: '/api/files/a/b.txt' },
  ],
  ['take precedence over resources', 'GET /api/posts/1', { status: 200, body: 'mine' }],
  ['leave other methods to the resources', 'PUT /api/posts/1', { status: 400 }],
  [
    'match any method',
    { request: 'DELETE /api/any/a%2Fb' },
    { status: 200, body: ['DELETE', { one: 'a/b' }] },
  ],
  [
    'respond with 405 to other methods',
    'DELETE /api/hello',
    { status: 405, headers: { allow: 'GET, HEAD, QUERY, OPTIONS' } },
  ],
  [
    'read JSON',
    { request: 'POST /api/json', body: { a: 1 } },
    { status: 200, body: { got: { a: 1 } } },
  ],
  [
    'respond with 400 to a body that is not JSON',
    { request: 'POST /api/json', headers: { 'content-type': 'application/json' }, body: '{' },
    { status: 400, headers: { 'content-type': /problem\+json/ } },
  ],
  ['respond with 400 to a missing body', 'POST /api/json', { status: 400 }],
  [
    'respond with 400 to a body that is no form',
    { request: 'POST /api/upload', body: { a: 1 } },
    { status: 400 },
  ],
  ['respond with 404 to an unknown path', 'GET /api/nowhere', { status: 404 }],
  ['respond with 404 to OPTIONS of an unknown path', 'OPTIONS /api/nowhere', { status: 404 }],
  [
    'list their methods for OPTIONS',
    'OPTIONS /api/hello',
    { status: 204, headers: { allow: 'GET, HEAD, QUERY, OPTIONS' } },
  ],
])

contract(
  'routes after the resources',
  mockWith([
    { on: 'GET /posts', place: 'after', answer: () => 'mine' },
    { on: 'GET /*', place: 'after', answer: () => 'anything else' },
    { on: 'GET /own', place: 'before', answer: () => 'my own' },
  ]),
  [
    [
      'come after the routes before the resources, in any order',
      'GET /api/own',
      { status: 200, body: 'my own' },
    ],
    [
      'leave the paths of resources to them',
      'GET /api/posts',
      { status: 200, body: fixtures.posts },
    ],
    ['answer all other paths', 'GET /api/other', { status: 200, body: 'anything else' }],
  ],
)

describe.each(Object.keys(faces))('a route (%s)', (name) => {
  it('can drop the connection', async () => {
    const connection = await faces[name]?.(createMock(mockWith(handlers)()))
    if (!connection) throw new Error(`There is no face "${name}".`)
    try {
      await expect(connection.send('GET /api/drop')).rejects.toThrow()
    } finally {
      await connection.close()
    }
  })
})

describe('routes', () => {
  it.each([
    ['a function', () => 1],
    ['a symbol', Symbol.iterator],
    ['a map', new Map([[1, 2]])],
  ])('report a route that returns %s', async (_title, value) => {
    const told = vi.spyOn(console, 'error').mockReturnValue()
    onTestFinished(() => told.mockRestore())
    const use = [routes({ 'GET /wrong': () => value })]
    expect((await createMock({ fixtures: {}, use }).fetch('/wrong')).status).toBe(500)
    expect(told.mock.calls).toEqual([
      [expect.stringContaining('answer GET "/wrong"'), new TypeError('Please give plain data')],
    ])
  })

  it('send every Set-Cookie', async () => {
    const response = await createMock(mockWith(handlers)()).fetch(new Request('http://x/api/text'))
    expect(response.headers.getSetCookie()).toEqual(['a=1', 'b=2'])
  })

  it('are routes that the mock owns', () => {
    const mock = createMock({
      fixtures,
      use: [routes({ 'GET,POST /a/:b': () => 1, '/c': () => 2 })],
    })
    const own = mock.routes.filter(({ resource }) => resource === 'routes')
    expect(own.map(({ path, methods }) => `${methods.join()} ${path}`)).toEqual([
      'GET,POST /a/:b',
      '* /c',
    ])
    expect([
      internalsOf(mock).owns('/a/1'),
      internalsOf(mock).owns('/c'),
      internalsOf(mock).owns('/d'),
    ]).toEqual([true, true, false])
  })

  it('log the route', async () => {
    const mock = createMock(mockWith(handlers)())
    await mock.fetch(new Request('http://x/api/hello'))
    expect(mock.log.at(-1)?.reason).toBe('route "GET /hello"')
  })

  it('cannot change the user', async () => {
    const change: RouteRow = {
      on: '/secret',
      answer(_, { user }) {
        if (user) user['name'] = 'Eve'
      },
    }
    const mock = createMock({ fixtures, use: [routes([change]), auth({ known: { ada: 1 } })] })
    const headers = { authorization: 'Bearer ada' }
    await mock.fetch(new Request('http://x/secret', { headers }))
    expect(mock.db.users.get(1)?.name).toBe('Ada')
  })

  const wrong: [title: string, table: unknown, message: string][] = [
    [
      'a route without a path',
      { hello: () => 1 },
      '"hello" has no path. Please write a method and a path, as in "GET /hello".',
    ],
    [
      'a route that answers nothing',
      { 'GET /a': 1 },
      '"answer" cannot be 1. Please give a function.',
    ],
    [
      'an unknown option',
      [{ on: 'GET /a', answer: () => 1, plaec: 'after' }],
      'there is no "plaec". Did you mean "place"?',
    ],
    [
      'a route without its function',
      [{ on: 'GET /a' }],
      '"answer" is missing. Please give a function.',
    ],
  ]

  it.each(wrong)('refuse %s', (_, table, message) => {
    expect(() => routes(table as RouteRow[])).toThrow(message)
  })
})
