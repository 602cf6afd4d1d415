import { createRequire } from 'node:module'
import { dirname } from 'node:path'

import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { limit, rewrite } from '../../../../src/behaviours.ts'
import { jsonServer0 } from '../../../../src/dialects.ts'
import { createMock, type Mock, type MockOptions } from '../../../../src/index.ts'
import { serve, type ServeOptions } from '../../../../src/node.ts'
import { bodyOf, sendOverHttp, type TableRequest, type Answer } from '../../../faces.ts'

/** The parts of Express that these middlewares use. */
interface Request {
  method: string
  url: string
  originalUrl: string
  path: string
  query: Record<string, unknown>
  body: Record<string, unknown>
  headers: Record<string, string | undefined>
  on(event: 'data' | 'end', listener: (chunk: Buffer) => void): void
}
interface Response {
  statusCode: number
  header(name: string, value: string): Response
  append(name: string, value: string): Response
  status(code: number): Response
  send(body: unknown): Response
  json(value: unknown): Response
  jsonp(value: unknown): Response
  sendStatus(code: number): Response
  write(chunk: string): void
}
type Next = (error?: unknown) => void
type Handler = (request: Request, response: Response, next: Next) => unknown

const posts = [
  { id: 1, title: 'One' },
  { id: 2, title: 'Two' },
]
const origin = 'http://localhost:5173'

/** Packages that have each version of Express among their dependencies. */
const versions: Record<string, string> = {
  '4': dirname(createRequire(import.meta.url).resolve('json-server/package.json')),
  '5': process.cwd(),
}

afterEach(() => {
  vi.restoreAllMocks()
})

interface Started {
  mock: Mock
  send(request: TableRequest): Promise<Answer>
}

async function start(
  middlewares: NonNullable<ServeOptions['middlewares']>,
  options: Partial<MockOptions<object>> = {},
  version = '5',
): Promise<Started> {
  vi.spyOn(process, 'cwd').mockReturnValue(versions[version] ?? '')
  const mock = createMock<Record<string, never>>({ fixtures: { posts }, ...options }) as Mock
  const { port, close } = await serve(mock, {
    port: 0,
    host: '127.0.0.1',
    allowHost: 'mock.test',
    middlewares,
  })
  onTestFinished(close)
  return { mock, send: (request) => sendOverHttp(port, request) }
}

/** A middleware that does something and passes the request on. */
function passing(act: (request: Request, response: Response) => unknown): Handler {
  return (request, response, next) => {
    act(request, response)
    next()
  }
}

const hello = passing((_request, response) => response.header('X-Hello', 'World'))

