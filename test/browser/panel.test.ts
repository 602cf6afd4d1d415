import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Locator, Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import type { StartOptions } from '../../src/browser.ts'
import { shareApp } from './app.ts'
import { findBarriers, openPage } from './page.ts'

declare global {
  var show: (options: StartOptions, title?: string) => Promise<void>
  /** Shows a story, as Storybook does, and returns its function that ends it. */
  var showStory: (mock: unknown) => Promise<void>
  var heard: string[]
}

const program = `
  import { createMock } from 'fixtura'
  import { delay, files, scenarios } from 'fixtura/behaviours'
  import { startMock } from 'fixtura/browser'
  import { mockStories } from 'fixtura/storybook'
  const create = (title) => createMock({
    fixtures: { posts: [{ id: 1, title, views: 3 }], profile: { theme: 'dark' } },
    base: '/api',
    use: [
      scenarios({ sets: { empty: { fixtures: { posts: [] } } } }),
      files({ posts: { cover: true } }),
    ],
  })
  globalThis.show = async (options, title = 'First') => {
    globalThis.mock = create(title)
    globalThis.started = await startMock(globalThis.mock, options)
  }
  const stories = mockStories(create('Fixture'))
  let end = () => {}
  globalThis.showStory = async (mock) => {
    end()
    const context = { parameters: { mock } }
    const loaded = await stories.loaders[0](context)
    globalThis.mock = loaded.mock
    end = stories.beforeEach({ ...context, loaded })
  }
  globalThis.heard = []
  addEventListener('keydown', ({ key }) => globalThis.heard.push(key))
`

/** A policy that allows nothing but files of the page's own origin, and the socket of Vite. */
const policy =
  "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self' ws:; worker-src 'self'; img-src data:"

const shared = shareApp({
  prepare(app) {
    app.write(
      'vite.config.ts',
      `export default { appType: 'mpa', server: { headers: { 'Content-Security-Policy': ${JSON.stringify(policy)} } } }`,
    )
    app.write('src/main.ts', program)
    const worker = join(import.meta.dirname, '../../node_modules/msw/lib/mockServiceWorker.js')
    app.write('public/mockServiceWorker.js', readFileSync(worker, 'utf8'))
  },
})

async function openApp(): Promise<{ page: Page; lines: string[]; panel: Locator }> {
  const { page, lines } = await openPage(shared().serving.url)
  return { page, lines, panel: page.locator('fixtura-panel') }
}

describe('the panel of startMock', () => {
  it('uploads a file to the mock of the page, and shows it under a strict policy', async () => {
    const { page, panel } = await openApp()
    await page.evaluate(() => show({ panel: true }))
    await page.keyboard.press('Alt+m')
    await panel
      .getByRole('link', { name: /^posts/ })
      .first()
      .click()
    await panel.getByRole('gridcell', { name: '1', exact: true }).getByRole('link').click()
    const chooser = page.waitForEvent('filechooser')
    await panel.getByRole('button', { name: 'Upload…' }).click()
    const svg = '<svg xmlns="http://www.w3.org/2000/svg" width="16" height="8"/>'
    const file = { name: 'a.svg', mimeType: 'image/svg+xml', buffer: Buffer.from(svg) }
    await (await chooser).setFiles(file)
    await expect
      .poll(() =>
        panel
          .getByRole('img', { name: 'a.svg' })
          .evaluate((one: HTMLImageElement) => one.naturalWidth),
      )
      .toBe(16)
    const stored = await page.evaluate(async () => (await fetch('/api/posts/1/cover')).text())
    expect(stored).toBe(svg)
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme })
      expect(await findBarriers(page, 'fixtura-panel')).toEqual([])
    }
  })

  it('opens by a key under a strict policy, shows and edits the data of the page, and closes', async () => {
    const { page, lines, panel } = await openApp()
    await page.evaluate(() => show({ panel: true }))
    await page.keyboard.press('Alt+m')
    await panel
      .getByRole('link', { name: /^posts/ })
      .first()
      .click()
    const title = panel.getByRole('gridcell', { name: 'First' })
    await title.dblclick()
    await page.keyboard.press('Control+a')
    await page.keyboard.type('Edited')
    await page.keyboard.press('Enter')
    await expect
      .poll(() => page.evaluate(async () => (await fetch('/api/posts/1')).text()))
      .toContain('Edited')
    // The studio leaves the page alone: its address, its title, its keys.
    expect(new URL(page.url()).hash).toBe('')
    expect(await page.title()).toBe('Posts')
    expect(await page.evaluate(() => heard)).not.toContain('E')
    // The request of the page is in the log of the panel.
    await panel
      .getByRole('link', { name: /Requests/ })
      .first()
      .click()
    await panel.getByText('/api/posts/1').first().waitFor()
    await page.keyboard.press('Alt+m')
    await panel.getByRole('button', { name: 'Open the studio' }).waitFor()
    expect(lines.filter((line) => /^(?:error|uncaught)/.test(line))).toEqual([])
  })

  it('remembers over a reload that it is open, its place and its height', async () => {
    const { page, panel } = await openApp()
    await page.evaluate(() => show({ panel: 'Ctrl+Shift+U' }))
    await page.keyboard.press('Control+Shift+u')
    await panel
      .getByRole('link', { name: /^profile/ })
      .first()
      .click()
    await panel.getByRole('separator', { name: 'Height of the studio' }).press('ArrowUp')
    await page.reload()
    await page.evaluate(() => show({ panel: 'Ctrl+Shift+U' }))
    await panel.getByRole('heading', { name: 'profile' }).waitFor()
    expect((await panel.locator('.panel').boundingBox())?.height).toBe(440)
  })

  it('loads nothing of the studio before it is opened, and nothing at all without the option', async () => {
    const { page, panel } = await openApp()
    const loaded: string[] = []
    page.on('request', (request) => loaded.push(request.url()))
    await page.evaluate(() => show({}))
    expect(loaded.filter((url) => /panel|home/.test(url))).toEqual([])
    expect(await panel.count()).toBe(0)
    await page.evaluate(() => show({ panel: true }))
    await panel.getByRole('button', { name: 'Open the studio' }).waitFor()
    expect(loaded.filter((url) => url.includes('app.js'))).toEqual([])
  })

  it('follows a mock that replaces the first, and goes when the mock stops', async () => {
    const { page, panel } = await openApp()
    await page.evaluate(() => show({ panel: true }))
    await page.keyboard.press('Alt+m')
    await panel
      .getByRole('link', { name: /^posts/ })
      .first()
      .click()
    await panel.getByText('First').waitFor()
    await page.evaluate(() => show({ panel: true }, 'Second'))
    await panel.getByText('Second').waitFor()
    await page.evaluate(() => started?.stop())
    await expect.poll(() => panel.count()).toBe(0)
  })
})

