import { expect } from '@playwright/test'
import { mockTest } from 'fixtura/playwright'

const url = `http://localhost:${process.env['MOCK_PORT'] ?? '3000'}`
const test = mockTest<{ posts: { id: number; title: string; createdAt: string }[] }>({ url })

for (let number = 1; number <= 5; number++) {
  test(`the pages router has the data of test ${number}`, async ({ page, mock }) => {
    await mock.db.posts.clear()
    await mock.db.posts.insert({ title: `Pages ${number}`, createdAt: '' })
    await page.goto('/pages-router')
    await expect(page.getByRole('listitem')).toContainText([`Pages ${number}`])
  })

  test(`the cache of fetch has the data of test ${number}`, async ({ page, mock }) => {
    await mock.db.posts.clear()
    await mock.db.posts.insert({ title: `Cached ${number}`, createdAt: '' })
    for (let visit = 1; visit <= 2; visit++) {
      await page.goto('/cached')
      await expect(page.getByRole('listitem')).toContainText([`Cached ${number}`])
    }
    expect(await mock.log.count('GET /posts')).toBe(1)
  })
}
