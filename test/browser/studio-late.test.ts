import type { Page } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import { createMock } from '../../dist/index.js'
import { createFixtures, holdResponses, useStudio } from './studio-page.ts'

const open = useStudio()

/** A collection whose field `note` can be null, and missing. */
function createNotes() {
  return {
    notes: Array.from({ length: 20 }, (_, at) => ({
      id: at + 1,
      ...(at < 18 && { note: at === 17 ? null : `Note ${at + 1}` }),
    })),
  }
}

describe('while a save is on its way', () => {
  it('keeps what is typed in the form of a record', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock, { place: '#/data/posts?record=3' })
    const record = page.getByRole('complementary', { name: 'posts 3' })
    await record.getByLabel('title').fill('Once')
    await record.getByLabel('views').fill('1')
    const save = await holdResponses(page, 'PUT', 'db/posts')
    await record.getByRole('button', { name: 'Save' }).click()
    await save.arrived()
    await record.getByLabel('title').fill('Twice')
    save.release()
    await page.getByText('Saved title, views.').waitFor()
    await expect.poll(() => record.getByLabel('title').inputValue()).toBe('Twice')
    await record.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved title.').waitFor()
    expect(mock.db.posts.get(3)).toMatchObject({ title: 'Twice', views: 1 })
  })

  it('keeps what is typed as JSON', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock, { place: '#/data/profile' })
    const editor = page.getByRole('textbox', { name: 'Record as JSON' })
    await editor.fill('{"theme":"once"}')
    const save = await holdResponses(page, 'PUT', 'db/profile')
    await page.getByRole('button', { name: 'Save' }).click()
    await save.arrived()
    await editor.fill('{"theme":"twice"}')
    save.release()
    await page.getByText('Saved theme.').waitFor()
    expect(await editor.innerText()).toBe('{"theme":"twice"}')
    await editor.press('Control+s')
    await expect.poll(() => mock.db.profile.get()).toEqual({ theme: 'twice' })
  })

  it('gives what is typed in the form of a new record to the added record', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock)
    await page.getByRole('button', { name: 'New record' }).click()
    const form = page.getByRole('complementary', { name: 'New record of posts' })
    await form.getByLabel('title').fill('Once')
    const add = await holdResponses(page, 'POST', 'db/posts')
    await form.getByRole('button', { name: 'Add' }).click()
    await form.getByRole('button', { name: 'Add anyway' }).click()
    await add.arrived()
    await form.getByLabel('title').fill('Twice')
    add.release()
    const added = page.getByRole('complementary', { name: 'posts 61' })
    await expect.poll(() => added.getByLabel('title').inputValue()).toBe('Twice')
    await page.getByText('Added posts 61.').waitFor()
    await added.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved title.').waitFor()
    expect(mock.db.posts.get(61)).toMatchObject({ title: 'Twice' })
  })

  it('stays at another record that is opened after Add', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    await page.getByRole('button', { name: 'New record' }).click()
    const form = page.getByRole('complementary', { name: 'New record of posts' })
    await form.getByLabel('title').fill('Added')
    const add = await holdResponses(page, 'POST', 'db/posts')
    await form.getByRole('button', { name: 'Add' }).click()
    await form.getByRole('button', { name: 'Add anyway' }).click()
    await add.arrived()
    await cell(page, 2, 'id').getByRole('link').click()
    await page.getByRole('complementary', { name: 'posts 2' }).waitFor()
    add.release()
    await page.getByText('Added posts 61.').waitFor()
    expect(new URL(page.url()).hash).toBe('#/data/posts?record=2')
  })

  it('keeps what is typed in the forms of the switches', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock, { place: '#/switches' })
    const snapshots = await holdResponses(page, 'POST', 'snapshots')
    const name = page.getByLabel('Name of the snapshot')
    await name.fill('first')
    await name.press('Enter')
    await snapshots.arrived()
    await name.fill('second')
    snapshots.release()
    await page.getByRole('button', { name: 'Restore first' }).waitFor()
    const rules = await holdResponses(page, 'POST', 'rules')
    const group = page.getByRole('region', { name: 'Rules' })
    await group.getByLabel('Requests').fill('GET /first')
    await group.getByLabel('Times').fill('2')
    await group.getByLabel('Times').press('Enter')
    await rules.arrived()
    await group.getByLabel('Requests').fill('GET /second')
    rules.release()
    await group.getByRole('button', { name: 'Remove the rule GET /first' }).waitFor()
    await expect.poll(() => group.getByLabel('Times').inputValue()).toBe('')
    expect(await name.inputValue()).toBe('second')
    expect(await group.getByLabel('Requests').inputValue()).toBe('GET /second')
  })

  it('adds a record once, however often Add is pressed', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    await page.getByRole('button', { name: 'New record' }).click()
    const form = page.getByRole('complementary', { name: 'New record of posts' })
    await form.getByLabel('title').fill('Once')
    const add = await holdResponses(page, 'POST', 'db/posts')
    await form.getByLabel('title').press('Enter')
    await form.getByRole('button', { name: 'Add anyway' }).waitFor()
    await form.getByLabel('title').press('Enter')
    await form.getByLabel('title').press('Enter')
    await add.arrived()
    // The form that is opened again is the same form.
    await form.getByRole('button', { name: 'Close the record' }).click()
    await page.getByRole('button', { name: 'New record' }).click()
    await form.getByLabel('title').press('Enter')
    add.release()
    await page.getByText('Added posts 61.').waitFor()
    // An edit waits for the changes before.
    await edit(page, cell(page, 1, 'title'), 'Afterwards')
    await page.getByText('Saved title.').waitFor()
    expect(mock.db.posts.count()).toBe(61)
  })

  it('makes a change once for two presses of a button, and of Enter', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock, { place: '#/switches' })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.method()))
    const rules = await holdResponses(page, 'POST', 'rules')
    const group = page.getByRole('region', { name: 'Rules' })
    await group.getByLabel('Requests').press('Enter')
    await group.getByLabel('Requests').press('Enter')
    await rules.arrived()
    rules.release()
    const remove = group.getByRole('button', { name: 'Remove the rule' })
    await remove.waitFor()
    const removal = await holdResponses(page, 'DELETE', 'rules/1')
    await remove.dblclick()
    await removal.arrived()
    removal.release()
    await remove.waitFor({ state: 'detached' })
    expect(asked.filter((method) => method === 'POST')).toEqual(['POST'])
    expect(asked.filter((method) => method === 'DELETE')).toEqual(['DELETE'])
    expect((await page.getByRole('alert').allInnerTexts()).join('')).toBe('')
  })

  it('edits a cell again whose first edit is on its way', async () => {
    const mock = createMock({ fixtures: createNotes() })
    const { page } = await open(mock)
    await page.getByRole('columnheader', { name: 'note' }).getByText('string').waitFor()
    await page.getByRole('gridcell', { name: 'Note 1', exact: true }).click()
    const save = await holdResponses(page, 'PUT', 'db/notes')
    await page.keyboard.press('Delete')
    await save.arrived()
    await page.keyboard.type('x')
    save.release()
    await page.getByText('Saved note.').waitFor()
    expect(await page.getByText('Changed meanwhile').count()).toBe(0)
    await page.keyboard.press('Enter')
    await expect.poll(() => mock.db.notes.get(1)).toEqual({ id: 1, note: 'x' })
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('edits in a form what an edit of a cell is changing', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock, { place: '#/data/posts?record=1' })
    const title = page.getByRole('complementary', { name: 'posts 1' }).getByLabel('title')
    await title.waitFor()
    const save = await holdResponses(page, 'PUT', 'db/posts')
    await edit(page, cell(page, 1, 'title'), 'Of the cell')
    await save.arrived()
    await expect.poll(() => title.inputValue()).toBe('Of the cell')
    await title.fill('Of the form')
    save.release()
    await page.getByText('Saved title.').waitFor()
    await title.press('Enter')
    await expect.poll(() => mock.db.posts.get(1)).toMatchObject({ title: 'Of the form' })
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('asks about each of two conflicts', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    await cell(page, 1, 'title').waitFor()
    const reads = await holdResponses(page, 'GET', 'db/posts')
    for (const id of [1, 2]) {
      await cell(page, id, 'title').dblclick()
      const editor = page.getByLabel('Edit title')
      await expect.poll(() => editor.inputValue()).toBe(`Post ${id}`)
      await editor.fill(`Mine ${id}`)
      mock.db.posts.update(id, { title: 'Theirs' })
      await page.keyboard.press('Enter')
      // The second edit begins while the first one is on its way.
      await reads.arrived()
    }
    reads.release()
    for (const id of [1, 2]) {
      await page
        .getByRole('dialog')
        .getByRole('cell', { name: `Mine ${id}` })
        .waitFor()
      await page.keyboard.press('Escape')
    }
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    for (const id of [1, 2]) expect(mock.db.posts.get(id)).toMatchObject({ title: 'Theirs' })
  })

  it('leaves the editor of another cell open', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    const save = await holdResponses(page, 'PUT', 'db/posts')
    await edit(page, cell(page, 1, 'title'), 'First')
    await save.arrived()
    await cell(page, 3, 'title').dblclick()
    await page.getByLabel('Edit title').fill('Third')
    save.release()
    await page.getByText('Saved title.').waitFor()
    expect(await page.getByLabel('Edit title').inputValue()).toBe('Third')
    await page.keyboard.press('Enter')
    await expect.poll(() => mock.db.posts.get(3)).toMatchObject({ title: 'Third' })
    expect(mock.db.posts.get(1)).toMatchObject({ title: 'First' })
  })

  it('reports an error of an editor that another view has replaced', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    const asked: (() => Promise<void>)[] = []
    await cell(page, 1, 'title').waitFor()
    await page.route(
      ({ pathname }) => pathname === '/__mock/db/posts',
      (route) => void asked.push(() => route.abort()),
    )
    await edit(page, cell(page, 1, 'title'), 'Typed')
    await expect.poll(() => asked.length).toBe(1)
    await page.getByRole('link', { name: /^users/ }).click()
    await page.getByRole('gridcell', { name: 'Ada' }).waitFor()
    await asked[0]?.()
    const alert = page.getByRole('alert').getByText('The mock does not respond.')
    await alert.waitFor()
    expect(await alert.innerText()).toContain('"Typed"')
  })

  it('chooses the cell that is clicked', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    const save = await holdResponses(page, 'PUT', 'db/posts')
    await edit(page, cell(page, 1, 'title'), 'First')
    await save.arrived()
    await cell(page, 3, 'views').click()
    save.release()
    await page.getByText('Saved title.').waitFor()
    const grid = page.getByRole('grid')
    expect(await grid.getAttribute('aria-activedescendant')).toBe('cell-2-2')
    expect(await grid.evaluate((node) => node === document.activeElement)).toBe(true)
  })

  it('leaves the focus where a press outside of the grid has put it', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    const save = await holdResponses(page, 'PUT', 'db/posts')
    await cell(page, 1, 'title').dblclick()
    await page.getByLabel('Edit title').fill('First')
    const search = page.getByLabel('Search posts')
    await search.click()
    await save.arrived()
    save.release()
    await page.getByText('Saved title.').waitFor()
    await page.getByLabel('Edit title').waitFor({ state: 'detached' })
    expect(await search.evaluate((node) => node === document.activeElement)).toBe(true)
  })
})

