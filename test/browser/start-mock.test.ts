import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import type { MockInternals } from '../../src/core/http/contract/internals.ts'
import type { Mock } from '../../src/index.ts'
import type { Started, StartOptions } from '../../src/browser.ts'
import { type App, shareApp } from './app.ts'
import { expectAnswer, expectItems, firstItems } from './app-page.ts'
import { openPage } from './page.ts'

declare global {
  /** The mock of the page, with the functions for faces. */
  var mock: Mock & MockInternals
  var begin: (options?: StartOptions, title?: string) => Promise<void>
  var beginWithLogins: (options?: StartOptions) => Promise<void>
  var started: Started | undefined
  var save: () => void
}

const index = `
  import { createMock } from 'fixtura'
  import { auth, files } from 'fixtura/behaviours'
  import { startMock } from 'fixtura/browser'
  globalThis.begin = async (options, title = 'First') => {
    globalThis.mock = createMock({ fixtures: { posts: [{ id: 1, title }] }, base: '/api' })
    globalThis.started = await startMock(globalThis.mock, options)
  }
  globalThis.beginWithLogins = async (options) => {
    const fixtures = { users: [{ id: 1, email: 'ada@x.org', password: 'secret' }] }
    const use = [
      auth({ scheme: ['bearer', 'cookie'], tokens: 'opaque' }),
      files({ users: { avatar: true } }),
    ]
    globalThis.mock = createMock({ fixtures, base: '/api', use })
    globalThis.started = await startMock(globalThis.mock, options)
  }
`

const glob = `
  import { createMock } from 'fixtura'
  import { startMock } from 'fixtura/browser'
  import { show } from './posts.ts'
  const fixtures = import.meta.glob('../fixtures/*.json', { eager: true, import: 'default' })
  void startMock(createMock({ fixtures, base: '/api' })).then(show)
`

describe('a page without the plugin', () => {
  const shared = shareApp({
    prepare(app) {
      app.write('vite.config.ts', 'export default {}')
      app.write('src/main.ts', glob)
      app.write('public/mockServiceWorker.js', readWorker('msw'))
    },
  })

  it('answers from an import.meta.glob, also after an edit', async () => {
    const app = shared()
    const { page } = await openPage(app.serving.url)
    await expectItems(page, firstItems)
    const whole = app.read('fixtures/posts.json')
    app.write('fixtures/posts.json', whole.replace('World', 'Edited'))
    await expectItems(page, ['2: Edited by Grace', '1: Hello by Ada'])
    app.write('fixtures/posts.json', whole)
    await expectItems(page, firstItems)
  })

  it('leaves page navigations and paths outside the base to the network', async () => {
    const { page, lines } = await openPage(shared().serving.url)
    await expectItems(page, firstItems)
    const read = async (path: string): Promise<string> => (await fetch(path)).text()
    expect(await page.evaluate(read, '/api/users/1')).toBe('{"id":1,"name":"Ada"}')
    expect(await page.evaluate(read, '/apis/users/1')).toContain('<!doctype html>')
    await page.goto(new URL('/api/users/1', page.url()).href)
    expect(await page.title()).toBe('Posts')
    expect(lines.filter((line) => /^(?:warning|uncaught)/.test(line))).toEqual([])
  })
})

/** The app of most tests. */
const shared = shareApp({ prepare: prepare('msw') })

