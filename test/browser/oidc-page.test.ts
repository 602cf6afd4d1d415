import type { BrowserContext, Page } from 'playwright-core'
import { describe, expect, it, onTestFinished } from 'vitest'

import { auth, oidc } from '../../dist/behaviours.js'
import { createMock } from '../../dist/index.js'
import { serve } from '../../dist/node.js'
import { connect } from '../../dist/remote.js'
import { listen } from '../peers/harness/server.ts'
import { findBarriers, openContext } from './page.ts'

async function start(count = 2) {
  const users = Array.from({ length: count }, (_, at) => ({
    id: at + 1,
    name: `User ${at + 1} of the Shop`,
    email: `user${at + 1}@x.org`,
  }))
  const mock = createMock({ fixtures: { users, orders: [{ id: 1 }] }, use: [oidc(), auth()] })
  const { url, close } = await serve(mock, { port: 0 })
  onTestFinished(close)
  const app = await listen((_, response) => response.end('<title>Application</title>'))
  onTestFinished(app.close)
  const origin = app.url.replace('127.0.0.1', 'localhost')
  const request = { client_id: 'shop', redirect_uri: `${origin}/`, response_type: 'code' }
  const authorize = (values: Record<string, string> = {}): string =>
    `${url}/oidc/authorize?${new URLSearchParams({ ...request, scope: 'openid', ...values })}`
  return { mock, url, origin, authorize }
}

/** Waits until the browser is back in the application, and returns the parameters of the response. */
async function returned(page: Page, origin: string): Promise<Record<string, string>> {
  await page.waitForURL((url) => url.origin === origin)
  return Object.fromEntries(new URL(page.url()).searchParams)
}

const desktop = { width: 1280, height: 800 }
const phone = { width: 360, height: 700 }

describe('the login page', () => {
  it.each([
    ['two users on a desktop', 2, desktop, 'light'],
    ['two users on a phone in the dark', 2, phone, 'dark'],
    ['500 users on a desktop in the dark', 500, desktop, 'dark'],
    ['500 users on a phone', 500, phone, 'light'],
  ] as const)('has no barrier that axe-core finds: %s', async (_, count, viewport, colorScheme) => {
    const { url, authorize } = await start(count)
    const page = await (await openContext({ viewport, colorScheme })).newPage()
    const lines: string[] = []
    page.on('console', (message) => lines.push(message.text()))
    for (const [address, heading] of [
      [authorize(), 'Log in'],
      [`${authorize()}&user_search=nobody`, 'Log in'],
      [`${url}/oidc/verify`, 'Connect a device'],
      [`${url}/oidc/logout`, 'Logged out'],
    ] as const) {
      await page.goto(address)
      await page.getByRole('heading', { name: heading }).waitFor()
      expect(await findBarriers(page)).toEqual([])
      const width = await page.evaluate(() => document.documentElement.scrollWidth)
      expect(width).toBe(viewport.width)
    }
    const colour = await page.evaluate(() => getComputedStyle(document.body).backgroundColor)
    expect(colour).toBe(colorScheme === 'dark' ? 'rgb(18, 21, 26)' : 'rgb(233, 235, 239)')
    expect(lines).toEqual([])
  })

  it('finds a user among 500 and logs in without JavaScript, on a phone', async () => {
    const { origin, authorize } = await start(500)
    const context = await openContext({ javaScriptEnabled: false, viewport: phone })
    const page = await context.newPage()
    await page.goto(authorize({ state: 'a state' }))
    await page.getByText('20 of 500 users').waitFor()
    await page.getByLabel('Search users').fill('user417@')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'User 417 of the Shop' }).click()
    expect(await returned(page, origin)).toMatchObject({
      state: 'a state',
      code: expect.any(String),
    })
  })

  it('is used by keys alone', async () => {
    const { origin, authorize } = await start()
    const page = await (await openContext()).newPage()
    await page.goto(authorize())
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    const focused = page.locator(':focus')
    expect(await focused.textContent()).toContain('User 2 of the Shop')
    await page.keyboard.press('Enter')
    expect(await returned(page, origin)).toHaveProperty('code')
  })

  it('opens from the studio, without an application', async () => {
    const { url, origin, authorize } = await start(30)
    const context = await openContext()
    const studio = await context.newPage()
    await studio.goto(url)
    const opened = context.waitForEvent('page')
    await studio.getByRole('link', { name: 'Login page' }).click()
    const page = await opened
    await page.getByLabel('Search users').fill('user30@')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'User 30 of the Shop' }).click()
    await page.getByRole('heading', { name: 'Logged in' }).waitFor()
    await page.goto(authorize())
    expect(await returned(page, origin)).toHaveProperty('code')
  })

  it('is skipped with the cookie of mock.login', async () => {
    const { url, origin, authorize } = await start()
    const { cookie } = await connect(url).login('user2@x.org')
    const context = await openContext()
    await context.addCookies([{ ...cookie, url }])
    const page = await context.newPage()
    await page.goto(authorize())
    expect(await returned(page, origin)).toHaveProperty('code')
  })
})

