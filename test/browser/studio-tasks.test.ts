import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { CDPSession, Page } from 'playwright-core'
import { expect, it, onTestFinished } from 'vitest'

import { auth } from '../../dist/behaviours.js'
import { loadMock, watch } from '../../dist/node.js'
import { useStudio } from './studio-page.ts'

const open = useStudio()

const users = ['Ingrid', 'Kwame', 'Ana'].map((name, at) => ({
  id: at + 1,
  name,
  email: `${name.toLowerCase()}@example.com`,
  password: 'secret',
}))
const products = Array.from({ length: 40 }, (_, at) => ({
  id: at + 1,
  title: `${['Desk', 'Chair', 'Lamp', 'Shelf'][at % 4] ?? ''} ${at + 1}`,
  status: ['draft', 'published', 'archived'][at % 3] ?? '',
  stock: (at * 7) % 40,
  userId: (at % 3) + 1,
  tags: [['wood', 'new'], ['textile']][at % 2] ?? [],
}))
const orders = Array.from({ length: 12 }, (_, at) => ({
  id: at + 1,
  productId: (at % 6) + 1,
  userId: (at % 3) + 1,
  total: 20 + at,
}))
const schema = {
  required: ['title'],
  properties: { title: { type: 'string', minLength: 3 }, stock: { type: 'integer', minimum: 0 } },
}

