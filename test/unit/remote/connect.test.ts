import { createServer, type RequestListener } from 'node:http'
import type { AddressInfo } from 'node:net'

import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { sessions } from '../../../src/behaviours.ts'
import { createMock, MockError } from '../../../src/index.ts'
import { serve, type ServeOptions } from '../../../src/node.ts'
import { connect } from '../../../src/remote.ts'

const fixtures = { posts: [{ id: 1 }] }

async function serveMock(options: ServeOptions = {}, use = [sessions()]) {
  const mock = createMock({ fixtures, base: '/api', use })
  const serving = await serve(mock, { port: 0, host: '127.0.0.1', ...options })
  onTestFinished(serving.close)
  return { mock, ...serving }
}

/** A server that is no mock. */
async function listen(answer: RequestListener): Promise<string> {
  const server = createServer(answer)
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

describe('connect', () => {
  it('takes a URL with or without the base, as a text or a URL, and without a slash', async () => {
    const { url, port } = await serveMock()
    const origin = `http://127.0.0.1:${port}`
    for (const one of [url, origin, `${origin}/`, new URL(origin), `${url}/posts?a=1#b`]) {
      expect(await connect(one).db['posts']?.count()).toBe(1)
    }
  })

  it('takes a relative URL in a page', () => {
    vi.stubGlobal('location', new URL('http://localhost:5173/app/page'))
    onTestFinished(() => void vi.unstubAllGlobals())
    const requested: string[] = []
    const fetch = (url: string): Promise<Response> => {
      requested.push(url)
      return Promise.reject(new TypeError('Failed to fetch'))
    }
    connect('/', { fetch }).reset().catch(String)
    expect(requested).toEqual(['http://localhost:5173/__mock/reset'])
  })

  const wrong: [title: string, url: string, options: object, message: string][] = [
    ['no URL', 'localhost:3000', {}, 'Please write it as http://localhost:3000.'],
    ['a relative URL outside pages', '/', {}, 'Failed to connect to "/": it is not the URL of'],
    ['an unknown option', 'http://x', { sesion: 'a' }, 'Did you mean "session"?'],
    ['an empty session', 'http://x', { session: '' }, '1 to 128 printable ASCII characters'],
    ['a session of spaces', 'http://x', { session: '  ' }, '"session" cannot be "  "'],
    ['a session that headers cannot hold', 'http://x', { session: 'ü' }, 'printable ASCII'],
    ['what is no function', 'http://x', { fetch: 'fetch' }, 'Please give a function.'],
  ]
  it.each(wrong)('refuses %s', (_title, url, options, message) => {
    expect(() => connect(url, options)).toThrow(message)
  })
})

describe('the token', () => {
  const token = 'open-sesame'

  it('is an option, or a parameter of the URL', async () => {
    const { url } = await serveMock({ token })
    expect(await connect(url, { token }).db['posts']?.count()).toBe(1)
    expect(await connect(`${url}/?token=${token}`).db['posts']?.count()).toBe(1)
  })

  it.each([[{}], [{ token: 'other' }], [{ token: '' }]])('is required: %j', async (options) => {
    const { url, port, mock } = await serveMock({ token })
    await expect(connect(url, options).db['posts']?.clear()).rejects.toMatchObject({
      status: 401,
      code: 'TOKEN_MISSING',
      message: `Failed to control the mock at "http://127.0.0.1:${port}": the token is missing or wrong. Please give the token that the server prints at its start: connect(url, { token }).`,
    })
    expect(mock.db.posts.count()).toBe(1)
  })
})

describe('a call that no mock answers', () => {
  it('says that the server is down', async () => {
    const { url, port, close } = await serveMock()
    await close()
    const failure = connect(url).reset()
    await expect(failure).rejects.toBeInstanceOf(MockError)
    await expect(failure).rejects.toMatchObject({
      code: 'MOCK_UNREACHABLE',
      message: `Failed to reach the mock at "http://127.0.0.1:${port}": ECONNREFUSED. Please start it, for example with "npx mock server", or check the URL.`,
    })
  })

  it('says what to do about a certificate that is not trusted', async () => {
    const { url, close } = await serve(createMock({ fixtures: {} }), { port: 0, https: true })
    onTestFinished(close)
    await expect(connect(url).reset()).rejects.toMatchObject({
      code: 'MOCK_UNTRUSTED',
      message: `Failed to reach the mock at "${url}": its certificate is not trusted (DEPTH_ZERO_SELF_SIGNED_CERT). Please name the file of the certificate by NODE_EXTRA_CA_CERTS if the mock has one (--cert), run the tests with NODE_TLS_REJECT_UNAUTHORIZED=0, or give a "fetch" that accepts the certificate: connect(url, { fetch }).`,
    })
  })

  it('says so where the connection breaks off', async () => {
    const url = await listen((_, response) => {
      response.setHeader('Content-Length', '10')
      response.write('[')
      setImmediate(() => response.destroy())
    })
    await expect(connect(url).log.all()).rejects.toMatchObject({ code: 'MOCK_UNREACHABLE' })
  })

  it('explains to a page of another origin why it cannot control the mock', async () => {
    vi.stubGlobal('location', new URL('http://localhost:5173/'))
    onTestFinished(() => void vi.unstubAllGlobals())
    const fetch = () => Promise.reject(new TypeError('Failed to fetch'))
    await expect(connect('http://localhost:3000', { fetch }).reset()).rejects.toThrow(
      'Failed to reach the mock at "http://localhost:3000": Failed to fetch. Please start it, for example with "npx mock server", or check the URL. A page can only control a mock of its own origin.',
    )
  })

  it('says so where there is no fetch', async () => {
    vi.stubGlobal('fetch', undefined)
    onTestFinished(() => void vi.unstubAllGlobals())
    await expect(connect('http://localhost:3000').reset()).rejects.toThrow('there is no "fetch"')
  })

  const strangers: [title: string, answer: RequestListener, got: string][] = [
    [
      'a page',
      (_, response) => response.setHeader('Content-Type', 'text/html').end('<p>'),
      '200 "text/html"',
    ],
    [
      'JSON',
      (_, response) => response.setHeader('Content-Type', 'application/json').end('[]'),
      '200 "application/json"',
    ],
    ['an error', (_, response) => response.writeHead(404).end('{"message":"Not Found"}'), '404'],
    ['nothing', (_, response) => response.writeHead(204).end(), '204'],
  ]
  it.each(strangers)('says that %s is no response of a mock', async (_title, answer, got) => {
    const url = await listen(answer)
    await expect(connect(url).db['posts']?.all()).rejects.toMatchObject({
      code: 'MOCK_UNKNOWN',
      message: `Failed to control the mock: GET ${url}/__mock/db/posts got ${got}, which is no response of a mock. Please give the URL that "mock server" prints.`,
    })
  })
})

it('says that a mock has no scenarios', async () => {
  const { url, port } = await serveMock()
  await expect(connect(url).scenario('empty')).rejects.toMatchObject({
    status: 404,
    code: 'SCENARIO_UNKNOWN',
    message: `Failed to activate the scenario "empty": the mock at "http://127.0.0.1:${port}" has no scenarios. Please add scenarios() to "use", or a folder _scenarios to the fixtures.`,
  })
})

describe('a session', () => {
  it('has to be one of a mock with sessions', async () => {
    const { url, mock } = await serveMock({}, [])
    await expect(connect(url, { session: 'a' }).db['posts']?.clear()).rejects.toMatchObject({
      status: 400,
      code: 'SESSION_UNKNOWN',
      message:
        'Failed to control the session "a": the mock has no such session. Please add sessions() to "use", or start the command with --session-ttl 30m.',
    })
    expect(mock.db.posts.count()).toBe(1)
  })

  it('can be ended, unlike the mock', async () => {
    const { url } = await serveMock()
    const mock = connect(url, { session: 'a' })
    await mock.db['posts']?.clear()
    await mock.end()
    expect(await mock.db['posts']?.count()).toBe(1)
    await expect(connect(url).end()).rejects.toMatchObject({ code: 'SESSION_MISSING' })
  })

  it('shares nothing with 49 others at the same time', async () => {
    const { url, mock } = await serveMock()
    const start = mock.clock.now()
    await Promise.all(Array.from({ length: 50 }, (_, at) => runSession(url, at, start)))
    expect([mock.db.posts.all(), mock.rules.list()]).toEqual([fixtures.posts, []])
    expect(Math.abs(mock.clock.now() - start)).toBeLessThan(600_000)
    expect(await connect(url).log.count('GET /posts')).toBe(100)
  })
})

/** Changes and reads the data, rules, clock and log of a session, with requests of its own in between. */
async function runSession(url: string, at: number, start: number): Promise<void> {
  const session = `test ${at}`
  const mock = connect<typeof fixtures>(url, { session })
  const list = async (): Promise<unknown> => {
    const response = await fetch(`${url}/posts`, { headers: { 'X-Mock-Session': session } })
    return response.ok ? response.json() : response.status
  }
  for (let id = 0; id <= at % 5; id++) await mock.db.posts.insert({ id: 1000 * (at + 1) + id })
  await mock.snapshot(`mine`)
  await mock.clock.advance(`${at + 1}h`)
  const rule = await mock.on('GET', '/posts').fail(500 + at, { times: 1 })
  expect(await list()).toBe(500 + at)
  await rule.remove()
  await mock.db.posts.remove(1)
  const own = Array.from({ length: (at % 5) + 1 }, (_, id) => ({ id: 1000 * (at + 1) + id }))
  expect(await list()).toEqual(own)
  expect(await mock.log.all()).toMatchObject([{ status: 500 + at }, { status: 200 }])
  const ahead = (await mock.clock.now()) - start
  expect(Math.floor(ahead / 3_600_000)).toBe(at + 1)
  await mock.restore('mine')
  expect(await mock.db.posts.all()).toEqual([{ id: 1 }, ...own])
  expect(await mock.snapshots()).toEqual(['mine'])
}
