import { describe, expect, it } from 'vitest'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

import { delay, faults, scenarios, sessions } from '../../dist/behaviours.js'
import { createMock } from '../../dist/index.js'
import { loadMock, watch } from '../../dist/node.js'
import { createFixtures, useStudio } from './studio-page.ts'

const open = useStudio()

describe('the switches', () => {
  it('switches rules, faults, delays, scenarios, snapshots and the clock', async () => {
    const sets = { none: { fixtures: { posts: [] } }, few: { fixtures: { posts: [{ id: 9 }] } } }
    const use = [delay(0), faults(), scenarios({ sets })]
    const mock = createMock({ fixtures: createFixtures(), use })
    const { page } = await open(mock, { place: '#/switches' })
    const region = (name: string) => page.getByRole('region', { name, exact: true })

    await region('Rules').getByLabel('Requests').fill('GET /posts/:id')
    await region('Rules').getByLabel('Times').fill('twice')
    await region('Rules').getByRole('button', { name: 'Add the rule' }).click()
    await page.getByText('"times" cannot be "twice".').waitFor()
    expect(await region('Rules').getByLabel('Requests').inputValue()).toBe('GET /posts/:id')
    await region('Rules').getByLabel('Times').fill('2')
    await region('Rules').getByRole('button', { name: 'Add the rule' }).click()
    await region('Rules').getByText('2 left').waitFor()
    expect((await mock.fetch(new Request('http://x/posts/1'))).status).toBe(500)
    await region('Rules').getByText('1 left').waitFor()
    await page.getByRole('button', { name: 'Remove the rule GET /posts/:id' }).click()
    await expect.poll(() => mock.rules.list()).toEqual([])

    await page.getByLabel('Profile of faults').selectOption('down')
    await region('Faults').getByText('* 503').waitFor()
    await region('Faults').getByLabel('Requests').fill('GET /users')
    await region('Faults').getByLabel('Share').fill('1')
    await region('Faults').getByLabel('Times').fill('3')
    await region('Faults').getByRole('button', { name: 'Add the fault' }).click()
    await region('Faults').getByText('GET /users 503, 100 % of the requests, 3 left').waitFor()
    expect((await mock.fetch(new Request('http://x/users'))).status).toBe(503)
    await region('Faults').getByText('2 left').waitFor()
    await region('Faults').getByRole('button', { name: 'Remove the fault 1' }).click()
    await expect.poll(() => region('Faults').getByText('GET /users').count()).toBe(0)
    await region('Faults').getByText('* 503').waitFor()
    await page.getByRole('button', { name: 'No faults' }).click()
    await expect.poll(() => region('Faults').getByRole('listitem').count()).toBe(0)
    const delays = page.getByRole('switch', { name: 'Delay responses' })
    await expect.poll(() => delays.getAttribute('aria-checked')).toBe('true')
    await delays.click()
    await expect.poll(() => delays.getAttribute('aria-checked')).toBe('false')
    await page.reload()
    await region('Delays').waitFor()
    await expect.poll(() => delays.getAttribute('aria-checked')).toBe('false')

    // A scenario may be called "none".
    await page.getByRole('combobox', { name: 'Scenario' }).selectOption({ index: 1 })
    await page.getByRole('link', { name: 'posts 0' }).waitFor()
    await page.getByRole('combobox', { name: 'Scenario' }).selectOption({ index: 0 })
    await page.getByRole('link', { name: 'posts 60' }).waitFor()

    await page.getByRole('button', { name: 'Save a snapshot' }).click()
    await page.getByRole('button', { name: 'Restore snapshot-1' }).waitFor()
    mock.db.posts.clear()
    await page.getByRole('link', { name: 'posts 0' }).waitFor()
    await page.getByRole('button', { name: 'Restore snapshot-1' }).click()
    await page.getByRole('link', { name: 'posts 60' }).waitFor()

    await page.getByLabel('Time', { exact: true }).fill('noon')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await page.getByText('it cannot be "noon".').waitFor()
    expect(await page.getByLabel('Time', { exact: true }).inputValue()).toBe('noon')
    await page.getByLabel('Time', { exact: true }).fill('2030-01-01T00:00:00Z')
    await page.getByRole('button', { name: 'Set', exact: true }).click()
    await region('Clock')
      .getByText(/^2030-01-01T00:/)
      .waitFor()
    await page.getByRole('button', { name: '+ 1d' }).click()
    await region('Clock')
      .getByText(/^2030-01-02T00:/)
      .waitFor()
    const views = page.getByRole('navigation', { name: 'Views' })
    await views.getByText('Requests').click()
    await page.getByText('2 of 2').waitFor()
    await views.getByText('Switches').click()
    await page.getByRole('button', { name: 'Reset the mock' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Reset' }).click()
    await expect.poll(() => new Date(mock.clock.now()).getUTCFullYear()).toBeLessThan(2030)
    await views.getByText('Requests').click()
    await page.getByText('No requests yet.').waitFor()
    expect(await page.getByRole('link', { name: 'API reference' }).getAttribute('href')).toBe(
      '/__mock/docs',
    )
  })

  it('shows the data, the log and the changes of a session', async () => {
    const mock = createMock({ fixtures: createFixtures(), use: [sessions()] })
    const { page, origin, cell } = await open(mock, { place: '#/switches' })
    const headers = { 'X-Mock-Session': 'test 1' }
    await page.request.patch(`${origin}/posts/1`, { headers, data: { title: 'Of the session' } })
    await page.reload()
    await page.getByRole('link', { name: 'test 1' }).click()
    await page.getByText('Session test 1').waitFor()
    await page.getByRole('link', { name: 'posts 60' }).click()
    await page.getByRole('gridcell', { name: 'Of the session' }).waitFor()
    await cell(page, 2, 'title').dblclick()
    await page.getByLabel('Edit title').fill('By the page')
    await page.keyboard.press('Enter')
    await page.getByText('Saved title.').waitFor()
    expect(mock.db.posts.get(2)).toMatchObject({ title: 'Post 2' })
    await page.getByRole('link', { name: /^Changes/ }).click()
    await page.getByText('2 records differ from the fixtures').waitFor()
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByText('1 of 1').waitFor()
    await page.request.get(`${origin}/users`, { headers })
    await page.getByRole('link', { name: '/users' }).waitFor()
    await page.request.get(`${origin}/profile`)
    expect(await page.getByRole('link', { name: '/profile' }).count()).toBe(0)
    await page.getByRole('link', { name: 'Switches' }).click()
    await page.getByLabel('Name of the session').fill('test 2')
    await page.getByRole('button', { name: 'Show the session' }).click()
    await page.getByText('Session test 2').waitFor()
    await page.getByRole('button', { name: 'End the session test 1' }).click()
    await expect.poll(() => page.getByRole('link', { name: 'test 1' }).count()).toBe(0)
    await page.getByRole('link', { name: 'shared by all without a session' }).click()
    await expect.poll(() => page.getByText('Session test 2').count()).toBe(0)
  })
})

describe('the changes', () => {
  it('shows what differs from the files, saves it to them, and discards it, by record', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'fixtura-studio-'))
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'posts.json')
    const text = '[\n  { "id": 1, "title": "One" },\n  { "id": 2, "title": "Two" }\n]\n'
    writeFileSync(file, text)
    const mock = await loadMock<{ posts: { id: number; title: string }[] }>(folder)
    const watching = await watch(mock)
    onTestFinished(() => watching.close())
    const { page } = await open(mock, { place: '#/changes' })
    await page.getByText('The data is as the fixtures define it.').waitFor()
    mock.db.posts.update(1, { title: 'Uno' })
    mock.db.posts.remove(2)
    mock.db.posts.insert({ title: 'Three' })
    const updated = page.getByRole('article', { name: 'posts 1 updated' })
    await updated.getByRole('row', { name: 'title One Uno' }).waitFor()
    await page
      .getByRole('article', { name: 'posts 2 deleted' })
      .getByRole('button', { name: 'Discard' })
      .click()
    await page.getByText('2 records differ').waitFor()
    await expect.poll(() => mock.db.posts.all().map(({ id }) => id)).toEqual([1, 2, 3])
    await updated.getByRole('button', { name: 'Save to fixtures' }).click()
    await page.getByText('1 record differs').waitFor()
    expect(readFileSync(file, 'utf8')).toBe(text.replace('One', 'Uno'))
    // An edit of the file reaches the page.
    writeFileSync(file, text.replace('One', 'Uno by hand'))
    await expect.poll(() => mock.db.posts.get(1)?.title).toBe('Uno by hand')
    await page.getByRole('link', { name: 'posts 3', exact: true }).first().click()
    await page.getByRole('gridcell', { name: 'Uno by hand' }).waitFor()
    await page.getByRole('link', { name: /^Changes/ }).click()
    await page.getByRole('button', { name: 'Discard all' }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Discard' }).click()
    await page.getByText('The data is as the fixtures define it.').waitFor()
    await expect.poll(() => mock.db.posts.count()).toBe(2)
  })
})
