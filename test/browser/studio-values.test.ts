import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'

import { schema } from '../../dist/behaviours.js'
import { createMock } from '../../dist/index.js'
import { loadMock, watch } from '../../dist/node.js'
import { createFixtures, useStudio } from './studio-page.ts'

const open = useStudio()

/** Posts with an enum, a boolean, a date and a moment, and a schema with a minimum. */
function createTyped() {
  const rows = Array.from({ length: 40 }, (_, at) => ({
    id: at + 1,
    title: `Post ${at + 1}`,
    price: at,
    isDone: false,
    day: '2026-05-01',
    at: '2026-05-01T09:30:00Z',
    status: ['draft', 'published'][at % 2] ?? '',
  }))
  const priced = {
    type: 'object',
    properties: { title: { type: 'string', minLength: 1 }, price: { type: 'number', minimum: 0 } },
    required: ['title'],
  }
  return createMock({ fixtures: { rows }, use: [schema({ rows: priced })] })
}

describe('a value', () => {
  it('is chosen by its first letter, and is spoilt by no key', async () => {
    const mock = createTyped()
    const { page } = await open(mock)
    const cellOf = (name: string) =>
      page
        .locator(`[aria-rowindex="2"] [role=gridcell]`)
        .nth(['', 'id', 'title', 'price', 'isDone', 'day', 'at', 'status'].indexOf(name))
    const row = () => mock.db.rows.get(1)
    await page.getByRole('columnheader', { name: 'status' }).getByText('enum').waitFor()
    await cellOf('status').click()
    await page.keyboard.press('x')
    await page.keyboard.press('Enter')
    expect(row()).toMatchObject({ status: 'draft' })
    await cellOf('status').click()
    await page.keyboard.press('p')
    await page.keyboard.press('Enter')
    await page.getByText('Saved status.').waitFor()
    expect(row()).toMatchObject({ status: 'published' })
    await cellOf('isDone').click()
    await page.keyboard.press('t')
    await page.keyboard.press('Enter')
    await page.getByText('Saved isDone.').waitFor()
    expect(row()).toMatchObject({ isDone: true })
    await page.keyboard.press('ArrowUp')
    await page.keyboard.press(' ')
    await expect.poll(row).toMatchObject({ isDone: false })
    await cellOf('day').click()
    await page.keyboard.press('5')
    expect(await page.getByLabel('Edit day').inputValue()).toBe('2026-05-01')
    await page.keyboard.press('Escape')
    await cellOf('at').dblclick()
    await page.getByLabel('Edit at').fill('1')
    await page.keyboard.press('Enter')
    await page.getByText('"at" must be a date and time').waitFor()
    await page.getByRole('button', { name: 'Now' }).click()
    expect(await page.getByLabel('Edit at').inputValue()).toMatch(/^\d{4}-\d\d-\d\dT.*Z$/)
  })

  it('that the schema forbids is said at the cell and in the form, and is saved if wanted', async () => {
    const mock = createTyped()
    const { page } = await open(mock, { place: '#/data/rows?record=1' })
    const price = page.locator('[aria-rowindex="2"] [role=gridcell]').nth(3)
    await page
      .getByRole('columnheader', { name: 'price' })
      .getByText(/number|integer/)
      .waitFor()
    await price.dblclick()
    await page.getByLabel('Edit price').fill('-5')
    await page.keyboard.press('Enter')
    await page.getByText('-5 is less than 0.').waitFor()
    expect(mock.db.rows.get(1)).toMatchObject({ price: 0 })
    await page.getByRole('button', { name: 'Save anyway' }).click()
    await page.getByText('Saved price.').waitFor()
    expect(mock.db.rows.get(1)).toMatchObject({ price: -5 })
    const record = page.getByRole('complementary', { name: 'rows 1' })
    await record.getByText('at least 0').waitFor()
    await record.getByLabel('title').fill('')
    await record.getByRole('button', { name: 'Save' }).click()
    await record.getByText('String is too short').waitFor()
    expect(mock.db.rows.get(1)).toMatchObject({ title: 'Post 1' })
  })

  it('is copied after a press, and is pasted into the cells', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    const read = (): Promise<string> => page.evaluate(() => navigator.clipboard.readText())
    await page
      .getByRole('columnheader', { name: 'views' })
      .getByText(/integer|number/)
      .waitFor()
    await cell(page, 2, 'title').locator('span').click()
    await page.keyboard.press('Control+c')
    expect(await read()).toBe('Post 2')
    await cell(page, 3, 'title').click()
    await page.keyboard.press('Control+v')
    await page.getByText('Changed 1 record.').waitFor()
    expect(mock.db.posts.get(3)).toMatchObject({ title: 'Post 2' })
    await page.keyboard.press('Shift+ArrowRight')
    await page.keyboard.press('Shift+ArrowDown')
    await page.keyboard.press('Control+c')
    expect(await read()).toBe('Post 2\t74\nPost 4\t10')
    await page.keyboard.press('Control+End')
    await cell(page, 59, 'title').click()
    await page.evaluate(() => navigator.clipboard.writeText('A\t1\nB\t2\nC\t3'))
    await page.keyboard.press('Control+v')
    await page.getByText('Added 1 and changed 2 records.').waitFor()
    expect(mock.db.posts.get(60)).toMatchObject({ title: 'B', views: 2 })
    expect(mock.db.posts.get(61)).toEqual({ id: 61, title: 'C', views: 3 })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => mock.db.posts.count()).toBe(60)
  })

  it('inside of an object is found by the search', async () => {
    const users = [
      { id: 1, address: { city: 'Oslo' } },
      { id: 2, address: { city: 'Bergen' } },
    ]
    const { page } = await open(createMock({ fixtures: { users } }))
    await page.getByRole('searchbox', { name: 'Search users' }).fill('Oslo')
    await page.getByText('1 record', { exact: true }).waitFor()
  })
})

