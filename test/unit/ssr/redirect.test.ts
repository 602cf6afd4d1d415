import { Agent, createServer, get, type IncomingMessage, request, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { sessions } from '../../../src/behaviours.ts'
import { createMock } from '../../../src/index.ts'
import { serve } from '../../../src/node.ts'
import { connect } from '../../../src/remote.ts'
import { currentSession, redirect, withSession } from '../../../src/ssr.ts'

const api = 'https://api.example.com'
const native = globalThis.fetch

let url = ''
let close: () => Promise<void>
let end: () => void = () => {}

beforeEach(async () => {
  const fixtures = { posts: [{ id: 1, title: 'Hello' }] }
  ;({ url, close } = await serve(createMock({ fixtures, use: [sessions()] }), {
    port: 0,
    host: '127.0.0.1',
  }))
})

afterEach(async () => {
  end()
  vi.unstubAllEnvs()
  await close()
})

/** Starts an application server that renders a page by a function. */
async function startPages(render: (request: IncomingMessage) => Promise<unknown>): Promise<string> {
  const server: Server = createServer((incoming, response) => {
    render(incoming).then(
      (page) => response.end(JSON.stringify(page)),
      (error: unknown) => response.writeHead(500).end(String(error)),
    )
  })
  await new Promise<void>((resolve) => void server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
}

/** The ids of the posts that a server-side renderer fetches. */
async function fetchIds(): Promise<number[]> {
  const posts = (await (await fetch(`${api}/posts`)).json()) as { id: number }[]
  return posts.map(({ id }) => id)
}

/** Requests a page by `node:http`, whose agent keeps the connection. */
function open(page: string, headers: Record<string, string>, agent?: Agent): Promise<unknown> {
  return new Promise((resolve, reject) => {
    get(page, { headers, agent }, (response) => {
      let text = ''
      response.on('data', (chunk) => (text += String(chunk)))
      response.on('end', () => resolve(JSON.parse(text)))
    }).on('error', reject)
  })
}

describe('redirect', () => {
  it.each([
    ['the header', { 'X-Mock-Session': 'a' }],
    ['the cookie', { Cookie: 'theme=dark; mock-session=a' }],
    ['the header before the cookie', { 'X-Mock-Session': 'a', Cookie: 'mock-session=b' }],
  ])('sends the session of the page request: %s', async (_title, headers) => {
    end = redirect({ [api]: url })
    await connect(url, { session: 'a' }).db['posts']?.insert({ id: 2 })
    const page = await startPages(fetchIds)
    expect(await open(page, headers)).toEqual([1, 2])
    expect(await open(page, {})).toEqual([1])
  })

  it('takes other names of header and cookie', async () => {
    end = redirect({ [api]: url }, { header: 'X-World', cookie: 'world' })
    const page = await startPages(async () => currentSession() ?? null)
    expect(await open(page, { 'x-world': 'a' })).toBe('a')
    expect(await open(page, { Cookie: 'world=b' })).toBe('b')
    expect(await open(page, { 'X-Mock-Session': 'a' })).toBe(null)
  })

  it('keeps sessions apart on one connection and on many', async () => {
    end = redirect({ [api]: url })
    const page = await startPages(async () => {
      const before = await fetchIds()
      await fetch(`${api}/posts`, { method: 'POST', body: '{}', headers: json })
      return [before, await fetchIds()]
    })
    for (const maxSockets of [1, 8]) {
      const agent = new Agent({ keepAlive: true, maxSockets })
      const names = Array.from({ length: 20 }, (_, index) => `${maxSockets}-${index}`)
      const pages = await Promise.all(
        names.map((name) => open(page, { 'X-Mock-Session': name }, agent)),
      )
      expect(pages).toEqual(names.map(() => [[1], [1, 2]]))
      agent.destroy()
    }
    expect(await fetchIds()).toEqual([1])
  })

  it('holds the session in listeners of the body, timers and streams', async () => {
    end = redirect({ [api]: url })
    const page = await startPages(
      (incoming) =>
        new Promise((resolve) => {
          const seen: (string | undefined)[] = []
          incoming.on('data', () => void seen.push(currentSession()))
          incoming.on('end', () => {
            seen.push(currentSession())
            setTimeout(() => resolve([...seen, currentSession()]))
          })
        }),
    )
    const post = (name: string): Promise<unknown> =>
      new Promise((resolve) => {
        // The server asks for the body when it has the headers, so that the body is an event of its own.
        const headers = { 'X-Mock-Session': name, Expect: '100-continue' }
        const sent = request(page, { method: 'POST', headers }, (response) => {
          response.on('data', (chunk) => resolve(JSON.parse(String(chunk))))
        })
        sent.on('continue', () => sent.end('x'))
      })
    expect(await Promise.all([post('a'), post('b')])).toEqual([
      ['a', 'a', 'a'],
      ['b', 'b', 'b'],
    ])
  })

  const requests: [title: string, send: () => Promise<Response>, status: number][] = [
    ['a text with a query', () => fetch(`${api}/posts?title=Hello#top`), 200],
    ['a URL', () => fetch(new URL(`${api}/posts`)), 200],
    ['a Request', () => fetch(new Request(`${api}/posts`)), 200],
    ['a Request with a body', () => fetch(new Request(`${api}/posts`, post)), 201],
    ['a Request and options', () => fetch(new Request(`${api}/posts`), post), 201],
    ['a Request as options', () => fetch(`${api}/posts`, new Request(api, post)), 201],
    ['a body that is a stream', () => fetch(`${api}/posts`, toStreamed('{"title":"New"}')), 201],
    ['the API at a path', () => fetch('https://example.com/v1/posts'), 200],
    ['the API at a path of a path', () => fetch('https://example.com/v1/deep/1'), 200],
    ['the mock itself', () => fetch(`${url}/posts`), 200],
  ]

  it.each(requests)('redirects %s', async (_title, send, status) => {
    const v1 = 'https://example.com/v1'
    end = redirect({ [api]: url, [`${v1}/`]: `${url}/`, [`${v1}/deep`]: `${url}/posts` })
    const response = await withSession({ headers: new Headers({ Cookie: 'mock-session=a' }) }, send)
    expect(response.status, await response.text()).toBe(status)
    expect(await connect(url, { session: 'a' }).log.count()).toBe(1)
  })

  it('keeps a session that a request names itself', async () => {
    end = redirect({ [api]: url })
    await withSession({ headers: { 'x-mock-session': 'a' } }, () =>
      fetch(`${api}/posts`, { headers: { 'X-Mock-Session': 'b' } }),
    )
    expect(await connect(url, { session: 'b' }).log.count()).toBe(1)
  })

  it('leaves other origins alone', async () => {
    end = redirect({ [`${api}/v1`]: url })
    const page = await startPages(async ({ headers }) => headers['x-mock-session'] ?? null)
    const send = async (): Promise<unknown> => (await fetch(page)).json()
    expect(await withSession({ headers: { 'x-mock-session': 'a' } }, send)).toBe(null)
    const init = { method: 'POST' }
    const received: unknown[][] = []
    globalThis.fetch = async (...args) => {
      received.push(args)
      return new Response()
    }
    onTestFinished(() => void (globalThis.fetch = native))
    for (const one of [`${api}/v10`, `${api}/`, '/relative', '']) await fetch(one, init)
    expect(received.map(([input]) => input)).toEqual([`${api}/v10`, `${api}/`, '/relative', ''])
    expect(received.every(([, options]) => options === init)).toBe(true)
  })

  it('passes redirects and cookies on', async () => {
    end = redirect({ [api]: url })
    const { on } = connect(url)
    await on('GET', '/login').reply(302, '', {
      headers: { Location: '/posts', 'Set-Cookie': 'sid=1' },
    })
    const manual = await fetch(`${api}/login`, { redirect: 'manual' })
    expect([manual.status, manual.headers.getSetCookie()]).toEqual([302, ['sid=1']])
    const followed = await fetch(`${api}/login`)
    expect([followed.status, followed.url]).toEqual([200, `${url}/posts`])
  })

  it.each<[title: string, location: () => string]>([
    ['the API', () => `${api}/posts?title=Hello`],
    ['the API at a path', () => 'https://example.com/v1/posts?title=Hello'],
    ['the mock', () => `${url}/posts?title=Hello`],
    ['a path', () => '/posts?title=Hello'],
  ])('follows a Location to the mock: %s', async (_title, location) => {
    end = redirect({ [api]: url, 'https://example.com/v1': url })
    const mock = connect(url, { session: 'a' })
    await mock.db['posts']?.insert({ title: 'Hello' })
    await mock.on('GET', '/first').reply(302, '', { headers: { Location: `${api}/second` } })
    await mock.on('GET', '/second').reply(307, '', { headers: { Location: location() } })
    const response = await withSession({ headers: { 'x-mock-session': 'a' } }, () =>
      fetch(`${api}/first`),
    )
    expect([response.status, response.redirected, response.url]).toEqual([
      200,
      true,
      `${url}/posts?title=Hello`,
    ])
    expect(await response.json()).toHaveLength(2)
  })

  const posted = 'POST application/json {"title":"New"}'
  it.each<[title: string, status: number, send: (first: string) => unknown, entry: string]>([
    ['301 of a POST', 301, (first) => fetch(first, post), 'GET  '],
    ['302 of a POST', 302, (first) => fetch(first, post), 'GET  '],
    ['302 of a PUT', 302, (first) => fetch(first, put), posted.replace('POST', 'PUT')],
    ['303 of a PUT', 303, (first) => fetch(first, put), 'GET  '],
    ['303 of a HEAD', 303, (first) => fetch(first, { method: 'HEAD' }), 'HEAD  '],
    ['307 of a POST', 307, (first) => fetch(first, post), posted],
    ['308 of a Request', 308, (first) => fetch(new Request(first, post)), posted],
    ['308 of a Request as options', 308, (first) => fetch(first, new Request(api, post)), posted],
    ['308 twice', 308, () => fetch(new Request(`${api}/again`, post)), posted],
  ])('keeps or drops method and body: %s', async (_title, status, send, expected) => {
    const received: string[] = []
    const target = await startPages(async (incoming) => {
      incoming.setEncoding('utf8')
      let text = ''
      for await (const chunk of incoming) text += String(chunk)
      received.push([incoming.method, incoming.headers['content-type'] ?? '', text].join(' '))
    })
    end = redirect({ [api]: url, 'https://other.example': target })
    const { on } = connect(url)
    const headers = { Location: 'https://other.example/posts' }
    await on('*', '/first').reply(status, '', { headers })
    await on('POST', '/then').reply(303, '', { headers: { Location: `${api}/then` } })
    await on('GET', '/then').reply(307, '', { headers })
    await on('*', '/again').reply(status, '', { headers: { Location: `${api}/first` } })
    await send(`${api}/first`)
    expect(received).toEqual([expected])
  })

  it('sends credentials to the same API, and no session to an origin that is not the mock', async () => {
    const names = ['authorization', 'x-mock-session', 'x-other'] as const
    const target = await startPages(async ({ headers }) => names.map((name) => headers[name]))
    end = redirect({ [api]: url })
    const mock = connect(url, { session: 'a' })
    await mock.on('GET', '/out').reply(302, '', { headers: { Location: target } })
    await mock.on('GET', '/first').reply(302, '', { headers: { Location: `${api}/posts` } })
    const headers = { Authorization: 'Basic YTpi', 'X-Other': '1' }
    const page = { headers: { 'x-mock-session': 'a' } }
    const out = await withSession(page, () => fetch(`${api}/out`, { headers }))
    expect(await out.json()).toEqual([null, null, '1'])
    await withSession(page, () => fetch(`${api}/first`, { headers }))
    expect((await mock.log.find('GET /posts'))?.headers).toMatchObject({
      authorization: expect.any(String),
      'x-mock-session': expect.any(String),
    })
  })

  it.each<[title: string, send: () => Promise<Response>, reason: string]>([
    ['a loop', () => fetch(`${api}/loop`), 'redirect count exceeded'],
    ['a scheme', () => fetch(`${api}/scheme`), 'URL scheme must be a HTTP(S) scheme'],
    [
      'a stream',
      () => fetch(`${api}/loop`, toStreamed('{}')),
      'the body is a stream, which is already sent',
    ],
  ])('rejects as fetch does: %s', async (_title, send, reason) => {
    end = redirect({ [api]: url })
    const { on, log } = connect(url)
    await on('*', '/loop').reply(308, '', { headers: { Location: `${api}/loop` } })
    await on('*', '/scheme').reply(308, '', { headers: { Location: 'data:text/plain,x' } })
    await expect(send()).rejects.toMatchObject({ name: 'TypeError', cause: { message: reason } })
    expect(await log.count()).toBeLessThan(22)
  })

  it('leaves redirects to a request that asks for them', async () => {
    end = redirect({ [api]: url })
    await connect(url)
      .on('GET', '/a')
      .reply(302, '', { headers: { Location: `${api}/posts` } })
    const manual = await fetch(new Request(`${api}/a`, { redirect: 'manual' }))
    expect([manual.status, manual.headers.get('location')]).toEqual([302, `${api}/posts`])
    await expect(fetch(`${api}/a`, { redirect: 'error' })).rejects.toThrow('fetch failed')
  })

  it('gives a replaced fetch, which may cache, the URL and the session', async () => {
    end = redirect({ [api]: url })
    const inner = globalThis.fetch
    const cached: string[] = []
    globalThis.fetch = Object.assign(
      (input: string, init?: RequestInit) => {
        cached.push(`${input} ${new Headers(init?.headers).get('x-mock-session')}`)
        return inner(input, init)
      },
      { isPatched: true },
    ) as typeof fetch
    onTestFinished(() => void (globalThis.fetch = native))
    expect(globalThis.fetch).toHaveProperty('isPatched', true)
    expect(await withSession({ headers: { 'x-mock-session': 'a' } }, fetchIds)).toEqual([1])
    expect(cached).toEqual([`${url}/posts a`])
    globalThis.fetch = inner
    expect(globalThis.fetch).toBe(inner)
  })

  it('follows redirects through a replaced fetch that keeps a copy of each response', async () => {
    end = redirect({ [api]: url })
    const inner = globalThis.fetch
    const copies: Response[] = []
    globalThis.fetch = async (...args) => {
      const response = await inner(...args)
      copies.push(response.clone())
      return response
    }
    onTestFinished(() => void (globalThis.fetch = native))
    const headers = { Location: `${api}/posts` }
    await connect(url).on('GET', '/first').reply(302, 'Moved', { headers })
    copies.length = 0
    expect(await (await fetch(`${api}/first`)).json()).toHaveLength(1)
    expect(copies.map(({ status }) => status)).toEqual([302, 200])
  })

  it('shares its state with other copies of the module', async () => {
    end = redirect({ [api]: url })
    vi.resetModules()
    const copy = await import('../../../src/ssr.ts')
    const session = withSession({ headers: { 'x-mock-session': 'a' } }, copy.currentSession)
    expect(session).toBe('a')
    const second = copy.redirect({ [api]: `${url}/none` })
    expect((await fetch(`${api}/posts`)).status).toBe(404)
    end()
    expect((await fetch(`${api}/posts`)).status).toBe(404)
    second()
  })
})

describe('redirect is off', () => {
  it.each([
    ['without its variable', {}, undefined],
    ['with an empty variable', {}, ''],
    ['in production', { NODE_ENV: 'production' }, 'http://localhost:1'],
  ])('%s', async (_title, env, target) => {
    for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
    const warn = vi.spyOn(console, 'warn').mockReturnValue()
    onTestFinished(() => warn.mockRestore())
    end = redirect({ [api]: target })
    expect(warn).toHaveBeenCalledTimes(Object.keys(env).length)
    const received = await receive(`${api}/posts`)
    expect(received).toEqual([`${api}/posts`, undefined])
  })

  it('after its end', async () => {
    redirect({ [api]: url })()
    expect(await receive(`${api}/posts`)).toEqual([`${api}/posts`, undefined])
  })
})

it('redirects in production where it is asked to', async () => {
  vi.stubEnv('NODE_ENV', 'production')
  end = redirect({ [api]: url }, { production: true })
  expect(await fetchIds()).toEqual([1])
})

it.each([
  [
    'a URL that is none',
    () => redirect({ [api]: 'localhost:3000' }),
    'the URLs of redirect: "https://api.example.com" cannot be "localhost:3000". Please give a URL such as http://localhost:3000.',
  ],
  [
    'a key that is no URL',
    () => redirect({ '/api': 'http://localhost:3000' }),
    'the URLs of redirect: "/api" cannot be "/api". Please give a URL such as http://localhost:3000.',
  ],
  [
    'no URLs',
    () => redirect('http://localhost:3000' as never),
    'the URLs of redirect: it cannot be "http://localhost:3000". Please give an object.',
  ],
  [
    'an unknown option',
    () => redirect({}, { prodution: true } as never),
    'the options of redirect: there is no "prodution". Did you mean "production"?',
  ],
])('refuses %s', (_title, call, message) => {
  expect(call).toThrow(`Failed to read ${message}`)
})

const json = { 'Content-Type': 'application/json' }
const post = { method: 'POST', headers: json, body: '{"title":"New"}' }
const put = { ...post, method: 'PUT' }

function toStreamed(text: string): RequestInit {
  const body = new Blob([text]).stream()
  return { method: 'POST', headers: json, body, duplex: 'half' } as RequestInit
}

/** The arguments that the next `fetch` below receives. */
async function receive(address: string): Promise<unknown[]> {
  let received: unknown[] = []
  globalThis.fetch = async (...args) => {
    received = [args[0], args[1]]
    return new Response()
  }
  await fetch(address)
  globalThis.fetch = native
  return received
}
