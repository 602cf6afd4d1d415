import { type Browser, chromium, type Dialog, type Page } from 'playwright-core'
import {
  afterAll,
  beforeAll,
  beforeEach,
  describe,
  expect,
  inject,
  it,
  onTestFinished,
} from 'vitest'

import { auth, delay, faults, scenarios, sessions } from '../../dist/behaviours.js'
import { jsonServer0, jsonServer1, simpleRest } from '../../dist/dialects.js'
import { createMock } from '../../dist/index.js'
import { serve, type ServeOptions } from '../../dist/node.js'

const mock = createMock({
  fixtures: {
    posts: Array.from({ length: 45 }, (_, at) => ({
      id: at + 1,
      title: `Post ${at + 1}`,
      userId: 7,
    })),
    users: [{ id: 7, name: 'Ada' }],
    profile: { theme: 'dark' },
    'a?b #1 100% <b>ключ</b>': [{ id: 'x/y', name: '<img src=x onerror=alert(1)>' }],
    none: [],
  },
  use: [delay(0), faults(), scenarios({ sets: { empty: { fixtures: { posts: [] } } } })],
})

let browser: Browser
let page: Page
let address = ''
let close = async (): Promise<void> => {}
const asked: string[] = []
const failures: string[] = []

beforeAll(async () => {
  const serving = await serve(mock, { port: 0 })
  address = `http://localhost:${serving.port}/`
  close = () => serving.close()
  browser = await chromium.connect(inject('browser'))
  page = await browser.newPage({ viewport: { width: 360, height: 740 } })
  page.on('request', (request) => asked.push(new URL(request.url()).origin))
  page.on('pageerror', (error) => failures.push(error.message))
  page.on('console', (message) => message.type() === 'error' && failures.push(message.text()))
})

afterAll(async () => {
  await browser.close()
  await close()
})

// The page has no state but its URL, so loading it starts afresh.
beforeEach(async () => {
  await page.goto('about:blank')
  mock.reset()
  asked.length = 0
  failures.length = 0
  await page.goto(address)
  await page.getByRole('cell', { name: 'Post 1', exact: true }).waitFor()
})

const rows = () => page.locator('#data tbody tr')