describe('the list', () => {
  it('stays while a filter has no value yet, and forgets what is selected when it changes', async () => {
    const { page } = await open(createMock({ fixtures: createFixtures() }))
    await page.getByRole('checkbox', { name: 'Select 1', exact: true }).click()
    await page.getByRole('button', { name: 'Delete 1' }).waitFor()
    await page.getByRole('checkbox', { name: 'Select 1', exact: true }).click()
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByLabel('Value').waitFor()
    await page.getByText('60 records').waitFor()
    await page.getByRole('checkbox', { name: 'Select 1', exact: true }).click()
    await page.goBack()
    await page.getByRole('searchbox', { name: 'Search posts' }).waitFor()
    expect(await page.getByRole('button', { name: 'Delete 1' }).count()).toBe(0)
  })

  it('shows the row of a record that a link opens', async () => {
    const { page } = await open(createMock({ fixtures: createFixtures(5000) }), {
      place: '#/data/posts?sort=-id&record=2500',
    })
    await page.locator('[role=row][aria-current=true]').getByText('Post 2500').waitFor()
  })

  it('stays at its top for a record among the first', async () => {
    const { page } = await open(createMock({ fixtures: createFixtures(5000) }), {
      place: '#/data/posts?record=4',
    })
    await page.locator('[role=row][aria-current=true]').getByText('Post 4').waitFor()
    await page.getByRole('complementary').getByLabel('title').waitFor()
    expect(await page.getByRole('grid').evaluate((one) => [one.scrollTop, one.scrollLeft])).toEqual(
      [0, 0],
    )
  })

  it('names the records of foreign keys, and finds them by name for an edit', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, cell } = await open(mock)
    await cell(page, 1, 'userId').getByText('Ada').waitFor()
    await cell(page, 1, 'userId').dblclick()
    await page.getByLabel('Edit userId').fill('Cle')
    await page.getByRole('option', { name: 'Cleo 3' }).click()
    await page.getByLabel('Edit userId').press('Enter')
    await page.getByText('Saved userId.').waitFor()
    expect(mock.db.posts.get(1)).toMatchObject({ userId: 3 })
    await cell(page, 1, 'userId').getByText('Cleo').waitFor()
  })

  it('remembers how its columns are arranged', async () => {
    const { page } = await open(createMock({ fixtures: createFixtures() }))
    const headings = page.getByRole('columnheader')
    await page
      .getByRole('columnheader', { name: 'views' })
      .getByText(/integer|number/)
      .waitFor()
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('checkbox', { name: 'title' }).uncheck()
    await expect.poll(() => headings.count()).toBe(5)
    await page.reload()
    await page.getByRole('columnheader', { name: 'views' }).waitFor()
    expect(await headings.count()).toBe(5)
    await page.getByRole('button', { name: 'Columns' }).click()
    await page.getByRole('button', { name: 'Reset the columns' }).click()
    await expect.poll(() => headings.count()).toBe(6)
  })
})

