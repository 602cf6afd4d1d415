import { readFileSync } from 'node:fs'
import { join } from 'node:path'

import type { Page } from 'playwright-core'
import { rolldown } from 'rolldown'
import { describe, expect, it, onTestFinished } from 'vitest'

import { auth, oidc, type OidcOptions } from '../../dist/behaviours.js'
import { createMock, type Mock } from '../../dist/index.js'
import { serve } from '../../dist/node.js'
import { listen } from '../peers/harness/server.ts'
import { connect } from '../../dist/remote.js'
import { shareApp } from './app.ts'
import type { OpenClient, PageClient, PageState } from './oidc/page-client.ts'
import { openContext, openPage } from './page.ts'

declare global {
  var client: PageClient
  var state: PageState | undefined
  /** The mock of a page with MSW. */
  var world: Mock
  var importClient: () => Promise<{ open: OpenClient }>
}

type Login = Awaited<ReturnType<Mock['login']>>

const users = [
  { id: 1, name: 'Ada Lovelace', email: 'ada@x.org' },
  { id: 2, name: 'Bob', email: 'bob@x.org' },
]

/** The clients, with the options of the provider and how the client renews its token. */
const clients: [title: string, file: string, options: OidcOptions, opens?: string][] = [
  ['oidc-client-ts', 'oidc-client-ts', {}],
  ['oidc-client-ts without a refresh token', 'oidc-client-ts', {}, 'openWithFrame'],
  ['keycloak-js', 'keycloak-js', { preset: 'keycloak', tenant: 'shop' }],
  ['@azure/msal-browser', 'msal-browser', { preset: 'entra' }],
  ['@auth0/auth0-spa-js', 'auth0-spa-js', { preset: 'auth0' }],
  [
    '@auth0/auth0-spa-js without a refresh token',
    'auth0-spa-js',
    { preset: 'auth0' },
    'openWithFrame',
  ],
]

/** Puts the tokens of `mock.login` where oidc-client-ts keeps those of a login. */
function plant([authority, tokens]: readonly [string, Login]): void {
  const [, claims = ''] = (tokens.id_token ?? '').split('.')
  const profile = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as object
  const expires_at = Date.now() / 1000 + tokens.expires_in
  const user = JSON.stringify({ ...tokens, profile, expires_at })
  sessionStorage.setItem(`oidc.user:${authority}:shop`, user)
}

const bundles = new Map<string, Promise<string>>()

/** Bundles a client as an application does. */
function bundleOf(file: string): Promise<string> {
  const made = bundles.get(file) ?? bundle(file)
  bundles.set(file, made)
  return made
}

async function bundle(file: string): Promise<string> {
  const made = await rolldown({
    input: join(import.meta.dirname, `oidc/${file}.ts`),
    platform: 'browser',
  })
  const { output } = await made.generate({ codeSplitting: false })
  await made.close()
  return output[0].code
}

interface Opened {
  mock: Mock
  page: Page
  provider: string
  app: string
  /** Waits until the application has loaded, and returns its state. */
  loaded(): Promise<PageState>
  /** The status of a request of the page to the API with a token. */
  ask(token: string | undefined): Promise<number>
}

/** Opens an application with a client, of another origin than the mock. */
async function open(file: string, options: OidcOptions, opens = 'open'): Promise<Opened> {
  const use = [oidc(options), auth()]
  const mock = createMock({ fixtures: { users, orders: [{ id: 1 }] }, use })
  const server = await serve(mock, { port: 0, https: file === 'msal-browser' })
  onTestFinished(() => server.close())
  const provider = server.url
  const script = await bundleOf(file)
  const html = `<!doctype html><title>Application</title><script type="module">
import { ${opens} as open } from '/client.js'
globalThis.client = open('${provider}')
globalThis.state = await client.load()
</script>`
  const app = await listen(({ url }, response) => {
    const isScript = url === '/client.js'
    response.setHeader('Content-Type', isScript ? 'text/javascript' : 'text/html')
    response.end(isScript ? script : html)
  })
  onTestFinished(app.close)
  const origin = app.url.replace('127.0.0.1', 'localhost')
  const context = await openContext({ ignoreHTTPSErrors: true })
  const page = await context.newPage()
  await page.goto(origin)
  return {
    mock,
    page,
    provider,
    app: origin,
    async loaded() {
      await page.waitForURL((url) => url.origin === origin)
      const handle = await page.waitForFunction(() => globalThis.state)
      return (await handle.jsonValue()) ?? {}
    },
    ask: (token) =>
      page.evaluate(
        async ([url, token]) =>
          (await fetch(`${url}/orders`, { headers: { Authorization: `Bearer ${token}` } })).status,
        [provider, token],
      ),
  }
}

