import { Auth, type AuthConfig, skipCSRFCheck } from '@auth/core'
import { betterAuth } from 'better-auth'
import { genericOAuth } from 'better-auth/plugins'
import { expect, it, onTestFinished } from 'vitest'

import { auth, oidc } from '../../src/behaviours.ts'
import { createManualClock, createMock } from '../../src/index.ts'
import { serve } from '../../src/node.ts'

const app = 'http://localhost:5173'
const scope = 'openid profile email offline_access'
const clients = [
  {
    client_id: 'shop',
    client_secret: 'a secret',
    redirect_uris: [`${app}/auth/callback/mock`, `${app}/api/auth/callback/mock`],
  },
]

/** Starts the mock, and a browser that has a cookie jar for it and one for the application. */
async function open(handle: (issuer: string) => (request: Request) => Promise<Response>) {
  const clock = createManualClock(Date.now())
  const fixtures = { users: [{ id: 1, name: 'Ada Lovelace', email: 'ada@x.org' }], orders: [] }
  const mock = createMock({ fixtures, clock, use: [oidc({ clients }), auth()] })
  const server = await serve(mock, { port: 0 })
  onTestFinished(() => server.close())
  const issuer = `${server.url}/oidc`
  const answer = handle(issuer)
  const jars = new Map<string, Map<string, string>>()

  async function send(url: string, init: RequestInit = {}): Promise<Response> {
    const { origin } = new URL(url)
    const jar = jars.get(origin) ?? new Map<string, string>()
    jars.set(origin, jar)
    const headers = new Headers(init.headers)
    headers.set('cookie', [...jar].map((pair) => pair.join('=')).join('; '))
    if (init.method === 'POST') headers.set('origin', origin)
    const request = new Request(url, { ...init, headers, redirect: 'manual' })
    const response = await (origin === app ? answer(request) : fetch(request))
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value === '' || /; *max-age=0\b|expires=[^;]* 1970/i.test(line)) jar.delete(name)
      else jar.set(name, value)
    }
    return response
  }

  /** Presses a button of the login page, and follows the redirect back into the application. */
  async function press(page: string, button: string): Promise<Response> {
    const html = await (await send(page)).text()
    const [, token = ''] = /name="login_token" value="(\w+)"/.exec(html) ?? []
    const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(html) ?? []
    const body = new URLSearchParams(`login_token=${token}&${button}`)
    const chosen = await send(new URL(action, page).href, { method: 'POST', body })
    return send(chosen.headers.get('location') ?? '')
  }

  const json = async (url: string, init?: RequestInit): Promise<Record<string, unknown> | null> =>
    (await (await send(url, init)).json()) as Record<string, unknown> | null
  const ask = async (token: unknown): Promise<number> =>
    (await fetch(`${server.url}/orders`, { headers: { authorization: `Bearer ${String(token)}` } }))
      .status
  return { clock, send, press, json, ask }
}

