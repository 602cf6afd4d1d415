import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

import type { Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'

import { auth } from '../../src/behaviours.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { serve } from '../../src/node.ts'
import { openPage } from './page.ts'

const json = { 'content-type': 'application/json' }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

interface Setting {
  mock: Mock<{ posts: { id: number; title: string }[] }>
  api: string
  page: Page
}

/** Opens a page of another origin than the mock. Chromium resolves every name below `example` to this machine. */
async function open(host: string): Promise<Setting> {
  const posts = [{ id: 1, title: 'First' }]
  const users = [{ id: 1, email: 'ada' }]
  const use = [auth({ scheme: 'cookie', users: 'users', protect: ['secrets'] })]
  const mock = createMock({ fixtures: { posts, users, secrets: [] }, use })
  const { port, close } = await serve(mock, { port: 0 })
  onTestFinished(() => close())
  const pages = createServer((_, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html>')
  }).listen(0, '127.0.0.1')
  onTestFinished(() => void pages.close())
  await once(pages, 'listening')
  const { page } = await openPage(`http://${host}:${(pages.address() as AddressInfo).port}/`)
  return { mock, api: `http://localhost:${port}`, page }
}

/** The part of a response that a script of the page can read, or `refused`. */
function ask(page: Page, url: string, init: RequestInit): Promise<unknown> {
  return page.evaluate(
    async ([url, init]) => {
      try {
        const { type, status, headers } = await fetch(url, init)
        return type === 'opaque' ? type : [status, headers.get('etag') !== null]
      } catch {
        return 'refused'
      }
    },
    [url, init] as const,
  )
}

const requests: [title: string, path: string, init: RequestInit, expected: unknown][] = [
  ['a list, with cookies', '/posts', { credentials: 'include' }, [200, true]],
  ['a missing resource', '/nope', {}, [404, false]],
  ['an unsupported method', '/posts', { method: 'PURGE' }, [405, false]],
  ['QUERY', '/posts', { method: 'QUERY', headers: json, body: '{}' }, [200, true]],
  [
    'POST',
    '/posts',
    { method: 'POST', headers: json, body: '{}', credentials: 'include' },
    [201, true],
  ],
  [
    'PATCH with a header of its own',
    '/posts/1',
    { method: 'PATCH', headers: { ...json, 'x-a': 'b' }, body: '{}' },
    [200, true],
  ],
  ['DELETE', '/posts/1', { method: 'DELETE' }, [200, false]],
]

describe('a page of this machine', () => {
  it.each(requests)('has %s', async (_, path, init, expected) => {
    const { page, api } = await open('localhost')
    expect(await ask(page, api + path, init)).toEqual(expected)
  })

  it('cannot control the mock', async () => {
    const { page, api, mock } = await open('localhost')
    mock.db.posts.insert({ title: 'Second' })
    await ask(page, `${api}/__mock/reset`, { method: 'POST', mode: 'no-cors' })
    expect(await ask(page, `${api}/__mock/state`, {})).toBe('refused')
    expect(mock.db.posts.count()).toBe(2)
  })
})

it.each(['localhost', '127.0.0.1', 'app.localhost'])('a page of %s is logged in', async (host) => {
  const { page, api } = await open(host)
  const init = { method: 'POST', headers: json, credentials: 'include', body: '{"email":"ada"}' }
  expect(await ask(page, `${api}/login`, init as RequestInit)).toEqual([200, false])
  expect(await ask(page, `${api}/secrets`, { credentials: 'include' })).toEqual([200, true])
  expect(await ask(page, `${api}/secrets`, {})).toEqual([401, false])
})

describe('a foreign page', () => {
  it.each(requests)('is refused: %s', async (_, path, init) => {
    const { page, api, mock } = await open('evil.example')
    expect(await ask(page, api + path, init)).toBe('refused')
    expect(mock.db.posts.all()).toEqual([{ id: 1, title: 'First' }])
  })

  it.each([
    ['text', { 'content-type': 'text/plain' }, '{"title":"x"}'],
    ['a form', form, 'title=x'],
    ['nothing', {}, ''],
  ])('does not write with %s that is sent without a preflight', async (_, headers, body) => {
    const { page, api, mock } = await open('evil.example')
    const init = { method: 'POST', mode: 'no-cors', headers, body } as const
    expect(await ask(page, `${api}/posts`, init)).toBe('opaque')
    expect(mock.log.at(-1)?.status).toBe(403)
    expect(mock.db.posts.count()).toBe(1)
  })

  it('does not write with a submitted form', async () => {
    const { page, api, mock } = await open('evil.example')
    await page.setContent(`<form method="post" action="${api}/posts"><input name="title"></form>`)
    const gone = page.waitForNavigation()
    await page.locator('form').evaluate((element) => (element as HTMLFormElement).submit())
    expect((await gone)?.status()).toBe(403)
    expect(mock.db.posts.count()).toBe(1)
  })

  it('cannot reach the mock by a name of its own', async () => {
    const { page, api } = await open('evil.example')
    const answer = await page.goto(`${api.replace('localhost', 'evil.example')}/posts`)
    expect(answer?.status()).toBe(403)
    expect(await answer?.text()).not.toContain('First')
  })
})