const mockInPage = `
  import { createMock } from 'fixtura'
  import { auth, oidc } from 'fixtura/behaviours'
  import { startMock } from 'fixtura/browser'
  const fixtures = { users: ${JSON.stringify(users)}, orders: [{ id: 1 }] }
  const world = createMock({ fixtures, use: [oidc(), auth({ protect: ['orders'] })] })
  await startMock(world)
  globalThis.importClient = () => import(/* @vite-ignore */ location.origin + '/client.js')
  globalThis.world = world
`

describe.each(clients)('%s', (_, file, options, opens) => {
  it('is refused, logs in, refreshes and logs out', async () => {
    const { page, loaded, ask } = await open(file, options, opens)
    const leave = (by: 'login' | 'logout') =>
      page.evaluate((by) => {
        globalThis.state = undefined
        void client[by]()
      }, by)
    const logIn = async () => {
      await leave('login')
      await page.getByRole('heading', { name: 'Log in' }).waitFor()
    }
    expect(await loaded()).toEqual({})
    await logIn()
    await page.getByRole('button', { name: 'Refuse' }).click()
    expect(await loaded()).toMatchObject({ error: 'access_denied' })

    await logIn()
    await page.getByRole('button', { name: 'Ada Lovelace' }).click()
    const { name, token } = await loaded()
    expect(name).toBe('Ada Lovelace')
    expect(await ask(token)).toBe(200)

    const renewed = await page.evaluate(() => client.refresh())
    expect(renewed).not.toBe(token)
    expect(await ask(renewed)).toBe(200)
    await page.reload()
    expect(await loaded()).toMatchObject({ name: 'Ada Lovelace' })

    await leave('logout')
    expect(await loaded()).toEqual({})
    expect(await ask(renewed)).toBe(401)
    await logIn()
  })
})

const scope = 'openid profile offline_access'

describe('the tokens of mock.login', () => {
  it('log oidc-client-ts in, without a page', async () => {
    const { page, provider, loaded, ask } = await open('oidc-client-ts', {})
    const tokens = await connect(provider).login('ada@x.org', { client: 'shop', scope })
    await page.evaluate(plant, [`${provider}/oidc`, tokens] as const)
    await page.reload()
    const { name, token } = await loaded()
    expect([name, await ask(token)]).toEqual(['Ada Lovelace', 200])
    expect(await ask(await page.evaluate(() => client.refresh()))).toBe(200)
  })

  const shared = shareApp({
    prepare(app) {
      app.write('vite.config.ts', "export default { appType: 'mpa', build: { target: 'es2022' } }")
      app.write('src/main.ts', mockInPage)
      app.write(
        'public/mockServiceWorker.js',
        readFileSync(
          join(import.meta.dirname, '../../node_modules/msw/lib/mockServiceWorker.js'),
          'utf8',
        ),
      )
    },
  })

  it('log oidc-client-ts in at a mock in the page, with MSW', async () => {
    shared().write('public/client.js', await bundleOf('oidc-client-ts'))
    const { page } = await openPage(shared().serving.url)
    await page.waitForFunction(() => globalThis.world)
    const origin = await page.evaluate(() => location.origin)
    const tokens = await page.evaluate(
      ([origin, scope]) => world.login('ada@x.org', { client: 'shop', origin, scope }),
      [origin, scope] as const,
    )
    await page.evaluate(plant, [`${origin}/oidc`, tokens] as const)
    const seen = await page.evaluate(async () => {
      const client = (await importClient()).open(location.origin)
      const { name } = await client.load()
      const renewed = await client.refresh()
      const headers = { Authorization: `Bearer ${renewed}` }
      const answers = await Promise.all(
        ['/orders', '/oidc/userinfo', '/oidc/jwks'].map((path) => fetch(path, { headers })),
      )
      const status = (await fetch('/orders')).status
      return [name, ...answers.map((answer) => answer.status), status]
    })
    expect(seen).toEqual(['Ada Lovelace', 200, 200, 200, 401])
  })
})