describe('a record', () => {
  it('has a row of inputs for each item of a list', async () => {
    const fixtures = {
      products: ['Tea', 'Pot', 'Cup'].map((name, at) => ({ id: at + 1, name })),
      orders: [
        { id: 1, tags: ['new', 'gift'], items: [{ productId: 1, quantity: 2.5 }] },
        { id: 2, tags: [], items: [{ productId: 2, quantity: 1 }] },
        { id: 3, tags: ['late'], items: [{ productId: 3, quantity: 4 }] },
      ],
    }
    const mock = createMock({ fixtures })
    const { page } = await open(mock, { place: '#/data/orders?record=1' })
    const form = page.getByRole('complementary', { name: 'orders 1' })
    const [tags, items] = [/^tags/, /^items/].map((name) => form.getByRole('group', { name }))
    await items?.getByRole('button', { name: 'Add' }).click()
    await form.getByLabel('items.productId 2', { exact: true }).click()
    await page.getByRole('option', { name: 'Cup' }).click()
    const quantity = form.getByLabel('items.quantity 2', { exact: true })
    await quantity.pressSequentially('1.5')
    expect(await quantity.inputValue()).toBe('1.5')
    await form.getByRole('button', { name: 'Remove tags 1' }).click()
    await tags?.getByRole('button', { name: 'Add' }).click()
    await form.getByLabel('tags 2', { exact: true }).fill('blue')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved tags, items.').waitFor()
    expect(mock.db.orders.get(1)).toEqual({
      id: 1,
      tags: ['gift', 'blue'],
      items: [
        { productId: 1, quantity: 2.5 },
        { productId: 3, quantity: 1.5 },
      ],
    })
    // A text that is no number stays, and is refused.
    await quantity.fill('many')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('1.quantity: must be of the type number.').waitFor()
  })

  it('that breaks the schema of its collection is among the problems, with a link', async () => {
    const posts = { properties: { views: { type: 'integer', minimum: 0 } } }
    const mock = createMock({ fixtures: createFixtures(), use: [schema({ posts })] })
    mock.db.posts.update(7, { views: -5 })
    const { page } = await open(mock, { place: '#/problems' })
    await page.getByText('1 record against a schema').waitFor()
    await page.getByRole('link', { name: 'posts 7' }).click()
    const form = page.getByRole('complementary', { name: 'posts 7' })
    await form.getByLabel('views').fill('5')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved views.').waitFor()
    await page.goBack()
    await page.getByText('Every fixture file and record is in order.').waitFor()
  })

  it('is shown with a singleton that refers to it', async () => {
    const fixtures = {
      products: [
        { id: 1, name: 'Tea' },
        { id: 2, name: 'Pot' },
      ],
      cart: { productId: 1 },
    }
    const { page, failures } = await open(createMock({ fixtures }), {
      place: '#/data/products?record=1',
    })
    const relations = page.getByRole('navigation', { name: 'Relations' })
    await relations.getByRole('link', { name: 'cart' }).waitFor()
    expect(failures).toEqual([])
    await page.goto(page.url().replace('record=1', 'record=2'))
    await page.getByRole('complementary', { name: 'products 2' }).waitFor()
    await expect.poll(() => relations.getByRole('link', { name: 'cart' }).count()).toBe(0)
  })

  it('that is new says which id it gets, and what it needs', async () => {
    const { page } = await open(createMock({ fixtures: createFixtures() }), {
      place: '#/data/users?new=1',
    })
    const form = page.getByRole('complementary', { name: 'New record of users' })
    await expect
      .poll(() => form.getByLabel('id', { exact: false }).first().getAttribute('placeholder'))
      .toBe('4, given by the mock')
    await form.getByRole('button', { name: 'Add' }).click()
    await form.getByText('is required.').waitFor()
    await form.getByRole('button', { name: 'Add anyway' }).waitFor()
  })
})

