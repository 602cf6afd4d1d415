import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { extname, join } from 'node:path'

import type { Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { helpAnchors } from '../../src/cli/output/help-places.ts'
import { findBarriers, openContext, openPage, waiting } from './page.ts'

/** The site, as `npm run docs:build` has built it. */
const site = join(import.meta.dirname, '../../docs/.vitepress/dist')
const types: Readonly<Record<string, string>> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.jpg': 'image/jpeg',
  '.js': 'text/javascript',
  '.md': 'text/markdown; charset=utf-8',
  '.svg': 'image/svg+xml',
  '.txt': 'text/plain; charset=utf-8',
}

/** Serves the site as a host of static files does that finds `/a.html` at `/a`. */
const server = createServer(({ url = '/' }, response) => {
  const path = decodeURIComponent(url.split(/[?#]/, 1)[0] ?? '')
  const file = [path, `${path}.html`, `${path}index.html`]
    .map((name) => join(site, name))
    .find((name) => extname(name) !== '' && existsSync(name))
  response.statusCode = file === undefined ? 404 : 200
  response.setHeader('Content-Type', types[extname(file ?? '.html')] ?? 'application/octet-stream')
  response.end(readFileSync(file ?? join(site, '404.html')))
})
let origin = ''
beforeAll(async () => {
  await new Promise<void>((resolve) => server.listen(0, resolve))
  origin = `http://localhost:${(server.address() as AddressInfo).port}`
})
afterAll(() => server.close())

/** The paths of all pages. */
const pages = readdirSync(site, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.html') && name !== '404.html')
  .map((name) => `/${name.replaceAll('\\', '/').replace(/(?:index)?\.html$/, '')}`)

/** The lines of a console that report an error; violations of the Content Security Policy are among them. */
const errorsOf = (lines: readonly string[]): string[] =>
  lines.filter((line) => /^(?:error|uncaught|warning)/.test(line))

describe('the site', () => {
  it('has pages that fit a phone, without errors, whose links and anchors lead somewhere', async () => {
    expect(pages.length).toBeGreaterThan(30)
    const context = await openContext({ viewport: { width: 390, height: 844 } })
    const page = await context.newPage()
    const lines: string[] = []
    page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`))
    page.on('pageerror', (error) => lines.push(`uncaught: ${error.message}`))
    const anchors = new Map<string, Set<string>>()
    const links: [from: string, to: string][] = []
    const problems: string[] = []
    for (const path of pages) {
      await page.goto(origin + path)
      const found = await page.evaluate(() => ({
        excess: document.documentElement.scrollWidth - innerWidth,
        ids: [...document.querySelectorAll('[id]')].map(({ id }) => id),
        links: [...document.querySelectorAll('a')].map(({ href }) => href),
        hasTitle: document.querySelectorAll('h1').length === 1,
      }))
      if (found.excess > 0) problems.push(`${path} is ${found.excess} px too wide`)
      if (!found.hasTitle) problems.push(`${path} does not have one h1`)
      anchors.set(path, new Set(found.ids))
      links.push(...found.links.map((to): [string, string] => [path, to]))
      problems.push(...errorsOf(lines.splice(0)).map((line) => `${path} ${line}`))
    }
    const internal = links.filter(([, to]) => to.startsWith(`${origin}/`))
    expect(internal.length).toBeGreaterThan(500)
    // Those of the messages of the command.
    for (const anchor of helpAnchors)
      internal.push(['a message', `${origin}/it-does-not-work#${anchor}`])
    for (const [from, to] of internal) {
      const { pathname, hash } = new URL(to)
      const ids = anchors.get(pathname)
      const isFile = /\.\w+$/.test(pathname) && existsSync(join(site, pathname))
      if (!ids && !isFile) problems.push(`${from} has a dead link: ${pathname}`)
      const anchor = decodeURIComponent(hash.slice(1))
      if (ids && anchor !== '' && !ids.has(anchor))
        problems.push(`${from} has a dead anchor: ${pathname}${hash}`)
    }
    expect([...new Set(problems)]).toEqual([])
  })

  it('finds a word by its search', async () => {
    const { page } = await openPage(`${origin}/guides/make-it-fail`)
    await page.getByRole('button', { name: 'Search' }).first().click()
    await page.getByRole('searchbox').or(page.locator('#localsearch-input')).fill('idempotency')
    await page.locator('#localsearch-list a').first().click()
    await expect.poll(() => page.locator('main').textContent()).toMatch(/idempotency/i)
  })

  it.each(['/', '/playground', '/guides/make-it-fail'])(
    'has no barriers on %s, light and dark',
    async (path) => {
      for (const colorScheme of ['light', 'dark'] as const) {
        const context = await openContext({ colorScheme })
        const page = await context.newPage()
        await page.goto(origin + path)
        await page.waitForLoadState('networkidle')
        const ground = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
        expect(ground).toBe(colorScheme === 'dark' ? 'rgb(17, 19, 24)' : 'rgb(255, 255, 255)')
        expect(await findBarriers(page, 'main, .VPPage')).toEqual([])
      }
    },
  )
})

describe('the home page', () => {
  it('answers curl, a test and a page from the fixture that a person edits', async () => {
    const { page, lines } = await openPage(`${origin}/`)
    const answer = page.locator('#live-curl .answer')
    await expect.poll(() => answer.textContent()).toContain('"title": "World"')
    await page.getByLabel('fixtures/posts.json').fill('[{ "id": 7, "title": "Mine", "views": 9 }]')
    await expect.poll(() => answer.textContent()).toContain('"title": "Mine"')
    await page.getByRole('button', { name: 'create' }).click()
    await expect.poll(() => answer.textContent()).toContain('201')
    await page.getByLabel('A command line of curl').fill('curl localhost:3000/posts/8')
    await page.getByRole('button', { name: 'Run' }).click()
    await expect.poll(() => answer.textContent()).toContain('"title": "New"')
    await page.getByRole('tab', { name: 'Test' }).click()
    await expect.poll(() => page.locator('.outcomes .good').count()).toBe(2)
    await page.getByRole('tab', { name: 'Page' }).click()
    const titles = page.locator('#live-page ul li span')
    await expect.poll(() => titles.allTextContents()).toEqual(['New', 'Mine'])
    await page.getByLabel('Title of a new post').fill('Third')
    await page.getByRole('button', { name: 'Add' }).click()
    await expect.poll(() => titles.allTextContents()).toEqual(['Third', 'New', 'Mine'])
    await page.getByRole('button', { name: 'Fail the next GET' }).click()
    await page.getByRole('button', { name: 'Try again' }).click()
    await expect.poll(() => titles.count()).toBe(3)
    await page.getByLabel('fixtures/posts.json').fill('[{ "id": 7 "title": 1 }]')
    await expect
      .poll(() => page.locator('.problem').textContent())
      .toMatch(/^fixtures\/posts\.json:1:12 expected ","[^]*> 1 \|/)
    expect(errorsOf(lines)).toEqual([])
  })
})

describe('the playground', () => {
  const openPlayground = async (hash = ''): Promise<{ page: Page; lines: string[] }> => {
    const tab = await openPage(`${origin}/playground${hash}`)
    await tab.page.locator('.answer').waitFor({ timeout: waiting })
    return tab
  }
  const send = async (page: Page, path: string): Promise<string> => {
    await page.getByLabel('Path and query').fill(path)
    const before = await page.locator('.calls li').count()
    await page.getByRole('button', { name: 'Send' }).click()
    await expect.poll(() => page.locator('.calls li').count()).toBe(Math.max(2, before + 1))
    return (await page.locator('.answer').textContent()) ?? ''
  }

  it('serves edited fixtures, keeps the data of a file with an error, and shows its frame', async () => {
    const { page, lines } = await openPlayground()
    const editor = page.getByLabel('posts.json', { exact: true })
    await editor.fill('[{ "id": 1, "title": "Edited" }]')
    expect(await send(page, '/posts')).toContain('"title": "Edited"')
    await editor.fill('[{ "id": 1, "title": "Broken }]')
    await expect.poll(() => page.locator('.problem').textContent()).toMatch(/posts\.json:1:\d+/)
    expect(await send(page, '/posts')).toContain('"title": "Edited"')
    const fetched = await page.evaluate(async () => (await fetch('/api/posts')).text())
    expect(fetched).toContain('Edited')
    expect(errorsOf(lines)).toEqual([])
  })

  it('switches behaviours and dialects on, and is shared by its address', async () => {
    const { page } = await openPlayground()
    await page.getByLabel('At most 5 requests').check()
    for (let count = 0; count < 5; count++) expect(await send(page, '/users/1')).toMatch(/^200/)
    expect(await send(page, '/users/1')).toMatch(/^429/)
    await page.getByLabel('Speaks like').selectOption('laravel')
    expect(await send(page, '/users/1')).toContain('"data": {')
    await page.getByRole('button', { name: 'Share' }).click()
    await expect.poll(() => page.url()).toContain('#')
    const { page: other } = await openPlayground(new URL(page.url()).hash)
    expect(await other.getByLabel('At most 5 requests').isChecked()).toBe(true)
    await expect.poll(() => other.locator('.answer').textContent()).toContain('"data": {')
    expect(await other.locator('.config pre').textContent()).toContain("dialect: 'laravel'")
  })

  it('has the studio of the mock below', async () => {
    const { page, lines } = await openPlayground()
    const panel = page.locator('fixtura-panel')
    await page.getByRole('button', { name: 'Studio', exact: true }).click()
    await panel
      .getByRole('link', { name: /^comments/ })
      .first()
      .click()
    await panel.getByRole('gridcell', { name: 'Thanks!' }).waitFor()
    expect(errorsOf(lines)).toEqual([])
  })
})
