import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { createMock } from '../../dist/index.js'
import { loadMock, watch } from '../../dist/node.js'
import { createFixtures, useStudio } from './studio-page.ts'

const open = useStudio()

interface Note {
  id: number
  title: string
  views: number
}

/** A mock of a file that is watched, and the file. */
async function loadWatched() {
  const folder = mkdtempSync(join(tmpdir(), 'fixtura-studio-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'notes.json')
  const write = (notes: readonly Note[]): void =>
    writeFileSync(file, `${JSON.stringify(notes, null, 2)}\n`)
  const toNote = (id: number): Note => ({ id, title: `Note ${id}`, views: id })
  const notes: [Note, Note, Note] = [toNote(1), toNote(2), toNote(3)]
  write(notes)
  const mock = await loadMock<{ notes: Note[] }>(folder)
  const watching = await watch(mock)
  onTestFinished(() => watching.close())
  const read = (): Note[] => JSON.parse(readFileSync(file, 'utf8')) as Note[]
  return { mock, notes, read, write }
}

describe('what others change meanwhile', () => {
  it('in the file is shown beside the cell that is edited, and neither is lost', async () => {
    const { mock, notes, write } = await loadWatched()
    const { page, cell } = await open(mock)
    await cell(page, 2, 'title').dblclick()
    const editor = page.getByLabel('Edit title')
    await editor.fill('Typed')
    // The record of the editor moves up, and its field changes.
    write([{ ...notes[1], title: 'By hand' }, notes[2]])
    await page.getByText('Changed meanwhile to By hand').waitFor()
    expect(await editor.inputValue()).toBe('Typed')
    expect(await editor.evaluate((input) => input === document.activeElement)).toBe(true)
    await page.keyboard.press('Enter')
    const dialog = page.getByRole('dialog', { name: 'Changed in the meantime' })
    await dialog.getByRole('cell', { name: 'By hand' }).waitFor()
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await page.getByText('Saved title.').waitFor()
    await expect
      .poll(() => mock.db.notes.all())
      .toEqual([{ ...notes[1], title: 'Typed' }, notes[2]])
  })

  it('removes the record of an editor, which then asks', async () => {
    const { mock, write } = await loadWatched()
    const { page, cell } = await open(mock)
    await cell(page, 2, 'title').dblclick()
    await page.getByLabel('Edit title').fill('Typed')
    write([])
    await page.getByRole('dialog', { name: 'Removed in the meantime' }).waitFor()
    await page.getByRole('button', { name: 'Add it again' }).click()
    await page.getByText('Added notes 2.').waitFor()
    await expect.poll(() => mock.db.notes.all()).toEqual([{ id: 2, title: 'Typed', views: 2 }])
  })

  it('by two pages, the application and the file ends in one state everywhere', async () => {
    const { mock, notes, read, write } = await loadWatched()
    const { page, another, origin, cell } = await open(mock)
    const other = await another()
    await cell(page, 1, 'title').dblclick()
    await page.getByLabel('Edit title').fill('Of one page')
    await cell(other, 2, 'title').dblclick()
    await other.getByLabel('Edit title').fill('Of the other page')
    write([...notes.slice(0, 2), { ...notes[2], title: 'Of the file' }])
    await Promise.all([
      page.keyboard.press('Enter'),
      other.keyboard.press('Enter'),
      page.request.patch(`${origin}/notes/1`, { data: { views: 100 } }),
      page.request.post(`${origin}/notes`, { data: { title: 'Of the application', views: 4 } }),
    ])
    const expected = [
      { id: 1, title: 'Of one page', views: 100 },
      { id: 2, title: 'Of the other page', views: 2 },
      { id: 3, title: 'Of the file', views: 3 },
      { id: 4, title: 'Of the application', views: 4 },
    ]
    await expect.poll(() => mock.db.notes.all()).toEqual(expected)
    for (const each of [page, other])
      for (const [at, { title, views }] of expected.entries()) {
        await expect.poll(() => cell(each, at + 1, 'title').innerText()).toBe(title)
        await expect.poll(() => cell(each, at + 1, 'views').innerText()).toBe(String(views))
      }
    await page.getByRole('link', { name: /^Changes/ }).click()
    await page.getByRole('button', { name: 'Save all to fixtures' }).click()
    await other.getByRole('link', { name: /^Changes/ }).click()
    await other.getByText('The data is as the fixtures define it.').waitFor()
    expect(read()).toEqual(expected)
  })

  it('leaves the focus, what is typed and the scroll position', async () => {
    const mock = createMock({ fixtures: createFixtures(500) })
    const { page, cell } = await open(mock, { place: '#/data/posts?record=1' })
    const grid = page.getByRole('grid')
    await cell(page, 1, 'title').waitFor()
    await grid.evaluate((node) => node.scrollTo(0, 4750))
    await page.getByRole('gridcell', { name: 'Post 150' }).waitFor()
    const input = page.getByRole('complementary').getByLabel('title')
    await input.fill('Half ty')
    await input.evaluate((node: HTMLInputElement) => node.setSelectionRange(2, 4))
    mock.db.posts.update(150, { title: 'Meanwhile' })
    await page.getByRole('gridcell', { name: 'Meanwhile' }).waitFor()
    const state = await input.evaluate((node: HTMLInputElement) => [
      node === document.activeElement,
      node.value,
      node.selectionStart,
      node.selectionEnd,
    ])
    expect(state).toEqual([true, 'Half ty', 2, 4])
    expect(await grid.evaluate((node) => node.scrollTop)).toBe(4750)
  })

  it('in a burst shares refreshes', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock)
    await page.getByRole('gridcell', { name: 'Post 1', exact: true }).waitFor()
    const asked: string[] = []
    page.on('request', (request) => asked.push(new URL(request.url()).pathname))
    for (let at = 1; at <= 200; at++) {
      mock.db.posts.update(1, { title: `Burst ${at}` })
      await Promise.resolve()
    }
    await page.getByRole('gridcell', { name: 'Burst 200' }).waitFor()
    expect(asked.filter((path) => path === '/__mock/state').length).toBeLessThanOrEqual(3)
    expect(asked.length).toBeLessThanOrEqual(15)
  })

  it('in another resource is not asked for twice', async () => {
    const { posts, users } = createFixtures()
    // Without foreign keys, whose names would be asked for, too.
    const unrelated = posts.map(({ id, title }) => ({ id, title }))
    const mock = createMock({ fixtures: { posts: unrelated, users } })
    const { page } = await open(mock)
    await page.getByRole('gridcell', { name: 'Post 1', exact: true }).waitFor()
    await page.getByRole('link', { name: /^users/ }).click()
    await page.getByRole('gridcell', { name: 'Ada' }).waitFor()
    const answered = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname),
    )
    // Each resource is asked for when it is shown, and again after each state but the first.
    const finds = answered.filter((path) => path.endsWith('/find'))
    const states = answered.filter((path) => path === '/__mock/state')
    expect(new Set(finds)).toEqual(new Set(['/__mock/db/posts/find', '/__mock/db/users/find']))
    expect(finds.length).toBeLessThanOrEqual(2 + states.length - 1)
  })

  it('is not hidden by a late response', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock)
    await page.getByRole('gridcell', { name: 'Post 1', exact: true }).waitFor()
    const held: (() => Promise<void>)[] = []
    await page.route('**/__mock/db/posts/find', async (route) => {
      const response = await route.fetch()
      if (held.length === 0) held.push(() => route.fulfill({ response }))
      else await route.fulfill({ response })
    })
    mock.db.posts.update(1, { title: 'Early' })
    await expect.poll(() => held.length).toBe(1)
    mock.db.posts.update(1, { title: 'Late' })
    await page.getByRole('gridcell', { name: 'Late' }).waitFor()
    const arrived = page.waitForResponse('**/__mock/db/posts/find')
    await held[0]?.()
    await (await arrived).finished()
    mock.db.posts.update(2, { title: 'Afterwards' })
    await page.getByRole('gridcell', { name: 'Afterwards' }).waitFor()
    expect(await page.getByRole('gridcell', { name: 'Early' }).count()).toBe(0)
  })
})

