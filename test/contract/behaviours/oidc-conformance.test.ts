import { createLocalJWKSet, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from 'jose'
import { describe, expect, it } from 'vitest'

import { authorize, claimsOf, open, post, redirect, shop } from './oidc-flow.ts'

/**
 * The modules of the conformance suite of the OpenID Foundation for providers, by their names: the plans of the basic
 * profile, of the configuration and of logouts by the client. The suite itself needs Java and a browser; each module
 * is a row that does the same. Modules of features that the metadata do not claim have to be refused.
 */
type Flow = ReturnType<typeof open>
type Row = [module: string, run: (flow: Flow) => Promise<void>]

const all = 'openid profile email address phone'
const issuer = 'http://mock.test/api/oidc'
const basic = { authorization: `Basic ${btoa('shop:secret')}` }
const asShop = { client_id: 'shop', scope: 'openid' }

/** Logs in as the confidential client and redeems the code, with the secret in the header. */
async function logIn({ send, codeFor }: Flow, values: Record<string, string | undefined> = {}) {
  const without = { code_challenge: undefined, code_challenge_method: undefined }
  const code = await codeFor({ ...asShop, ...without, ...values })
  const form = { grant_type: 'authorization_code', code, redirect_uri: redirect }
  const response = await send(post('token', form, basic))
  return { code, tokens: (await response.json()) as Record<string, string> }
}

/** The parameters of the response to an authorization request; a page has none. */
async function responseTo({ send }: Flow, values: Record<string, string | undefined>) {
  const response = await send(authorize({ ...asShop, ...values }))
  const location = response.headers.get('location') ?? 'http://page.test/'
  return Object.fromEntries(new URL(location).searchParams)
}

async function infoOf({ send }: Flow, token = '') {
  const headers = { authorization: `Bearer ${token}` }
  const response = await send({ request: 'GET /api/oidc/userinfo', headers })
  return (await response.json()) as Record<string, unknown>
}

/** A parameter that has no effect: the login succeeds. */
const ignored = (module: string, values: Record<string, string>): Row => [
  module,
  async (flow) => expect((await logIn(flow, values)).tokens).toHaveProperty('id_token'),
]

const scope = (name: string, claims: string[]): Row => [
  `oidcc-scope-${name}`,
  async (flow) => {
    const asked = name === 'all' ? all : `openid ${name}`
    const { tokens } = await logIn(flow, { scope: asked })
    const info = await infoOf(flow, tokens['access_token'])
    expect(Object.keys(info)).toEqual(expect.arrayContaining(['sub', ...claims]))
    expect(info['sub']).toBe(claimsOf(tokens['id_token'])['sub'])
  },
]

const basicPlan: Row[] = [
  [
    'oidcc-server',
    async (flow) => {
      const { tokens } = await logIn(flow, { nonce: 'n' })
      const keys = (await (await flow.send('GET /api/oidc/jwks')).json()) as JSONWebKeySet
      const idToken = tokens['id_token'] ?? ''
      const { kid, alg } = decodeProtectedHeader(idToken)
      expect(keys.keys.map((key) => [key.kid, key.alg])).toContainEqual([kid, alg])
      const currentDate = new Date(flow.clock.now())
      const checks = { issuer, audience: 'shop', currentDate }
      const { payload } = await jwtVerify(idToken, createLocalJWKSet(keys), checks)
      expect(payload).toMatchObject({
        nonce: 'n',
        iat: expect.any(Number),
        exp: expect.any(Number),
      })
      const digest = await crypto.subtle.digest(
        'SHA-256',
        new TextEncoder().encode(tokens['access_token']),
      )
      const half = Buffer.from(digest.slice(0, 16)).toString('base64url')
      expect(payload['at_hash']).toBe(half)
    },
  ],
  [
    'oidcc-response-type-missing',
    async (flow) =>
      expect(await responseTo(flow, { response_type: undefined })).toMatchObject({
        error: 'invalid_request',
        state: 'st',
      }),
  ],
  [
    'oidcc-userinfo-get',
    async (flow) => {
      const { tokens } = await logIn(flow)
      expect(await infoOf(flow, tokens['access_token'])).toMatchObject({ sub: '1' })
    },
  ],
  [
    'oidcc-userinfo-post-header',
    async (flow) => {
      const { tokens } = await logIn(flow)
      const headers = { authorization: `Bearer ${tokens['access_token']}` }
      const info = await flow.send({ request: 'POST /api/oidc/userinfo', headers })
      expect(await info.json()).toMatchObject({ sub: '1' })
    },
  ],
  [
    'oidcc-userinfo-post-body',
    async (flow) => {
      const { tokens } = await logIn(flow)
      const info = await flow.send(post('userinfo', { access_token: tokens['access_token'] ?? '' }))
      expect(await info.json()).toMatchObject({ sub: '1' })
    },
  ],
  [
    'oidcc-ensure-request-without-nonce-succeeds-for-code-flow',
    async (flow) =>
      expect(claimsOf((await logIn(flow)).tokens['id_token'])).not.toHaveProperty('nonce'),
  ],
  scope('profile', ['name', 'given_name', 'family_name', 'picture', 'updated_at']),
  scope('email', ['email', 'email_verified']),
  scope('address', ['address']),
  scope('phone', ['phone_number']),
  scope('all', ['name', 'email', 'address', 'phone_number']),
  ignored('oidcc-ensure-other-scope-order-succeeds', { scope: 'email openid' }),
  ignored('oidcc-display-page', { display: 'page' }),
  ignored('oidcc-display-popup', { display: 'popup' }),
  [
    'oidcc-prompt-login',
    async (flow) => {
      await logIn(flow)
      const login = { login_hint: undefined, prompt: 'login' }
      expect(await responseTo(flow, login)).toEqual({})
    },
  ],
  [
    'oidcc-prompt-none-not-logged-in',
    async (flow) =>
      expect(await responseTo(flow, { prompt: 'none' })).toMatchObject({ error: 'login_required' }),
  ],
  [
    'oidcc-prompt-none-logged-in',
    async (flow) => {
      const { tokens } = await logIn(flow)
      const silent = await logIn(flow, { prompt: 'none', login_hint: undefined })
      const times = [tokens, silent.tokens].map((one) => claimsOf(one['id_token'])['auth_time'])
      expect(times[0]).toBe(times[1])
    },
  ],
  [
    'oidcc-max-age-1',
    async (flow) => {
      await logIn(flow)
      flow.clock.advance('2s')
      expect(await responseTo(flow, { login_hint: undefined, max_age: '1' })).toEqual({})
      const { tokens } = await logIn(flow, { max_age: '1' })
      expect(claimsOf(tokens['id_token'])['auth_time']).toBe(Math.floor(flow.clock.now() / 1000))
    },
  ],
  [
    'oidcc-max-age-10000',
    async (flow) => {
      const { tokens } = await logIn(flow)
      flow.clock.advance('2s')
      const again = await logIn(flow, { login_hint: undefined, max_age: '10000' })
      expect(claimsOf(again.tokens['id_token'])['auth_time']).toBe(
        claimsOf(tokens['id_token'])['auth_time'],
      )
    },
  ],
  ignored('oidcc-ensure-request-with-unknown-parameter-succeeds', { extra: 'x' }),
  [
    'oidcc-id-token-hint',
    async (flow) => {
      const { tokens } = await logIn(flow)
      const hint = { prompt: 'none', login_hint: undefined, id_token_hint: tokens['id_token'] }
      expect(await responseTo(flow, hint)).toHaveProperty('code')
      await logIn(flow, { login_hint: 'bob@x.org' })
      expect(await responseTo(flow, hint)).toMatchObject({ error: 'login_required' })
    },
  ],
  ignored('oidcc-login-hint', { login_hint: 'bob@x.org' }),
  ignored('oidcc-ui-locales', { ui_locales: 'se' }),
  ignored('oidcc-claims-locales', { claims_locales: 'se' }),
  ignored('oidcc-ensure-request-with-acr-values-succeeds', { acr_values: '1 2' }),
  ignored('oidcc-claims-essential', { claims: '{"userinfo":{"name":{"essential":true}}}' }),
  ...(['0s', '30s'] as const).map((wait): Row => [
    wait === '0s' ? 'oidcc-codereuse' : 'oidcc-codereuse-30seconds',
    async (flow) => {
      const { code, tokens } = await logIn(flow)
      flow.clock.advance(wait)
      const form = { grant_type: 'authorization_code', code, redirect_uri: redirect }
      const again = await flow.send(post('token', form, basic))
      expect([again.status, await again.json()]).toMatchObject([400, { error: 'invalid_grant' }])
      expect(await infoOf(flow, tokens['access_token'])).toMatchObject({ error: 'invalid_token' })
    },
  ]),
  [
    'oidcc-ensure-registered-redirect-uri',
    async (flow) => {
      const shown = await flow.send(authorize({ ...asShop, redirect_uri: `${redirect}/other` }))
      expect([shown.status, shown.headers.get('location')]).toEqual([400, null])
    },
  ],
  [
    'oidcc-redirect-uri-query-added',
    async (flow) => {
      const shown = await flow.send(authorize({ ...asShop, redirect_uri: `${redirect}?a=b` }))
      expect([shown.status, shown.headers.get('location')]).toEqual([400, null])
    },
  ],
  [
    'oidcc-redirect-uri-query-OK',
    async (flow) => {
      const redirect_uri = 'http://localhost:5173/query?a=b'
      expect(await responseTo(flow, { redirect_uri })).toMatchObject({ a: 'b', state: 'st' })
    },
  ],
  [
    'oidcc-ensure-post-request-succeeds',
    async ({ send }) => {
      const asked = authorize(asShop) as { request: string }
      const form = Object.fromEntries(new URLSearchParams(asked.request.split('?')[1]))
      expect((await send(post('authorize', form))).headers.get('location')).toContain('code=')
    },
  ],
  [
    'oidcc-server-client-secret-post',
    async (flow) => {
      const code = await flow.codeFor(asShop)
      const secret = { client_id: 'shop', client_secret: 'secret' }
      expect(await flow.redeem(code, secret)).toHaveProperty('id_token')
    },
  ],
  [
    'oidcc-unsigned-request-object-supported-correctly-or-rejected-as-unsupported',
    async (flow) =>
      expect(await responseTo(flow, { request: 'eyJhbGciOiJub25lIn0.e30.' })).toMatchObject({
        error: 'request_not_supported',
      }),
  ],
  [
    'oidcc-request-uri-unsigned-supported-correctly-or-rejected-as-unsupported',
    async (flow) =>
      expect(await responseTo(flow, { request_uri: 'https://x.org/' })).toMatchObject({
        error: 'request_uri_not_supported',
      }),
  ],
  [
    'oidcc-ensure-request-object-with-redirect-uri',
    async (flow) =>
      expect(
        await responseTo(flow, { request: 'x', redirect_uri: 'http://localhost:5173/query?a=b' }),
      ).toMatchObject({ a: 'b', error: 'request_not_supported' }),
  ],
  [
    'oidcc-refresh-token',
    async (flow) => {
      const { tokens } = await logIn(flow, { scope: 'openid offline_access', nonce: 'n' })
      flow.clock.advance('1m')
      const form = { grant_type: 'refresh_token', refresh_token: tokens['refresh_token'] ?? '' }
      const response = await flow.send(post('token', form, basic))
      const renewed = (await response.json()) as Record<string, string>
      const [first, second] = [claimsOf(tokens['id_token']), claimsOf(renewed['id_token'])]
      for (const claim of ['iss', 'sub', 'aud', 'auth_time']) {
        expect([claim, second[claim]]).toEqual([claim, first[claim]])
      }
      expect(second['iat']).toBe(Number(first['iat']) + 60)
      const other = { ...form, client_id: 'page', refresh_token: renewed['refresh_token'] ?? '' }
      expect((await flow.send(post('token', other))).status).toBe(400)
    },
  ],
  [
    'oidcc-ensure-request-with-valid-pkce-succeeds',
    async (flow) => {
      const secret = { client_id: 'shop', client_secret: 'secret' }
      const wrong = { ...secret, code_verifier: 'w'.repeat(43) }
      expect(await flow.redeem(await flow.codeFor(asShop), secret)).toHaveProperty('id_token')
      expect(await flow.redeem(await flow.codeFor(asShop), wrong)).toMatchObject({
        error: 'invalid_grant',
      })
    },
  ],
]

/** The metadata that the provider has to name (OpenID Connect Discovery 1.0 §3, RP-Initiated Logout 1.0 §2.1). */
const required = [
  'authorization_endpoint',
  'token_endpoint',
  'userinfo_endpoint',
  'jwks_uri',
  'end_session_endpoint',
  'response_types_supported',
  'subject_types_supported',
  'id_token_signing_alg_values_supported',
  'scopes_supported',
  'claims_supported',
]

const configurationPlan: Row[] = [
  [
    'oidcc-discovery-endpoint-verification',
    async ({ send }) => {
      const response = await send('GET /api/oidc/.well-known/openid-configuration')
      expect(response.headers.get('content-type')).toMatch(/^application\/json/)
      const metadata = (await response.json()) as Record<string, unknown>
      expect(metadata['issuer']).toBe(issuer)
      expect(Object.keys(metadata)).toEqual(expect.arrayContaining(required))
      expect(metadata['id_token_signing_alg_values_supported']).toContain('RS256')
      expect(metadata['scopes_supported']).toContain('openid')
      // Without it, clients may send a request_uri (§3).
      expect(metadata['request_uri_parameter_supported']).toBe(false)
    },
  ],
  [
    'oidcc-discovery-jwks-uri-keys',
    async ({ send }) => {
      const { keys } = (await (await send('GET /api/oidc/jwks')).json()) as JSONWebKeySet
      expect(new Set(keys.map((key) => key.kid)).size).toBe(keys.length)
      for (const key of keys) expect(Object.keys(key)).not.toContain('d')
    },
  ],
]

/** Logs in and out; returns the status and the address of the redirect, and whether the login has ended. */
async function logOut(flow: Flow, values: Record<string, string>, hasHint = true) {
  const { tokens } = await logIn(flow)
  const hint = hasHint ? { id_token_hint: tokens['id_token'] ?? '' } : {}
  const query = new URLSearchParams({ ...hint, ...values })
  const response = await flow.send(`GET /api/oidc/logout?${query}`)
  const silent = { prompt: 'none', login_hint: undefined }
  const { error } = await responseTo(flow, silent)
  return [response.status, response.headers.get('location'), error === 'login_required']
}

const back = 'http://localhost:5173/'
const logoutRow = (
  name: string,
  values: Record<string, string>,
  expected: [status: number, location: string | null, isEnded: boolean],
  hasHint?: boolean,
): Row => [
  `oidcc-rp-initiated-logout${name}`,
  async (flow) => expect(await logOut(flow, values, hasHint)).toEqual(expected),
]

const logoutPlan: Row[] = [
  logoutRow('', { post_logout_redirect_uri: back, state: 's' }, [303, `${back}?state=s`, true]),
  logoutRow('-no-state', { post_logout_redirect_uri: back }, [303, back, true]),
  logoutRow('-no-post-logout-redirect-uri', { state: 's' }, [200, null, true]),
  logoutRow('-only-state', { state: 's' }, [200, null, true], false),
  logoutRow('-no-params', {}, [200, null, true], false),
  logoutRow('-bad-post-logout-redirect-uri', { post_logout_redirect_uri: 'https://evil.test/' }, [
    400,
    null,
    false,
  ]),
  logoutRow(
    '-query-added-to-post-logout-redirect-uri',
    { post_logout_redirect_uri: `${back}?foo=bar` },
    [400, null, false],
  ),
  logoutRow('-bad-id-token-hint', { id_token_hint: 'x' }, [400, null, false]),
  [
    'oidcc-rp-initiated-logout-modified-id-token-hint',
    async (flow) => {
      const [head, , signature] = ((await logIn(flow)).tokens['id_token'] ?? '').split('.')
      const forged = [head, btoa('{"sub":"2","aud":"shop"}'), signature].join('.')
      expect(await logOut(flow, { id_token_hint: forged })).toEqual([400, null, false])
    },
  ],
  logoutRow(
    '-no-id-token-hint',
    { client_id: 'shop', post_logout_redirect_uri: back },
    [303, back, true],
    false,
  ),
]

const clients = [
  {
    ...shop,
    redirect_uris: [redirect, 'http://localhost:5173/query?a=b'],
    post_logout_redirect_uris: [back],
  },
  { client_id: 'page', redirect_uris: [redirect] },
]

describe.each([
  ['oidcc-basic-certification-test-plan', basicPlan],
  ['oidcc-config-certification-test-plan', configurationPlan],
  ['oidcc-rp-initiated-logout-certification-test-plan', logoutPlan],
])('%s', (_, rows) => {
  it.each(rows)('%s', (_, run) => run(open({ clients })))
})