describe('a page of another site', () => {
  /** Opens a page of another site in a browser that is logged in at the mock. */
  async function open() {
    const started = await start()
    const { cookie } = await connect(started.url).login(1)
    const context: BrowserContext = await openContext()
    await context.addCookies([{ ...cookie, url: started.url, sameSite: 'Lax' }])
    const evil = await listen((_, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end('<title>Another site</title>')
    })
    onTestFinished(evil.close)
    const page = await context.newPage()
    const foreign = evil.url.replace('127.0.0.1', 'evil.example')
    await page.goto(foreign)
    return { ...started, page, foreign }
  }

  it('gets no redirect to itself', async () => {
    const { page, authorize, foreign } = await open()
    await page.goto(authorize({ redirect_uri: `${foreign}/` }))
    await page.getByRole('heading', { name: 'This login cannot go on' }).waitFor()
  })

  it.each([{ login_hint: 'user2@x.org' }, { login_hint: 'user2@x.org', prompt: 'login' }])(
    'cannot log another user in: %j',
    async (values) => {
      const { page, authorize } = await open()
      await page.evaluate((url) => location.assign(url), authorize(values))
      await page.getByRole('heading', { name: 'Log in' }).waitFor()
    },
  )

  it('cannot send the form of the login page', async () => {
    const { page, url } = await open()
    await page.evaluate((action) => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action })
      form.innerHTML = '<input name="user" value="2"><input name="login_token" value="x">'
      document.body.append(form)
      form.submit()
    }, `${url}/oidc/authorize/login`)
    await page.getByText('"Failed to accept the request').first().waitFor()
  })

  it('reads no token, neither by requests nor from a frame', async () => {
    const { mock, page, url, authorize } = await open()
    const frames = ['web_message', 'query'].map((response_mode) =>
      authorize({ prompt: 'none', response_mode }),
    )
    const read = await page.evaluate(
      async ([url, frames]) => {
        const texts: string[] = []
        addEventListener('message', ({ data }) => texts.push(JSON.stringify(data)))
        for (const src of frames) {
          const frame = Object.assign(document.createElement('iframe'), { src })
          document.body.append(frame)
          await new Promise((resolve) => frame.addEventListener('load', resolve))
          try {
            texts.push(frame.contentDocument?.documentElement.outerHTML ?? '')
          } catch {}
        }
        for (const [path, init] of [
          ['/__mock/login', { method: 'POST', body: '1' }],
          ['/oidc/userinfo', { credentials: 'include' }],
          ['/oidc/authorize?prompt=none', { credentials: 'include' }],
          ['/oidc/token', { method: 'POST', body: new URLSearchParams('client_id=shop') }],
        ] as [string, RequestInit][]) {
          const text = await fetch(url + path, init)
            .then((response) => response.text())
            .catch(() => '')
          texts.push(text)
        }
        return texts.join('\n')
      },
      [url, frames] as const,
    )
    expect(read).not.toMatch(/eyJ|code=|"code"/)
    expect(mock.log.map(({ method, status }) => `${method} ${status}`)).not.toContain('POST 200')
  })
})