describe('an answer that comes late', () => {
  it.each([
    ['of a record', 'posts?record=3', 'db/posts'],
    ['of a singleton', 'profile', 'db/profile'],
  ])('%s does not replace what was saved meanwhile', async (_, place, path) => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock, { place: `#/data/${place}` })
    const json = page.getByRole('button', { name: 'JSON', exact: true })
    if (path === 'db/posts') await json.click()
    const editor = page.getByRole('textbox', { name: 'Record as JSON' })
    await editor.waitFor()
    // The page asks for the record again, and its answer is held back.
    const late: (() => Promise<void>)[] = []
    await page.route(
      ({ pathname }) => pathname === `/__mock/${path}`,
      async (route) => {
        const isFirst = late.length === 0 && route.request().method() === 'GET'
        if (!isFirst) return route.fallback()
        late.push(async () => Promise.resolve())
        const response = await route.fetch()
        late[0] = async () => route.fulfill({ response })
      },
    )
    mock.db.users.update(1, { name: 'Ada Lovelace' })
    await expect.poll(() => late.length).toBe(1)
    // Without the state, the page does not ask again.
    await holdResponses(page, 'GET', 'state')
    await editor.fill('{"id":3,"theme":"first"}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText(/^Saved /).waitFor()
    const arrived = page.waitForResponse(
      (response) => new URL(response.url()).pathname === `/__mock/${path}`,
    )
    await late[0]?.()
    await (await arrived).finished()
    await editor.fill('{"id":3,"theme":"second"}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved theme.').waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  it('with the types of the fields decides how edits before are written', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    const schema = await holdResponses(page, 'GET', 'schema/posts.json')
    await page.reload()
    await edit(page, cell(page, 1, 'title'), '12')
    await schema.arrived()
    schema.release()
    await page.getByText('Saved title.').waitFor()
    expect(mock.db.posts.get(1)).toMatchObject({ title: '12' })
  })

  it('with the types of the fields decides how a form before is written', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock, { place: '#/data/posts?record=3' })
    const schema = await holdResponses(page, 'GET', 'schema/posts.json')
    await page.reload()
    const record = page.getByRole('complementary', { name: 'posts 3' })
    await record.getByLabel('title').fill('12')
    await record.getByRole('button', { name: 'Save' }).click()
    await schema.arrived()
    schema.release()
    await page.getByText('Saved title.').waitFor()
    expect(mock.db.posts.get(3)).toMatchObject({ title: '12' })
  })

  it('at the start is not shown later', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock)
    const state = await holdResponses(page, 'GET', 'state')
    await page.reload()
    await page.getByText('Loading…').waitFor()
    state.release()
    await page.getByRole('gridcell', { name: 'Post 1', exact: true }).waitFor()
    await page.getByRole('link', { name: /^Changes/ }).click()
    await page.getByText('The data is as the fixtures define it.').waitFor()
    mock.db.posts.update(1, { title: 'Changed' })
    await page.getByText('1 record differs from the fixtures').waitFor()
    await page
      .getByRole('navigation')
      .getByRole('link', { name: /^posts/ })
      .click()
    await page.getByRole('gridcell', { name: 'Changed' }).waitFor()
  })

  it('to Clear keeps the requests that have arrived since', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, origin } = await open(mock, { place: '#/requests' })
    await page.request.get(`${origin}/posts/1`)
    await page.getByRole('link', { name: '/posts/1' }).waitFor()
    const clear = await holdResponses(page, 'DELETE', 'log')
    await page.getByRole('button', { name: 'Clear' }).click()
    await clear.arrived()
    await page.request.get(`${origin}/posts/2`)
    await page.getByRole('link', { name: '/posts/2' }).waitFor()
    clear.release()
    await page.getByRole('link', { name: '/posts/1' }).waitFor({ state: 'detached' })
    expect(await page.getByRole('link', { name: '/posts/2' }).count()).toBe(1)
  })
})

/** Types a value into a cell, and presses Enter. */
async function edit(page: Page, cell: ReturnType<Page['locator']>, value: string): Promise<void> {
  await cell.dblclick()
  await page.getByLabel(/^Edit /).fill(value)
  await page.keyboard.press('Enter')
}