/** Rows with a middleware, a request and the response: status, and headers or the body. */
const rows: [
  title: string,
  middleware: Handler,
  request: TableRequest,
  expected: { status: number; headers?: Record<string, string | undefined>; body?: unknown },
][] = [
  [
    'adds a header to the response of the mock',
    hello,
    'GET /posts/1',
    { status: 200, headers: { 'x-hello': 'World' }, body: posts[0] },
  ],
  [
    'responds with res.jsonp',
    (request, response) => response.status(201).jsonp({ path: request.path }),
    'GET /posts/1',
    { status: 201, body: { path: '/posts/1' } },
  ],
  [
    'responds with res.send',
    (_request, response) => response.send('hi'),
    'GET /posts/1',
    { status: 200, headers: { 'content-type': 'text/html; charset=utf-8' }, body: 'hi' },
  ],
  [
    'responds to a request without a resource',
    (request, response, next) => (request.path === '/echo' ? response.json(request.query) : next()),
    'GET /echo?a[b]=1&c=2&c=3',
    { status: 200, body: { a: { b: '1' }, c: ['2', '3'] } },
  ],
  [
    'responds before the mock, after its CORS headers',
    (_request, response) => response.sendStatus(401),
    { request: 'GET /posts/1', headers: { origin } },
    {
      status: 401,
      headers: {
        'access-control-allow-origin': origin,
        'access-control-allow-credentials': 'true',
      },
      body: 'Unauthorized',
    },
  ],
  [
    'changes a JSON body',
    passing((request) => (request.body['createdAt'] = 7)),
    { request: 'POST /posts', body: { title: 'New' } },
    { status: 201, body: { title: 'New', createdAt: 7, id: 3 } },
  ],
  [
    'changes the body of a form',
    passing((request) => (request.body['tags'] = ['a'])),
    {
      request: 'POST /posts',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'title=New+one',
    },
    { status: 201, body: { title: 'New one', tags: ['a'], id: 3 } },
  ],
  [
    'gives a body to a request that has none',
    passing((request) => (request.body['title'] = 'Given')),
    'POST /posts',
    { status: 201, body: { title: 'Given', id: 3 } },
  ],
  [
    'changes the query',
    passing((request) => {
      request.query['title'] = ['One', 'Zwei & drei']
      delete request.query['id']
    }),
    'GET /posts?id=2',
    { status: 200, body: [posts[0]] },
  ],
  [
    'changes the path, and keeps the query',
    passing((request) => (request.url = request.url.replace(/^\/old.*/, '/posts'))),
    'GET /old?id=2',
    { status: 200, body: [posts[1]] },
  ],
  [
    'changes the whole URL',
    passing((request) => (request.url = '/posts?id=1')),
    'GET /old?id=2',
    { status: 200, body: [posts[0]] },
  ],
  [
    'changes the method',
    passing((request) => (request.method = 'DELETE')),
    'POST /posts/1',
    { status: 200, body: posts[0] },
  ],
  [
    'sets the status of the response of the mock',
    passing((_request, response) => response.status(418)),
    'GET /posts/1',
    { status: 418, body: posts[0] },
  ],
  [
    'keeps an error of the mock',
    passing((_request, response) => response.status(418)),
    'GET /posts/9',
    { status: 404 },
  ],
  [
    'wins over headers of the mock, but not over those of its body',
    passing((_request, response) => {
      response.header('Cache-Control', 'max-age=60').header('Content-Length', '1')
      response.append('Set-Cookie', 'a=1').append('Vary', 'Cookie')
    }),
    'GET /posts/1',
    {
      status: 200,
      headers: { 'cache-control': 'max-age=60', 'set-cookie': 'a=1', 'content-length': '22' },
      body: posts[0],
    },
  ],
  [
    'lets pages read its headers',
    hello,
    { request: 'GET /posts/1', headers: { origin } },
    {
      status: 200,
      headers: { 'access-control-expose-headers': expect.stringMatching(/x-hello$/) as string },
    },
  ],
  [
    'replaces res.send',
    passing((_request, response) => {
      const send = response.send.bind(response)
      response.send = (body) => send(JSON.stringify({ data: JSON.parse(String(body)) as unknown }))
    }),
    'GET /posts/1',
    { status: 200, body: { data: posts[0] } },
  ],
  [
    'replaces res.jsonp, and sees errors of the mock',
    passing((_request, response) => {
      const jsonp = response.jsonp.bind(response)
      response.jsonp = (value) => jsonp({ status: response.statusCode, ...(value as object) })
    }),
    'GET /posts/9',
    { status: 404, body: expect.objectContaining({ status: 404 }) },
  ],
  [
    'reads a body of another type itself',
    (request, _response, next) => {
      let text = ''
      request.on('data', (chunk) => (text += chunk.toString()))
      request.on('end', () => {
        request.body = { text }
        next()
      })
    },
    { request: 'POST /posts', headers: { 'content-type': 'text/plain' }, body: 'plain' },
    { status: 201, body: { text: 'plain', id: 3 } },
  ],
  [
    'does not get a body that is not JSON, which the mock refuses',
    passing((request, response) =>
      response.header('X-Fields', String(Object.keys(request.body).length)),
    ),
    { request: 'POST /posts', body: '{"title":' },
    { status: 400, headers: { 'x-fields': '0' } },
  ],
  [
    'is not passed a preflight',
    (_request, response) => response.sendStatus(500),
    {
      request: 'OPTIONS /posts',
      headers: { origin, 'access-control-request-method': 'POST' },
    },
    { status: 204, headers: { 'access-control-allow-origin': origin } },
  ],
  [
    'is not passed a request of the control API',
    (_request, response) => response.sendStatus(500),
    'GET /__mock/routes',
    { status: 200 },
  ],
  [
    'is not passed a request to an unknown host',
    (_request, response) => response.sendStatus(200),
    { request: 'GET /posts', headers: { host: 'evil.test' } },
    { status: 403 },
  ],
]