describe('the mock', () => {
  it('is reset and its changes are discarded after a question, and both can be undone', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    mock.db.posts.update(1, { title: 'Changed' })
    const { page } = await open(mock, { place: '#/switches' })
    const state = page.getByRole('group', { name: 'State of the mock' })
    await state.getByRole('button', { name: 'Discard the changes' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByText('1 change that is not saved').waitFor()
    await dialog.getByRole('button', { name: 'Cancel' }).click()
    expect(mock.db.posts.get(1)).toMatchObject({ title: 'Changed' })
    await page.getByRole('button', { name: 'Reset the mock' }).click()
    await dialog.getByText('1 change not saved').waitFor()
    await dialog.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(() => mock.db.posts.get(1)).toMatchObject({ title: 'Post 1' })
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => mock.db.posts.get(1)).toMatchObject({ title: 'Changed' })
  })

  it('says in the header what is switched on, and switches it off', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    mock.on('GET', '/posts').fail(500)
    const { page } = await open(mock)
    const state = page.getByRole('group', { name: 'State of the mock' })
    await state.getByText('Rule GET /posts').waitFor()
    await state.getByRole('button', { name: 'Remove the rule' }).click()
    await expect.poll(() => mock.rules.list()).toEqual([])
    await expect.poll(() => state.getByText('Rule').count()).toBe(0)
  })

  it('shows a fixture file that does not parse, until it does', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fixtura-studio-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'users.json')
    writeFileSync(file, '[{ "id": 1 }]')
    const mock = await loadMock(folder)
    const watching = await watch(mock, folder, { onProblem: () => undefined })
    onTestFinished(() => watching.close())
    const { page } = await open(mock)
    await page.getByRole('gridcell', { name: '1', exact: true }).waitFor()
    writeFileSync(file, '[{ "id": 1 }, {')
    await page.getByRole('link', { name: '1 problem' }).click()
    await page.getByText('users.json:1:').first().waitFor()
    await page.locator('pre').getByText('[{ "id": 1 }, {').waitFor()
    writeFileSync(file, '[{ "id": 1 }, { "id": 2 }]')
    await page.getByText('Every fixture file and record is in order.').waitFor()
  })

  it('keeps a message for some seconds, and not in another view', async () => {
    const { page, cell } = await open(createMock({ fixtures: createFixtures() }))
    await cell(page, 1, 'title').dblclick()
    await page.getByLabel('Edit title').fill('Changed')
    await page.keyboard.press('Enter')
    await page.getByText('Saved title.').waitFor()
    await page.getByRole('navigation', { name: 'Views' }).getByText('Switches').click()
    await expect.poll(() => page.getByText('Saved title.').count()).toBe(0)
  })
})

