import { expect, test } from '@playwright/test'
import { loadMock } from 'fixtura/node'
import { mockRoute } from 'fixtura/playwright'

/** The fixtures, with the options of mock.config.*. */
const loading = loadMock()

test('a page sees what the test prepares', async ({ context, page }) => {
  // The data and rules of this test alone, also while others run at the same time.
  const mock = await mockRoute(context, await loading)
  mock.on('GET', '/$RESOURCE').fail(503, { times: 1 })

  // An empty page in place of your application, which is `await page.goto('/')`.
  await page.route('http://app.test/', (route) => route.fulfill({ contentType: 'text/html' }))
  await page.goto('http://app.test/')
  const request = async () => (await fetch('$BASE/$RESOURCE')).status
  expect(await page.evaluate(request)).toBe(503)
  expect(await page.evaluate(request)).toBe(200)
})
