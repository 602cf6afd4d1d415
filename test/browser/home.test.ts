import { type Browser, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from 'vitest'

import { delay, faults, scenarios } from '../../dist/behaviours.js'
import { createMock } from '../../dist/index.js'
import { serve } from '../../dist/node.js'

const mock = createMock({
  fixtures: {
    posts: Array.from({ length: 45 }, (_, at) => ({
      id: at + 1,
      title: `Post ${at + 1}`,
      userId: 7,
    })),
    users: [{ id: 7, name: 'Ada' }],
    profile: { theme: 'dark' },
  },
  use: [delay(0), faults(), scenarios({ sets: { empty: { fixtures: { posts: [] } } } })],
})

let browser: Browser
let page: Page
let address = ''
let close = async (): Promise<void> => {}
const asked: string[] = []
const failures: string[] = []

beforeAll(async () => {
  const serving = await serve(mock, { port: 0 })
  address = `http://localhost:${serving.port}/`
  close = () => serving.close()
  browser = await chromium.connect(inject('browser'))
})

afterAll(async () => {
  await browser.close()
  await close()
})

beforeEach(async () => {
  mock.reset()
  asked.length = 0
  failures.length = 0
  await page?.context().close()
  const context = await browser.newContext({ viewport: { width: 360, height: 740 } })
  page = await context.newPage()
  page.on('request', (request) => asked.push(new URL(request.url()).origin))
  page.on('pageerror', (error) => failures.push(error.message))
  page.on('console', (message) => message.type() === 'error' && failures.push(message.text()))
  await page.goto(address)
  await page.getByRole('cell', { name: 'Post 1', exact: true }).waitFor()
})

const rows = () => page.locator('#data tbody tr')

describe('the home page', () => {
  it('asks nobody else, breaks no rule of its policy, and fits a small screen', async () => {
    expect(new Set(asked.filter((origin) => origin !== 'null'))).toEqual(
      new Set([address.slice(0, -1)]),
    )
    expect(failures).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })

  it('shows every resource with its count', async () => {
    expect(await page.locator('nav a').allInnerTexts()).toEqual([
      expect.stringMatching(/posts\s*45/),
      expect.stringMatching(/users\s*1/),
      expect.stringMatching(/profile\s*singleton/),
    ])
  })

  it('turns pages, sorts, searches', async () => {
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('cell', { name: 'Post 21', exact: true }).waitFor()
    await page.locator('#data th button').first().click()
    await page.locator('#data th button').first().click()
    await page.getByRole('searchbox').fill('Post 4')
    await expect.poll(() => rows().count()).toBe(7)
    expect(await rows().first().innerText()).toContain('Post 45')
  })

  it('follows a relation', async () => {
    await page.getByRole('link', { name: '7', exact: true }).first().click()
    await page.getByRole('cell', { name: 'Ada' }).waitFor()
  })

  it('sends a request, shows the answer, the new count and the log', async () => {
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('201 Created').waitFor()
    await page.locator('nav a', { hasText: /posts\s*46/ }).waitFor()
    await page.locator('#log td', { hasText: /^POST$/ }).waitFor()
  })

  it('switches scenarios, faults and snapshots by keyboard', async () => {
    await page.getByLabel('Scenario').selectOption('empty')
    await page.locator('nav a', { hasText: /posts\s*0/ }).waitFor()
    await page.getByLabel('Scenario').selectOption('none')
    await page.locator('nav a', { hasText: /posts\s*45/ }).waitFor()
    await page.getByRole('button', { name: 'Snapshot' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Restore').waitFor()
    expect(mock.snapshots()).toEqual(['snapshot-1'])
    await page.getByLabel('Faults', { exact: true }).selectOption('down')
    await page.getByText(/503/).first().waitFor()
    await page.getByRole('button', { name: 'No faults' }).click()
    await page.getByRole('cell', { name: 'Post 1', exact: true }).waitFor()
  })
})