describe('startMock', () => {
  const scripts: [title: string, worker: string, expected: string][] = [
    ['is missing', '/missing.js', 'there is no worker script at "/missing.js" (404)'],
    ['is a page', '/index.html', '"/index.html" is an HTML page, not a worker script'],
    ['is not of msw', '/other.js', '"/other.js" is not a worker script of msw'],
  ]

  it.each(scripts)('fails where the worker script %s', async (_, worker, expected) => {
    const { page } = await openPage(shared().serving.url)
    const message = await page.evaluate((worker) => begin({ worker }).catch(String), worker)
    expect(message).toContain('Failed to start the mock')
    expect(message).toContain(expected)
    expect(message).toContain('npx fixtura init')
    expect(message).toContain('or set the option "worker" to its URL')
    // Another call can start the mock after the failure.
    await page.evaluate(() => begin())
    await expectAnswer(page, '/api/posts/1', { id: 1, title: 'First' })
  })

  it('fails where the worker cannot control the page', async () => {
    const { page } = await openPage(shared().serving.url)
    const message = await page.evaluate(() =>
      begin({ worker: '/below/mockServiceWorker.js' }).catch(String),
    )
    expect(message).toContain(
      '"/below/mockServiceWorker.js" can only control pages in its own folder',
    )
  })

  it('fails for an invalid origin, and stores nothing', async () => {
    const { page } = await openPage(shared().serving.url)
    const message = await page.evaluate(() =>
      begin({ origin: 'app.test', persist: 'session' }).catch(String),
    )
    expect(message).toContain('"origin" cannot be "app.test". Please give an origin such as')
    await page.evaluate(() => void mock.store.insert('posts', { title: 'Second' }))
    expect(await page.evaluate(leave)).toBe(null)
  })

  it('says so where service workers are not available', async () => {
    const { page } = await openPage(shared().serving.url)
    const message = await page.evaluate(() => {
      Reflect.deleteProperty(Navigator.prototype, 'serviceWorker')
      return begin().catch(String)
    })
    expect(message).toContain('Please open it over https or on localhost.')
  })
})

describe.each(['msw', 'msw3'] as const)('startMock with %s', (msw) => {
  const app = msw === 'msw' ? shared : shareApp({ msw, prepare: prepare(msw) })

  it('starts, starts again and stops', async () => {
    const { page, lines } = await openPage(app().serving.url)
    await page.evaluate(async () => Promise.all([begin(), begin({}, 'Second')]))
    await expectAnswer(page, '/api/posts/1', { id: 1, title: 'Second' })
    await page.evaluate(() => begin({}, 'Third'))
    await expectAnswer(page, '/api/posts/1', { id: 1, title: 'Third' })
    await page.evaluate(() => started?.stop())
    await expectAnswer(page, '/api/posts/1', 404)
    await page.evaluate(() => begin({}, 'Fourth'))
    await expectAnswer(page, '/api/posts/1', { id: 1, title: 'Fourth' })
    await page.evaluate(async () => Promise.all([started?.stop(), begin({}, 'Fifth')]))
    await expectAnswer(page, '/api/posts/1', { id: 1, title: 'Fifth' })
    expect(lines.filter((line) => /^(?:warning|uncaught)/.test(line))).toEqual([])
  })

  it('reloads a frame whose worker is being unregistered', async () => {
    const { page } = await openPage(app().serving.url)
    await page.evaluate(() => begin())
    // The worker does the same when the last mocked page closes, which can happen while this page opens.
    await page.evaluate(async () => (await navigator.serviceWorker.getRegistration())?.unregister())
    await page.evaluate(
      () =>
        new Promise((resolve) => {
          const frame = document.createElement('iframe')
          frame.addEventListener('load', resolve, { once: true })
          frame.src = location.href
          document.body.append(frame)
        }),
    )
    const ask = async (): Promise<number> => {
      await begin()
      return (await fetch('/api/posts/1')).status
    }
    // The reload of the frame rejects the evaluation, so it is repeated.
    const status = async (): Promise<unknown> => page.frames()[1]?.evaluate(ask).catch(String)
    await expect.poll(status).toBe(200)
  })

  it('starts with a worker script of the other major version, and warns', async () => {
    const { page, lines } = await openPage(app().serving.url)
    await page.evaluate(() => begin({ worker: '/other-major.js' }))
    expect(lines.join('\n')).toContain(
      `"/other-major.js" does not belong to msw ${msw === 'msw' ? 2 : 3}`,
    )
    await expectAnswer(page, '/api/posts/1', { id: 1, title: 'First' })
    await page.evaluate(() => started?.stop())
    await expectAnswer(page, '/api/posts/1', 404)
  })
})

