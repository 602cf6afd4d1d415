import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'

import type { Mock } from '../../src/index.ts'
import { listen } from '../peers/harness/server.ts'
import { shareApp } from './app.ts'
import { openPage } from './page.ts'

declare global {
  /** The mock of the page. */
  var world: Mock
  /** The `Cookie` header of each request to the mock. */
  var cookies: (string | undefined)[]
}

const index = `
  import { createMock } from 'fixtura'
  import { events, proxy } from 'fixtura/behaviours'
  import { startMock } from 'fixtura/browser'
  const real = new URLSearchParams(location.search).get('real')
  globalThis.cookies = []
  const lines = ['a=1; Path=/; HttpOnly', 'b=2; Path=/; HttpOnly', 'c=3; Path=/']
  const headers = lines.map((line) => ['Set-Cookie', line])
  const entry = ({ path }) => path === '/api/lines' ? { status: 204, headers, body: null } : undefined
  globalThis.world = createMock({
    fixtures: { posts: [{ id: 1, title: 'First' }] },
    base: '/api',
    use: [events({ protocol: 'websocket' }), { name: 'lines', create: () => ({ at: { entry } }) }, ...(real ? [proxy({ to: real })] : [])],
  })
  world.divert((request) => {
    if (request) cookies.push(request.headers.cookie)
    return undefined
  })
  await startMock(world)
  document.title = 'Started'
`