describe('what is typed', () => {
  it('in a form stays when another view is shown, until it is saved or reverted', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock, { place: '#/data/posts?record=3' })
    const record = page.getByRole('complementary', { name: 'posts 3' })
    await record.getByLabel('title').fill('Half typed')
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByText('The changes of posts 3 are not saved.').waitFor()
    await page.goBack()
    expect(await record.getByLabel('title').inputValue()).toBe('Half typed')
    await record.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved title.').waitFor()
    await expect.poll(() => mock.db.posts.get(3)).toMatchObject({ title: 'Half typed' })
    await record.getByLabel('title').fill('Not wanted')
    await record.getByRole('button', { name: 'Revert' }).click()
    expect(await record.getByLabel('title').inputValue()).toBe('Half typed')
  })

  it('in a cell is written when another view is shown, or reported where it does not fit', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    await page.getByRole('link', { name: /^users/ }).click()
    await page.goBack()
    await cell(page, 1, 'title').dblclick()
    await page.getByLabel('Edit title').fill('Written by leaving')
    await page.goForward()
    await page.getByText('Saved title.').waitFor()
    await expect.poll(() => mock.db.posts.get(1)).toMatchObject({ title: 'Written by leaving' })
    await page.goBack()
    await page
      .getByRole('columnheader', { name: 'views' })
      .getByText(/integer|number/)
      .waitFor()
    await cell(page, 1, 'views').dblclick()
    await page.getByLabel('Edit views').fill('many')
    await page.goForward()
    await page.getByText('Please correct "many".').waitFor()
  })

  it('in a cell stays while the grid is scrolled, and keeps its lines', async () => {
    const posts = Array.from({ length: 300 }, (_, at) => ({ id: at + 1, title: `One\nTwo ${at}` }))
    const mock = createMock({ fixtures: { posts } })
    const { page, cell } = await open(mock)
    await cell(page, 1, 'title').dblclick()
    const editor = page.getByLabel('Edit title')
    await editor.press('End')
    await editor.pressSequentially('!')
    await page.getByRole('grid').evaluate((node) => node.scrollTo(0, 5700))
    await page.getByRole('gridcell', { name: 'Two 180' }).waitFor()
    expect(await editor.inputValue()).toBe('One\nTwo 0!')
    await editor.press('Enter')
    await page.getByText('Saved title.').waitFor()
    await expect.poll(() => mock.db.posts.get(1)).toEqual({ id: 1, title: 'One\nTwo 0!' })
  })
})
