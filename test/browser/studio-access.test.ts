import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { createMock } from '../../dist/index.js'
import { createFixtures, useStudio } from './studio-page.ts'

const open = useStudio()

/** The nodes of the accessibility tree below one with a name, as `role "name" states`. */
async function readTree(page: Page, root: string): Promise<string[]> {
  const session = await page.context().newCDPSession(page)
  const { nodes } = await session.send('Accessibility.getFullAXTree')
  await session.detach()
  type AxNode = (typeof nodes)[number]
  const byId = new Map(nodes.map((node) => [node.nodeId, node]))
  const told = ['selected', 'checked', 'pressed', 'modal', 'live', 'readonly']
  const toLine = ({ role, name, properties = [], description }: AxNode): string => {
    const states = properties
      .filter((one) => told.includes(one.name) && one.value.value !== false)
      .map((one) => ` ${one.name}=${String(one.value.value)}`)
    const invalid = properties.some((one) => one.name === 'invalid' && one.value.value === 'true')
    return `${String(role?.value)} "${String(name?.value)}"${states.join('')}${invalid ? ` invalid: ${String(description?.value)}` : ''}`
  }
  const silent = /^(?:generic|none|StaticText|InlineTextBox|LabelText|paragraph)$/
  const list = (node: AxNode | undefined): string[] => {
    if (!node) return []
    const isTold = !node.ignored && !silent.test(String(node.role?.value))
    return [
      ...(isTold ? [toLine(node)] : []),
      ...(node.childIds ?? []).flatMap((id) => list(byId.get(id))),
    ]
  }
  return list(nodes.find(({ name, ignored }) => !ignored && name?.value === root))
}

describe('a screen reader', () => {
  it('is told the rows, columns, order and cells of the grid, and what is wrong with an edit', async () => {
    const { page, cell } = await open(createMock({ fixtures: createFixtures() }))
    await cell(page, 1, 'title').waitFor()
    await page.getByRole('columnheader', { name: 'views' }).getByRole('button').click()
    const sorted = page.locator('[aria-sort=ascending]')
    await expect.poll(() => sorted.innerText()).toContain('views')
    // The keys act on the sorted records when these have arrived.
    await expect.poll(() => cell(page, 2, 'title').innerText()).toBe('Post 42')
    const grid = page.getByRole('grid', { name: 'Records of posts' })
    expect(await grid.getAttribute('aria-rowcount')).toBe('61')
    expect(await grid.getAttribute('aria-colcount')).toBe('6')
    await grid.focus()
    await page.keyboard.press(' ')
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('ArrowRight')
    expect(
      await page.locator(`#${await grid.getAttribute('aria-activedescendant')}`).innerText(),
    ).toBe('0')
    await expect
      .poll(async () => (await readTree(page, 'Records of posts')).slice(0, 25))
      .toEqual([
        'grid "Records of posts"',
        'rowgroup ""',
        'row "Select all records id title views userId status"',
        'columnheader "Select all records"',
        'checkbox "Select all records" checked=false',
        ...['id', 'title', 'views', 'userId', 'status'].flatMap((name) => [
          `columnheader "${name}"`,
          `button "${name}"`,
        ]),
        'rowgroup ""',
        'row "Select 1 1 Post 1 0 Ada 1 draft" selected=true',
        'gridcell "Select 1"',
        'checkbox "Select 1" checked=true',
        'gridcell "1"',
        'link "1"',
        'gridcell "Post 1"',
        'gridcell "0"',
        'gridcell "Ada 1"',
        'link "1"',
      ])
    await page.keyboard.type('many')
    await page.keyboard.press('Enter')
    const wrong = '"views" must be a number. Please correct "many".'
    await page.getByText(wrong).waitFor()
    expect(await readTree(page, 'Edit views')).toEqual([`textbox "Edit views" invalid: ${wrong}`])
    expect(await page.getByRole('alert').filter({ hasText: wrong }).count()).toBe(1)
  })

  it('is told of a save, a change from outside, a conflict and a failed request', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, failures } = await open(mock, { place: '#/data/posts?record=1' })
    const record = page.getByRole('complementary', { name: 'posts 1' })
    await record.getByLabel('title').fill('Mine')
    await record.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').filter({ hasText: 'Saved title.' }).waitFor()
    mock.db.posts.insert({ title: 'From outside' })
    await page.getByRole('status').filter({ hasText: '61 records' }).waitFor()

    await record.getByLabel('title').fill('Mine again')
    mock.db.posts.update(1, { title: 'Theirs' })
    const news = 'Changed meanwhile to Theirs'
    await record.getByRole('alert').filter({ hasText: news }).waitFor()
    expect(await readTree(page, 'title string')).toEqual([
      `textbox "title string" invalid: ${news}`,
    ])
    await record.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('dialog', { name: 'Changed in the meantime' }).waitFor()
    expect(await readTree(page, 'Changed in the meantime')).toEqual([
      'dialog "Changed in the meantime" modal=true',
      'heading "Changed in the meantime"',
      'table ""',
      'rowgroup ""',
      'row ""',
      ...['Field', 'Yours', 'Now'].map((name) => `columnheader "${name}"`),
      'row ""',
      'rowheader "title"',
      'cell "Mine again"',
      'deletion ""',
      'cell "Theirs"',
      'insertion ""',
      'button "Keep mine"',
      'button "Keep theirs"',
    ])
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('Keep mine')
    await page.keyboard.press('Escape')

    await page.route('**/__mock/db/posts?id=1', (route) => route.abort())
    await record.getByRole('button', { name: 'Delete' }).click()
    await page
      .getByRole('alert')
      .filter({ hasText: 'The mock does not respond.' })
      .first()
      .waitFor()
    failures.length = 0
  })
})