describe.each(['msw', 'msw3'] as const)('a page with %s', (msw) => {
  const shared = shareApp({
    msw,
    prepare(app) {
      app.write('vite.config.ts', "export default { appType: 'mpa', build: { target: 'es2022' } }")
      app.write('src/main.ts', index)
      app.write('public/api/posts.html', '<title>Of the network</title>')
      app.write(
        'public/mockServiceWorker.js',
        readFileSync(
          join(import.meta.dirname, '../../node_modules', msw, 'lib/mockServiceWorker.js'),
          'utf8',
        ),
      )
    },
  })

  async function open(search = ''): Promise<Page> {
    const { page } = await openPage(shared().serving.url + search)
    await page.waitForFunction(() => document.title === 'Started')
    return page
  }

  it('sends the cookies that were set, also those that scripts cannot read', async () => {
    const page = await open()
    const seen = await page.evaluate(async () => {
      const headers = { 'Set-Cookie': 'sid=abc-1; Path=/; HttpOnly' }
      world.on('POST', '/login').reply(204, undefined, { headers })
      await fetch('/api/login', { method: 'POST' })
      document.cookie = 'theme=dark'
      await fetch('/api/posts')
      return [...cookies.map((text) => text?.split('; ').toSorted()), document.cookie]
    })
    expect(seen).toEqual([undefined, ['sid=abc-1', 'theme=dark'], 'theme=dark'])
  })

  it('sends every cookie of a response that sets several', async () => {
    const page = await open()
    const seen = await page.evaluate(async () => {
      await fetch('/api/lines')
      await fetch('/api/posts')
      return [cookies.at(-1)?.split('; ').toSorted(), document.cookie]
    })
    expect(seen).toEqual([['a=1', 'b=2', 'c=3'], 'c=3'])
  })

  it('gets a network error where the connection drops', async () => {
    const page = await open()
    const message = page.evaluate(() => {
      world.on('*', '*').drop()
      return fetch('/api/posts').catch(String)
    })
    expect(await message).toBe('TypeError: Failed to fetch')
  })

  it('gets a stream as it comes', async () => {
    const page = await open()
    const texts = await page.evaluate(async () => {
      let go = (): void => {}
      const gate = new Promise<void>((resolve) => {
        go = resolve
      })
      async function* iterate(): AsyncGenerator<string> {
        yield 'one'
        await gate
        yield 'two'
      }
      world.on('GET', '/stream').reply(200, iterate())
      const response = await fetch('/api/stream')
      const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
      const first = await reader?.read()
      go()
      const second = await reader?.read()
      return [first?.value, second?.value, (await reader?.read())?.done]
    })
    expect(texts).toEqual(['one', 'two', true])
  })

  it('reads the headers of another origin', async () => {
    const page = await open()
    const read = await page.evaluate(async () => {
      const init = { method: 'PUT', headers: { Authorization: 'x' } }
      const [listed, refused] = await Promise.all([
        fetch('https://api.test/api/posts'),
        fetch('https://api.test/api/posts', init),
      ])
      return [listed.headers.get('X-Total-Count'), refused.status, refused.headers.get('Allow')]
    })
    expect(read).toEqual(['1', 405, 'GET, HEAD, QUERY, POST, OPTIONS'])
  })

  it('reaches a real server through proxy()', async () => {
    const accepted: (string | undefined)[] = []
    const { url, close } = await listen(async (request, response) => {
      response.setHeader('Access-Control-Allow-Origin', '*')
      response.setHeader('Access-Control-Allow-Headers', '*')
      if (request.method === 'OPTIONS') return void response.writeHead(204).end()
      accepted.push(request.headers.accept)
      const body = await text(request)
      response.writeHead(body === '' ? 404 : 201, { 'Content-Type': 'application/json' })
      response.end(JSON.stringify({ path: request.url, body }))
    })
    onTestFinished(close)
    const page = await open(`?real=${url}`)
    const read = (): Promise<unknown> =>
      page.evaluate(async () => {
        const headers = { 'Content-Type': 'application/json' }
        const responses = [
          await fetch('/api/reports/1?year=2026'),
          await fetch('/api/reports', { method: 'POST', headers, body: '{"a":1}' }),
          await fetch('/api/posts/1'),
        ]
        return Promise.all(responses.map(async (one) => [one.status, await one.json()]))
      })
    expect(await read()).toEqual([
      [404, { path: '/api/reports/1?year=2026', body: '' }],
      [201, { path: '/api/reports', body: '{"a":1}' }],
      [200, { id: 1, title: 'First' }],
    ])
    // The service worker has removed the mark by which it lets the requests of the proxy pass.
    expect(accepted).toEqual(['*/*', '*/*'])
    await close()
    const down = await page.evaluate(async () => (await fetch('/api/reports')).status)
    expect(down).toBe(502)
  })

  it('gets no body for HEAD', async () => {
    const page = await open()
    const read = await page.evaluate(async () => {
      const response = await fetch('/api/posts', { method: 'HEAD' })
      return [response.headers.get('X-Total-Count'), await response.text()]
    })
    expect(read).toEqual(['1', ''])
  })

  it('follows its links to the network', async () => {
    const page = await open()
    await page.evaluate(() => {
      document.body.innerHTML = '<a href="/api/posts.html">Posts</a>'
    })
    await page.getByText('Posts').click()
    await page.waitForURL('**/api/posts.html')
    expect(await page.title()).toBe('Of the network')
  })

  it('answers sockets of the mock', async () => {
    const page = await open()
    const frames = await page.evaluate(async () => {
      const socket = new WebSocket(`ws://${location.host}/api/live`)
      const received: unknown[] = []
      await new Promise<void>((resolve, reject) => {
        socket.addEventListener('close', reject)
        socket.addEventListener('open', () =>
          socket.send('{"type":"subscribe","id":"a","collection":"posts"}'),
        )
        socket.addEventListener('message', ({ data }) => {
          received.push(JSON.parse(data as string))
          if (received.length > 1) return resolve()
          const headers = { 'Content-Type': 'application/json' }
          void fetch('/api/posts', { method: 'POST', headers, body: '{"title":"Second"}' })
        })
      })
      return received
    })
    expect(frames).toMatchObject([
      { type: 'subscribed', id: 'a' },
      { type: 'change', change: { type: 'created', record: { title: 'Second' } } },
    ])
  })
})