describe('the home page', () => {
  it('sends requests to its own server only, follows its content security policy and fits a small screen', async () => {
    expect(new Set(asked.filter((origin) => origin !== 'null'))).toEqual(
      new Set([address.slice(0, -1)]),
    )
    expect(failures).toEqual([])
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
  })

  it('shows every resource with its count', async () => {
    expect(await page.locator('nav a').allInnerTexts()).toEqual([
      expect.stringMatching(/posts\s*45/),
      expect.stringMatching(/users\s*1/),
      expect.stringMatching(/profile\s*singleton/),
      expect.stringMatching(/<b>ключ<\/b>\s*1/),
      expect.stringMatching(/none\s*0/),
    ])
  })

  it('pages, sorts and searches', async () => {
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('cell', { name: 'Post 21', exact: true }).waitFor()
    await page.locator('#data th button').first().click()
    await page.locator('#data th button').first().click()
    await page.getByRole('searchbox').fill('Post 4')
    await expect.poll(() => rows().count()).toBe(7)
    expect(await rows().first().innerText()).toContain('Post 45')
  })

  it('searches one field', async () => {
    await page.getByLabel('Field').selectOption('title')
    await page.getByRole('searchbox').fill('post 4')
    await expect.poll(() => rows().count()).toBe(7)
    await page.getByLabel('Field').selectOption('userId')
    await page.getByText('No records').waitFor()
    await page.getByRole('searchbox').fill('7')
    await expect.poll(() => rows().count()).toBe(20)
    expect(await page.getByLabel('Field').locator('option').allInnerTexts()).toEqual([
      'in any field',
      'in id',
      'in title',
      'in userId',
    ])
  })

  it('shows the response to the last search, whichever response arrives last', async () => {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/__mock/read?*q%3DPost%2B1*', async (route) => {
      await released
      await route.continue()
    })
    onTestFinished(() => page.unroute('**/__mock/read?*q%3DPost%2B1*'))
    const late = page.waitForResponse('**/__mock/read?*q%3DPost%2B1*')
    await page.getByRole('searchbox').fill('Post 1')
    await page.getByRole('searchbox').fill('Post 45')
    await expect.poll(() => rows().count()).toBe(1)
    release()
    await (await late).finished()
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    expect(await rows().allInnerTexts()).toEqual([expect.stringContaining('Post 45')])
  })

  it('shows names and values with any characters', async () => {
    const dialogs: string[] = []
    const note = (dialog: Dialog): void => {
      dialogs.push(dialog.message())
      void dialog.dismiss()
    }
    page.on('dialog', note)
    onTestFinished(() => void page.off('dialog', note))
    await page.locator('nav a', { hasText: 'ключ' }).click()
    await page.getByRole('cell', { name: '<img src=x onerror=alert(1)>' }).waitFor()
    await page.getByRole('button', { name: 'Get one' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200 OK').waitFor()
    expect(await page.locator('#request pre').first().innerText()).toContain('"id": "x/y"')
    expect(await page.locator('img').count()).toBe(0)
    expect(dialogs).toEqual([])
    expect(failures).toEqual([])
  })

  it('does not turn text into markup', async () => {
    const write = () => page.evaluate(() => (document.body.innerHTML = '<b>x</b>'))
    await expect(write()).rejects.toThrow('TrustedHTML')
    expect(await page.locator('b').count()).toBe(0)
  })

  it('says that there are no records', async () => {
    await page.locator('nav a', { hasText: 'none' }).click()
    await page.getByText('No records').waitFor()
    await page.getByText('Page 1 of 1, 0 records').waitFor()
  })

  it('offers requests that fit the records', async () => {
    expect(await page.getByLabel('Path').inputValue()).toBe('/posts')
    await page.locator('nav a', { hasText: 'users' }).click()
    await page.getByRole('cell', { name: 'Ada' }).waitFor()
    await page.getByRole('button', { name: 'Change' }).click()
    await expect.poll(() => page.getByLabel('Path').inputValue()).toBe('/users/7')
    expect(JSON.parse(await page.getByLabel('Body').inputValue())).toEqual({ name: 'Ada' })
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200 OK').waitFor()
  })

  it('says that there is no response', async () => {
    let held: (() => void) | undefined
    await page.route('**/__mock/scenarios', async (route) => {
      await new Promise<void>((resolve) => (held = resolve))
      await route.continue()
    })
    await page.route('**/__mock/read?*', (route) => route.abort())
    await page.getByLabel('Faults', { exact: true }).selectOption('offline')
    await page.getByText('GET /posts: no response').waitFor()
    const late = page.waitForResponse('**/__mock/scenarios')
    await expect.poll(() => held).toBeTypeOf('function')
    held?.()
    await (await late).finished()
    await page.unroute('**/__mock/scenarios')
    await page.unroute('**/__mock/read?*')
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    expect(await page.getByRole('status').innerText()).toContain('GET /posts: no response')
    await page.getByRole('button', { name: 'No faults' }).click()
    await page.getByRole('cell', { name: 'Post 1', exact: true }).waitFor()
    await expect.poll(() => page.getByRole('status').innerText()).toBe('')
  })

  it('shows the records without the rules, delays, faults and log of the application', async () => {
    mock.on('GET', '/posts').fail(418, { times: 1 })
    mock.on('*', '*').delay('1h')
    mock.db.posts.update(1, { title: 'Another' })
    await page.getByRole('cell', { name: 'Another', exact: true }).waitFor()
    await page.getByLabel('Faults', { exact: true }).selectOption('down')
    mock.db.posts.update(1, { title: 'A third' })
    await page.getByRole('cell', { name: 'A third', exact: true }).waitFor()
    expect(mock.rules.list().map(({ left }) => left)).toEqual([undefined, 1])
    expect(mock.log).toEqual([])
    expect(await page.locator('#log tbody tr').count()).toBe(0)
  })

  it('follows a relation', async () => {
    await page.getByRole('link', { name: '7', exact: true }).first().click()
    await page.getByRole('cell', { name: 'Ada' }).waitFor()
  })

  it('sends a request and shows the response, the new count and the log entry', async () => {
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('201 Created').waitFor()
    await page.locator('nav a', { hasText: /posts\s*46/ }).waitFor()
    await page.locator('#log td', { hasText: /^POST$/ }).waitFor()
  })

  it('keeps the focus', async () => {
    const focused = () => page.evaluate(() => document.activeElement?.textContent)
    const press = async (name: string, role: 'button' | 'link') => {
      await page.getByRole(role, { name }).first().focus()
      const done = page.waitForResponse((response) => response.url().includes('/__mock/read?'))
      await page.keyboard.press('Enter')
      await done
      await page.waitForFunction(() => document.activeElement !== document.body)
      return focused()
    }
    expect(await press('title', 'button')).toBe('title ▲')
    expect(await press('Next', 'button')).toBe('Next')
    expect(await press('Next', 'button')).toBe('Next')
    await page.getByText('Page 3 of 3').waitFor()
    expect(await press('Reset', 'button')).toBe('Reset')
    expect(await press('users', 'link')).toMatch(/^users/)
    await page.getByLabel('Scenario').focus()
    const done = page.waitForResponse((response) => response.url().includes('/__mock/read?'))
    await page.getByLabel('Scenario').selectOption('empty')
    await done
    await expect.poll(() => page.evaluate(() => document.activeElement?.tagName)).toBe('SELECT')
  })

  it('supports the history of the browser, also after a reload', async () => {
    await page.getByRole('link', { name: '7', exact: true }).first().click()
    await page.getByText('id = 7').waitFor()
    await page.locator('nav a', { hasText: 'none' }).click()
    await page.getByText('No records').waitFor()
    await page.goBack()
    await page.getByText('id = 7').waitFor()
    await page.reload()
    await page.getByText('id = 7').waitFor()
    await page.getByRole('cell', { name: 'Ada' }).waitFor()
    expect(await page.title()).toBe('/users – Fixtura')
    await page.goBack()
    await page.getByRole('cell', { name: 'Post 1', exact: true }).waitFor()
    await page.goForward()
    await page.getByRole('cell', { name: 'Ada' }).waitFor()
    await page.evaluate(() => history.replaceState({ name: 'gone', filter: ['id', '7'] }, ''))
    await page.reload()
    await page.getByRole('cell', { name: 'Post 1', exact: true }).waitFor()
  })

  it('shows a selected record, and prepares requests for it whatever else changes', async () => {
    await page.getByRole('button', { name: '3', exact: true }).click()
    await page.locator('#request pre', { hasText: '"title": "Post 3"' }).waitFor()
    mock.db.posts.update(3, { title: 'Another' })
    await page.getByRole('cell', { name: 'Another' }).waitFor()
    await page.getByRole('button', { name: 'Next' }).click()
    await page.getByRole('cell', { name: 'Post 21', exact: true }).waitFor()
    await page.getByRole('button', { name: 'Change' }).click()
    expect(await page.getByLabel('Path').inputValue()).toBe('/posts/3')
    expect(await page.getByLabel('Body').inputValue()).toContain('"title": "Another"')
  })

  it('shows changes made without a request, and leaves unchanged elements in the document', async () => {
    const places = ['nav a:has-text("users")', '#data th button', '#switches button', '#data tr']
    const before = await Promise.all(
      places.map((place) => page.locator(place).last().elementHandle()),
    )
    mock.db.posts.remove(1)
    await page.locator('nav a', { hasText: /posts\s*44/ }).waitFor()
    await page.getByRole('cell', { name: 'Post 21', exact: true }).waitFor()
    const isThere = before.map((one) => one?.evaluate((node) => node.isConnected))
    expect(await Promise.all(isThere)).toEqual([true, true, true, false])
    mock.reset()
    await page.locator('nav a', { hasText: /posts\s*45/ }).waitFor()
    await page.getByRole('cell', { name: 'Post 1', exact: true }).waitFor()
  })

  it('goes to the last page where the current page no longer exists', async () => {
    for (const number of [2, 3]) {
      await page.getByRole('button', { name: 'Next' }).click()
      await page.getByText(`Page ${number} of 3`).waitFor()
    }
    for (let id = 1; id <= 5; id++) mock.db.posts.remove(id)
    await page.getByText('Page 2 of 2, 40 records').waitFor()
    await page.getByRole('cell', { name: 'Post 45', exact: true }).waitFor()
  })

  it('shows the response to the last request, whichever response arrives last', async () => {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/users', async (route) => {
      await released
      await route.continue()
    })
    onTestFinished(() => page.unroute('**/users'))
    const send = async (path: string): Promise<void> => {
      await page.getByLabel('Path').fill(path)
      await page.getByRole('button', { name: 'Send' }).click()
    }
    await send('/none')
    await page.getByText('200 OK').waitFor()
    const late = page.waitForResponse('**/users')
    await send('/users')
    await page.getByText('Waiting…').waitFor()
    expect(await page.locator('#request pre').count()).toBe(0)
    await send('/profile')
    await page.getByText('200 OK').waitFor()
    release()
    await (await late).finished()
    await page.evaluate(() => new Promise((resolve) => setTimeout(resolve)))
    expect(await page.locator('#request pre').first().innerText()).toContain('dark')
  })

  it('says that it is loading', async () => {
    let release = (): void => {}
    const released = new Promise<void>((resolve) => (release = resolve))
    await page.route('**/__mock/read?*users*', async (route) => {
      await released
      await route.continue()
    })
    onTestFinished(() => page.unroute('**/__mock/read?*users*'))
    await page.locator('nav a', { hasText: 'users' }).click()
    const results = page.locator('#data > [aria-busy]')
    const text = () => results.evaluate((node) => getComputedStyle(node, '::before').content)
    expect(await text()).toBe('"Loading…"')
    release()
    await page.getByRole('cell', { name: 'Ada' }).waitFor()
    expect(await results.getAttribute('aria-busy')).toBe('false')
  })

  it('switches scenarios, faults and snapshots by keyboard', async () => {
    await page.getByLabel('Scenario').selectOption('empty')
    await page.locator('nav a', { hasText: /posts\s*0/ }).waitFor()
    await expect.poll(() => page.getByLabel('Scenario').inputValue()).toBe('empty')
    await page.getByLabel('Scenario').selectOption('none')
    await page.locator('nav a', { hasText: /posts\s*45/ }).waitFor()
    await page.getByRole('button', { name: 'Snapshot' }).focus()
    await page.keyboard.press('Enter')
    await page.getByLabel('Restore').waitFor()
    expect(mock.snapshots()).toEqual(['snapshot-1'])
    await page.getByLabel('Faults', { exact: true }).selectOption('down')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('503 Service Unavailable').waitFor()
    // The select element is reset, so that the profile can be selected again.
    expect(await page.getByLabel('Faults', { exact: true }).inputValue()).toBe('')
    await page.getByRole('button', { name: 'No faults' }).click()
    await page.getByRole('cell', { name: 'Post 1', exact: true }).waitFor()
  })
})