describe('the panel of a page whose policy forbids it', () => {
  it('says so', async () => {
    const { page, panel } = await openApp()
    await page.evaluate(() => show({ panel: true }))
    // A policy of the document applies from the moment at which the element is added.
    await page.evaluate(() => {
      const meta = document.createElement('meta')
      meta.httpEquiv = 'Content-Security-Policy'
      meta.content = "script-src 'none'"
      document.head.append(meta)
    })
    await page.keyboard.press('Alt+m')
    await panel.getByText('Failed to load the studio').waitFor()
  })
})

describe('mockStories in a page', () => {
  it('gives each story a fork with its scenario, data and rules, and the panel shows it', async () => {
    const { page, panel } = await openApp()
    const read = async (path: string): Promise<unknown> =>
      page.evaluate(async (path) => {
        const response = await fetch(path)
        return response.ok ? response.json() : response.status
      }, path)
    await page.evaluate(() => showStory({ scenario: 'empty' }))
    expect(await read('/api/posts')).toEqual([])
    await page.evaluate(() =>
      showStory({ data: { posts: [{ id: 7, title: 'Own' }], profile: { theme: 'light' } } }),
    )
    expect(await read('/api/posts')).toEqual([{ id: 7, title: 'Own' }])
    expect(await read('/api/profile')).toEqual({ theme: 'light' })
    await page.keyboard.press('Alt+m')
    await panel
      .getByRole('link', { name: /^posts/ })
      .first()
      .click()
    await panel.getByText('Own').waitFor()
    await page.evaluate(() => showStory({ rules: [{ on: 'GET /posts', status: 503 }] }))
    expect(await read('/api/posts')).toBe(503)
    await panel.getByText('Fixture').waitFor()
    await page.evaluate(() => showStory(undefined))
    expect(await read('/api/posts')).toEqual([{ id: 1, title: 'Fixture', views: 3 }])
  })

  it('fails what a story waits for when the story changes', async () => {
    const { page } = await openApp()
    await page.evaluate(() => showStory({ rules: [{ on: '*', delay: 60_000, times: 1 }] }))
    const outcome = await page.evaluate(async () => {
      const waiting = fetch('/api/posts', { method: 'POST', body: '{}' }).catch(String)
      // The rule is used up when the request has arrived.
      while (mock.rules.list().length > 0) await new Promise((resolve) => setTimeout(resolve))
      await showStory(undefined)
      return [await waiting, await (await fetch('/api/posts')).json()]
    })
    expect(outcome).toEqual(['TypeError: Failed to fetch', [{ id: 1, title: 'Fixture', views: 3 }]])
  })
})
