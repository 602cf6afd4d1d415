import { describe, expect, it } from 'vitest'

import { auth, faults } from '../../dist/behaviours.js'
import { createMock } from '../../dist/index.js'
import { createFixtures, useStudio } from './studio-page.ts'

const open = useStudio()

describe('the requests view', () => {
  it('shows the history with full bodies and headers, and the reason of each answer', async () => {
    const mock = createMock({ fixtures: createFixtures(), use: [faults()] })
    const { page, origin } = await open(mock, { place: '#/requests' })
    await page.getByText('No requests yet.').waitFor()
    const headers = { 'X-Trace': 'abc', Authorization: 'Bearer hunter2' }
    const data = { title: 'By the application' }
    await page.request.post(`${origin}/posts?a=1`, { data, headers })
    await page.getByRole('link', { name: '/posts?a=1' }).click()
    const panel = page.getByRole('complementary', { name: 'Request and response' })
    await panel.getByText('201', { exact: true }).waitFor()
    await panel.getByText('"id": 61').waitFor()
    await panel.getByText('Location', { exact: true }).waitFor()
    await panel.getByRole('button', { name: 'Request', exact: true }).click()
    await panel.getByText('"title": "By the application"').waitFor()
    await panel.getByText('abc', { exact: true }).waitFor()
    expect(await panel.innerText()).not.toContain('hunter2')
    await panel.getByText('The log keeps no secrets.').waitFor()
    await page.reload()
    await panel.getByText('"id": 61').waitFor()

    mock.on('GET', '/users').fail(500, { times: 1 })
    await page.request.get(`${origin}/users`)
    await page
      .getByRole('row', { name: /GET \/users 500/ })
      .getByRole('link')
      .click()
    await panel.getByText(/Reason: .*rule/).waitFor()
    await page.request.get(`${origin}/user`)
    await page
      .getByRole('row', { name: /GET \/user 404/ })
      .getByRole('link')
      .click()
    await panel.getByText('path is /user, not /users').first().waitFor()
    await panel.getByRole('link', { name: 'Close the request' }).click()
    await page.getByRole('searchbox', { name: 'Search requests' }).fill('500')
    await page.getByText('1 of 3').waitFor()
    await page.getByRole('button', { name: 'Clear' }).click()
    await page.getByText('0 of 0').waitFor()
    await expect.poll(() => mock.log).toEqual([])
  })

  it('replays a request, and copies it as curl, fetch and a test', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, origin } = await open(mock, { place: '#/requests' })
    await page.request.patch(`${origin}/posts/1`, { data: { title: "It's" } })
    await page.getByRole('link', { name: '/posts/1' }).click()
    const copy = async (form: string): Promise<string> => {
      await page.getByRole('button', { name: `Copy as ${form}` }).click()
      await page.getByText(`Copied as ${form}.`).waitFor()
      return page.evaluate(() => navigator.clipboard.readText())
    }
    expect(await copy('curl')).toContain(`curl -X PATCH '${origin}/posts/1'`)
    expect(await copy('fetch')).toContain(`await fetch('${origin}/posts/1', {`)
    expect(await copy('test')).toContain('expect(response.status).toBe(200)')
    mock.db.posts.update(1, { title: 'Before' })
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('Sent again: 200.').waitFor()
    await expect.poll(() => mock.db.posts.get(1)).toMatchObject({ title: "It's" })
    await expect.poll(() => mock.log.count('PATCH /posts/1')).toBe(2)
  })

  it('copies in a page without TLS, too', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, origin } = await open(mock, { serve: { allowHost: 'mock.example' } })
    await page.goto(`${origin.replace('localhost', 'mock.example')}/#/data/users?record=1`)
    await page.getByRole('button', { name: 'Actions on the record' }).click()
    await page.getByRole('button', { name: 'Copy as JSON' }).click()
    await page.getByText('Copied.').waitFor()
    await page.getByRole('button', { name: 'Paste' }).click()
    await page.getByLabel('Rows').press('Control+v')
    expect(await page.getByLabel('Rows').inputValue()).toBe('{\n  "id": 1,\n  "name": "Ada"\n}')
  })

  it('edits a request and sends it again', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, origin } = await open(mock, { place: '#/requests' })
    await page.request.post(`${origin}/users`, { data: { name: 'Dan' } })
    await page.getByRole('link', { name: '/users' }).click()
    await page.getByRole('button', { name: 'Edit and send' }).click()
    await page.getByRole('textbox', { name: 'Body' }).fill('{"name":"Eve"}')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('201 Created').waitFor()
    await expect
      .poll(() => mock.db.users.all().map(({ name }) => name))
      .toEqual(['Ada', 'Bob', 'Cleo', 'Dan', 'Eve'])
  })

  it('sends requests as an application does, and says where there is no response', async () => {
    const mock = createMock({ fixtures: createFixtures(), use: [faults()] })
    const { page } = await open(mock, { place: '#/send' })
    await page.getByLabel('Path').fill('/posts/2')
    await page.getByLabel('Name of header 1').fill('Prefer')
    await page.getByLabel('Value of header 1').fill('code=503')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('503 Service Unavailable').waitFor()
    mock.on('*', '*').drop()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('No response:').waitFor()
    mock.rules.end()
    await page.getByLabel('Method').selectOption('HEAD')
    await page.getByRole('button', { name: 'Remove header 1' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200 OK, 0 characters').waitFor()
    // Browsers repeat a request whose connection is dropped.
    expect(new Set(mock.log.map(({ status }) => status))).toEqual(new Set([503, 0, 200]))
  })

  it('sends as a user of the mock, and keeps a request that has a name', async () => {
    const users = ['Ada', 'Bob'].map((name, at) => ({ id: at + 1, name, password: 'x' }))
    const fixtures = { users, orders: [{ id: 1, total: 3 }] }
    const use = [auth({ users: 'users', protect: ['GET /orders'] })]
    const { page } = await open(createMock({ fixtures, use }), { place: '#/send' })
    await page.getByLabel('Path').fill('/orders')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('401 Unauthorized').waitFor()
    await page.getByLabel('Send as').selectOption('Bob')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200 OK').waitFor()
    await page.getByLabel('Path').fill('/me')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('"Bob"').waitFor()
    const names = page.getByLabel('Name of GET /me')
    await names.fill('Who am I')
    await names.press('Enter')
    for (let at = 0; at < 21; at++) {
      await page.getByLabel('Path').fill(`/orders/${at}`)
      await page.getByLabel('Path').press('Enter')
      await page.getByRole('button', { name: `GET /orders/${at}` }).waitFor()
    }
    await page.reload()
    await page.getByRole('button', { name: 'GET /me as 2' }).click()
    expect(await page.getByLabel('Name of GET /me').inputValue()).toBe('Who am I')
    expect(await page.getByRole('button', { name: /^GET \/orders as/ }).count()).toBe(0)
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('"Bob"').waitFor()
  })

  it('remembers the widths of its columns', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    await mock.fetch(new Request('http://localhost/posts'))
    const { page } = await open(mock, { place: '#/requests' })
    const heading = page.getByRole('columnheader', { name: 'Status' })
    const width = async () => Math.round((await heading.boundingBox())?.width ?? 0)
    await heading.waitFor()
    const before = await width()
    const handle = heading.locator('.resize')
    const { x: left = 0, y: top = 0 } = (await handle.boundingBox()) ?? {}
    const [x, y] = [left + 4, top + 6]
    await page.mouse.move(x, y)
    await page.mouse.down()
    await page.mouse.move(x + 70, y, { steps: 3 })
    await page.mouse.up()
    expect(await width()).toBe(before + 70)
    await page.reload()
    await heading.waitFor()
    expect(await width()).toBe(before + 70)
    await handle.dblclick()
    await expect.poll(width).toBe(before)
  })
})
