import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'

import {
  type Browser,
  type BrowserContext,
  type BrowserContextOptions,
  chromium,
  type Page,
} from 'playwright-core'
import { inject, onTestFinished } from 'vitest'

/** A page and the lines of its console. */
export interface Tab {
  page: Page
  lines: string[]
}

/** Opens a page in a new browser context, which is closed when the test has finished. */
export async function openPage(url?: string): Promise<Tab> {
  const context = await openContext()
  const page = await context.newPage()
  const lines: string[] = []
  page.on('console', (message) => lines.push(`${message.type()}: ${message.text()}`))
  page.on('pageerror', (error) => lines.push(`uncaught: ${error.message}`))
  if (url !== undefined) await page.goto(url)
  return { page, lines }
}

/** Opens a new browser context, which is closed when the test has finished. */
export async function openContext(options: BrowserContextOptions = {}): Promise<BrowserContext> {
  const browser = await (connected ??= chromium.connect(inject('browser')))
  const context = await browser.newContext(options)
  context.setDefaultTimeout(waiting)
  onTestFinished(() => context.close())
  return context
}

/** How long Playwright waits for an element or a page, in milliseconds: a slow machine takes long. */
export const waiting = 60_000

/** The findings of axe-core in a page, best practices included, or in a part of the page. */
export async function findBarriers(page: Page, part = 'html'): Promise<string[]> {
  // The policy of the page forbids other scripts, but not those of the developer tools.
  await page.evaluate(readFileSync(axe, 'utf8'))
  return page.evaluate(async (selector) => {
    const { axe } = globalThis as unknown as {
      axe: { run(context: string): Promise<{ violations: Violation[] }> }
    }
    interface Violation {
      id: string
      nodes: { html: string }[]
    }
    const { violations } = await axe.run(selector)
    return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
  }, part)
}

const axe = createRequire(import.meta.url).resolve('axe-core/axe.min.js')

/** The connection that all tests of a worker share. */
let connected: Promise<Browser> | undefined
