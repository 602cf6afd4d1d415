import { expect } from '@playwright/test'
import { mockTest } from 'fixtura/playwright'

interface Post {
  id: number
  title: string
  userId: number
}

const test = mockTest<{ posts: Post[] }>({ url: 'http://localhost:5173' })

test('lists the posts', async ({ page }) => {
  await page.goto('/')
  await expect(page.getByRole('listitem')).toHaveText([/World by Bob/, /Hello by Ada/])
})

test('adds a post to an empty list', async ({ page, mock }) => {
  await mock.db.posts.clear()
  await page.goto('/')
  await expect(page.getByText('No posts yet.')).toBeVisible()
  await page.getByLabel('Title').fill('New')
  await page.getByRole('button', { name: 'Add' }).click()
  await expect(page.getByRole('listitem')).toHaveText([/New by Ada/])
  expect(await mock.log.count('POST /posts')).toBe(1)
})

test('deletes a post', async ({ page, mock }) => {
  await page.goto('/')
  await page.getByRole('button', { name: 'Delete' }).first().click()
  await expect(page.getByRole('listitem')).toHaveCount(1)
  expect(await mock.db.posts.all()).toEqual([{ id: 1, title: 'Hello', userId: 1 }])
})

test('lets the user try again after an error', async ({ page, mock }) => {
  const rule = await mock.on('GET', '/posts').fail(503)
  await page.goto('/')
  await expect(page.getByRole('alert')).toContainText('cannot be loaded')
  await rule.remove()
  await page.getByRole('button', { name: 'Try again' }).click()
  await expect(page.getByRole('listitem')).toHaveCount(2)
})
