import { describe, expect, it } from 'vitest'

import { createMock } from '../../dist/index.js'
import { createFixtures, useStudio } from './studio-page.ts'

const open = useStudio()

describe('generated records in the data view', () => {
  it('previews, adds and takes back records by keyboard', async () => {
    const mock = createMock({ fixtures: createFixtures(20) })
    const { page } = await open(mock)
    const button = page.getByRole('button', { name: 'Generate' })
    await button.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Generate posts' })
    await dialog.getByRole('status').getByText('From 20 records').waitFor()
    const rows = dialog.getByRole('region', { name: 'Preview of posts' }).getByRole('row')
    expect(await rows.count()).toBe(6)
    const headings = ['id', 'title', 'views', 'userId', 'status']
    expect(await dialog.getByRole('columnheader').allTextContents()).toEqual(headings)
    const first = await rows.nth(1).getByRole('cell').allTextContents()
    expect(mock.db.posts.count()).toBe(20)

    const count = dialog.getByLabel('Number of new records')
    expect(await count.evaluate((node) => node === document.activeElement)).toBe(true)
    await count.fill('12')
    await dialog.getByRole('button', { name: 'Add 12 records', disabled: false }).waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Added 12 records to posts.').waitFor()
    await dialog.waitFor({ state: 'detached' })
    expect(await button.evaluate((node) => node === document.activeElement)).toBe(true)
    expect(mock.db.posts.count()).toBe(32)
    expect(Object.values(mock.db.posts.get(21) ?? {}).map(String)).toEqual(first)
    await page.getByText('32 records').waitFor()

    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+z')
    await page.getByText('Undone.').waitFor()
    expect(mock.db.posts.count()).toBe(20)

    await button.press('Enter')
    await dialog.waitFor()
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
    expect(await button.evaluate((node) => node === document.activeElement)).toBe(true)
    expect(mock.db.posts.count()).toBe(20)
  })

  it('shows other records for another seed, and refuses a wrong number', async () => {
    const mock = createMock({ fixtures: createFixtures(20) })
    const { page } = await open(mock)
    await page.getByRole('button', { name: 'Generate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Generate posts' })
    const preview = dialog.getByRole('region')
    const before = await preview.textContent()
    await dialog.getByLabel('Seed').fill('7')
    await expect.poll(() => preview.textContent()).not.toBe(before)
    for (const wrong of ['0', '10001', '1.5', '']) {
      await dialog.getByLabel('Number of new records').fill(wrong)
      await dialog.getByText('Please give a whole number from 1 to 10,000.').waitFor()
      await dialog.getByRole('button', { name: 'Add records', disabled: true }).waitFor()
    }
    await page.keyboard.press('Enter')
    expect(mock.db.posts.count()).toBe(20)
  })

  it('says why it cannot generate', async () => {
    const { page } = await open(createMock({ fixtures: { tags: [] } }))
    await page.getByRole('button', { name: 'Generate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Generate tags' })
    await dialog.getByRole('alert').getByText('there is no example').waitFor()
    await dialog.getByRole('button', { name: 'Add 10 records', disabled: true }).waitFor()
  })

  it('fits a phone, and scrolls a wide preview by itself', async () => {
    const { page } = await open(createMock({ fixtures: createFixtures(20) }), { width: 390 })
    await page.getByRole('button', { name: 'Generate' }).click()
    const dialog = page.getByRole('dialog', { name: 'Generate posts' })
    await dialog.getByRole('region').waitFor()
    const size = await dialog.evaluate((node) => [node.scrollWidth, node.clientWidth])
    expect(size[0]).toBeLessThanOrEqual(size[1] ?? 0)
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390)
  })
})