describe.each(Object.keys(versions))('a middleware in Express %s', (version) => {
  it.each(rows)('%s', async (_title, middleware, request, expected) => {
    const { send } = await start([middleware], {}, version)
    const answer = await send(request)
    expect([answer.status, answer.text]).toEqual([expected.status, expect.any(String)])
    for (const [name, value] of Object.entries(expected.headers ?? {}))
      expect(answer.headers[name]).toEqual(value)
    if (expected.body !== undefined) expect(bodyOf(answer)).toEqual(expected.body)
  })

  const failing: [title: string, middleware: Handler][] = [
    [
      'throws',
      () => {
        throw new Error('broken')
      },
    ],
    ['rejects', () => Promise.reject(new Error('broken'))],
    ['passes an error on', (_request, _response, next) => next(new Error('broken'))],
    [
      'passes an error on later',
      (_request, _response, next) => void setImmediate(() => next(new Error('broken'))),
    ],
  ]

  it.each(failing)('that %s is an error response that names the file', async (_title, handler) => {
    const report = vi.spyOn(console, 'error').mockReturnValue()
    const files = [
      { file: 'a.js', handlers: [hello] },
      { file: 'b.js', handlers: [handler] },
    ]
    const { mock, send } = await start(files, {}, version)
    const answer = await send({ request: 'GET /posts', headers: { origin } })
    expect(answer).toMatchObject({
      status: 500,
      headers: {
        'content-type': 'application/problem+json; charset=utf-8',
        'access-control-allow-origin': origin,
      },
    })
    expect(bodyOf(answer)).toMatchObject({
      status: 500,
      detail: 'Failed to run the middleware "b.js": broken.',
    })
    expect(report).toHaveBeenCalledWith('Failed to run the middleware "b.js":', expect.any(Error))
    await expect.poll(() => mock.log).toHaveLength(1)
    expect(mock.log[0]).toMatchObject({ status: 500, reason: 'middleware "b.js"' })
  })

  it('with four parameters handles the errors of others', async () => {
    const broken: Handler = () => {
      throw Object.assign(new Error('broken'), { status: 422 })
    }
    const onError = (error: Error, _request: Request, response: Response, _next: Next): unknown =>
      response.status(500).json({ caught: error.message })
    const { send } = await start([broken, onError], {}, version)
    const answer = await send('GET /posts')
    expect([answer.status, bodyOf(answer)]).toEqual([500, { caught: 'broken' }])
    const other = await start([broken], {}, version)
    expect((await other.send('GET /posts')).status).toBe(422)
  })

  it('sees the URL that rules rewrite, and the log has the URL as sent', async () => {
    const echo: Handler = ({ url, originalUrl, query }, response, next) => {
      response.header('X-Url', `${url} ${originalUrl} ${JSON.stringify(query)}`)
      next()
    }
    const use = [rewrite({ '/blog/:id': '/posts?id=:id' })]
    const { mock, send } = await start([echo], { use }, version)
    const { headers, text } = await send('GET /blog/2')
    expect(headers['x-url']).toBe('/posts?id=2 /posts?id=2 {"id":"2"}')
    expect(JSON.parse(text)).toEqual([posts[1]])
    expect(mock.log[0]).toMatchObject({
      url: '/blog/2',
      reason: 'rewritten to /posts?id=2',
    })
  })

  it('changes a rewritten URL, which is not rewritten again', async () => {
    const change: Handler = (request, _response, next) => {
      request.url += '&title=Two'
      next()
    }
    const use = [rewrite({ '/*': '/posts?id=2' })]
    const { send } = await start([change], { use, dialect: jsonServer0 }, version)
    expect(bodyOf(await send('GET /blog'))).toEqual([posts[1]])
  })

  it('changes method and path, and the log has those that the client sent', async () => {
    const change: Handler = (request, _response, next) => {
      request.method = 'GET'
      request.url = '/posts?id=2'
      next()
    }
    const use = [limit({ requests: 1, per: '1m', only: ['POST /secret'] })]
    const { mock, send } = await start([change], { use }, version)
    expect(bodyOf(await send('POST /secret?a=1'))).toEqual([posts[1]])
    expect(mock.log[0]).toMatchObject({
      method: 'POST',
      url: '/secret?a=1',
      reason: 'changed by a middleware to GET /posts?id=2',
    })
    expect((await send('POST /secret')).status).toBe(429)
  })

  it('answers a request that the log of the mock has', async () => {
    const stop: Handler = (_request, response) => response.status(403).json({})
    const { mock, send } = await start([{ file: 'stop.js', handlers: [stop] }], {}, version)
    await send('GET /posts?a=1')
    await expect.poll(() => mock.log).toHaveLength(1)
    expect(mock.log[0]).toMatchObject({
      method: 'GET',
      url: '/posts?a=1',
      status: 403,
      bytes: 2,
      reason: 'middleware "stop.js"',
    })
  })
})

