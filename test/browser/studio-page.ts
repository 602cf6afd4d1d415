import { type BrowserContext, chromium, type Locator, type Page } from 'playwright-core'
import { beforeAll, expect, inject, onTestFinished } from 'vitest'

import { serve, type ServeOptions } from '../../dist/node.js'
import { waiting } from './page.ts'

type AnyMock = Parameters<typeof serve>[0]

/** How the page is opened. */
export interface StudioOptions {
  /** The place: `#/data/posts`. @default the first collection */
  place?: string
  /** @default 1280 */
  width?: number
  /** @default 800 */
  height?: number
  serve?: ServeOptions
}

/** The page of a mock, in a browser. */
export interface Studio {
  page: Page
  origin: string
  /** The errors that the browser has reported, of which a test may take out the expected ones. */
  failures: string[]
  /** Opens the page of the same mock again, beside the first. */
  another(place?: string): Promise<Page>
  /** The cell of a record and a field. */
  cell(page: Page, row: number, field: string): Locator
}

/** Opens the pages of mocks for the tests of a group. Each test fails on an error in its pages. */
export function useStudio(): (mock: AnyMock, options?: StudioOptions) => Promise<Studio> {
  let context: BrowserContext
  // A new page takes longer than a page that another test has left.
  const idle: Page[] = []
  beforeAll(async () => {
    const browser = await chromium.connect(inject('browser'))
    const permissions = ['clipboard-read', 'clipboard-write']
    context = await browser.newContext({ permissions, viewport: { width: 1280, height: 800 } })
    context.setDefaultTimeout(waiting)
    return () => browser.close()
  })

  return async (mock, { place = '#/data', width = 1280, height = 800, serve: options } = {}) => {
    const serving = await serve(mock, { port: 0, ...options })
    const origin = `http://localhost:${serving.port}`
    const failures: string[] = []
    const pages: Page[] = []
    const another = async (next = place): Promise<Page> => {
      const page = idle.pop() ?? (await context.newPage())
      pages.push(page)
      const size = page.viewportSize()
      if (size?.width !== width || size.height !== height)
        await page.setViewportSize({ width, height })
      page.on('pageerror', (error) => failures.push(error.message))
      page.on('console', (message) => {
        // The browser reports each response with an error status, and each refused connection.
        const isError =
          message.type() === 'error' && !/Failed to load resource/.test(message.text())
        if (isError) failures.push(message.text())
      })
      await page.goto(`${origin}/${next}`)
      return page
    }
    onTestFinished(async () => {
      const left = pages.filter((page) => !page.isClosed())
      await Promise.all(left.map(leave))
      idle.push(...left)
      await serving.close()
      expect(failures).toEqual([])
    })
    return { page: await another(), origin, failures, another, cell }
  }
}

/** Ends what a test does in a page. */
async function leave(page: Page): Promise<void> {
  for (const event of ['console', 'dialog', 'pageerror', 'request']) page.removeAllListeners(event)
  await page.unrouteAll()
  await page.goto('about:blank')
  await page.emulateMedia({ colorScheme: null })
}

/** Responses that are held back. */
export interface HeldResponses {
  /** Waits until the mock has handled a request whose response is held back. */
  arrived(): Promise<void>
  /** Lets the responses through, those of later requests too. */
  release(): void
}

/** Holds back the responses to the requests of a page with a method and a path below `/__mock`. */
export async function holdResponses(
  page: Page,
  method: string,
  path: string,
): Promise<HeldResponses> {
  const held: (() => void)[] = []
  let isReleased = false
  await page.route(
    ({ pathname }) => pathname === `/__mock/${path}`,
    async (route) => {
      if (isReleased || route.request().method() !== method) return route.fallback()
      const response = await route.fetch()
      if (!isReleased) await new Promise<void>((resolve) => held.push(resolve))
      await route.fulfill({ response })
    },
  )
  return {
    arrived: () => expect.poll(() => held.length).toBeGreaterThan(0),
    release() {
      isReleased = true
      for (const answer of held) answer()
    },
  }
}

function cell(page: Page, row: number, field: string): Locator {
  return page
    .locator(`[role=row][aria-rowindex="${row + 1}"]`)
    .getByRole('gridcell')
    .nth(columnOf(field))
}

/** The column of a field in the fixtures of the tests: the first has the checkbox. */
function columnOf(field: string): number {
  return ['', 'id', 'title', 'views', 'userId', 'status'].indexOf(field)
}

/** Fixtures of the tests, with relations and types. */
export function createFixtures(count = 60) {
  return {
    posts: Array.from({ length: count }, (_, at) => ({
      id: at + 1,
      title: `Post ${at + 1}`,
      views: (at * 37) % 101,
      userId: (at % 3) + 1,
      status: ['draft', 'published', 'archived'][at % 3] ?? '',
    })),
    users: ['Ada', 'Bob', 'Cleo'].map((name, at) => ({ id: at + 1, name })),
    profile: { theme: 'dark' },
  }
}
