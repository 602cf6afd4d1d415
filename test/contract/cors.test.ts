import { describe, expect, it, onTestFinished } from 'vitest'

import { type Dialect, rest } from '../../src/dialects.ts'
import { createMock, type MockConfig } from '../../src/index.ts'
import { serve, type ServeOptions } from '../../src/node.ts'
import { createFolder } from '../unit/loader/folder.ts'
import { send, type WireAnswer, type WireRequest } from '../wire.ts'

const fixtures = { posts: [{ id: 1, title: 'First' }] }
const local = 'http://localhost:5173'
const foreign = 'https://evil.example'

async function start(options: ServeOptions = {}, config: MockConfig = {}): Promise<number> {
  const { port, close } = await serve(createMock({ fixtures, ...config }), { port: 0, ...options })
  onTestFinished(() => close())
  return port
}

async function ask(request: WireRequest, options?: ServeOptions): Promise<WireAnswer> {
  return send(await start(options), { path: '/posts', ...request })
}

/** The values of one header, each line by itself. */
function linesOf({ lines }: WireAnswer, wanted: string): string[] {
  return lines.filter(([name]) => name === wanted).map(([, value]) => value)
}

describe('an origin', () => {
  const rows: [origin: string, corsOrigin: ServeOptions['corsOrigin'], isAllowed: boolean][] = [
    [local, undefined, true],
    ['https://localhost', undefined, true],
    ['http://app.localhost:3000', undefined, true],
    ['http://localhost.:5173', undefined, true],
    ['http://localhost..', undefined, false],
    ['http://127.0.0.1:8080', undefined, true],
    ['http://[::1]:8080', undefined, true],
    [foreign, undefined, false],
    ['http://localhost.evil.example', undefined, false],
    ['http://evil.example?localhost', undefined, false],
    ['http://notlocalhost', undefined, false],
    ['http://127.0.0.1.evil.example', undefined, false],
    ['null', undefined, false],
    ['file://', undefined, false],
    [foreign, '*', true],
    ['null', '*', true],
    ['null', 'null', true],
    [foreign, foreign, true],
    [foreign, `https://a.example, ${foreign}/`, true],
    [foreign, ['https://a.example', foreign], true],
    ['http://evil.example', foreign, false],
    [local, foreign, false],
    [local, `${foreign}, loopback`, true],
    [foreign, ['loopback', foreign], true],
    [local, 'none', false],
    [local, [], false],
  ]

  it.each(rows)('%s with %j is allowed: %j', async (origin, corsOrigin, isAllowed) => {
    const options = corsOrigin === undefined ? {} : { corsOrigin }
    const answer = await ask({ headers: { origin } }, options)
    expect(answer.status).toBe(200)
    expect(linesOf(answer, 'access-control-allow-origin')).toEqual(isAllowed ? [origin] : [])
    expect(linesOf(answer, 'access-control-allow-credentials')).toEqual(isAllowed ? ['true'] : [])
    expect(answer.headers['vary']).toContain('Origin')
  })

  it.each(['localhost:5173', 'a.test', 'file:///', 'https://a.test/b', 'https://a.test/?b'])(
    'that is none, %s, stops the start',
    async (corsOrigin) => {
      await expect(start({ corsOrigin })).rejects.toThrow(
        `Failed to allow the origin "${corsOrigin}": it is not an origin. Please write it as http://localhost:5173.`,
      )
    },
  )

  it('is not needed', async () => {
    const answer = await ask({})
    expect(answer.lines.filter(([name]) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('a preflight', () => {
  const preflight = {
    origin: local,
    'access-control-request-method': 'PATCH',
    'access-control-request-headers': 'content-type,x-a,authorization',
  }

  it('is allowed what it asks for, each on one line', async () => {
    const answer = await ask({ method: 'OPTIONS', headers: preflight })
    expect(answer.status).toBe(204)
    expect(linesOf(answer, 'access-control-allow-origin')).toEqual([local])
    expect(linesOf(answer, 'access-control-allow-headers')).toEqual([
      'content-type,x-a,authorization',
    ])
    expect(linesOf(answer, 'access-control-allow-methods')).toEqual([
      'GET, HEAD, QUERY, POST, PUT, PATCH, DELETE, OPTIONS',
    ])
    expect(linesOf(answer, 'access-control-allow-credentials')).toEqual(['true'])
    expect(linesOf(answer, 'access-control-max-age')).toEqual(['86400'])
    expect(answer.headers['vary']).toContain('Access-Control-Request-Headers')
    expect(answer.headers['cache-control']).toBe('no-store')
  })

  it('is allowed nothing that it does not ask for', async () => {
    const { 'access-control-request-headers': _, ...headers } = preflight
    const answer = await ask({ method: 'OPTIONS', headers })
    expect(linesOf(answer, 'access-control-allow-headers')).toEqual([])
    expect(linesOf(answer, 'access-control-allow-private-network')).toEqual([])
  })

  it.each(['PURGE', 'OST'])('is allowed %s, so that the page sees its 405', async (method) => {
    const headers = { ...preflight, 'access-control-request-method': method }
    const answer = await ask({ method: 'OPTIONS', headers })
    expect(answer.headers['access-control-allow-methods']?.split(', ').at(-1)).toBe(method)
  })

  it('may come from a public page to a private network', async () => {
    const headers = { ...preflight, 'access-control-request-private-network': 'true' }
    const answer = await ask({ method: 'OPTIONS', headers })
    expect(linesOf(answer, 'access-control-allow-private-network')).toEqual(['true'])
  })

  it('is answered for what is missing, and for an unknown host', async () => {
    const missing = await ask({ method: 'OPTIONS', path: '/nope', headers: preflight })
    expect(missing.status).toBe(204)
    const unknown = await ask({
      method: 'OPTIONS',
      headers: { ...preflight, host: 'evil.example' },
    })
    expect(unknown.status).toBe(204)
  })

  it('of a foreign page allows nothing', async () => {
    const headers = {
      ...preflight,
      origin: foreign,
      'access-control-request-private-network': 'true',
    }
    const answer = await ask({ method: 'OPTIONS', headers })
    expect(answer.status).toBe(204)
    expect(answer.lines.filter(([name]) => name.startsWith('access-control'))).toEqual([])
  })
})

describe('every answer', () => {
  const rows: [title: string, request: WireRequest, status: number][] = [
    ['a list', {}, 200],
    ['what is missing', { path: '/posts/9' }, 404],
    ['a wrong method', { method: 'PURGE' }, 405],
    ['what was not modified', { headers: { 'if-none-match': '*' } }, 304],
    ['a body that cannot be read', { method: 'POST', body: '{' }, 400],
    ['a precondition that failed', { path: '/posts/1', headers: { 'if-match': '"x"' } }, 412],
    ['an unknown host', { headers: { host: 'evil.example' } }, 403],
    ['a URL that is too long', { path: `/posts?${'a'.repeat(17_000)}` }, 414],
    ['OPTIONS', { method: 'OPTIONS' }, 204],
  ]

  it.each(rows)('lets the page read it: %s', async (_, request, status) => {
    const answer = await ask({ ...request, headers: { ...request.headers, origin: local } })
    expect(answer.status).toBe(status)
    expect(linesOf(answer, 'access-control-allow-origin')).toEqual([local])
    const [exposed = ''] = linesOf(answer, 'access-control-expose-headers')
    expect(exposed).toContain('X-Total-Count')
    expect(exposed).not.toContain('*')
  })
})

describe('the log', () => {
  const preflight = { origin: foreign, 'access-control-request-method': 'PATCH' }
  const hidden = (origin: string): string =>
    `CORS hides this response from the page of ${origin}. Please allow its origin with --cors-origin ${origin}.`
  const form = { origin: foreign, 'content-type': 'text/plain' }
  const rows: [
    title: string,
    request: WireRequest,
    options: ServeOptions,
    logged: [status: number, reason: string][],
  ][] = [
    ['a refused origin', { headers: { origin: foreign } }, {}, [[200, hidden(foreign)]]],
    [
      'a refused origin after another reason',
      { path: '/posts?nope=1', headers: { origin: foreign } },
      {},
      [[200, `ignored "nope"; ${hidden(foreign)}`]],
    ],
    [
      'a refused page without an origin',
      { headers: { origin: 'null' } },
      {},
      [[200, hidden('null')]],
    ],
    [
      'a refused error',
      { path: '/posts/9', headers: { origin: foreign } },
      {},
      [[404, hidden(foreign)]],
    ],
    [
      'a refused origin of this machine',
      { headers: { origin: local } },
      { corsOrigin: foreign },
      [[200, hidden(local)]],
    ],
    [
      'a refused preflight',
      { method: 'OPTIONS', headers: preflight },
      {},
      [[204, hidden(foreign)]],
    ],
    [
      'no allowed preflight',
      { method: 'OPTIONS', headers: { ...preflight, origin: local } },
      {},
      [],
    ],
    ['an allowed origin', { headers: { origin: foreign } }, { corsOrigin: foreign }, [[200, '']]],
    ['any origin', { headers: { origin: foreign } }, { corsOrigin: '*' }, [[200, '']]],
    ['no origin', {}, { corsOrigin: 'none' }, [[200, '']]],
    [
      'a page of the mock itself',
      { headers: { host: 'localhost', origin: 'http://localhost' } },
      { corsOrigin: 'none' },
      [[200, '']],
    ],
    [
      'a page behind a proxy that ends TLS',
      { headers: { origin: 'https://a.test', 'sec-fetch-site': 'same-origin' } },
      {},
      [[200, '']],
    ],
    [
      'a refused form once',
      { method: 'POST', headers: form, body: 'x' },
      {},
      [
        [
          403,
          `Failed to accept the request: a page of ${foreign} sent it. Please allow its origin with --cors-origin.`,
        ],
      ],
    ],
  ]

  it.each(rows)('has %s', async (_, request, options, logged) => {
    const mock = createMock({ fixtures })
    const { port, close } = await serve(mock, { port: 0, ...options })
    onTestFinished(() => close())
    await send(port, { path: '/posts', ...request })
    expect(mock.log.map(({ status, reason }) => [status, reason])).toEqual(logged)
  })

  it('has the refused origin of a response from the cache', async () => {
    const mock = createMock({ fixtures })
    const { port, close } = await serve(mock, { port: 0 })
    onTestFinished(() => close())
    for (const headers of [{}, { origin: foreign }, {}])
      await send(port, { path: '/posts', headers })
    expect(mock.log.map(({ reason }) => reason)).toEqual(['', hidden(foreign), ''])
  })

  it('has no refused origin where a rule allows it', async () => {
    const mock = createMock({ fixtures })
    mock.on('GET', '/posts').reply(200, [], { headers: { 'Access-Control-Allow-Origin': foreign } })
    const { port, close } = await serve(mock, { port: 0 })
    onTestFinished(() => close())
    await send(port, { path: '/posts', headers: { origin: foreign } })
    expect(mock.log[0]?.reason).toBe('rule 1 answered')
  })
})

describe('the faces without a network', () => {
  it('let any page read, and a request without an origin as well', async () => {
    const mock = createMock({ fixtures })
    const get = async (headers: Record<string, string>): Promise<Headers> =>
      (await mock.fetch(new Request('http://x/posts', { headers }))).headers
    const named = await get({ origin: foreign })
    expect(named.get('access-control-allow-origin')).toBe(foreign)
    expect(named.get('access-control-allow-credentials')).toBe('true')
    const unnamed = await get({})
    expect(unnamed.get('access-control-allow-origin')).toBe('*')
    expect(unnamed.get('access-control-allow-credentials')).toBeNull()
  })
})

describe('a header of an answer', () => {
  const own: Dialect = {
    ...rest,
    name: 'own',
    render(result, context) {
      const answer = rest.render(result, context)
      return { ...answer, headers: [...answer.headers, ['X-Pages', '1']] }
    },
  }
  const csv = { method: 'POST', headers: { 'content-type': 'text/csv' }, body: 'x' }
  const rows: [title: string, config: MockConfig, init: RequestInit, name: string][] = [
    ['of a dialect of the user', { dialect: own }, {}, 'X-Pages'],
    ['of an error', {}, csv, 'Accept'],
  ]

  it.each(rows)('can be read by a page: one %s', async (_, config, init, name) => {
    const mock = createMock({ fixtures, ...config })
    // The second may be a kept answer.
    for (let times = 0; times < 2; times++) {
      const { headers } = await mock.fetch('http://x/posts', init)
      expect(headers.has(name)).toBe(true)
      expect(headers.get('access-control-expose-headers')?.split(', ')).toContain(name)
    }
  })
})

describe('a host', () => {
  const rows: [host: string, options: ServeOptions, status: number][] = [
    ['localhost', {}, 200],
    ['LOCALHOST:1234', {}, 200],
    ['app.localhost', {}, 200],
    ['127.0.0.1:80', {}, 200],
    ['127.9.9.9', {}, 200],
    ['127.0.10.255', {}, 200],
    ['[::1]:80', {}, 200],
    // The root of all names may be written (RFC 3986 §3.2.2), and no page has it as an address.
    ['localhost.', {}, 200],
    ['app.localhost.:1234', {}, 200],
    ['127.0.0.1.:80', {}, 200],
    ['localhost..', {}, 403],
    ['evil.localhost.example.', {}, 403],
    ['', {}, 200],
    ['evil.example', {}, 403],
    ['evil.example:3000', {}, 403],
    ['localhost.evil.example', {}, 403],
    ['127.0.0.1.evil.example', {}, 403],
    ['10.0.0.1', {}, 403],
    ['10.0.0.1', { host: '0.0.0.0' }, 200],
    ['[fe80::1]:80', { host: '0.0.0.0' }, 200],
    ['evil.example', { host: '0.0.0.0' }, 403],
    ['evil.example', { token: 'known' }, 403],
    ['api.test', { allowHost: 'api.test' }, 200],
    ['api.test:80', { allowHost: ['x.test', 'api.test'] }, 200],
    ['api.test.', { allowHost: 'api.test' }, 200],
    ['api.test', { allowHost: 'api.test.' }, 200],
    ['a.api.test.', { allowHost: '.api.test' }, 200],
    ['.', {}, 403],
    ['a.api.test', { allowHost: 'api.test' }, 403],
    ['a.api.test', { allowHost: '.api.test' }, 200],
    ['api.test', { allowHost: '.api.test' }, 200],
    ['notapi.test', { allowHost: '.api.test' }, 403],
    ['a.api.test', { allowHost: '.API.test' }, 200],
    ['[2001:db8::1]:80', { allowHost: '2001:db8::1' }, 200],
    ['[2001:db8::1]:80', { allowHost: '[2001:db8::1]' }, 200],
    ['b.test', { allowHost: 'a.test, b.test,' }, 200],
    ['evil.example', { allowHost: '*' }, 200],
  ]

  it.each(['http://api.test', 'api.test:3000', '*.api.test', 'api.test/x'])(
    'that is allowed as %s stops the start, because it is not a host name',
    async (allowHost) => {
      await expect(start({ allowHost })).rejects.toThrow(
        `Failed to allow the host "${allowHost}": it is not a host name. Please write it as api.test, or as .api.test to include its subdomains.`,
      )
    },
  )

  it.each(rows)('%s with %j is answered with %i', async (host, options, status) => {
    const answer = await ask({ headers: { host } }, options)
    expect(answer.status).toBe(status)
    if (status === 403) {
      expect(answer.headers['content-type']).toMatch(/^application\/problem\+json/)
      const name = host.replace(/:\d*$/, '')
      expect(answer.text).toContain(`Please allow it with --allow-host ${name}.`)
      expect(answer.text).not.toContain('First')
    }
  })
})

describe('a target that names a host of its own', () => {
  const rows: [target: string, host: string, status: number][] = [
    ['http://localhost/posts', 'localhost', 200],
    ['http://localhost:80/posts?id=1', 'evil.example', 200],
    ['http://evil.example/posts', 'localhost', 403],
    ['http://evil.example', 'localhost', 403],
    ['http://localhost@evil.example/posts', 'localhost', 403],
    ['http://evil.example/a.txt', 'localhost', 403],
    ['http://localhost/a.txt', 'evil.example', 200],
    ['//evil.example/posts', 'localhost', 404],
  ]

  // RFC 9112 §3.2.2: the header does not count beside it.
  it.each(rows)('as %s to %s is answered with %i', async (path, host, status) => {
    const folder = createFolder({ 'a.txt': 'A' })
    const answer = await ask({ path, headers: { host } }, { static: folder })
    expect(answer.status).toBe(status)
  })
})

describe('a write that a browser sends without asking', () => {
  const rows: [
    title: string,
    headers: Record<string, string>,
    options: ServeOptions,
    status: number,
  ][] = [
    ['as text from a foreign page', { origin: foreign, 'content-type': 'text/plain' }, {}, 403],
    [
      'as a form from a foreign page',
      { origin: foreign, 'content-type': 'application/x-www-form-urlencoded' },
      {},
      403,
    ],
    [
      'as a multipart form from a foreign page',
      { origin: foreign, 'content-type': 'multipart/form-data; boundary=x' },
      {},
      403,
    ],
    ['without a type from a foreign page', { origin: foreign }, {}, 403],
    ['with an empty type from one', { origin: foreign, 'content-type': '' }, {}, 403],
    [
      'from a page without an origin of its own',
      { origin: 'null', 'content-type': 'text/plain' },
      {},
      403,
    ],
    [
      'from another site that hides its origin',
      { 'sec-fetch-site': 'cross-site', 'content-type': 'text/plain' },
      {},
      403,
    ],
    [
      'from a page of this machine',
      {
        origin: local,
        'sec-fetch-site': 'cross-site',
        'content-type': 'application/x-www-form-urlencoded',
      },
      {},
      201,
    ],
    [
      'from a page that was allowed',
      { origin: foreign, 'content-type': 'application/x-www-form-urlencoded' },
      { corsOrigin: foreign },
      201,
    ],
    ['from no page', { 'content-type': 'application/x-www-form-urlencoded' }, {}, 201],
    [
      'from a page of its own',
      {
        origin: 'http://api.test',
        host: 'api.test',
        'sec-fetch-site': 'same-origin',
        'content-type': 'application/x-www-form-urlencoded',
      },
      { allowHost: 'api.test' },
      201,
    ],
    [
      'as JSON by a proxy, for which a browser would have asked',
      { origin: foreign, 'content-type': 'application/json' },
      {},
      400,
    ],
  ]

  it.each(rows)('%s', async (_, headers, options, status) => {
    const answer = await ask({ method: 'POST', headers, body: 'title=x' }, options)
    expect(answer.status).toBe(status)
    if (status === 403) expect(answer.text).toContain('--cors-origin')
  })

  it('changes nothing', async () => {
    const port = await start()
    const headers = { origin: foreign, 'content-type': 'application/x-www-form-urlencoded' }
    await send(port, { method: 'POST', path: '/posts', headers, body: 'title=x' })
    expect((await send(port, { path: '/posts' })).headers['x-total-count']).toBe('1')
  })
})
