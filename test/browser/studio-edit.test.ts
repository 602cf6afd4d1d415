import { describe, expect, it } from 'vitest'

import { createMock } from '../../dist/index.js'
import { createFixtures, useStudio } from './studio-page.ts'

const open = useStudio()

describe('edits in the data view', () => {
  it('edits a cell by keyboard alone, takes it back, and gives up with Escape', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    await cell(page, 1, 'title').waitFor()
    await page.getByRole('grid').focus()
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('F2')
    await page.getByLabel('Edit title').fill('Changed')
    await page.keyboard.press('Enter')
    await page.getByText('Saved title.').waitFor()
    await page.getByRole('gridcell', { name: 'Changed' }).waitFor()
    await expect.poll(() => mock.db.posts.get(1)).toMatchObject({ title: 'Changed', views: 0 })
    // Enter moves to the next row, and a character begins an edit.
    await page.keyboard.type('x')
    expect(await page.getByLabel('Edit title').inputValue()).toBe('x')
    await page.keyboard.press('Escape')
    expect(mock.db.posts.get(2)).toMatchObject({ title: 'Post 2' })
    await page.keyboard.press('ArrowRight')
    await page.keyboard.type('7')
    await page.keyboard.press('Enter')
    await page.getByText('Saved views.').waitFor()
    await page.keyboard.press('Control+z')
    await page.getByText('Undone.').waitFor()
    await expect.poll(() => mock.db.posts.get(2)).toMatchObject({ views: 37 })
    await page.keyboard.press('Control+z')
    await expect.poll(() => mock.db.posts.get(1)).toMatchObject({ title: 'Post 1' })
  })

  it('edits values by their types, and keeps what does not fit', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    // The types of the fields arrive after the records.
    await page
      .getByRole('columnheader', { name: 'views' })
      .getByText(/integer|number/)
      .waitFor()
    await cell(page, 1, 'views').dblclick()
    await page.getByLabel('Edit views').fill('many')
    await page.keyboard.press('Enter')
    await page.getByText('"views" must be a number.').waitFor()
    await page.getByLabel('Edit views').fill('12')
    await page.keyboard.press('Tab')
    await page.getByText('Saved views.').waitFor()
    await expect.poll(() => mock.db.posts.get(1)).toMatchObject({ views: 12 })
    await cell(page, 1, 'status').dblclick()
    await page.getByLabel('Edit status').selectOption('archived')
    await page.keyboard.press('Enter')
    await page.getByText('Saved status.').waitFor()
    await expect.poll(() => mock.db.posts.get(1)).toMatchObject({ status: 'archived' })
  })

  it('edits fields of any name', async () => {
    const names = ['constructor', '__proto__', 'a.b', 'a b', 'list[0]']
    const id = 'a/b "c" d?'
    const row = (text: string) =>
      JSON.parse(JSON.stringify({ id, ...Object.fromEntries(names.map((one) => [one, text])) }))
    const mock = createMock({ fixtures: { rows: [row('x'), { id: 'empty' }] } })
    const { page } = await open(mock, { place: '#/data/rows?sort=-a.b' })
    await page.getByRole('gridcell', { name: 'x' }).first().waitFor()
    const record = page.getByRole('complementary')
    for (const one of [id, 'empty']) {
      await page.getByRole('link', { name: one, exact: true }).click()
      for (const name of names) {
        const start = name.replaceAll(/\W/g, String.raw`\$&`)
        await record.getByLabel(new RegExp(`^${start} string`)).fill('y')
      }
      await record.getByRole('button', { name: 'Save' }).click()
      await record.getByRole('button', { name: 'Save', disabled: true }).waitFor()
      await page.getByText(`Saved ${names.join(', ')}.`).waitFor()
      await record.getByRole('button', { name: 'Close the record' }).click()
      expect(JSON.stringify(mock.db.rows.get(one))).toBe(JSON.stringify({ ...row('y'), id: one }))
    }
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByLabel('Field').selectOption('a.b')
    await page.getByLabel('Value').fill('y')
    await page.getByText('2 records').waitFor()
    await page.getByRole('gridcell', { name: 'y' }).first().dblclick()
    await page.getByLabel('Edit constructor').fill('z')
    await page.keyboard.press('Enter')
    await page.getByText('Saved constructor.').waitFor()
  })

  it('edits each type of a field, and sets values to null', async () => {
    const rows = Array.from({ length: 30 }, (_, at) => ({
      id: at + 1,
      name: at === 9 ? null : `Name ${at}`,
      size: at === 9 ? null : at / 2,
      isDone: at % 2 === 1,
      day: `2026-05-1${at % 10}`,
      at: `2026-05-01T09:${at + 10}:00Z`,
      tags: ['a', 'b'],
    }))
    const mock = createMock({ fixtures: { tasks: rows } })
    const { page } = await open(mock)
    const fields = ['id', 'name', 'size', 'isDone', 'day', 'at', 'tags']
    const task = (): Record<string, unknown> => mock.db.tasks.get(1) as Record<string, unknown>
    const cellOf = (name: string) =>
      page.locator('[role=row][aria-rowindex="2"] [role=gridcell]').nth(fields.indexOf(name) + 1)
    const edit = async (name: string, value: string, isChoice = false): Promise<void> => {
      await cellOf(name).dblclick()
      const editor = page.getByLabel(`Edit ${name}`)
      await (isChoice ? editor.selectOption(value) : editor.fill(value))
      await page.keyboard.press('Enter')
    }
    // Another cell can be edited when the editor has closed.
    const expectSaved = async (name: string, value: unknown): Promise<void> => {
      await page.getByLabel(`Edit ${name}`).waitFor({ state: 'detached' })
      expect(task()[name]).toBe(value)
    }
    await page.getByRole('columnheader', { name: 'isDone' }).getByText('boolean').waitFor()
    await edit('isDone', 'true', true)
    await expectSaved('isDone', true)
    await edit('size', '2.75')
    await expectSaved('size', 2.75)
    await edit('day', '2026-06-30')
    await expectSaved('day', '2026-06-30')
    await edit('at', 'yesterday')
    await page.getByText('"at" must be a date and time').waitFor()
    await page.getByLabel('Edit at').fill('2026-06-30T10:00:00Z')
    await page.keyboard.press('Enter')
    await expectSaved('at', '2026-06-30T10:00:00Z')

    // An empty text is a text; null is a button, and a key in the grid.
    await edit('name', '')
    await expectSaved('name', '')
    await cellOf('name').dblclick()
    await page.getByRole('button', { name: 'Set to null' }).click()
    await expectSaved('name', null)
    await cellOf('size').click()
    await page.keyboard.press('Delete')
    await cellOf('size').getByText('null').waitFor()
    await page.getByText('Saved size.').waitFor()
    expect(task()['size']).toBe(null)
    await page.keyboard.press('Control+z')
    await page.getByText('Undone.').waitFor()
    expect(task()['size']).toBe(2.75)
    await cellOf('isDone').click()
    await page.keyboard.press('Delete')
    await page.getByText('"isDone" can be neither null nor missing.').waitFor()

    // An object or a list opens the record.
    await cellOf('tags').dblclick()
    const record = page.getByRole('complementary', { name: 'tasks 1' })
    await record.getByRole('button', { name: 'Remove tags 2' }).click()
    const tag = record.getByLabel('tags 1', { exact: true })
    await tag.selectOption('another value…')
    await tag.fill('c')
    await record.getByRole('button', { name: 'Set to null' }).nth(1).click()
    await record.getByRole('button', { name: 'Save' }).click()
    // No record has had this tag.
    await record.getByText('is none of "a","b".').waitFor()
    await record.getByRole('button', { name: 'Save anyway' }).click()
    await page.getByText('Saved size, tags.').waitFor()
    expect(task()).toMatchObject({ size: null, tags: ['c'], name: null })
  })

  it('edits a cell again while the answers to earlier requests are late', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    await cell(page, 1, 'title').waitFor()
    const late: (() => void)[] = []
    await page.route('**/db/posts/find', async (route) => {
      const response = await route.fetch()
      await new Promise<void>((resolve) => late.push(resolve))
      await route.fulfill({ response })
    })
    const edit = async (value: string): Promise<void> => {
      await cell(page, 1, 'title').dblclick()
      await page.getByLabel('Edit title').fill(value)
      await page.keyboard.press('Enter')
      await page.getByLabel('Edit title').waitFor({ state: 'detached' })
      expect(mock.db.posts.get(1)).toMatchObject({ title: value })
    }
    mock.db.posts.update(2, { title: 'By another' })
    await expect.poll(() => late.length).toBe(1)
    await edit('Once')
    await page.getByRole('gridcell', { name: 'Once' }).waitFor()
    const answered = page.waitForResponse('**/db/posts/find')
    late[0]?.()
    await (await answered).finished()
    await edit('Twice')
    await page.keyboard.press('Control+z')
    await page.getByText('Undone.').waitFor()
    await edit('Thrice')
    for (const answer of late) answer()
  })

  it('adds a record with a form of its fields, and deletes and restores records', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    await page.getByRole('button', { name: 'New record' }).click()
    const form = page.getByRole('complementary', { name: 'New record of posts' })
    await form.getByText('enum').waitFor()
    await form.getByLabel('title').fill('Written by hand')
    await form.getByLabel('views').fill('7')
    await form.getByLabel('userId').fill('1')
    await form.getByLabel('status').selectOption('draft')
    await form.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('complementary', { name: 'posts 61' }).waitFor()
    const expected = { id: 61, title: 'Written by hand', views: 7, userId: 1, status: 'draft' }
    await expect.poll(() => mock.db.posts.get(61)).toEqual(expected)
    await page.getByRole('button', { name: 'Delete', exact: true }).click()
    await page.getByText('Deleted posts 61.').waitFor()
    // The grid has scrolled to the added record.
    await page.getByRole('grid').evaluate((node) => node.scrollTo(0, 0))
    await page.getByLabel('Select 2', { exact: true }).check()
    await page.getByLabel('Select 4', { exact: true }).check()
    await page.getByRole('button', { name: 'Delete 2' }).click()
    await page.getByText('58 records').waitFor()
    // The focus is outside of the grid, on which the button has disappeared.
    await page.keyboard.press('Control+z')
    await page.getByText('60 records').waitFor()
    // The records of the fixtures come back to their places.
    await expect.poll(() => cell(page, 2, 'id').innerText()).toBe('2')
    await expect
      .poll(() => mock.db.posts.all().map(({ id }) => id))
      .toEqual(createFixtures().posts.map(({ id }) => id))
  })

  it('goes back to the list from an added and from a deleted record', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock, { place: '#/data/users' })
    await page.getByRole('button', { name: 'New record' }).click()
    const record = page.getByRole('complementary')
    await record.getByLabel('name').fill('Dora')
    await record.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('complementary', { name: 'users 4' }).waitFor()
    const focused = page.locator(':focus')
    await expect.poll(() => focused.getAttribute('aria-label')).toBe('Records of users')
    await page.goBack()
    await record.waitFor({ state: 'hidden' })
    await page.goForward()
    await record.getByRole('button', { name: 'Delete' }).click()
    await record.waitFor({ state: 'hidden' })
    await page.goBack()
    await page.getByText('3 records').waitFor()
    expect(await record.count()).toBe(0)
  })

  it('adds the first record of a collection as JSON', async () => {
    const mock = createMock({ fixtures: { notes: [] } })
    const { page } = await open(mock, { place: '#/data/notes' })
    await page.getByText('No records yet.').waitFor()
    await page.getByRole('button', { name: 'New record' }).click()
    await page.getByRole('textbox', { name: 'Record as JSON' }).fill('{"text":"First"}')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('gridcell', { name: 'First' }).waitFor()
    await expect.poll(() => mock.db.notes.all()).toEqual([{ text: 'First', id: 1 }])
  })

  it('takes rows of a spreadsheet: changes those with a known id, and adds the others', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock)
    await page.getByRole('grid').focus()
    const text = 'id\ttitle\tviews\n3\t"Two\nlines"\t30\n\tNew one\t31\n\tNew two\t'
    await page.evaluate(async (cells) => navigator.clipboard.writeText(cells), text)
    await page.keyboard.press('Control+v')
    const dialog = page.getByRole('dialog', { name: 'Paste into posts' })
    await dialog.getByRole('button', { name: /^Add/ }).click()
    await dialog
      .getByRole('alert')
      .filter({
        hasText: 'The schema forbids row 2, userId: is required; row 3, views: is required.',
      })
      .waitFor()
    expect(mock.db.posts.count()).toBe(60)
    await dialog.getByRole('button', { name: 'Save anyway' }).click()
    await page.getByText('Added 2 and changed 1 record.').waitFor()
    await expect
      .poll(() => mock.db.posts.get(3))
      .toMatchObject({ title: 'Two\nlines', views: 30, userId: 3 })
    await expect
      .poll(() => mock.db.posts.all().slice(60))
      .toEqual([
        { id: 61, title: 'New one', views: 31 },
        { id: 62, title: 'New two' },
      ])
    await page.getByRole('button', { name: 'Undo' }).click()
    await page.getByText('60 records').waitFor()
    await expect.poll(() => mock.db.posts.all()).toEqual(createFixtures().posts)
  })

  it('says which row of pasted cells does not fit, and writes none', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock)
    await page.getByRole('button', { name: 'Paste' }).click()
    await page.getByLabel('Rows').fill('title,views\nOne,1\nTwo,x')
    await page.getByRole('button', { name: 'Add 2 rows' }).click()
    await page.getByText('Row 2: "views" must be').waitFor()
    expect(mock.db.posts.count()).toBe(60)
  })

  it('adds all pasted rows or none', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock)
    await page.getByRole('button', { name: 'Paste' }).click()
    await page.getByLabel('Rows').fill('[{ "title": "One" }, { "id": 3, "title": "Two" }, 5]')
    await page.getByRole('button', { name: 'Add the list' }).click()
    await page.getByRole('dialog').getByRole('alert').waitFor()
    expect(mock.db.posts.all()).toEqual(createFixtures().posts)
  })

  it('keeps an edit while an input method is open, and while another window has the focus', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    await cell(page, 1, 'title').dblclick()
    const editor = page.getByLabel('Edit title')
    await editor.fill('Half')
    await editor.dispatchEvent('keydown', { key: 'Enter', isComposing: true })
    await editor.dispatchEvent('focusout', {})
    await editor.fill('Whole')
    await page.keyboard.press('Enter')
    await page.getByText('Saved title.').waitFor()
    await page.keyboard.press('Control+z')
    await expect.poll(() => mock.db.posts.get(1)).toMatchObject({ title: 'Post 1' })
  })

  it('merges edits of one record by two pages, and asks where both edit the same field', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, another, cell } = await open(mock, { place: '#/data/posts' })
    const other = await another()
    for (const one of [page, other]) await cell(one, 1, 'title').waitFor()
    await cell(page, 1, 'title').dblclick()
    await page.getByLabel('Edit title').fill('Mine')
    await cell(other, 1, 'views').dblclick()
    await other.getByLabel('Edit views').fill('99')
    await other.keyboard.press('Enter')
    await other.getByText('Saved views.').waitFor()
    await page.keyboard.press('Enter')
    await page.getByText('Saved title.').waitFor()
    await expect.poll(() => mock.db.posts.get(1)).toMatchObject({ title: 'Mine', views: 99 })

    await cell(other, 1, 'title').getByText('Mine').waitFor()
    await cell(other, 1, 'title').dblclick()
    await other.getByLabel('Edit title').fill('Theirs')
    mock.db.posts.update(1, { title: 'Of the application' })
    await other.getByText('Changed meanwhile to Of the application').waitFor()
    await other.keyboard.press('Enter')
    const dialog = other.getByRole('dialog', { name: 'Changed in the meantime' })
    await dialog.getByRole('cell', { name: 'Of the application' }).waitFor()
    expect(mock.db.posts.get(1)).toMatchObject({ title: 'Of the application' })
    await dialog.getByRole('button', { name: 'Keep mine' }).click()
    await other.getByText('Saved title.').waitFor()
    await expect.poll(() => mock.db.posts.get(1)).toMatchObject({ title: 'Theirs', views: 99 })
    await page.getByRole('gridcell', { name: 'Theirs' }).waitFor()
  })

  it('asks what to do with an edit of a record that was removed', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock, { place: '#/data/posts?record=3' })
    const record = page.getByRole('complementary', { name: 'posts 3' })
    await record.getByLabel('title').fill('Not lost')
    mock.db.posts.remove(3)
    // The record is gone, and the form keeps what was typed.
    await record.getByText('was removed').waitFor()
    await record.getByRole('button', { name: 'Save' }).click()
    await page.route('**/__mock/db/posts', (route) => route.abort())
    await page.getByRole('button', { name: 'Add it again' }).click()
    await page.getByRole('dialog').getByText('does not respond').waitFor()
    await page.unrouteAll()
    await page.getByRole('button', { name: 'Add it again' }).click()
    await page.getByText('Added posts 3.').waitFor()
    await expect.poll(() => mock.db.posts.get(3)).toMatchObject({ title: 'Not lost' })
  })

  it('marks the fields of an open form that others change', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock, { place: '#/data/posts?record=3' })
    const record = page.getByRole('complementary', { name: 'posts 3' })
    await record.getByLabel('title').fill('Mine')
    mock.db.posts.update(3, { title: 'Theirs', views: 5 })
    await record.getByText('Changed meanwhile to Theirs').waitFor()
    await record.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('button', { name: 'Keep theirs' }).click()
    expect(mock.db.posts.get(3)).toMatchObject({ title: 'Theirs', views: 5 })
  })

  it('edits the JSON of a record', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock, { place: '#/data/posts?record=3' })
    const record = page.getByRole('complementary', { name: 'posts 3' })
    await record.getByRole('button', { name: 'JSON' }).click()
    const editor = record.getByRole('textbox', { name: 'Record as JSON' })
    await editor.press('Control+a')
    const typed = '{"id":3,"title":"Typed faster than the page renders","list":[1,2,3],'
    await page.keyboard.type(typed)
    await expect.poll(() => editor.innerText()).toBe(typed)
    await editor.press('Escape')
    await page.keyboard.press('Tab')
    await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Save')
    await record.getByRole('button', { name: 'Save' }).click()
    await record.getByRole('alert').waitFor()
    await editor.fill('{"id":3,"title":"By JSON","nested":{"a":[1]}}')
    await record.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Saved /).waitFor()
    await expect
      .poll(() => mock.db.posts.get(3))
      .toEqual({ id: 3, title: 'By JSON', nested: { a: [1] } })
  })
})
