import { expect } from '@playwright/test'
import { mockTest } from 'fixtura/playwright'

const test = mockTest<{ posts: { id: number; title: string }[] }>({ url: 'http://localhost:3000' })

test('adds a post', async ({ page, mock }) => {
  await mock.db.posts.clear()
  await page.goto('/')
  await page.getByLabel('Title').fill('New')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('listitem')).toHaveText(['New'])
  expect(await mock.log.count('POST /posts')).toBe(1)
})

test('shows that the service is down', async ({ page, mock }) => {
  await mock.on('GET', '/posts').fail(503)
  await page.goto('/')
  await expect(page.getByRole('alert')).toHaveText('The posts cannot be loaded.')
})

test('shows the fixtures', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('listitem')).toHaveText(['Hello', 'World'])
})