describe('the home page', () => {
  const notice = () => page.getByRole('status').innerText()
  const path = () => page.getByLabel('Path').inputValue()
  const titles = () => page.locator('#request form .bar').first().locator('button').allInnerTexts()

  /** Opens the page of another mock. */
  async function visit(other: ReturnType<typeof createMock>, options: ServeOptions = {}) {
    const serving = await serve(other, { port: 0, ...options })
    onTestFinished(() => serving.close())
    return { origin: `http://127.0.0.1:${serving.port}` }
  }

  it('uses the token in its URL, and says so where the token is missing', async () => {
    const other = createMock({ fixtures: { posts: [{ id: 1, title: 'Mine' }] } })
    const token = 'a+b&c'
    const { origin } = await visit(other, { host: '0.0.0.0', token })
    await page.goto(`${origin}/?token=${encodeURIComponent(token)}`)
    await page.getByRole('cell', { name: 'Mine' }).waitFor()
    await page.request.post(`${origin}/posts`, { data: { title: 'Yours' } })
    await page.locator('nav a', { hasText: /posts\s*2/ }).waitFor()
    await page.getByRole('cell', { name: 'Yours' }).waitFor()
    for (const name of ['HAR', 'curl']) {
      const href = await page.getByRole('link', { name }).getAttribute('href')
      expect(await (await page.request.get(origin + href)).text()).toContain('/posts')
    }
    await page.goto(`${origin}/`)
    await expect.poll(notice).toMatch(/^Failed to control the mock: the token .* in the URL\.$/)
  })

  it('shows and changes singletons and documents', async () => {
    const fixtures = { profile: { theme: 'dark' }, tags: ['a', 'b'], nothing: null }
    const other = createMock({ fixtures })
    const { origin } = await visit(other)
    await page.goto(`${origin}/`)
    await page.locator('#data pre', { hasText: '"theme": "dark"' }).waitFor()
    expect(await titles()).toEqual(['Read', 'Change', 'Replace'])
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Body').fill('{"theme":"light"}')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200 OK').waitFor()
    await page.locator('#data pre', { hasText: '"theme": "light"' }).waitFor()
    const headers = page.getByLabel('Headers of every request')
    await headers.fill('Content-Type: application/json-patch+json')
    await page.getByLabel('Body').fill('[{"op":"replace","path":"/theme","value":"blue"}]')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#data pre', { hasText: '"theme": "blue"' }).waitFor()
    await headers.fill('')
    await page.locator('nav a', { hasText: 'tags' }).click()
    await page.locator('#data pre', { hasText: '"b"' }).waitFor()
    expect(await titles()).toEqual(['Read'])
    expect(await page.locator('nav a[aria-current=page]').innerText()).toMatch(/^tags/)
    await page.locator('nav a', { hasText: 'nothing' }).click()
    await page.locator('#data pre', { hasText: /^null$/ }).waitFor()
  })

  it('says that there are no fixtures', async () => {
    const { origin } = await visit(createMock({ fixtures: {} }))
    await page.goto(`${origin}/`)
    await page.getByText('No fixtures yet.').waitFor()
  })

  it('says why a request is refused, and sends the given headers', async () => {
    const fixtures = { users: [{ id: 1, email: 'ada' }] }
    const use = [auth({ scheme: 'bearer', users: 'users', protect: ['*'] })]
    const { origin } = await visit(createMock({ fixtures, use }))
    await page.goto(`${origin}/`)
    await expect
      .poll(notice)
      .toBe(
        'GET /users: 401 Unauthorized. Failed to authenticate: the request has no credentials. Please log in.',
      )
    await page.getByLabel('Method').selectOption('POST')
    await page.getByLabel('Path').fill('/login')
    await page.getByLabel('Body').fill('{"email":"ada"}')
    const refreshed = page.waitForResponse('**/__mock/read?*')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200 OK').waitFor()
    const answered = await page.locator('#request pre').first().innerText()
    const { access_token: token } = JSON.parse(answered) as { access_token: string }
    // Waits for the refresh that the login has caused.
    expect((await refreshed).status()).toBe(401)
    const headers = page.getByLabel('Headers of every request')
    await headers.fill(`no header\nX-A: 1\nAuthorization: Bearer ${token}`)
    await headers.blur()
    await page.getByRole('cell', { name: 'ada' }).waitFor()
    expect(await notice()).toBe('')
    await page.getByRole('button', { name: '1', exact: true }).click()
    await page.locator('#request pre', { hasText: '"email": "ada"' }).waitFor()
  })

  it('uses the given session, and switches scenarios of any name', async () => {
    const fixtures = { posts: [{ id: 'a' }] }
    const sets = { none: { fixtures: { posts: [{ id: 'b' }] } } }
    const { origin } = await visit(createMock({ fixtures, use: [scenarios({ sets }), sessions()] }))
    await page.goto(`${origin}/`)
    await page.getByLabel('Headers of every request').fill('X-Mock-Session: mine')
    await page.getByRole('button', { name: 'Add' }).click()
    await page.getByLabel('Body').fill('{"id":"c"}')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByRole('cell', { name: 'c', exact: true }).waitFor()
    await page.reload()
    await page.getByRole('cell', { name: 'a', exact: true }).waitFor()
    expect(await page.getByRole('cell', { name: 'c', exact: true }).count()).toBe(0)
    await page.getByLabel('Scenario').selectOption({ index: 1 })
    await page.getByRole('cell', { name: 'b', exact: true }).waitFor()
    await expect.poll(() => page.getByLabel('Scenario').inputValue()).toBe('none')
    await page.getByLabel('Scenario').selectOption({ index: 0 })
    await page.getByRole('cell', { name: 'a', exact: true }).waitFor()
  })

  it('refreshes once for a burst of changes', async () => {
    const { origin } = await visit(createMock({ fixtures: { posts: [{ id: 'a' }] } }))
    const other = await browser.newPage()
    onTestFinished(() => other.close())
    await other.clock.install()
    await other.goto(`${origin}/`)
    await other.getByRole('cell', { name: 'a', exact: true }).waitFor()
    const states: string[] = []
    other.on('request', (request) => request.url().endsWith('/state') && states.push(request.url()))
    await other.clock.pauseAt(Date.now() + 60_000)
    for (let at = 1; at <= 3; at++) {
      await other.request.post(`${origin}/posts`, { data: { title: 'x' } })
      const posted = other.locator('#log td', { hasText: /^POST$/ })
      await expect.poll(() => posted.count()).toBe(at)
    }
    expect(states).toEqual([])
    await other.clock.runFor(200)
    await other.locator('nav a', { hasText: /posts\s*4/ }).waitFor()
    expect(states.length).toBe(1)
  })

  it('says why the log is refused after a reconnect', async () => {
    const other = createMock({ fixtures: { posts: [{ id: 'a' }] } })
    const options = { host: '0.0.0.0', token: 'first' }
    const first = await serve(other, { port: 0, ...options })
    await page.goto(`http://127.0.0.1:${first.port}/?token=first`)
    await page.getByRole('cell', { name: 'a', exact: true }).waitFor()
    await first.close()
    const next = await serve(other, { ...options, port: first.port, token: 'next' })
    onTestFinished(() => next.close())
    await page.getByText('the token is missing or wrong').waitFor()
    expect(await notice()).toMatch(/^Failed to control the mock: .* in the URL\.$/)
  })

  it('shows the last 200 entries of the log', async () => {
    const other = createMock({ fixtures: { posts: [{ id: 'a' }] } })
    const { origin } = await visit(other)
    for (let at = 0; at < 201; at++)
      await other.fetch(new Request(`${origin}/posts?_page=${at + 1}`))
    await page.goto(`${origin}/`)
    const logged = page.locator('#log tbody tr')
    await expect.poll(() => logged.count()).toBe(200)
    await other.fetch(new Request(`${origin}/posts/last`))
    await page.locator('#log td', { hasText: '/posts/last' }).first().waitFor()
    expect(await logged.count()).toBe(200)
  })

  it('says that the connection is lost, and shows the new data after a reconnect', async () => {
    const first = await serve(createMock({ fixtures: { posts: [{ id: 'old' }] } }), { port: 0 })
    await page.goto(`http://localhost:${first.port}/`)
    await page.getByRole('cell', { name: 'old' }).waitFor()
    await first.close()
    await expect.poll(notice).toBe('The connection to the server is lost.')
    await page.getByRole('button', { name: 'Reset' }).click()
    await expect.poll(notice).toMatch(/Failed to fetch/)
    const fixtures = { other: [{ id: 'new' }] }
    const next = await serve(createMock({ fixtures }), { port: first.port })
    await page.getByRole('cell', { name: 'new' }).waitFor()
    expect(await page.locator('nav a').allInnerTexts()).toEqual([expect.stringMatching(/^other/)])
    expect(await notice()).toBe('')
    await next.close()
    const last = await serve(createMock({ fixtures: {} }), { port: first.port })
    onTestFinished(() => last.close())
    await page.getByText('No fixtures yet.').waitFor()
    expect(await page.locator('nav a, #request > *').count()).toBe(0)
  })

  it('fits names and values of any length and kind', async () => {
    const long = 'long'.repeat(60)
    const record = { id: long, '': 1, [long]: long, a: null, b: 'null' }
    const { origin } = await visit(createMock({ fixtures: { [long]: [record, { id: 2 }] } }))
    await page.goto(`${origin}/`)
    await page.getByRole('button', { name: '2', exact: true }).waitFor()
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(360)
    expect(await page.locator('#data th').allInnerTexts()).toEqual(['id', '', long, 'a', 'b'])
    const options = await page.getByLabel('Field').locator('option').allInnerTexts()
    expect(options).toEqual(['in any field', 'in id', `in ${long}`, 'in a', 'in b'])
    const kinds = page.locator('#data td:nth-last-child(-n + 2)')
    expect(await kinds.evaluateAll((cells) => cells.map(({ className }) => className))).toEqual([
      'null',
      'string',
      'undefined',
      'undefined',
    ])
  })

  it.each([360, 1000])(
    'keeps many resources from pushing the rest away, %d wide',
    async (width) => {
      const names = Array.from({ length: 200 }, (_, at) => `posts${at}`)
      const { origin } = await visit(
        createMock({ fixtures: Object.fromEntries(names.map((name) => [name, [{ id: 1 }]])) }),
      )
      await page.setViewportSize({ width, height: 740 })
      onTestFinished(() => page.setViewportSize({ width: 360, height: 740 }))
      await page.goto(`${origin}/`)
      await page.locator('nav a', { hasText: 'posts150' }).click()
      await page.getByRole('heading', { name: '/posts150' }).waitFor()
      expect(await page.evaluate(() => document.documentElement.scrollHeight)).toBeLessThan(1480)
      expect(
        await page.locator('nav a', { hasText: 'posts150' }).evaluate((link) => {
          const { top, bottom } = link.getBoundingClientRect()
          const list = link.closest('ul')?.getBoundingClientRect()
          return list && top >= list.top && bottom <= list.bottom
        }),
      ).toBe(true)
    },
  )

  it('deletes a record, and sends no body with GET and HEAD', async () => {
    await page.getByRole('button', { name: 'Change' }).click()
    await page.getByLabel('Method').selectOption('GET')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200 OK').waitFor()
    await page.getByLabel('Method').selectOption('HEAD')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.getByText('200 OK, 0 characters').waitFor()
    await page.getByRole('button', { name: 'Delete' }).click()
    expect(await path()).toBe('/posts/1')
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('nav a', { hasText: /posts\s*44/ }).waitFor()
    await page.getByRole('button', { name: 'Send' }).click()
    await page.locator('#request .bad', { hasText: '404 Not Found' }).waitFor()
    await page.getByRole('button', { name: 'Reset' }).click()
    await page.locator('nav a', { hasText: /posts\s*45/ }).waitFor()
  })

  it('leads back from a filtered table, and disables the buttons at the first and last page', async () => {
    const categories = [
      { id: 1, name: 'News', more: { a: [1] } },
      { id: 2, name: 'Old' },
    ]
    const posts = [
      { id: 1, categoryId: 2, owner_id: 3 },
      // These values are not ids of records.
      ...['', { x: 1 }, [2], null].map((categoryId, at) => ({ id: at + 2, categoryId })),
    ]
    const { origin } = await visit(
      createMock({ fixtures: { posts, categories, owners: { a: 1 } } }),
    )
    await page.goto(`${origin}/`)
    await page.getByRole('cell', { name: '{"x":1}' }).waitFor()
    expect(await page.locator('#data td a').count()).toBe(1)
    await page.getByRole('link', { name: '2', exact: true }).click()
    await page.getByText('id = 2').waitFor()
    await expect.poll(() => rows().count()).toBe(1)
    await page.getByRole('button', { name: 'Show all' }).click()
    await page.getByRole('cell', { name: '{"a":[1]}' }).waitFor()
    expect(await rows().count()).toBe(2)
    await page.goto(address)
    const [previous, next] = ['Previous', 'Next'].map((name) => page.getByRole('button', { name }))
    await page.getByText('Page 1 of 3').waitFor()
    expect(await previous?.isDisabled()).toBe(true)
    await previous?.press('Enter')
    await next?.click()
    await page.getByText('Page 2 of 3').waitFor()
    await next?.click()
    await page.getByText('Page 3 of 3').waitFor()
    expect([await previous?.isDisabled(), await next?.isDisabled()]).toEqual([false, true])
    await previous?.click()
    await page.getByText('Page 2 of 3').waitFor()
  })

  it('restores a snapshot, and switches delays', async () => {
    // A snapshot of the next name exists already and must not be overwritten.
    mock.snapshot(`snapshot-${mock.snapshots().length + 2}`)
    await page.reload()
    const before = mock.snapshots()
    const name = `snapshot-${before.length + 2}`
    await page.getByRole('button', { name: 'Snapshot' }).click()
    await expect.poll(() => mock.snapshots()).toEqual([...before, name])
    await page
      .getByLabel('Restore')
      .locator('option', { hasText: name })
      .waitFor({ state: 'attached' })
    await page.getByRole('button', { name: 'Snapshot' }).click()
    await expect.poll(() => mock.snapshots().length).toBe(before.length + 2)
    mock.db.posts.remove(1)
    await page.getByLabel('Restore').selectOption(name)
    await expect.poll(() => mock.db.posts.count()).toBe(45)
    const delays = page.getByLabel('Delays')
    await expect.poll(() => delays.isChecked()).toBe(true)
    const done = page.waitForResponse('**/__mock/delay')
    await delays.uncheck()
    await done
    await page.reload()
    await delays.waitFor()
    await expect.poll(() => delays.isChecked()).toBe(false)
  })

  it('restores a snapshot of any name', async () => {
    const other = createMock({ fixtures: { posts: [{ id: 1 }] } })
    other.snapshot('a/b?c%')
    other.db.posts.clear()
    const { origin } = await visit(other)
    await page.goto(`${origin}/`)
    await page.getByLabel('Restore').selectOption('a/b?c%')
    await page.locator('nav a', { hasText: /posts\s*1/ }).waitFor()
    expect(other.db.posts.count()).toBe(1)
  })

  it('lists earlier requests, the newest first, and clears them', async () => {
    mock.on('GET', '/users').drop()
    await page.goto('about:blank')
    for (const name of ['none', 'profile', 'users']) {
      await page.request.get(`${address}${name}`).catch(() => undefined)
    }
    await page.goto(address)
    const urls = () => page.locator('#log td:nth-child(3)').allInnerTexts()
    await expect.poll(urls).toEqual(['/users', '/profile', '/none'])
    const dropped = page.locator('#log tr', { hasText: '/users' })
    expect(await dropped.locator('.bad').innerText()).toBe('dropped')
    expect(await page.locator('#log tr', { hasText: '/none' }).locator('.good').innerText()).toBe(
      '200',
    )
    await page.getByRole('button', { name: 'Clear' }).click()
    await expect.poll(urls).toEqual([])
    expect(mock.log).toEqual([])
  })

  it('lists every request once, whenever the stream of the log starts', async () => {
    let begin = (): void => {}
    const begun = new Promise<void>((resolve) => (begin = resolve))
    await page.route('**/__mock/log', async (route) => {
      if (route.request().resourceType() === 'eventsource') await begun
      await route.continue()
    })
    onTestFinished(() => page.unroute('**/__mock/log'))
    await page.goto('about:blank')
    await page.goto(address)
    await page.getByRole('cell', { name: 'Post 1', exact: true }).waitFor()
    await page.request.get(`${address}none?early`)
    begin()
    const urls = () => page.locator('#log td:nth-child(3)').allInnerTexts()
    const logged = () => mock.log.map(({ url }) => url).toReversed()
    await expect.poll(urls).toContain('/none?early')
    await page.request.get(`${address}none?late`)
    await expect.poll(urls).toContain('/none?late')
    expect(await urls()).toEqual(logged())
  })
})