describe('middlewares', () => {
  it('run in their order, and a later one only after next()', async () => {
    const add =
      (name: string): Handler =>
      (_request, response, next) => {
        response.append('X-Order', name)
        next()
      }
    const files = [
      { file: 'a.js', handlers: [add('a1'), add('a2')] },
      { file: 'b.js', handlers: [add('b')] },
    ]
    const { send } = await start(files)
    expect((await send('GET /posts')).headers['x-order']).toBe('a1, a2, b')
  })

  it('can be a router of Express', async () => {
    const express = createRequire(import.meta.url)('express') as {
      Router(): Handler & { get(path: string, handler: Handler): void }
    }
    const router = express.Router()
    router.get('/echo/:word', (request, response) => response.send(request.path))
    const { send } = await start([router])
    expect((await send('GET /echo/x')).text).toBe('/echo/x')
    expect((await send('GET /posts/1')).status).toBe(200)
  })

  it('leave a body that is too large to the mock', async () => {
    const { send } = await start([hello], { maxBody: 10 })
    const answer = await send({ request: 'POST /posts', body: { title: 'too long' } })
    expect([answer.status, answer.headers['x-hello']]).toEqual([413, 'World'])
  })

  it('leave multipart forms to the mock', async () => {
    const { send } = await start([hello])
    const body = '--b\r\ncontent-disposition: form-data; name="title"\r\n\r\nForm\r\n--b--\r\n'
    const headers = { 'content-type': 'multipart/form-data; boundary=b' }
    const answer = await send({ request: 'POST /posts', headers, body })
    expect(bodyOf(answer)).toEqual({ title: 'Form', id: 3 })
  })

  it('need the package express', async () => {
    vi.spyOn(process, 'cwd').mockReturnValue('/')
    vi.doMock('node:module', () => ({
      createRequire: () => () => {
        throw Object.assign(new Error('none'), { code: 'MODULE_NOT_FOUND' })
      },
    }))
    vi.resetModules()
    onTestFinished(() => {
      vi.doUnmock('node:module')
      vi.resetModules()
    })
    const { loadExpress } = await import('../../../../src/faces/node/express.ts')
    expect(loadExpress).toThrow(
      'Failed to run middlewares: the package "express" is not installed. Please run `npm install --save-dev express`.',
    )
  })

  it('are functions', async () => {
    const wrong = serve(createMock({ fixtures: {} }), { middlewares: ['a.js' as never] })
    await expect(wrong).rejects.toThrow(
      '"middlewares" cannot be ["a.js"]. Please give a list of (a function (request, response, next)).',
    )
  })
})
