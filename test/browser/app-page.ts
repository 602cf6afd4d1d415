import type { Page } from 'playwright-core'
import { expect } from 'vitest'

/** The list that the example shows at first. */
export const firstItems = ['2: World by Grace', '1: Hello by Ada']

/** Waits until the example shows this list. */
export async function expectItems(page: Page, expected: string[]): Promise<void> {
  const read = (): Promise<(string | null | undefined)[]> =>
    page.locator('li').evaluateAll((items) => items.map((item) => item.firstChild?.textContent))
  await expect.poll(read).toEqual(expected)
}

/** Waits until a request from the page gets this body, or this status for an error. */
export async function expectAnswer(page: Page, path: string, expected: unknown): Promise<void> {
  const ask = (): Promise<unknown> =>
    page.evaluate(async (path) => {
      const response = await fetch(path)
      return response.ok ? response.json() : response.status
    }, path)
  await expect.poll(ask).toEqual(expected)
}

/** Marks a page; returns a function that tells whether the page was not reloaded since. */
export async function markPage(page: Page): Promise<() => Promise<boolean>> {
  await page.evaluate(() => Object.assign(globalThis, { mark: true }))
  return () => page.evaluate(() => 'mark' in globalThis)
}

/** Lists, creates, edits and deletes with the example's buttons. */
export async function useApp(page: Page): Promise<void> {
  await expectItems(page, firstItems)
  await addPost(page, 'New')
  await expectItems(page, ['3: New by Ada', '2: World by Grace', '1: Hello by Ada'])
  await page.getByText('Shout').last().click()
  await expectItems(page, ['3: New by Ada', '2: World by Grace', '1: HELLO by Ada'])
  await page.getByText('Delete').nth(1).click()
  await expectItems(page, ['3: New by Ada', '1: HELLO by Ada'])
}

/** Adds a post with the example's form. */
export async function addPost(page: Page, title: string): Promise<void> {
  await page.getByLabel('Title').fill(title)
  await page.getByText('Add').click()
}
