import type { BrowserContext, Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'

import { createMock, type Mock } from '../../src/index.ts'
import { mockRoute } from '../../src/playwright.ts'
import { listen } from '../peers/harness/server.ts'
import { openPage } from './page.ts'

/** The URL of a server that answers every path with a page. */
let url = ''

beforeAll(async () => {
  const server = await listen((_, response) => {
    response.setHeader('Content-Type', 'text/html')
    response.end('<title>App</title>')
  })
  url = server.url
  return server.close
})

type Data = { posts: { id: number; title: string }[] }
const fixtures: Data = { posts: [{ id: 1, title: 'First' }] }

describe('mockRoute', () => {
  it('answers requests below the base, and leaves others to the network', async () => {
    const { page, world } = await open()
    expect(await ask(page, '/api/posts')).toEqual([200, JSON.stringify(fixtures.posts)])
    expect((await ask(page, '/api/other'))[0]).toBe(404)
    expect(await ask(page, '/other')).toEqual([200, '<title>App</title>'])
    expect(world.log.map(({ status }) => status)).toEqual([200, 404])
  })

  it('lets page navigations pass', async () => {
    const { page } = await open()
    await page.goto(`${url}/api/posts`)
    expect(await page.title()).toBe('App')
  })

  it('passes on bodies without changes', async () => {
    const { page, world } = await open()
    const title = 'Ünï\u0000\u{1F600}'
    const [status, text] = await ask(page, '/api/posts', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ title }),
    })
    expect([status, JSON.parse(text)]).toEqual([201, { id: 2, title }])
    expect(world.db.posts.get(2)).toEqual({ id: 2, title })
  })

  it('answers another origin, after a preflight', async () => {
    const { page } = await open()
    const init = { method: 'DELETE', headers: { 'X-A': '1' }, credentials: 'include' as const }
    expect((await ask(page, 'http://api.test/api/posts/1', init))[0]).toBe(200)
  })

  it('answers only the given origin', async () => {
    const { page } = await open({ origin: 'http://api.test' })
    expect((await ask(page, 'http://api.test/api/posts'))[0]).toBe(200)
    expect(await ask(page, '/api/posts')).toEqual([200, '<title>App</title>'])
  })

  it('drops the connection', async () => {
    const { page, world } = await open()
    world.on('GET', '/posts').drop({ times: 1 })
    await expect(ask(page, '/api/posts')).rejects.toThrow('Failed to fetch')
    expect((await ask(page, '/api/posts'))[0]).toBe(200)
  })

  it('sets cookies in the browser', async () => {
    const { page, world } = await open()
    const headers = { 'Set-Cookie': 'a=1; Path=/; HttpOnly' }
    world.on('GET', '/login').reply(204, undefined, { headers })
    await ask(page, '/api/login')
    expect(await page.context().cookies()).toMatchObject([
      { name: 'a', value: '1', httpOnly: true },
    ])
  })

  it('sends a stream when it has ended', async () => {
    const { page, world } = await open()
    const stream = new Blob(['one', 'two']).stream()
    world.on('GET', '/stream').reply(200, stream, { headers: { 'Content-Type': 'text/plain' } })
    expect(await ask(page, '/api/stream')).toEqual([200, 'onetwo'])
  })

  it('gives each context a world of its own, and its pages the same', async () => {
    const mock = createMock({ fixtures, base: '/api' })
    const [{ page: one, world }, { page: two }] = await Promise.all([
      open({}, mock),
      open({}, mock),
    ])
    await ask(one, '/api/posts/1', { method: 'DELETE' })
    expect((await ask(two, '/api/posts/1'))[0]).toBe(200)
    const other = await one.context().newPage()
    await other.goto(url)
    expect((await ask(other, '/api/posts/1'))[0]).toBe(404)
    expect(await mockRoute(other, mock)).toBe(world)
    expect(mock.db.posts.count()).toBe(1)
  })

  it('does not fail where a page is closed before the response', async () => {
    const { page, world, waiting } = await openWaiting()
    const answered = new Promise<void>((resolve) => void world.onRequest(() => resolve()))
    await page.evaluate(() => void fetch('/api/posts').catch(() => {}))
    const answer = await waiting
    await page.close()
    answer()
    await answered
  })
})

interface Opened {
  page: Page
  world: Mock<Data>
}

async function open(
  options: { origin?: string } = {},
  mock: Mock<Data> = createMock({ fixtures, base: '/api' }),
): Promise<Opened> {
  const { page } = await openPage()
  const context: BrowserContext = page.context()
  const world = await mockRoute(context, mock, options)
  await page.goto(url)
  return { page, world }
}

/** Sends a request from a page; returns status and text. */
function ask(page: Page, path: string, init: RequestInit = {}): Promise<[number, string]> {
  return page.evaluate(
    async ([path, init]): Promise<[number, string]> => {
      const response = await fetch(path, init)
      return [response.status, await response.text()]
    },
    [path, init] as const,
  )
}

/** Opens a page whose requests for posts wait; the promise resolves to a function that releases the first one. */
async function openWaiting(): Promise<Opened & { waiting: Promise<() => void> }> {
  let wait: (callback: () => void) => void = () => {}
  const waiting = new Promise<() => void>((resolve) => {
    wait = resolve
  })
  const after = (_: number, callback: () => void): (() => void) => {
    wait(callback)
    return () => {}
  }
  const opened = await open(
    {},
    createMock({ fixtures, base: '/api', clock: { now: Date.now, after } }),
  )
  opened.world.on('GET', '/posts').delay(50)
  return { ...opened, waiting }
}
