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