describe('the home page of a mock with another id field', () => {
  it('uses that field, also below a base with special characters', async () => {
    const fixtures = {
      posts: [
        { _id: 'p1', id: 9, userId: 'u1' },
        { _id: 'p2', id: 8 },
      ],
      users: [
        { _id: 'u1', id: 8, name: 'Ada' },
        { _id: 'u2', id: 9, name: 'Grace' },
      ],
    }
    const serving = await serve(createMock({ fixtures, id: '_id', base: '/@api,v%201' }), {
      port: 0,
    })
    onTestFinished(() => serving.close())
    await page.goto(`http://localhost:${serving.port}/`)
    await page.getByRole('cell', { name: 'p1' }).waitFor()
    // A value that matches no record is not a link.
    expect(await page.locator('#data td a').count()).toBe(1)
    await page.getByRole('button', { name: 'Change' }).click()
    expect(await page.getByLabel('Path').inputValue()).toBe('/@api,v%201/posts/p1')
    expect(JSON.parse(await page.getByLabel('Body').inputValue())).toEqual({ id: 9, userId: 'u1' })
    await page.getByRole('link', { name: 'u1' }).click()
    await page.getByRole('cell', { name: 'Ada' }).waitFor()
    expect(await rows().count()).toBe(1)
  })
})