describe('persist', () => {
  it.each(['session', 'local'] as const)(
    '%s restores the changes made by requests',
    async (persist) => {
      const { page } = await openPage(shared().serving.url)
      await page.evaluate((persist) => begin({ persist }), persist)
      await addPost(page, 'Second')
      await page.reload()
      await page.evaluate((persist) => begin({ persist }), persist)
      await expectAnswer(page, '/api/posts/2', { id: 2, title: 'Second' })
      const other = await page.context().newPage()
      await other.goto(page.url())
      await other.evaluate((persist) => begin({ persist }), persist)
      await expectAnswer(
        other,
        '/api/posts/2',
        persist === 'local' ? { id: 2, title: 'Second' } : 404,
      )
    },
  )

  it.each(['session', 'local'] as const)('%s keeps logins over a reload', async (persist) => {
    const { page } = await openPage(shared().serving.url)
    const restart = async (tab: Page): Promise<void> => {
      await tab.evaluate((persist) => beginWithLogins({ persist }), persist)
    }
    await restart(page)
    const token = await page.evaluate(logIn)
    expect(await page.evaluate(readMe, '')).toBe(200)
    await page.reload()
    await restart(page)
    expect(await page.evaluate(readMe, '')).toBe(200)
    expect(await page.evaluate(readMe, token)).toBe(200)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await restart(other)
    expect(await other.evaluate(readMe, token)).toBe(persist === 'local' ? 200 : 401)
    await page.evaluate(logOut, token)
    await page.reload()
    await restart(page)
    expect(await page.evaluate(readMe, '')).toBe(401)
    expect(await page.evaluate(readMe, token)).toBe(401)
  })

  it('session keeps files over a reload, until a reset', async () => {
    const { page } = await openPage(shared().serving.url)
    const start = (): Promise<void> => page.evaluate(() => beginWithLogins({ persist: 'session' }))
    const read = (): Promise<string> =>
      page.evaluate(async () => (await fetch('/api/users/1/avatar')).text())
    await start()
    await page.evaluate(logIn)
    await page.evaluate(async () => {
      const body = new Blob(['ä'], { type: 'text/plain' })
      await fetch('/api/users/1/avatar', { method: 'PUT', body })
    })
    await page.reload()
    await start()
    expect(await read()).toBe('ä')
    await page.evaluate(() => mock.reset())
    expect(await page.evaluate(leave)).toBe(null)
  })

  it('local shares a login with a tab that is open', async () => {
    const { page } = await openPage(shared().serving.url)
    const other = await page.context().newPage()
    await other.goto(page.url())
    for (const tab of [page, other]) {
      await tab.evaluate(() => beginWithLogins({ persist: 'local' }))
    }
    const token = await page.evaluate(logIn)
    await expect.poll(() => other.evaluate(readMe, token)).toBe(200)
    await other.evaluate(logOut, token)
    await expect.poll(() => page.evaluate(readMe, token)).toBe(401)
  })

  it('stores no logins after a reset', async () => {
    const { page } = await openPage(shared().serving.url)
    await page.evaluate(() => beginWithLogins({ persist: 'session' }))
    await page.evaluate(logIn)
    expect(await page.evaluate(leave)).toContain('cookies')
    await page.evaluate(() => mock.reset())
    expect(await page.evaluate(leave)).toBe(null)
  })

  it('local synchronizes the tabs, so that no tab overwrites the changes of another', async () => {
    const { page } = await openPage(shared().serving.url)
    const other = await page.context().newPage()
    await other.goto(page.url())
    for (const tab of [page, other]) await tab.evaluate(() => begin({ persist: 'local' }))
    const all = ['First', 'Second', 'Third']
    for (const [at, tab] of [page, other].entries()) {
      await addPost(tab, all[at + 1] ?? '')
      for (const one of [page, other]) await expectTitles(one, all.slice(0, at + 2))
    }
    await page.reload()
    await page.evaluate(() => begin({ persist: 'local' }))
    await expectTitles(page, all)
    await page.evaluate(() => mock.reset())
    await expectTitles(other, ['First'])
  })

  it('local loses no change of tabs that write at the same time', async () => {
    const { page } = await openPage(shared().serving.url)
    const other = await page.context().newPage()
    await other.goto(page.url())
    for (const tab of [page, other]) await tab.evaluate(() => begin({ persist: 'local' }))
    // The changes of one tab reach the other before the other has stored its own.
    await other.evaluate(() => {
      const { setTimeout: real } = globalThis
      const hold = (call: () => void): number => {
        globalThis.save = call
        return -1
      }
      Object.assign(globalThis, { setTimeout: hold })
      mock.store.replace('posts', '1', { id: 1, title: 'Edited' })
      mock.store.insert('posts', { id: 4, title: 'Gone' })
      mock.store.remove('posts', '4')
      Object.assign(globalThis, { setTimeout: real })
    })
    await addPost(page, 'Second')
    await expectTitles(other, ['Edited', 'Second'])
    await other.evaluate(() => save())
    await expectTitles(page, ['Edited', 'Second'])
  })

  it('local applies the stored value of the event, even if another followed', async () => {
    const { page } = await openPage(shared().serving.url)
    await page.evaluate(async () => {
      await begin({ persist: 'local' })
      mock.store.insert('posts', { title: 'Second' })
      dispatchEvent(new Event('pagehide'))
      const key = 'fixtura:/api'
      const told = { key, newValue: localStorage.getItem(key), storageArea: localStorage }
      mock.reset()
      dispatchEvent(new Event('pagehide'))
      for (const _ of [1, 2]) dispatchEvent(new StorageEvent('storage', told))
    })
    await expectTitles(page, ['First', 'Second'])
  })

  it.each([
    ['with other fixtures', 'local', 'Edited'],
    ['with another storage', 'session', 'First'],
  ] as const)('local does not change a tab %s', async (_, persist, title) => {
    const { page } = await openPage(shared().serving.url)
    const other = await page.context().newPage()
    await other.goto(page.url())
    await page.evaluate(() => begin({ persist: 'local' }))
    await other.evaluate(([persist, title]) => begin({ persist }, title), [persist, title] as const)
    const heard = other.evaluate(
      () => new Promise((resolve) => addEventListener('storage', ({ key }) => resolve(key))),
    )
    await addPost(page, 'Second')
    expect(await heard).toBe('fixtura:/api')
    await expectTitles(other, [title])
  })

  it('restores the changes of the previous mock at once', async () => {
    const { page } = await openPage(shared().serving.url)
    await page.evaluate(async () => {
      await begin({ persist: 'session' })
      mock.store.insert('posts', { title: 'Second' })
      await begin({ persist: 'session' })
    })
    await expectTitles(page, ['First', 'Second'])
  })

  it('stores no further changes of a replaced mock', async () => {
    const { page } = await openPage(shared().serving.url)
    await page.evaluate(() => begin({ persist: 'session' }))
    const kept = await page.evaluate(async () => {
      const { mock: first } = globalThis
      await begin({ persist: 'session' })
      first.store.insert('posts', { title: 'Second' })
      dispatchEvent(new Event('pagehide'))
      return sessionStorage.getItem('fixtura:/api')
    })
    expect(kept).toBe(null)
  })

  it('stores only differences, and nothing after a reset', async () => {
    const { page } = await openPage(shared().serving.url)
    await page.evaluate(() => begin({ persist: 'session' }))
    await addPost(page, 'Second')
    const kept = await page.evaluate(leave)
    expect(kept).toContain('Second')
    expect(kept).not.toContain('First')
    await page.evaluate(() => mock.reset())
    expect(await page.evaluate(leave)).toBe(null)
  })

  it('discards the changes of other fixtures', async () => {
    const { page } = await openPage(shared().serving.url)
    await page.evaluate(() => begin({ persist: 'session' }))
    await addPost(page, 'Second')
    await page.reload()
    await page.evaluate(() => begin({ persist: 'session' }, 'Edited'))
    await expectAnswer(page, '/api/posts', [{ id: 1, title: 'Edited' }])
    expect(await page.evaluate(leave)).toBe(null)
  })

  it('warns once that the storage is full, and goes on', async () => {
    const { page, lines } = await openPage(shared().serving.url)
    await page.evaluate(() => begin({ persist: 'session' }))
    for (const title of ['x'.repeat(6_000_000), 'Third']) {
      await addPost(page, title)
      await page.evaluate(leave)
    }
    await expectAnswer(page, '/api/posts/3', { id: 3, title: 'Third' })
    expect(lines.filter((line) => line.startsWith('warning'))).toEqual([
      expect.stringContaining('Failed to save the changes made by requests in session storage'),
    ])
  })

  it('starts with the fixtures where the storage cannot be read', async () => {
    const { page, lines } = await openPage(shared().serving.url)
    await page.evaluate(() => sessionStorage.setItem('fixtura:/api', '{'))
    await page.evaluate(() => begin({ persist: 'session' }))
    await expectAnswer(page, '/api/posts', [{ id: 1, title: 'First' }])
    expect(lines.join('\n')).toContain('Failed to restore the changes made by requests')
  })
})

