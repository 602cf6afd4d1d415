import { text } from 'node:stream/consumers'
import { describe, expect, it, onTestFinished } from 'vitest'

import { delay, faults, sessions } from '../../dist/behaviours.js'
import { createMock } from '../../dist/index.js'
import { serve } from '../../dist/node.js'
import { findBarriers } from './page.ts'
import { createFixtures, useStudio } from './studio-page.ts'

const open = useStudio()

describe('the page', () => {
  it('sends requests to the control of its own server alone', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page, origin } = await open(mock, { place: '#/data/posts?record=1' })
    const asked: string[] = []
    page.on('request', (request) => asked.push(request.url()))
    await page.reload()
    await page.getByRole('button', { name: 'JSON' }).click()
    await page.getByRole('textbox', { name: 'Record as JSON' }).waitFor()
    for (const view of ['Requests', 'Changes', 'Switches', 'Data']) {
      await page.getByRole('navigation', { name: 'Views' }).getByText(view, { exact: true }).click()
      await expect.poll(() => page.title()).toContain(view === 'Data' ? 'posts' : view)
    }
    const own = new RegExp(`^${origin}/(?:$|#|__mock/)`)
    expect(asked.filter((url) => !own.test(url))).toEqual([])
  })

  it('loads two scripts, and asks for the state and the first records alone before it shows them', async () => {
    const { page, origin } = await open(createMock({ fixtures: createFixtures() }))
    await page.getByRole('gridcell', { name: 'Post 1', exact: true }).waitFor()
    const asked = await page.evaluate(() =>
      performance.getEntriesByType('resource').map(({ name }) => name),
    )
    const last = `${origin}/__mock/db/posts/find`
    expect(asked.slice(0, asked.indexOf(last) + 1)).toEqual([
      `${origin}/__mock/home/style.css`,
      `${origin}/__mock/home/start.js`,
      `${origin}/__mock/home/app.js`,
      `${origin}/__mock/state`,
      last,
    ])
  })

  it('works by keyboard alone: finds, edits, adds, deletes and restores', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock)
    await page.getByRole('gridcell', { name: 'Post 1', exact: true }).waitFor()
    const { keyboard } = page
    const focused = (): Promise<string> =>
      page.evaluate(() => {
        const node = document.activeElement as HTMLElement
        const label = document.querySelector<HTMLElement>(`label[for="${node.id}"]`)
        return node.getAttribute('aria-label') ?? (label ?? node).innerText
      })
    const tabTo = async (name: RegExp): Promise<void> => {
      for (let at = 0; at < 60; at++) {
        await keyboard.press('Tab')
        if (name.test(await focused())) return
      }
      throw new Error(`No element "${name}" gets the focus.`)
    }
    await tabTo(/^users/)
    await keyboard.press('Enter')
    await page.getByRole('grid', { name: 'Records of users' }).waitFor()
    await tabTo(/^Search users/)
    await keyboard.type('cleo')
    await page.getByText('1 record', { exact: true }).waitFor()
    await tabTo(/^Records of users/)
    await keyboard.press('ArrowRight')
    await keyboard.type('Chloe')
    await keyboard.press('Enter')
    await page.getByText('Saved name.').waitFor()
    await expect.poll(() => mock.db.users.get(3)).toEqual({ id: 3, name: 'Chloe' })
    await page.getByText('No record matches the filters.').waitFor()
    await tabTo(/^New record/)
    await keyboard.press('Enter')
    await page.getByRole('complementary', { name: 'New record of users' }).waitFor()
    await tabTo(/^name/)
    await keyboard.type('Dora')
    await keyboard.press('Enter')
    const added = page.getByRole('complementary', { name: 'users 4' })
    await added.getByRole('button', { name: 'Delete' }).waitFor()
    await tabTo(/^Delete$/)
    await keyboard.press('Enter')
    await page.getByText('Deleted users 4.').waitFor()
    await tabTo(/^Undo$/)
    await keyboard.press('Enter')
    await page.getByText('Undone.').waitFor()
    await expect.poll(() => mock.db.users.get(4)).toEqual({ id: 4, name: 'Dora' })
  })

  it('works on a phone: opens a record, edits it and goes back', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const { page } = await open(mock, { width: 375, height: 700 })
    await page.getByRole('button', { name: 'Collections' }).click()
    await page.getByRole('navigation', { name: 'Resources' }).getByText('users').click()
    await page.getByRole('grid').getByRole('link', { name: '2', exact: true }).click()
    const record = page.getByRole('complementary', { name: 'users 2' })
    await record.getByLabel('name').fill('Bobby')
    await record.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved name.').waitFor()
    await record.getByRole('link', { name: '20 posts' }).click()
    await page.getByText('20 records').waitFor()
    await page.goBack()
    await record.getByRole('button', { name: 'Close the record' }).click()
    await page.getByRole('gridcell', { name: 'Bobby' }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(375)
  })

  const places: [place: string, ready: string][] = [
    ['#/data/posts?record=1', 'posts 1'],
    ['#/data/posts?new=1', 'New record of posts'],
    ['#/data/profile', '/profile'],
    ['#/requests', 'Requests'],
    ['', 'Your mock is running'],
    ['#/relations', 'Relations'],
    ['#/problems', 'Problems'],
    ['#/send', 'Send a request'],
    ['#/changes', 'Changes'],
    ['#/switches', 'Switches'],
  ]
  it.each(places)(
    'has no barrier that axe-core finds at %s, and fits a phone',
    async (place, ready) => {
      const mock = createMock({ fixtures: createFixtures(), use: [delay(0), faults(), sessions()] })
      mock.db.posts.update(1, { title: 'Changed' })
      await mock.fetch(new Request('http://localhost/posts'))
      const { page } = await open(mock, { place })
      const heading = page.getByRole('heading', { name: ready, exact: true })
      await heading.waitFor()
      expect(await findBarriers(page)).toEqual([])
      await page.setViewportSize({ width: 360, height: 700 })
      await heading.waitFor()
      expect(await findBarriers(page)).toEqual([])
      await page.emulateMedia({ colorScheme: 'dark' })
      expect(await findBarriers(page)).toEqual([])
      expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    },
  )

  it('fits many resources, and names and values of any length', async () => {
    const long = 'long'.repeat(60)
    const fixtures = Object.fromEntries(
      Array.from({ length: 300 }, (_, at) => [`posts${at}`, [{ id: 1, [long]: long }]]),
    )
    const { page } = await open(createMock({ fixtures }), { place: '#/data/posts299' })
    await page.getByRole('heading', { name: '/posts299' }).waitFor()
    await page.getByRole('searchbox', { name: 'Search resources' }).fill('150')
    await page.getByRole('link', { name: 'posts150' }).click()
    await page.getByRole('heading', { name: '/posts150' }).waitFor()
    for (const width of [360, 1280]) {
      await page.setViewportSize({ width, height: 700 })
      const size = await page.evaluate(() => {
        const { scrollWidth, scrollHeight } = document.documentElement
        return [scrollWidth, scrollHeight]
      })
      expect(size).toEqual([width, 700])
    }
  })

  it('fits URLs of any length', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    await mock.fetch(new Request(`http://localhost/posts?title=${'long'.repeat(300)}`))
    const { page } = await open(mock, { place: '#/requests' })
    await page.getByRole('link', { name: '/posts?title=' }).click()
    const panel = page.getByRole('complementary', { name: 'Request and response' })
    await panel.getByRole('button', { name: 'Copy as test' }).waitFor()
    const shifted = await page.evaluate(() =>
      Array.from(document.querySelectorAll('.record, .scroll, .requests td'))
        .filter(({ scrollLeft, scrollWidth, clientWidth, className }) =>
          className === 'record' ? scrollWidth > clientWidth : scrollLeft > 0,
        )
        .map(({ className }) => className),
    )
    expect(shifted).toEqual([])
    const heading = await panel.getByRole('heading', { level: 2 }).boundingBox()
    expect(heading?.height).toBeLessThan(100)
  })

  it('uses the token in its URL, and says so where the token is missing', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const token = 'a+b&c'
    const { page, origin } = await open(mock, {
      serve: { host: '0.0.0.0', token },
      place: `?token=${encodeURIComponent(token)}#/data`,
    })
    await page.getByRole('gridcell', { name: 'Post 1', exact: true }).waitFor()
    await page.request.post(`${origin}/posts`, { data: { title: 'Yours' } })
    await page.getByRole('link', { name: 'posts 61' }).waitFor()
    await page.getByRole('link', { name: 'Requests' }).click()
    for (const name of ['HAR', 'curl']) {
      const downloading = page.waitForEvent('download')
      await page.getByRole('button', { name, exact: true }).click()
      expect(await text(await (await downloading).createReadStream())).toContain('/posts')
    }
    await page.goto(`${origin}/`)
    await page.getByText('the token is missing or wrong').waitFor()
  })

  it('says that it is refused after a restart of the server, until it is not', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const first = await serve(mock, { port: 0 })
    const { page } = await open(createMock({ fixtures: {} }))
    await page.goto(`http://localhost:${first.port}/#/data`)
    await page.getByRole('gridcell', { name: 'Post 1', exact: true }).waitFor()
    await first.close()
    const second = await serve(mock, { port: first.port, host: '0.0.0.0', token: 'secret' })
    await page.getByText('the token is missing or wrong').waitFor()
    await page.getByRole('gridcell', { name: 'Post 1', exact: true }).waitFor()
    await second.close()
    mock.db.posts.update(1, { title: 'Afterwards' })
    const third = await serve(mock, { port: first.port })
    onTestFinished(() => third.close())
    await page.getByRole('gridcell', { name: 'Afterwards' }).waitFor()
    expect(await page.getByText('the token is missing or wrong').count()).toBe(0)
  })

  it('links to the responses of each resource', async () => {
    const mock = createMock({ base: '/api', fixtures: createFixtures() })
    const { page, origin } = await open(mock, { place: '' })
    const start = page.getByRole('link', { name: 'GET /api/posts?_limit=5' })
    const urls = [await start.getAttribute('href')]
    await page
      .getByRole('link', { name: /^posts/ })
      .first()
      .click()
    urls.push(
      await page.getByRole('link', { name: '/api/posts', exact: true }).getAttribute('href'),
    )
    const counts = urls.map(async (url) => {
      const response = await page.request.get(`${origin}${url ?? ''}`)
      return ((await response.json()) as unknown[]).length
    })
    expect(await Promise.all(counts)).toEqual([5, 20])
  })

  it('says once that the mock does not respond, in place of an empty grid', async () => {
    const first = await serve(createMock({ fixtures: createFixtures() }), { port: 0 })
    const { page } = await open(createMock({ fixtures: {} }))
    await page.getByText('No fixtures yet.').waitFor()
    await page.goto(`http://localhost:${first.port}/#/data/posts`)
    await page.getByRole('gridcell', { name: 'Post 1', exact: true }).waitFor()
    await first.close()
    await page.getByText('The mock does not respond.').waitFor()
    await page.getByRole('link', { name: /^users/ }).click()
    await page.getByText('The records appear here as soon as the mock responds.').waitFor()
    expect(await page.getByText('The mock does not respond.').count()).toBe(1)
    expect(await page.getByRole('grid').count()).toBe(0)
    const fixtures = { ...createFixtures(), users: [{ id: 1, name: 'Dora' }] }
    const next = await serve(createMock({ fixtures }), { port: first.port })
    onTestFinished(() => next.close())
    await page.getByRole('gridcell', { name: 'Dora' }).waitFor()
  })

  it('says that the connection is lost, keeps what is typed, and shows the new data afterwards', async () => {
    const mock = createMock({ fixtures: createFixtures() })
    const first = await serve(mock, { port: 0 })
    const { page } = await open(createMock({ fixtures: {} }))
    await page.getByText('No fixtures yet.').waitFor()
    await page.goto(`http://localhost:${first.port}/#/data/posts?record=1`)
    const record = page.getByRole('complementary', { name: 'posts 1' })
    await record.getByLabel('title').fill('Typed offline')
    await first.close()
    await page.getByText('The connection to the mock is lost.').waitFor()
    await record.getByRole('button', { name: 'Save' }).click()
    await record.getByText('The mock does not respond.').waitFor()
    mock.db.posts.update(2, { title: 'New meanwhile' })
    const next = await serve(mock, { port: first.port })
    onTestFinished(() => next.close())
    await page.getByRole('gridcell', { name: 'New meanwhile' }).waitFor()
    await expect.poll(() => page.getByText('The connection to the mock is lost.').count()).toBe(0)
    await record.getByRole('button', { name: 'Save' }).click()
    await page.getByText('Saved title.').waitFor()
    await expect.poll(() => mock.db.posts.get(1)).toMatchObject({ title: 'Typed offline' })
  })
})
