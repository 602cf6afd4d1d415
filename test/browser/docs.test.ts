import { expect, it, onTestFinished } from 'vitest'

import { createMock } from '../../dist/index.js'
import { serve, type ServeOptions } from '../../dist/node.js'
import { openPage } from './page.ts'

async function start(options: ServeOptions = {}): Promise<{ origin: string; token?: string }> {
  const mock = createMock({ base: '/api', fixtures: { posts: [{ id: 1, title: 'Hello' }] } })
  const { port, token, close } = await serve(mock, { port: 0, ...options })
  onTestFinished(close)
  return { origin: `http://127.0.0.1:${port}`, ...(token !== undefined && { token }) }
}

it('shows the API reference, from which requests can be sent, without other origins', async () => {
  const { origin } = await start()
  const { page, lines } = await openPage()
  const origins = new Set<string>()
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin)
  })
  await page.goto(`${origin}/`)
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.locator('.opblock-get [data-path="/posts/{id}"]').click()
  await page.getByPlaceholder('id', { exact: true }).fill('1')
  await page.getByRole('button', { name: 'Execute' }).click()
  await page.locator('.live-responses-table', { hasText: '"title": "Hello"' }).waitFor()
  expect([...origins]).toEqual([origin])
  expect(lines).toEqual([])
})

it('reads the document of a server beyond this machine with the token of the page', async () => {
  const { origin, token = '' } = await start({ host: '0.0.0.0' })
  const { page, lines } = await openPage(`${origin}/?token=${token}`)
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.locator('.opblock-get [data-path="/posts/{id}"]').waitFor()
  await page.getByRole('link', { name: 'Fixtura' }).click()
  await page.getByRole('link', { name: 'Data', exact: true }).click()
  await page.getByRole('grid', { name: 'Records of posts' }).getByText('Hello').waitFor()
  expect(lines).toEqual([])
})

it.each(['light', 'dark'] as const)('has the theme of the studio: %s', async (theme) => {
  const { origin } = await start()
  const { page } = await openPage(`${origin}/`)
  const change = page.getByRole('button', { name: /^Theme: / })
  const current = async () => (await change.getAttribute('aria-label')) ?? ''
  while (!(await current()).startsWith(`Theme: ${theme}`)) await change.click()
  await page.getByRole('link', { name: 'API reference' }).click()
  await page.locator('.opblock-get').first().waitFor()
  const brightness = await page.evaluate(() => {
    const [red = 0] = getComputedStyle(document.documentElement).backgroundColor.match(/\d+/g) ?? []
    return Number(red)
  })
  expect(brightness > 128).toBe(theme === 'light')
})