/** Changes the example to a page without the plugin, with the worker script that `npx fixtura init` writes. */
function prepare(msw: 'msw' | 'msw3'): (app: App) => void {
  return (app) => {
    app.write('vite.config.ts', "export default { appType: 'mpa' }")
    app.write('src/main.ts', index)
    app.write('public/mockServiceWorker.js', readWorker(msw))
    app.write('public/below/mockServiceWorker.js', readWorker(msw))
    app.write('public/other-major.js', readWorker(msw === 'msw' ? 'msw3' : 'msw'))
    app.write('public/other.js', "addEventListener('fetch', () => {})")
  }
}

function readWorker(msw: 'msw' | 'msw3'): string {
  const modules = join(import.meta.dirname, '../../node_modules')
  return readFileSync(join(modules, msw, 'lib/mockServiceWorker.js'), 'utf8')
}

async function addPost(page: Page, title: string): Promise<void> {
  const add = async (title: string): Promise<number> => {
    const headers = { 'Content-Type': 'application/json' }
    const body = JSON.stringify({ title })
    const response = await fetch('/api/posts', { method: 'POST', headers, body })
    return response.status
  }
  expect(await page.evaluate(add, title)).toBe(201)
}

/** Runs in the page: logs in, which sets a cookie, and returns the access token. */
async function logIn(): Promise<string> {
  const headers = { 'Content-Type': 'application/json' }
  const body = JSON.stringify({ email: 'ada@x.org', password: 'secret' })
  const response = await fetch('/api/login', { method: 'POST', headers, body })
  return ((await response.json()) as { access_token: string }).access_token
}

/** Runs in the page: ends the logins by cookie and by token. */
async function logOut(token: string): Promise<void> {
  await fetch('/api/logout', { method: 'POST', headers: { Authorization: `Bearer ${token}` } })
}

/** Runs in the page: the status for the user of a token, or of the cookie if the token is empty. */
async function readMe(token: string): Promise<number> {
  const init: RequestInit = token
    ? { credentials: 'omit', headers: { Authorization: `Bearer ${token}` } }
    : {}
  return (await fetch('/api/me', init)).status
}

/** Waits until the posts of a page have these titles. */
async function expectTitles(page: Page, titles: readonly string[]): Promise<void> {
  const read = (): unknown[] =>
    mock.store
      .collection('posts')
      .records()
      .map(({ title }) => title)
  await expect.poll(() => page.evaluate(read)).toEqual(titles)
}

/** Runs in the page: the value that is stored when the user leaves it. */
function leave(): string | null {
  dispatchEvent(new Event('pagehide'))
  return sessionStorage.getItem('fixtura:/api')
}