describe('a request', () => {
  it('is sent again and copied without what the log hides, and with its session', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, origin } = await open(mock, { place: '#/requests' })
    const headers = { Authorization: 'Bearer hunter2', 'X-Mock-Session': 'test-1' }
    await page.request.get(`${origin}/users/1`, { headers })
    await page.getByRole('link', { name: '/users/1' }).click()
    await page.getByRole('button', { name: 'Copy as curl' }).click()
    await page.getByText('Copied as curl.').waitFor()
    const curl = await page.evaluate(() => navigator.clipboard.readText())
    expect(curl).toContain('"authorization: Bearer $TOKEN"')
    expect(curl).toContain("'x-mock-session: test-1'")
    expect(curl).not.toContain('accept: */*')
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('Sent again without authorization').waitFor()
    await expect.poll(() => mock.log.at(-1)?.headers).toMatchObject({ 'x-mock-session': 'test-1' })
    expect(mock.log.at(-1)?.headers).not.toHaveProperty('authorization')
  })

  it('that a page cannot send says so, and its answer is dim once it is changed', async () => {
    const { page } = await open(createMock({ fixtures: createFixtures() }), { place: '#/send' })
    await page.getByLabel('Path').fill('/users')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('200 OK').waitFor()
    await page.getByLabel('Name of header 1').fill('Cookie')
    await page.getByText('A browser does not let a page send Cookie').waitFor()
    await page.locator('.stale').getByText('200 OK').waitFor()
    await page.getByLabel('Name of header 1').fill('X Y')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('"X Y" is no name of a header.').waitFor()
    await page.getByLabel('Path').fill('https://example.org/')
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await page.getByText('"https://example.org/" is no path.').waitFor()
    await page.reload()
    expect(await page.getByLabel('Path').inputValue()).toBe('https://example.org/')
    await page.evaluate(() => localStorage.clear())
  })

  it('with a binary body says what came', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, origin } = await open(mock, { place: '#/requests' })
    const file = { name: 'a.bin', mimeType: 'application/octet-stream', buffer: Buffer.alloc(3000) }
    await page.request.post(`${origin}/users`, { multipart: { file } })
    await page.getByRole('link', { name: '/users' }).click()
    const panel = page.getByRole('complementary')
    await panel.getByRole('button', { name: 'Request', exact: true }).click()
    await panel.getByText(/kB of multipart\/form-data, which the log does not keep/).waitFor()
  })

  it('says why it has its answer, and can be made to fail', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, origin } = await open(mock, { place: '#/requests' })
    await page.request.get(`${origin}/posts?views=0`)
    await page.getByRole('link', { name: '/posts?views=0' }).click()
    await page.getByRole('button', { name: 'Why' }).click()
    await page.getByRole('region', { name: 'Why this answer' }).getByText('GET /posts').waitFor()
    await page.getByRole('button', { name: 'Next time' }).click()
    await page.getByRole('button', { name: 'Make this request fail' }).click()
    await expect.poll(() => mock.rules.list()).toMatchObject([{ on: 'GET /posts', status: 500 }])
  })
})

describe('the keyboard', () => {
  it('opens a record by the palette, and lists its keys', async () => {
    const { page } = await open(createMock({ fixtures: createFixtures() }), { place: '' })
    await page.getByRole('heading', { name: 'Your mock is running' }).waitFor()
    await page.keyboard.press('Control+k')
    await page.getByRole('combobox', { name: 'Search or jump to' }).fill('posts 7')
    await page.keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'posts 7' }).waitFor()
    await page.getByRole('heading', { name: 'posts 7' }).click()
    await page.keyboard.press('?')
    await page.getByRole('dialog', { name: 'Keys' }).waitFor()
    await page.keyboard.press('Escape')
    await page.keyboard.press('g')
    await page.keyboard.press('r')
    await page.getByRole('heading', { name: 'Requests' }).waitFor()
  })

  it('has an input for each field of an object, and a pressed foreign key is replaced', async () => {
    const price = { amount: 12, currency: 'EUR' }
    const fixtures = {
      users: ['Ada', 'Tom'].map((name, at) => ({ id: at + 1, name })),
      products: [1, 2, 3].map((id) => ({ id, title: `Product ${id}`, price, userId: 1 })),
    }
    const mock = createMock({ fixtures })
    const { page } = await open(mock, { place: '#/data/products?record=2' })
    const form = page.getByRole('complementary', { name: 'products 2' })
    await form.getByLabel('price.amount').fill('14')
    await form.getByLabel('userId').click()
    await page.keyboard.type('Tom')
    await page.getByRole('option', { name: 'Tom' }).click()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect
      .poll(() => mock.db.products.get(2))
      .toEqual({
        id: 2,
        title: 'Product 2',
        price: { amount: 14, currency: 'EUR' },
        userId: 2,
      })
    await form.getByLabel('price.amount').fill('much')
    await form.getByRole('button', { name: 'Save' }).click()
    await form.getByText('"price.amount" must be').waitFor()
  })
})