describe('the home page of a mock with the dialect', () => {
  const cell = (name: string) => page.getByRole('cell', { name, exact: true })

  it.each([jsonServer0, jsonServer1, simpleRest])(
    '$name pages, sorts, searches and follows relations',
    async (dialect) => {
      const posts = Array.from({ length: 45 }, (_, at) => ({
        id: `p${at + 1}`,
        title: `Post (${at + 1})`,
        userId: 'u7',
      }))
      const users = ['u7', 'u8'].map((id) => ({ id, name: `Ada ${id}` }))
      const serving = await serve(createMock({ fixtures: { posts, users }, dialect }), { port: 0 })
      onTestFinished(() => serving.close())
      await page.goto(`http://localhost:${serving.port}/`)
      await cell('Post (1)').waitFor()
      expect(await rows().count()).toBe(20)
      await page.getByText('Page 1 of 3, 45 records').waitFor()
      await page.getByRole('button', { name: 'Next' }).click()
      await cell('Post (21)').waitFor()
      await page.getByRole('searchbox').fill('post (4')
      await page.getByText('Page 1 of 1, 7 records').waitFor()
      await page.getByLabel('Field').selectOption('title')
      await page.getByRole('searchbox').fill('(2')
      await page.getByText('Page 1 of 1, 11 records').waitFor()
      await page.getByRole('button', { name: 'title' }).click()
      await page.getByRole('button', { name: 'title ▲' }).click()
      await page.getByRole('button', { name: 'title ▼' }).waitFor()
      await expect.poll(() => rows().first().innerText()).toContain('Post (29)')
      await page.getByRole('link', { name: 'u7', exact: true }).first().click()
      await cell('Ada u7').waitFor()
      await page.getByText('Page 1 of 1, 1 records').waitFor()
      await page.getByRole('button', { name: 'Page' }).click()
      await page.getByRole('button', { name: 'Send' }).click()
      await page.getByText('200 OK').waitFor()
      expect(failures).toEqual([])
    },
  )
})