it('Auth.js is refused, logs in, refreshes and logs out', async () => {
  const { clock, send, press, json, ask } = await open((issuer) => {
    const token = (grant: Record<string, string>): Promise<Response> =>
      fetch(`${issuer}/token`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa('shop:a+secret')}` },
        body: new URLSearchParams(grant),
      })
    const config: AuthConfig = {
      providers: [
        {
          id: 'mock',
          name: 'Mock',
          type: 'oidc',
          issuer,
          clientId: 'shop',
          clientSecret: 'a secret',
          authorization: { params: { scope } },
        },
      ],
      secret: 'the secret of the application',
      basePath: '/auth',
      trustHost: true,
      skipCSRFCheck,
      logger: { error: () => undefined },
      // The rotation of refresh tokens and the logout at the provider, as the guides of Auth.js have them.
      callbacks: {
        async jwt({ token: kept, account }) {
          if (account) return { ...kept, ...account }
          if (Number(kept['expires_at']) * 1000 > clock.now()) return kept
          const refreshed = await token({
            grant_type: 'refresh_token',
            refresh_token: String(kept['refresh_token']),
          })
          const tokens = (await refreshed.json()) as { expires_in: number }
          return { ...kept, ...tokens, expires_at: clock.now() / 1000 + tokens.expires_in }
        },
        session: ({ session, token }) => ({ ...session, accessToken: token['access_token'] }),
      },
      events: {
        async signOut(message) {
          const kept = 'token' in message ? message.token : null
          await fetch(`${issuer}/logout?id_token_hint=${String(kept?.['id_token'])}`)
        },
      },
    }
    return (request) => Auth(request, config)
  })
  const form = { method: 'POST', headers: { 'content-type': 'application/x-www-form-urlencoded' } }
  const start = async () =>
    (await send(`${app}/auth/signin/mock`, form)).headers.get('location') ?? ''
  const refused = await press(await start(), 'outcome=access_denied')
  expect(refused.headers.get('location')).toContain('error=OAuthCallbackError')
  expect(await json(`${app}/auth/session`)).toBe(null)

  await press(await start(), 'user=1')
  const first = await json(`${app}/auth/session`)
  expect(first).toMatchObject({ user: { name: 'Ada Lovelace', email: 'ada@x.org' } })
  expect(await ask(first?.['accessToken'])).toBe(200)

  clock.advance('2h')
  expect(await ask(first?.['accessToken'])).toBe(401)
  const second = await json(`${app}/auth/session`)
  expect(await ask(second?.['accessToken'])).toBe(200)

  await send(`${app}/auth/signout`, form)
  expect(await json(`${app}/auth/session`)).toBe(null)
  expect(await ask(second?.['accessToken'])).toBe(401)
})

it('better-auth is refused, logs in, refreshes and logs out', async () => {
  const { press, send, json, ask } = await open((issuer) => {
    const { handler } = betterAuth({
      baseURL: app,
      secret: 'the secret of the application, of 32 characters',
      logger: { disabled: true },
      telemetry: { enabled: false },
      plugins: [
        genericOAuth({
          config: [
            {
              providerId: 'mock',
              discoveryUrl: `${issuer}/.well-known/openid-configuration`,
              clientId: 'shop',
              clientSecret: 'a secret',
              scopes: scope.split(' '),
              pkce: true,
            },
          ],
        }),
      ],
    })
    return handler
  })
  const post = (body: object) => ({
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })
  const api = `${app}/api/auth`
  const start = async () => {
    const begun = post({ provider: 'mock', callbackURL: '/welcome', errorCallbackURL: '/failed' })
    return String((await json(`${api}/sign-in/social`, begun))?.['url'])
  }
  const refused = await press(await start(), 'outcome=access_denied')
  expect(refused.headers.get('location')).toMatch(/failed.*access_denied/)
  expect(await json(`${api}/get-session`)).toBe(null)

  const welcome = await press(await start(), 'user=1')
  expect(welcome.headers.get('location')).toContain('/welcome')
  expect(await json(`${api}/get-session`)).toMatchObject({
    user: { name: 'Ada Lovelace', email: 'ada@x.org' },
  })
  const first = await json(`${api}/get-access-token`, post({ useAccountCookie: true }))
  expect(await ask(first?.['accessToken'])).toBe(200)
  const second = await json(`${api}/refresh-token`, post({ useAccountCookie: true }))
  expect(second?.['accessToken']).not.toBe(first?.['accessToken'])
  expect(await ask(second?.['accessToken'])).toBe(200)

  const out = await json(`${api}/sign-out`, post({ callbackURL: '/bye' }))
  expect((await send(String(out?.['url']))).headers.get('location')).toBe(`${app}/bye`)
  expect(await json(`${api}/get-session`)).toBe(null)
  expect(await ask(second?.['accessToken'])).toBe(401)
})