/** Writes the fixtures of a shop into a new folder. */
function writeShop(): string {
  const folder = mkdtempSync(join(tmpdir(), 'fixtura-tasks-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  mkdirSync(join(folder, 'fixtures'))
  const files = { users, products, orders, 'products.schema': schema }
  for (const [name, value] of Object.entries(files))
    writeFileSync(join(folder, 'fixtures', `${name}.json`), `${JSON.stringify(value, null, 2)}\n`)
  return join(folder, 'fixtures')
}

/** The role and the name of the focused element, as Chromium tells them to a screen reader. */
async function focusedNode(page: Page, session: CDPSession): Promise<string> {
  const { result } = await session.send('Runtime.evaluate', {
    expression: 'document.activeElement',
  })
  const { nodes } = await session.send('Accessibility.getPartialAXTree', {
    objectId: result.objectId ?? '',
    fetchRelatives: false,
  })
  return `${String(nodes[0]?.role?.value)} "${String(nodes[0]?.name?.value)}"`
}

it('is used for the tasks of a person who knows nothing of it', { timeout: 300_000 }, async () => {
  const fixtures = writeShop()
  const mock = await loadMock<{ products: typeof products; orders: typeof orders }>({
    fixtures,
    use: [auth({ protect: ['POST /orders'] })],
  })
  const watching = await watch(mock)
  onTestFinished(() => watching.close())
  const { page, origin } = await open(mock, { place: '' })
  const times: Record<string, number> = {}
  const task = async (title: string, run: () => Promise<void>): Promise<void> => {
    const start = performance.now()
    await run().catch((error: unknown) => {
      throw new Error(`Failed to ${title}`, { cause: error })
    })
    times[title] = Math.round(performance.now() - start)
  }
  const product = (id: number) => mock.db.products.get(id)
  const cell = (text: string) => page.getByRole('gridcell', { name: text, exact: true })
  const button = (name: string | RegExp) => page.getByRole('button', { name })
  const view = (name: string) => page.getByRole('navigation', { name: 'Views' }).getByText(name)
  const { keyboard } = page

  await task('open a collection from the start page', async () => {
    await page.getByRole('region', { name: 'Collections' }).getByText('products').first().click()
    await cell('Desk 1').waitFor()
  })
  await task('find a record by a word', async () => {
    await page.getByRole('searchbox', { name: 'Search products' }).fill('Shelf 4')
    await page.getByText('2 records').waitFor()
    await cell('Shelf 40').waitFor()
    await page.getByRole('searchbox', { name: 'Search products' }).fill('')
    await page.getByText('40 records').waitFor()
  })
  await task('filter and sort', async () => {
    await page.getByRole('button', { name: 'stock', exact: true }).click()
    await expect.poll(() => page.getByRole('gridcell').nth(2).textContent()).toBe('Desk 1')
    await page.getByRole('button', { name: 'stock', exact: true }).click()
    await button('Add filter').click()
    await page.getByRole('combobox', { name: 'Field' }).selectOption('status')
    await page.getByRole('textbox', { name: 'Value' }).fill('archived')
    await page.getByText('13 records').waitFor()
    await button('Remove the filter by status').click()
    await page.getByText('40 records').waitFor()
    await page.getByRole('button', { name: 'stock', exact: true }).click()
  })
  await task('edit a cell', async () => {
    await cell('Chair 2').dblclick()
    await page.getByLabel('Edit title').fill('Armchair')
    await keyboard.press('Enter')
    await expect.poll(() => product(2)?.title).toBe('Armchair')
  })
  await task('hear that a value does not fit, and undo nothing', async () => {
    await cell('Lamp 3').dblclick()
    await page.getByLabel('Edit title').fill('L')
    await keyboard.press('Enter')
    await page.getByText('String is too short').waitFor()
    await keyboard.press('Escape')
    expect(product(3)?.title).toBe('Lamp 3')
  })
  await task('relate a record to another by its name', async () => {
    await page.getByRole('row', { name: 'Armchair' }).getByText('Kwame').dblclick()
    await page.getByLabel('Edit userId').pressSequentially('Ana')
    await page.getByRole('option', { name: 'Ana 3' }).click()
    await page.getByLabel('Edit userId').press('Enter')
    await expect.poll(() => product(2)?.userId).toBe(3)
  })
  await task('follow a relation and come back', async () => {
    await cell('1').getByRole('link').click()
    await page.getByRole('link', { name: '2 orders' }).click()
    await page.getByText('2 records').waitFor()
    await page.goBack()
    await button('Close the record').click()
  })
  await task('set a field of three records', async () => {
    for (const id of [4, 5, 6])
      await page.getByRole('checkbox', { name: `Select ${id}`, exact: true }).check()
    await button('Set a field').click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('combobox').first().selectOption('status')
    await dialog.getByLabel('Value').selectOption('archived')
    await dialog.getByRole('button', { name: 'Set 3' }).click()
    await expect
      .poll(() => [4, 5, 6].map((id) => product(id)?.status))
      .toEqual(['archived', 'archived', 'archived'])
    await button('Select nothing').click()
  })
  await task('undo the last change', async () => {
    await page.getByRole('grid').focus()
    await keyboard.press('Control+z')
    await expect.poll(() => product(5)?.status).toBe('published')
  })
  await task('paste 30 rows of a spreadsheet', async () => {
    await button('Paste').click()
    const rows = Array.from({ length: 30 }, (_, at) => `Pasted ${at}\tdraft\t${at}\t1\t["new"]`)
    const pasted = ['title\tstatus\tstock\tuserId\ttags', ...rows].join('\n')
    await page.getByRole('textbox', { name: 'Rows' }).fill(pasted)
    await page.getByText('30 new').waitFor()
    await button('Add 30 rows').click()
    await page.getByText('70 records').waitFor()
    await button('Undo').click()
    await page.getByText('40 records').waitFor()
  })
  await task('add a record with a list', async () => {
    await button('New record').click()
    const form = page.getByRole('complementary', { name: 'New record of products' })
    await form.getByLabel('title').fill('Stool')
    await form.getByLabel('status').selectOption('draft')
    await form.getByLabel('stock').fill('1')
    await form.getByLabel('userId').fill('Ing')
    await page.getByRole('option', { name: 'Ingrid 1' }).click()
    await form.getByRole('group', { name: /^tags/ }).getByRole('button', { name: 'Add' }).click()
    await form.getByLabel('tags 1', { exact: true }).selectOption('new')
    await form.locator('button.main').click()
    await page.getByText('Added products').waitFor()
    expect(mock.db.products.all().at(-1)).toMatchObject({
      title: 'Stool',
      status: 'draft',
      stock: 1,
      userId: 1,
      tags: ['new'],
    })
    await button('Close the record').click()
  })
  await task('break an endpoint, and mend it', async () => {
    await page.request.get(`${origin}/orders`)
    await view('Requests').click()
    await page.getByRole('link', { name: '/orders', exact: true }).click()
    await button('Next time').click()
    await button('Make this request fail').click()
    await page.getByText('GET /orders answers 500 from now on.').waitFor()
    expect((await page.request.get(`${origin}/orders`)).status()).toBe(500)
    await button('Remove the rule').click()
    await expect.poll(async () => (await page.request.get(`${origin}/orders`)).status()).toBe(200)
  })
  await task('slow an endpoint', async () => {
    await view('Switches').click()
    const rules = page.getByRole('region', { name: 'Rules' })
    await rules.getByRole('button', { name: 'Slow' }).click()
    await rules.getByLabel('Requests').fill('GET /users')
    await rules.getByLabel('Delay').fill('150')
    await rules.getByRole('button', { name: 'Add the rule' }).click()
    await expect.poll(() => mock.rules.list().length).toBe(1)
    const start = performance.now()
    await page.request.get(`${origin}/users`)
    expect(performance.now() - start).toBeGreaterThan(140)
    await rules.getByRole('button', { name: 'Remove the rule' }).click()
  })
  await task('replay a request as another user', async () => {
    await page.request.post(`${origin}/orders`, { data: { productId: 1, userId: 2, total: 5 } })
    await view('Requests').click()
    await page.getByRole('link', { name: '/orders', exact: true }).first().click()
    await page.getByText('401').first().waitFor()
    await button('Edit and send').click()
    await page.getByLabel('Send as').selectOption('Kwame')
    // The mock refused the request before it read the body.
    await button('Fill with an example').click()
    await page.getByRole('textbox', { name: 'Body' }).getByText('productId').waitFor()
    await button('Send').click()
    await page.getByText('201 Created').waitFor()
    expect(mock.db.orders.count()).toBe(13)
  })
  await task('see what differs from the files', async () => {
    mock.db.products.remove(10)
    mock.db.products.update(11, { stock: 0 })
    await view('Changes').click()
    await page.getByText('5 records differ from the fixtures').waitFor()
  })
  await task('save two of five changes, and discard another', async () => {
    for (const name of ['products 2 updated', 'products 10 deleted'])
      await page
        .getByRole('article', { name })
        .getByRole('button', { name: 'Save to fixtures' })
        .click()
    await page.getByText('3 records differ').waitFor()
    await page
      .getByRole('article', { name: 'products 11 updated' })
      .getByRole('button', { name: 'Discard' })
      .click()
    await page.getByText('2 records differ').waitFor()
    const saved = JSON.parse(readFileSync(join(fixtures, 'products.json'), 'utf8')) as unknown[]
    const others = products.filter(({ id }) => id !== 10)
    expect(saved).toEqual(
      others.map((one) => (one.id === 2 ? { ...one, title: 'Armchair', userId: 3 } : one)),
    )
  })
  await task('compare with a snapshot', async () => {
    await view('Switches').click()
    const data = page.getByRole('region', { name: 'Data' })
    await data.getByLabel('Name of the snapshot').fill('today')
    await data.getByRole('button', { name: 'Save a snapshot' }).click()
    await data.getByText('today').waitFor()
    mock.db.products.update(20, { stock: 1 })
    await view('Changes').click()
    await page.getByLabel('Compare', { exact: true }).selectOption('today')
    await page.getByText('1 record differs between today and Now').waitFor()
  })
  await task('generate ten records', async () => {
    await page.goto(`${origin}/#/data/products`)
    await page.getByText('40 records').waitFor()
    await button('Generate').click()
    await button('Add 10 records').click()
    await page.getByText('50 records').waitFor()
  })
  await task('export the list', async () => {
    const download = page.waitForEvent('download')
    await button('More').click()
    await button('Export this view as CSV').click()
    const csv = await text(await (await download).createReadStream())
    expect(csv.trim().split('\n')).toHaveLength(51)
  })
  await task('find the record that breaks the schema', async () => {
    mock.db.products.update(30, { stock: -1 })
    await keyboard.press('Control+k')
    await keyboard.type('prob')
    await keyboard.press('Enter')
    await page.getByRole('link', { name: 'products 30' }).click()
    await page.getByRole('complementary', { name: 'products 30' }).waitFor()
    await button('Close the record').click()
  })
  await task('edit on a phone', async () => {
    await page.setViewportSize({ width: 390, height: 844 })
    await button('Collections').click()
    await page.getByRole('navigation', { name: 'Resources' }).getByText('users').click()
    await cell('2').getByRole('link').click()
    const form = page.getByRole('complementary', { name: 'users 2' })
    await form.getByLabel('name').fill('Kwame M.')
    await form.getByRole('button', { name: 'Save' }).click()
    await page.getByRole('status').getByText('Saved name.').waitFor()
    await page.setViewportSize({ width: 1280, height: 800 })
    await button('Close the record').click()
  })
  await task('edit by the keyboard alone', async () => {
    await keyboard.press('Control+k')
    await keyboard.type('orders')
    await keyboard.press('Enter')
    await page.getByRole('grid', { name: 'Records of orders' }).waitFor()
    for (let at = 0; at < 60; at++) {
      await keyboard.press('Tab')
      if (await page.evaluate(() => document.activeElement?.getAttribute('role') === 'grid')) break
    }
    for (const key of ['ArrowDown', 'End', 'Enter', 'Control+a']) await keyboard.press(key)
    await keyboard.type('77')
    await keyboard.press('Enter')
    await expect.poll(() => mock.db.orders.get(2)?.total).toBe(77)
  })
  await task('hear a name for all that has the focus', async () => {
    const session = await page.context().newCDPSession(page)
    await session.send('Accessibility.enable')
    await page.reload()
    await page.getByRole('grid', { name: 'Records of orders' }).waitFor()
    const heard: string[] = []
    for (let at = 0; at < 30; at++) {
      await keyboard.press('Tab')
      heard.push(await focusedNode(page, session))
    }
    expect(heard.filter((one) => /^(?:generic|none|undefined)|""$/.test(one))).toEqual(
      heard.filter((one) => one.startsWith('RootWebArea')),
    )
    expect(heard).toEqual(
      expect.arrayContaining(['grid "Records of orders"', 'button "New record"']),
    )
  })
  if (process.env['STUDIO_TASKS']) console.table(times)
})
