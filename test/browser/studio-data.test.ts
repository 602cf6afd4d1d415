import type { Dialog, Locator } from 'playwright-core'
import { describe, expect, it } from 'vitest'

import {
  djangoRestFramework,
  jsonServer0,
  jsonServer1,
  laravel,
  nestjsxCrud,
  rest,
  simpleRest,
  springDataRest,
} from '../../dist/dialects.js'
import { auth, delay, faults, limit } from '../../dist/behaviours.js'
import { createMock } from '../../dist/index.js'
import { createFixtures, useStudio } from './studio-page.ts'

const open = useStudio()

describe('the data view', () => {
  it('shows every resource with its count, and the records of the first', async () => {
    const { page } = await open(createMock({ fixtures: createFixtures() }))
    const resources = page.getByRole('navigation', { name: 'Resources' })
    await resources.getByRole('link', { name: 'posts 60' }).waitFor()
    await resources.getByRole('link', { name: 'profile singleton' }).waitFor()
    const grid = page.getByRole('grid', { name: 'Records of posts' })
    await grid.getByRole('gridcell', { name: 'Post 1', exact: true }).waitFor()
    expect(await grid.getAttribute('aria-rowcount')).toBe('61')
    await expect.poll(() => page.title()).toBe('posts – Fixtura')
  })

  it('has only the rows near the viewport in the document, and jumps to the last by keyboard', async () => {
    const { page } = await open(createMock({ fixtures: createFixtures(5000) }))
    const grid = page.getByRole('grid')
    await grid.getByRole('gridcell', { name: 'Post 1', exact: true }).waitFor()
    expect(await grid.getByRole('row').count()).toBeLessThan(60)
    await grid.focus()
    await page.keyboard.press('Control+End')
    await grid.getByRole('gridcell', { name: 'Post 5000' }).waitFor()
    const active = page.locator('.cell.active')
    expect(await active.getAttribute('aria-colindex')).toBe('6')
    await page.keyboard.press('Control+Home')
    await grid.getByRole('gridcell', { name: 'Post 1', exact: true }).waitFor()
    await page.keyboard.press('PageDown')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => grid.getAttribute('aria-activedescendant')).toMatch(/^cell-\d+-1$/)
  })

  it('sorts by a heading, from the first record: ascending, descending, as the mock has them', async () => {
    const { page, cell } = await open(createMock({ fixtures: createFixtures() }))
    const heading = page.getByRole('columnheader', { name: 'views' })
    await page.getByRole('grid').focus()
    await page.keyboard.press('Control+End')
    await page.getByRole('gridcell', { name: 'Post 60' }).waitFor()
    await heading.getByRole('button').click()
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('ascending')
    await expect.poll(() => cell(page, 1, 'views').innerText()).toBe('0')
    await heading.getByRole('button').click()
    await expect.poll(() => heading.getAttribute('aria-sort')).toBe('descending')
    await expect.poll(() => cell(page, 1, 'views').innerText()).toBe('100')
    expect(page.url()).toContain('sort=-views')
    await heading.getByRole('button').click()
    await expect.poll(() => cell(page, 2, 'id').innerText()).toBe('2')
  })

  it('filters by operators and searches, in the URL too', async () => {
    const { page, cell, another } = await open(createMock({ fixtures: createFixtures() }))
    await page.getByRole('button', { name: 'Add filter' }).click()
    await page.getByLabel('Field').selectOption('views')
    await page.getByLabel('Operator').selectOption('gte')
    await page.getByLabel('Value').fill('90')
    await page.getByText('6 records').waitFor()
    await page.getByRole('searchbox', { name: 'Search posts' }).fill('archived')
    await page.getByText('2 records').waitFor()
    await expect.poll(() => cell(page, 1, 'status').innerText()).toBe('archived')
    const second = await another(new URL(page.url()).hash)
    await second.getByText('2 records').waitFor()
    await page.getByRole('button', { name: 'Remove the filter by views' }).click()
    await page.getByText('20 records').waitFor()
    await page.getByRole('searchbox', { name: 'Search posts' }).fill('nothing like it')
    await page.getByText('No record matches the filters.').waitFor()
  })

  it('keeps what is typed into the search while its results arrive', async () => {
    const { page } = await open(createMock({ fixtures: createFixtures() }))
    const search = page.getByRole('searchbox', { name: 'Search posts' })
    await search.waitFor()
    await page.evaluate(() => {
      const { replaceState } = history
      history.replaceState = (...args) => {
        history.replaceState = replaceState
        history.replaceState(...args)
        const input = document.querySelector<HTMLInputElement>('input[type=search]')
        if (input) input.value += '0'
        input?.dispatchEvent(new Event('input', { bubbles: true }))
      }
    })
    await search.fill('Post 1')
    await page.getByText('1 record', { exact: true }).waitFor()
    expect(await search.inputValue()).toBe('Post 10')
  })

  it('follows relations in both directions', async () => {
    const { page, cell } = await open(createMock({ fixtures: createFixtures() }))
    await cell(page, 2, 'userId').getByRole('link').click()
    await page.getByRole('complementary', { name: 'users 2' }).waitFor()
    const relations = page.getByRole('navigation', { name: 'Relations' })
    await relations.getByRole('link', { name: '20 posts' }).click()
    await page.getByText('20 records').waitFor()
    await expect.poll(() => cell(page, 1, 'title').innerText()).toBe('Post 2')
    await page.goBack()
    await page.getByRole('complementary', { name: 'users 2' }).waitFor()
    await page.goBack()
    await page.getByRole('grid', { name: 'Records of posts' }).waitFor()
    await page.goForward()
    await page.reload()
    await page.getByRole('complementary', { name: 'users 2' }).waitFor()
  })

  it('shows a record as fields and as JSON', async () => {
    const { page } = await open(createMock({ fixtures: createFixtures() }))
    await page.getByRole('grid').getByRole('link', { name: '3', exact: true }).first().click()
    const record = page.getByRole('complementary', { name: 'posts 3' })
    expect(await record.getByLabel('title').inputValue()).toBe('Post 3')
    expect(await record.getByLabel('status').inputValue()).toBe('archived')
    await record.getByRole('button', { name: 'JSON' }).click()
    const editor = record.getByRole('textbox', { name: 'Record as JSON' })
    await expect.poll(() => editor.innerText()).toContain('"title": "Post 3"')
    await record.getByRole('button', { name: 'Close the record' }).click()
    await expect.poll(() => record.count()).toBe(0)
  })

  it('shows singletons, which can be changed, and documents', async () => {
    const mock = createMock({
      fixtures: { profile: { theme: 'dark' }, tags: ['a', 'b'], empty: null },
    })
    const { page } = await open(mock)
    const editor = page.getByRole('textbox', { name: 'Record as JSON' })
    await editor.fill('{"theme":"light"}')
    await page.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved theme.').waitFor()
    await expect.poll(() => mock.db.profile.get()).toEqual({ theme: 'light' })
    await page.getByRole('link', { name: 'tags document' }).click()
    await page.getByRole('textbox', { name: '/tags' }).getByText('"b"').waitFor()
    await page.getByRole('link', { name: 'empty document' }).click()
    await page.locator('pre', { hasText: /^null$/ }).waitFor()
  })

  const dialects = {
    'json-server-0': jsonServer0,
    'json-server-1': jsonServer1,
    'simple-rest': simpleRest,
    laravel,
    'django-rest-framework': djangoRestFramework,
    'spring-data-rest': springDataRest,
    'nestjsx-crud': nestjsxCrud,
    'renamed rest': rest({ key: 'snake_case', parameters: { page: 'p', sort: 'order_by' } }),
  }
  it.each(Object.entries(dialects))('needs no word of the dialect: %s', async (_, dialect) => {
    const mock = createMock({ fixtures: createFixtures(), dialect })
    const { page, cell, origin } = await open(mock, {
      place: '#/data/posts?sort=-views&q=published',
    })
    await page.getByText('20 records').waitFor()
    await cell(page, 1, 'userId').getByRole('link').click()
    await page.getByRole('navigation', { name: 'Relations' }).getByText('20 posts').click()
    await page.getByText('20 records').waitFor()
    await cell(page, 1, 'title').dblclick()
    await page.getByLabel('Edit title').fill('Changed')
    await page.keyboard.press('Enter')
    await page.getByText('Saved title.').waitFor()
    await expect
      .poll(() => mock.db.posts.all().filter(({ title }) => title === 'Changed'))
      .toHaveLength(1)
    await page.request.get(`${origin}/posts`)
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByRole('link', { name: '/posts', exact: true }).click()
    await page.getByRole('button', { name: 'Replay' }).click()
    await page.getByText('Sent again: 200.').waitFor()
  })

  it('shows data that changes without a request, and says where a resource is missing', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock, { place: '#/data/gone' })
    await page.getByRole('link', { name: 'Show posts' }).click()
    await page.getByRole('gridcell', { name: 'Post 1', exact: true }).waitFor()
    mock.db.posts.update(1, { title: 'Another' })
    await page.getByRole('gridcell', { name: 'Another', exact: true }).waitFor()
    mock.db.posts.remove(1)
    await page.getByText('59 records').waitFor()
    await page.getByRole('link', { name: 'posts 59' }).waitFor()
  })

  it('shows names and values with any characters, and makes no markup of them', async () => {
    const name = 'a?b #1 100% <b>ключ</b>'
    const mock = createMock({
      fixtures: { [name]: [{ id: 'x/y', name: '<img src=x onerror=alert(1)>' }] },
    })
    const { page, failures } = await open(mock)
    const dialogs: string[] = []
    page.on('dialog', (dialog: Dialog) => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    })
    await page.getByRole('gridcell', { name: '<img src=x onerror=alert(1)>' }).waitFor()
    await page.getByRole('link', { name: 'x/y' }).click()
    await page.getByRole('complementary', { name: 'x/y' }).waitFor()
    expect(await page.locator('img, main b').count()).toBe(0)
    expect(dialogs).toEqual([])
    const write = page.evaluate(() => (document.body.innerHTML = '<b>x</b>'))
    await expect(write).rejects.toThrow('TrustedHTML')
    expect(failures.splice(0)).toEqual([expect.stringContaining('TrustedHTML')])
  })

  it('shows texts in the direction of their script', async () => {
    const mock = createMock({ fixtures: { notes: [{ id: 1, text: 'שלום (1)', other: 'a' }] } })
    const { page } = await open(mock, { place: '#/data/notes?record=1' })
    const directionOf = (locator: Locator): Promise<string> =>
      locator.evaluate((node) => getComputedStyle(node).direction)
    expect(await directionOf(page.getByRole('gridcell', { name: 'שלום' }))).toBe('rtl')
    expect(await directionOf(page.getByRole('gridcell', { name: 'a', exact: true }))).toBe('ltr')
    expect(await directionOf(page.getByLabel('text'))).toBe('rtl')
  })

  it('leaves no trace in the log, rules, limits, faults and delays of the application', async () => {
    const mock = createMock({
      fixtures: { ...createFixtures(), accounts: [{ id: 1, email: 'ada' }] },
      use: [
        delay('1h'),
        faults({ rules: [{ status: 503 }] }),
        limit({ requests: 1, per: '1h' }),
        auth({ scheme: 'bearer', users: 'accounts', protect: ['*'] }),
      ],
    })
    mock.on('*', '*').fail(418, { times: 1 })
    const { page, cell } = await open(mock, { place: '#/data/posts?sort=id' })
    await cell(page, 1, 'title').dblclick()
    await page.getByLabel('Edit title').fill('Changed')
    await page.keyboard.press('Enter')
    await page.getByText('Saved title.').waitFor()
    await page.getByRole('link', { name: 'Switches' }).click()
    await page.getByRole('region', { name: 'Rules' }).getByText('* *').waitFor()
    await page.getByRole('link', { name: 'Requests' }).click()
    await page.getByText('No requests yet.').waitFor()
    await expect.poll(() => mock.db.posts.get(1)).toMatchObject({ title: 'Changed' })
    await expect.poll(() => mock.rules.list().map(({ left }) => left)).toEqual([1])
    await expect.poll(() => mock.log).toEqual([])
  })
})
