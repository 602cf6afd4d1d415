import { createLocalJWKSet, type JSONWebKeySet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'

import { auth, oidc, type OidcOptions } from '../../../src/behaviours.ts'
import { createManualClock, createMock, type MockOptions } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

const origin = 'http://mock.test'
const app = 'http://localhost:5173'
const verifier = 'v'.repeat(43)
/** The S256 challenge of the verifier (RFC 7636 §4.2), as a text: a page has no `node:crypto`. */
const challenge = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM'
const ada = { id: 1, name: 'Ada Lovelace', email: 'ada@x.org', role: 'admin' }
const tenant = '9122040d-6c67-4c5b-b112-36a304b66dad'

/** The presets, with the path of the issuer, the claim `sub` of user 1, and claims of ID tokens and access tokens. */
const rows = [
  ['auth0', '/', 'auth0|1', {}, { gty: 'authorization_code' }],
  [
    'keycloak',
    '/realms/fixtura',
    '1',
    { typ: 'ID' },
    { azp: 'shop', realm_access: { roles: ['admin'] } },
  ],
  [
    'entra',
    `/${tenant}/v2.0`,
    '1',
    { ver: '2.0', oid: '1', tid: tenant, roles: ['admin'] },
    { scp: expect.stringContaining('openid') },
  ],
  [
    'cognito',
    '/eu-central-1_fixtura',
    '1',
    { token_use: 'id', 'cognito:groups': ['admin'] },
    { token_use: 'access', client_id: 'shop' },
  ],
  [
    'okta',
    '/oauth2/default',
    '1',
    { groups: ['admin'] },
    { cid: 'shop', scp: expect.arrayContaining(['openid']) },
  ],
  ['google', '', '1', { azp: 'shop', hd: 'x.org' }, undefined],
] as const

const orders = ['oidc before auth', 'auth before oidc'] as const
const cases = rows.flatMap((row) => orders.map((order) => [row[0], order, row] as const))

function mockWith(
  options: OidcOptions,
  order: string,
  base = '',
): MockOptions<Record<string, unknown>> {
  const use = [oidc(options), auth()]
  if (order === 'auth before oidc') use.reverse()
  const fixtures = { users: [ada], orders: [{ id: 1 }] }
  return { fixtures, base, seed: 1, clock: createManualClock(Date.now()), use }
}

/** The usual paths of issuer, authorization, token and keys, as the providers document them, for the tenant `shop`. */
const documented = [
  ['auth0', '/', '/authorize', '/oauth/token', '/.well-known/jwks.json'],
  [
    'keycloak',
    '/realms/shop',
    '/realms/shop/protocol/openid-connect/auth',
    '/realms/shop/protocol/openid-connect/token',
    '/realms/shop/protocol/openid-connect/certs',
  ],
  [
    'entra',
    '/shop/v2.0',
    '/shop/oauth2/v2.0/authorize',
    '/shop/oauth2/v2.0/token',
    '/shop/discovery/v2.0/keys',
  ],
  ['cognito', '/shop', '/oauth2/authorize', '/oauth2/token', '/shop/.well-known/jwks.json'],
  [
    'okta',
    '/oauth2/shop',
    '/oauth2/shop/v1/authorize',
    '/oauth2/shop/v1/token',
    '/oauth2/shop/v1/keys',
  ],
  ['google', '', '/o/oauth2/v2/auth', '/token', '/oauth2/v3/certs'],
] as const

for (const [preset, issuer, authorize, token, keys] of documented) {
  contract(`oidc as ${preset}`, () => mockWith({ preset, tenant: 'shop' }, ''), [
    [
      'has its metadata at the path of the provider',
      `GET ${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`,
      {
        status: 200,
        body: expect.objectContaining({
          issuer: origin + issuer,
          authorization_endpoint: origin + authorize,
          token_endpoint: origin + token,
          jwks_uri: origin + keys,
        }),
      },
    ],
    [
      'redirects with a code',
      `GET ${authorize}${authorization({ login_hint: 'ada@x.org' })}`,
      { status: 303, headers: { location: /^http:\/\/localhost:5173\/cb\?code=/ } },
    ],
    [
      'refuses a request for tokens without a grant',
      {
        request: `POST ${token}`,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'client_id=shop',
      },
      { status: 400, body: expect.objectContaining({ error: 'invalid_request' }) },
    ],
    ['has keys', `GET ${keys}`, { status: 200, body: { keys: expect.any(Array) } }],
  ])
}

/** Opens a mock with a cookie jar, and reads its metadata. */
async function open(preset: (typeof rows)[number][0], path: string, order: string, base = '') {
  const mock = createMock(mockWith({ preset }, order, base))
  let cookie = ''
  async function send(url: string, form?: Record<string, string>, headers = {}) {
    const init = { headers: { cookie, ...headers } }
    const body = form && { method: 'POST', body: new URLSearchParams(form) }
    const response = await mock.fetch(new Request(new URL(url, origin), { ...init, ...body }))
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return response
  }
  const discovery = `${base}${path.replace(/\/$/, '')}/.well-known/openid-configuration`
  const metadata = (await (await send(discovery)).json()) as Record<string, string>
  const orders = async (token = '') =>
    (await send(`${base}/orders`, undefined, { authorization: `Bearer ${token}` })).status
  return { send, orders, metadata: (name: string) => metadata[name] ?? `no ${name}`, all: metadata }
}

function authorization(values: Record<string, string> = {}): string {
  return `?${new URLSearchParams({
    client_id: 'shop',
    redirect_uri: `${app}/cb`,
    response_type: 'code',
    scope: 'openid profile email offline_access',
    access_type: 'offline',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    ...values,
  })}`
}

/** The endpoints that metadata can name: a request to each, and its status. */
const endpoints = [
  ['authorization_endpoint', authorization(), undefined, 200, '<form method="post"'],
  ['token_endpoint', '', { client_id: 'shop' }, 400, 'invalid_request'],
  ['userinfo_endpoint', '', undefined, 401, 'invalid_request'],
  ['jwks_uri', '', undefined, 200, 'fixtura-rs256'],
  ['introspection_endpoint', '', { client_id: 'shop', token: 'x' }, 200, 'false'],
  ['revocation_endpoint', '', { client_id: 'shop', token: 'x' }, 200, ''],
  ['device_authorization_endpoint', '', { client_id: 'shop' }, 200, 'user_code'],
  ['check_session_iframe', '', undefined, 200, '<script'],
  ['end_session_endpoint', '', undefined, 200, 'logged out'],
] as const

/** Addresses of the providers' own clients, which the metadata do not name. */
const own = [
  ['auth0', `/v2/logout?client_id=shop&returnTo=${app}/`, [303, `${app}/`]],
  ['keycloak', '/realms/fixtura/protocol/openid-connect/3p-cookies/step1.html', [200, null]],
  ['keycloak', '/realms/fixtura/protocol/openid-connect/3p-cookies/step2.html', [200, null]],
  [
    'keycloak',
    '/realms/fixtura/protocol/openid-connect/login-status-iframe.html/init?client_id=shop',
    [204, null],
  ],
  ['entra', `/${tenant}/oauth2/v2.0/logout?post_logout_redirect_uri=${app}/`, [303, `${app}/`]],
  ['cognito', `/logout?client_id=shop&logout_uri=${app}/`, [303, `${app}/`]],
] as const

describe.each(cases)('the preset %s, %s', (preset, order, [, path, subject, id, access]) => {
  it.each(['', '/api'])(
    'answers at every endpoint that it names, at the base "%s"',
    async (base) => {
      const { send, all } = await open(preset, path, order, base)
      const named = Object.keys(all).filter((name) => /_(?:endpoint|uri|iframe)$/.test(name))
      expect(named.length).toBeGreaterThan(5)
      for (const name of named) {
        const [, query, form, status, text] = endpoints.find(([one]) => one === name) ?? []
        const response = await send(`${all[name]}${query}`, form)
        const body = await response.text()
        expect([name, response.status], body).toEqual([name, status])
        expect(body).toContain(text)
        if (name !== 'device_authorization_endpoint') continue
        const { verification_uri } = JSON.parse(body) as { verification_uri: string }
        expect((await send(verification_uri)).status).toBe(200)
      }
    },
  )

  it('logs in on the page, and auth accepts its tokens until the logout', async () => {
    const { send, orders, metadata, all } = await open(preset, path, order)
    const html = await (await send(metadata('authorization_endpoint') + authorization())).text()
    const [, action = ''] = /<form method="post" action="([^"]+)"/.exec(html) ?? []
    const [, login_token = ''] = /name="login_token" value="(\w+)"/.exec(html) ?? []
    const chosen = await send(action, { login_token, user: '1' })
    const callback = new URL(chosen.headers.get('location') ?? '')
    const sendsIssuer = preset === 'keycloak'
    expect(callback.searchParams.get('iss')).toBe(sendsIssuer ? metadata('issuer') : null)
    expect(all).toHaveProperty('authorization_response_iss_parameter_supported', sendsIssuer)
    const client = { client_id: 'shop' }
    const redeemed = await send(metadata('token_endpoint'), {
      ...client,
      grant_type: 'authorization_code',
      code: callback.searchParams.get('code') ?? '',
      redirect_uri: `${app}/cb`,
      code_verifier: verifier,
    })
    const tokens = (await redeemed.json()) as Record<string, string>
    const { access_token = '', id_token = '', refresh_token = '' } = tokens
    const keys = createLocalJWKSet(
      (await (await send(metadata('jwks_uri'))).json()) as JSONWebKeySet,
    )
    const expected = { issuer: metadata('issuer') }
    const { payload } = await jwtVerify(id_token, keys, { ...expected, audience: 'shop' })
    expect(payload).toMatchObject({ sub: subject, email: 'ada@x.org', ...id })
    if (access) {
      expect((await jwtVerify(access_token, keys, expected)).payload).toMatchObject(access)
    }
    expect(await orders(access_token)).toBe(200)
    const headers = { authorization: `Bearer ${access_token}` }
    const info = await send(metadata('userinfo_endpoint'), undefined, headers)
    expect(await info.json()).toMatchObject({ sub: subject, email: 'ada@x.org' })

    const form = { ...client, grant_type: 'refresh_token', refresh_token }
    const refreshed = await send(metadata('token_endpoint'), form)
    const renewed = (await refreshed.json()) as Record<string, string>
    expect(await orders(renewed['access_token'])).toBe(200)
    const isJwt = (token: string): boolean => token.split('.').length === 3
    expect([isJwt(access_token), isJwt(refresh_token)]).toEqual([
      preset !== 'google',
      preset === 'keycloak',
    ])
    const isKept = preset === 'cognito' || preset === 'google'
    expect(renewed['refresh_token'] === undefined).toBe(isKept)
    if (isKept) expect((await send(metadata('token_endpoint'), form)).status).toBe(200)
    expect(await orders(access_token)).toBe(200)

    if (preset === 'google') {
      await send(metadata('revocation_endpoint'), { ...client, token: access_token })
    } else {
      const query = new URLSearchParams({
        id_token_hint: id_token,
        post_logout_redirect_uri: `${app}/`,
      })
      const out = await send(`${metadata('end_session_endpoint')}?${query}`)
      expect(out.headers.get('location')).toBe(`${app}/`)
    }
    expect(await orders(access_token)).toBe(401)
  })

  it.each(own.filter(([one]) => one === preset))('%s answers at %s', async (_, url, expected) => {
    const { send } = await open(preset, path, order)
    const response = await send(url)
    expect([response.status, response.headers.get('location')]).toEqual(expected)
  })
})

contract('oidc as cognito beside auth', () => mockWith({ preset: 'cognito' }, 'oidc before auth'), [
  [
    'logs out at the provider by a GET',
    `GET /logout?client_id=shop&logout_uri=${app}/`,
    { status: 303, headers: { location: `${app}/` } },
  ],
  ['logs out at auth by a POST', 'POST /logout', { status: 204 }],
])
