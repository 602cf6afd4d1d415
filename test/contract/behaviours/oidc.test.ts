import { describe, expect, it } from 'vitest'

import { toHar } from '../../../src/har.ts'
import { createMock } from '../../../src/index.ts'
import { contract, expectAnswer, type Expected, faces } from '../../faces.ts'
import {
  authorize,
  claimsOf,
  mockWith,
  open,
  page,
  post,
  query,
  redirect,
  shop,
  verifier,
} from './oidc-flow.ts'

/** The redirect to the client with an error. */
function redirected(error: string): Expected {
  const location = new RegExp(
    `^${redirect}\\?state=st&error=${error}&error_description=[^&]+&iss=http`,
  )
  return { status: 303, headers: { location } }
}

function refusedWith(status: number, error: string): Expected {
  const body = { error, error_description: expect.stringMatching(/^[ -~]+\.$/) }
  return { status, headers: { 'cache-control': 'no-store' }, body }
}

/** A page that shows an error, without a redirect. */
const shown: Expected = {
  status: 400,
  headers: {
    location: null,
    'content-type': /html/,
    'content-security-policy': /frame-ancestors 'none'/,
  },
}

contract('oidc refuses at the authorization endpoint', mockWith(), [
  ['no client', authorize({ client_id: undefined }), shown],
  ['no redirect', authorize({ redirect_uri: undefined }), shown],
  ['a redirect to another host', authorize({ redirect_uri: 'https://evil.test/' }), shown],
  [
    'a host that begins like this machine',
    authorize({ redirect_uri: 'http://localhost.evil.test/' }),
    shown,
  ],
  ['a user before the host', authorize({ redirect_uri: 'http://localhost:80@evil.test/' }), shown],
  ['a backslash', authorize({ redirect_uri: String.raw`http://localhost\@evil.test/` }), shown],
  ['a scheme of a script', authorize({ redirect_uri: 'javascript:alert(1)//localhost/' }), shown],
  ['a scheme of an app', authorize({ redirect_uri: 'com.example:/cb' }), shown],
  ['a fragment in the redirect', authorize({ redirect_uri: `${redirect}#x` }), shown],
  ['no response_type', authorize({ response_type: undefined }), redirected('invalid_request')],
  [
    'a token as response',
    authorize({ response_type: 'token' }),
    redirected('unsupported_response_type'),
  ],
  ['an unknown response_mode', authorize({ response_mode: 'x' }), redirected('invalid_request')],
  [
    'a plain challenge',
    authorize({ code_challenge_method: 'plain' }),
    redirected('invalid_request'),
  ],
  [
    'a challenge without a method',
    authorize({ code_challenge_method: undefined }),
    redirected('invalid_request'),
  ],
  [
    'a method without a challenge',
    authorize({ code_challenge: undefined }),
    redirected('invalid_request'),
  ],
  [
    'a challenge that is no digest',
    authorize({ code_challenge: 'x' }),
    redirected('invalid_request'),
  ],
  ['a scope with a quote', authorize({ scope: 'openid "' }), redirected('invalid_scope')],
  ['an unknown prompt', authorize({ prompt: 'x' }), redirected('invalid_request')],
  ['prompt=none with another', authorize({ prompt: 'none login' }), redirected('invalid_request')],
  ['a max_age that is no number', authorize({ max_age: '-1' }), redirected('invalid_request')],
  ['a request object', authorize({ request: 'x' }), redirected('request_not_supported')],
  [
    'the address of a request object',
    authorize({ request_uri: 'x' }),
    redirected('request_uri_not_supported'),
  ],
  ['a registration', authorize({ registration: '{}' }), redirected('registration_not_supported')],
  ['prompt=none without a login', authorize({ prompt: 'none' }), redirected('login_required')],
  [
    'a repeated parameter',
    {
      request: `GET /api/oidc/authorize?${query({ client_id: 'page', redirect_uri: redirect, state: 'st' })}&scope=a&scope=b`,
    },
    redirected('invalid_request'),
  ],
  ['a form without the token of a page', post('authorize/login', { user: '1' }), { status: 403 }],
  ['a PUT of the form', 'PUT /api/oidc/authorize/login', { status: 405 }],
])

contract('oidc with clients refuses', mockWith({ clients: [shop, page] }), [
  ['an unknown client', authorize({ client_id: 'x' }), shown],
  ['another path', authorize({ redirect_uri: 'http://localhost:5173/other' }), shown],
  [
    'a public client without PKCE',
    authorize({
      code_challenge: undefined,
      code_challenge_method: undefined,
      redirect_uri: 'http://localhost:1/cb',
    }),
    { status: 303, headers: { location: /error=invalid_request/ } },
  ],
  ['a scheme of an app that is not listed', authorize({ redirect_uri: 'com.other:/cb' }), shown],
  [
    'a wrong secret',
    post('token', { grant_type: 'client_credentials', client_id: 'shop', client_secret: 'x' }),
    refusedWith(401, 'invalid_client'),
  ],
  [
    'a missing secret',
    post('token', { grant_type: 'client_credentials', client_id: 'shop' }),
    refusedWith(401, 'invalid_client'),
  ],
  [
    'tokens of an unknown client',
    post('token', { grant_type: 'client_credentials', client_id: 'x' }),
    refusedWith(401, 'invalid_client'),
  ],
  [
    'client_credentials of a public client',
    post('token', { grant_type: 'client_credentials', client_id: 'page' }),
    refusedWith(400, 'unauthorized_client'),
  ],
])

contract('oidc with clients accepts', mockWith({ clients: [shop, page] }), [
  [
    'any port of a loopback address',
    authorize({ redirect_uri: 'http://localhost:1234/cb' }),
    { status: 303, headers: { location: /^http:\/\/localhost:1234\/cb\?state=st&code=/ } },
  ],
  [
    'a listed scheme of an app',
    authorize({ redirect_uri: 'com.example:/cb' }),
    { status: 303, headers: { location: /^com\.example:\/cb\?state=st&code=/ } },
  ],
])

const basic = { authorization: `Basic ${btoa('shop:secret')}` }

contract('oidc refuses at the token endpoint', mockWith(), [
  [
    'no client',
    post('token', { grant_type: 'authorization_code' }),
    refusedWith(401, 'invalid_client'),
  ],
  ['no grant_type', post('token', { client_id: 'page' }), refusedWith(400, 'invalid_request')],
  [
    'a password',
    post('token', { client_id: 'page', grant_type: 'password' }),
    refusedWith(400, 'unsupported_grant_type'),
  ],
  [
    'a name of an object',
    post('token', { client_id: 'page', grant_type: 'constructor' }),
    refusedWith(400, 'unsupported_grant_type'),
  ],
  [
    'no code',
    post('token', { client_id: 'page', grant_type: 'authorization_code' }),
    refusedWith(400, 'invalid_request'),
  ],
  [
    'an unknown code',
    post('token', { client_id: 'page', grant_type: 'authorization_code', code: 'x' }),
    refusedWith(400, 'invalid_grant'),
  ],
  [
    'no refresh token',
    post('token', { client_id: 'page', grant_type: 'refresh_token' }),
    refusedWith(400, 'invalid_request'),
  ],
  [
    'an unknown refresh token',
    post('token', { client_id: 'page', grant_type: 'refresh_token', refresh_token: 'x' }),
    refusedWith(400, 'invalid_grant'),
  ],
  [
    'an unknown device',
    post('token', {
      client_id: 'page',
      grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
      device_code: 'x',
    }),
    refusedWith(400, 'invalid_grant'),
  ],
  [
    'two ways to authenticate',
    post('token', { grant_type: 'client_credentials', client_secret: 'x' }, basic),
    refusedWith(400, 'invalid_request'),
  ],
  [
    'an assertion of another type',
    post('token', { grant_type: 'client_credentials', client_assertion: 'x' }),
    refusedWith(400, 'invalid_request'),
  ],
  [
    'a scope with other characters',
    post('token', { grant_type: 'client_credentials', scope: 'é' }, basic),
    refusedWith(400, 'invalid_scope'),
  ],
  [
    'client_credentials without a secret',
    post('token', { grant_type: 'client_credentials', client_id: 'page' }),
    refusedWith(400, 'unauthorized_client'),
  ],
  ['no client for a device', post('device', {}), refusedWith(401, 'invalid_client')],
  [
    'no client to introspect',
    post('introspect', { token: 'x' }),
    refusedWith(401, 'invalid_client'),
  ],
  ['no client to revoke', post('revoke', { token: 'x' }), refusedWith(401, 'invalid_client')],
  [
    'two clients',
    post('token', { grant_type: 'client_credentials', client_id: 'x' }, basic),
    refusedWith(400, 'invalid_request'),
  ],
  [
    'JSON',
    { request: 'POST /api/oidc/token', body: { grant_type: 'x' } },
    refusedWith(400, 'invalid_request'),
  ],
  [
    'a repeated parameter',
    {
      ...(post('token', {}) as object),
      request: 'POST /api/oidc/token',
      body: 'grant_type=a&grant_type=b&client_id=c',
    },
    refusedWith(400, 'invalid_request'),
  ],
  [
    'a broken escape',
    { ...(post('token', {}) as object), request: 'POST /api/oidc/token', body: 'grant_type=%zz' },
    refusedWith(400, 'invalid_request'),
  ],
  ['a GET', 'GET /api/oidc/token', { status: 405, headers: { allow: 'POST, OPTIONS' } }],
  [
    'no token for the user info',
    'GET /api/oidc/userinfo',
    {
      ...refusedWith(401, 'invalid_request'),
      headers: { 'www-authenticate': 'Bearer realm="mock"' },
    },
  ],
  [
    'a wrong token for the user info',
    { request: 'GET /api/oidc/userinfo', headers: { authorization: 'Bearer x' } },
    {
      ...refusedWith(401, 'invalid_token'),
      headers: { 'www-authenticate': /error="invalid_token"/ },
    },
  ],
  [
    'no token to introspect',
    post('introspect', { client_id: 'page' }),
    refusedWith(400, 'invalid_request'),
  ],
  [
    'no token to revoke',
    post('revoke', { client_id: 'page' }),
    refusedWith(400, 'invalid_request'),
  ],
  [
    'a logout to another host',
    'GET /api/oidc/logout?post_logout_redirect_uri=https://evil.test/',
    shown,
  ],
  ['a logout with a foreign hint', 'GET /api/oidc/logout?id_token_hint=x', shown],
])

const issuer = 'http://mock.test/api/oidc'

contract('oidc answers', mockWith(), [
  [
    'with its metadata',
    'GET /api/oidc/.well-known/openid-configuration',
    {
      status: 200,
      body: expect.objectContaining({
        issuer,
        jwks_uri: `${issuer}/jwks`,
        code_challenge_methods_supported: ['S256'],
      }),
    },
  ],
  [
    'with public keys',
    'GET /api/oidc/jwks',
    {
      status: 200,
      body: {
        keys: [
          expect.not.objectContaining({ d: expect.anything() }),
          expect.objectContaining({ kty: 'EC', alg: 'ES256' }),
        ],
      },
    },
  ],
  [
    'an unknown token as inactive',
    post('introspect', { client_id: 'page', token: 'x' }),
    { status: 200, body: { active: false } },
  ],
  [
    'a revocation of an unknown token',
    post('revoke', { client_id: 'page', token: 'x' }),
    { status: 200 },
  ],
  [
    'a logout with a page',
    'GET /api/oidc/logout',
    { status: 200, headers: { 'content-type': /html/ } },
  ],
  [
    'a login with a redirect',
    authorize(),
    {
      status: 303,
      headers: {
        location:
          /^http:\/\/localhost:5173\/cb\?state=st&code=[a-z\d]{40}&iss=http%3A%2F%2Fmock\.test%2Fapi%2Foidc$/,
        'set-cookie':
          /^fixtura_login=[a-z\d]{32}; Path=\/api; Max-Age=\d+; HttpOnly; SameSite=Lax$/,
      },
    },
  ],
  [
    'in the fragment',
    authorize({ response_mode: 'fragment' }),
    { status: 303, headers: { location: /cb#state=st&code=/ } },
  ],
  [
    'with a form',
    authorize({ response_mode: 'form_post' }),
    {
      status: 200,
      body: expect.stringMatching(
        /<form method="post" action="http:&#47;|<form method="post" action="http:\/\/localhost:5173\/cb">/,
      ),
    },
  ],
  [
    'with a message to the page alone',
    authorize({ response_mode: 'web_message' }),
    {
      status: 200,
      headers: { 'content-security-policy': /frame-ancestors http:\/\/localhost:5173$/ },
    },
  ],
  [
    'with the page for a link of another site',
    authorize({}, { 'sec-fetch-site': 'cross-site', referer: 'https://evil.test/' }),
    { status: 200, headers: { location: null } },
  ],
  [
    'with the page for prompt=login',
    authorize({ login_hint: undefined, prompt: 'login' }),
    { status: 200, body: expect.stringContaining('Ada Lovelace') },
  ],
])

describe('a code', () => {
  it.each([
    ['another redirect', { redirect_uri: 'http://localhost:1/' }],
    ['another client', { client_id: 'other' }],
    ['a wrong verifier', { code_verifier: 'w'.repeat(43) }],
    ['a short verifier', { code_verifier: 'v' }],
    ['no verifier', { code_verifier: '' }],
  ])('is refused with %s', async (_, values) => {
    const { codeFor, redeem } = open()
    expect(await redeem(await codeFor(), values)).toMatchObject({ error: 'invalid_grant' })
  })

  it('is refused with a verifier that no challenge asked for', async () => {
    const { codeFor, redeem } = open()
    const code = await codeFor({ code_challenge: undefined, code_challenge_method: undefined })
    expect(await redeem(code)).toMatchObject({ error: 'invalid_grant' })
  })

  it('is refused a minute later', async () => {
    const { codeFor, redeem, clock } = open()
    const code = await codeFor()
    clock.advance('60s')
    expect(await redeem(code)).toMatchObject({ error: 'invalid_grant' })
  })

  it('is redeemed once, and a second time ends its tokens', async () => {
    const { codeFor, redeem, orders } = open()
    const code = await codeFor()
    const { access_token } = await redeem(code)
    expect(await orders(access_token)).toBe(200)
    expect(await redeem(code)).toMatchObject({ error: 'invalid_grant' })
    expect(await orders(access_token)).toBe(401)
  })
})

describe('tokens', () => {
  it('have the claims of their scopes, of the options and of the login', async () => {
    const { codeFor, redeem, send } = open({ claims: { roles: 'role' } })
    const tokens = await redeem(await codeFor({ scope: 'openid profile email', nonce: 'n' }))
    expect(tokens).toMatchObject({
      token_type: 'Bearer',
      expires_in: 3600,
      scope: 'openid profile email',
    })
    expect(tokens).not.toHaveProperty('refresh_token')
    const id = claimsOf(tokens['id_token'])
    expect(id).toMatchObject({
      iss: issuer,
      aud: 'page',
      sub: '1',
      nonce: 'n',
      name: 'Ada Lovelace',
      family_name: 'Lovelace',
      email: 'ada@x.org',
      roles: 'admin',
    })
    expect(id).not.toHaveProperty('password')
    expect(claimsOf(tokens['access_token'])).toMatchObject({
      iss: issuer,
      sub: '1',
      client_id: 'page',
      roles: 'admin',
    })
    const info = await send({
      request: 'GET /api/oidc/userinfo',
      headers: { authorization: `Bearer ${tokens['access_token']}` },
    })
    expect(await info.json()).toMatchObject({ sub: '1', name: 'Ada Lovelace' })
  })

  it('are what auth accepts, with roles, until they expire', async () => {
    const { codeFor, redeem, orders, clock } = open()
    const ada = await redeem(await codeFor())
    const bob = await redeem(await codeFor({ login_hint: 'bob@x.org' }))
    expect([await orders(ada['access_token']), await orders(bob['access_token'])]).toEqual([
      200, 200,
    ])
    expect(await orders(bob['access_token'], 'DELETE')).toBe(403)
    clock.advance('1h')
    expect(await orders(ada['access_token'])).toBe(401)
  })

  it('are refreshed once, and a second time ends all of them', async () => {
    const { codeFor, redeem, refresh, orders } = open()
    const first = await redeem(await codeFor({ scope: 'openid email offline_access' }))
    expect(await refresh(first['refresh_token'], { scope: 'openid phone' })).toMatchObject({
      error: 'invalid_scope',
    })
    const second = await refresh(first['refresh_token'], { scope: 'openid' })
    expect(second).toMatchObject({ scope: 'openid' })
    const third = await refresh(second['refresh_token'])
    expect(third).toMatchObject({ scope: 'openid email offline_access' })
    expect(await refresh(first['refresh_token'])).toMatchObject({ error: 'invalid_grant' })
    expect(await refresh(third['refresh_token'])).toMatchObject({ error: 'invalid_grant' })
    expect(await orders(third['access_token'])).toBe(401)
  })

  it('end with a reset, and a fork has its own', async () => {
    const { mock, codeFor, redeem, orders } = open()
    const { access_token } = await redeem(await codeFor())
    const fork = mock.fork()
    mock.reset()
    expect(await orders(access_token)).toBe(401)
    const headers = { authorization: `Bearer ${access_token}` }
    expect((await fork.fetch('http://mock.test/api/orders/1', { headers })).status).toBe(200)
  })

  it('and codes and secrets are in no log and no archive', async () => {
    const { mock, codeFor, redeem, send } = open()
    const code = await codeFor({ scope: 'openid offline_access' })
    const formCode = await codeFor({ response_mode: 'fragment' })
    const tokens = await redeem(code, { client_secret: 'a-secret' })
    await send(post('token', { client_id: 'page', client_assertion: 'an-assertion' }))
    await send(authorize({ id_token_hint: tokens['id_token'] }))
    const text = JSON.stringify(mock.log) + JSON.stringify(toHar(mock, { redactedBodies: true }))
    expect(formCode).toBe('')
    for (const secret of [
      code,
      verifier,
      'a-secret',
      'an-assertion',
      ...Object.values(tokens).filter((one: unknown) => typeof one === 'string' && one.length > 30),
    ]) {
      expect(text).not.toContain(secret)
    }
    expect(text).not.toMatch(/#state=st&code=[a-z\d]/)
  })

  it('without the scope openid read no user info', async () => {
    const { codeFor, redeem, send } = open()
    const { access_token, id_token } = await redeem(await codeFor({ scope: 'email' }))
    const headers = { authorization: `Bearer ${access_token}` }
    const info = await send({ request: 'GET /api/oidc/userinfo', headers })
    expect([id_token, info.status, info.headers.get('www-authenticate')]).toEqual([
      undefined,
      403,
      expect.stringContaining('error="insufficient_scope"'),
    ])
  })

  it('are revoked by their client alone', async () => {
    const { codeFor, redeem, send, orders } = open()
    const { access_token = '' } = await redeem(await codeFor())
    await send(post('revoke', { client_id: 'other', token: access_token }))
    expect(await orders(access_token)).toBe(200)
    await send(post('revoke', { client_id: 'page', token: access_token }))
    expect(await orders(access_token)).toBe(401)
  })

  it('end with their user', async () => {
    const { mock, codeFor, redeem, refresh } = open()
    const { refresh_token } = await redeem(await codeFor({ scope: 'openid offline_access' }))
    mock.db.users?.remove(1)
    expect(await refresh(refresh_token)).toMatchObject({ error: 'invalid_grant' })
  })

  it('fail by rules as any path does', async () => {
    const { mock, send } = open()
    mock.on('POST', '/api/oidc/token').fail(503)
    expect((await send(post('token', {}))).status).toBe(503)
  })
})

describe('a login at the provider', () => {
  it('lasts for other clients, until max_age, and prompt=none continues it', async () => {
    const { send, clock } = open()
    await send(authorize())
    const silent = authorize({ prompt: 'none', login_hint: undefined, client_id: 'other' })
    expect((await send(silent)).headers.get('location')).toContain('code=')
    clock.advance('10s')
    const stale = authorize({ prompt: 'none', login_hint: undefined, max_age: '5' })
    expect((await send(stale)).headers.get('location')).toContain('error=login_required')
    const other = authorize({ prompt: 'none', login_hint: 'bob@x.org' })
    expect((await send(other)).headers.get('location')).toContain('error=login_required')
  })

  it('begins on the page without an application, too', async () => {
    const { send } = open()
    const html = await (await send('GET /api/oidc/authorize/login')).text()
    const token = /name="login_token" value="(\w+)"/.exec(html)?.[1] ?? ''
    const none = await send(
      post('authorize/login', { login_token: token, outcome: 'access_denied' }),
    )
    expect(none.status).toBe(404)
    const again = await (await send('GET /api/oidc/authorize/login')).text()
    const next = /name="login_token" value="(\w+)"/.exec(again)?.[1] ?? ''
    const chosen = await send(post('authorize/login', { login_token: next, user: '2' }))
    expect([chosen.status, chosen.headers.get('location')]).toEqual([200, null])
    const silent = await send(authorize({ prompt: 'none', login_hint: 'bob@x.org' }))
    expect(silent.headers.get('location')).toContain('code=')
  })

  it.each(['consent', 'select_account', 'login consent'])(
    'asks for a click with prompt=%s, unless auto logs in',
    async (prompt) => {
      const asked = authorize({ prompt })
      expect((await open().send(asked)).headers.get('location')).toBe(null)
      expect((await open({ auto: 1 }).send(asked)).headers.get('location')).toContain('code=')
    },
  )

  it('is chosen on the page, whose form another page cannot send', async () => {
    const { send, redeem, setCookie } = open()
    const html = await (await send(authorize({ login_hint: undefined }))).text()
    const token = /name="login_token" value="(\w+)"/.exec(html)?.[1] ?? ''
    const form = { login_token: token, user: '2' }
    const foreign = post('authorize/login', form, {
      'sec-fetch-site': 'cross-site',
      origin: 'https://evil.test',
    })
    expect((await send(foreign)).status).toBe(403)
    const chosen = await send(post('authorize/login', form))
    const code = new URL(chosen.headers.get('location') ?? '').searchParams.get('code') ?? ''
    expect(claimsOf((await redeem(code))['id_token'])).toMatchObject({ sub: '2' })
    expect((await send(post('authorize/login', form))).status).toBe(403)
    const next = await (await send(authorize({ login_hint: undefined, prompt: 'login' }))).text()
    setCookie('fixtura_login=other')
    const stolen = /name="login_token" value="(\w+)"/.exec(next)?.[1] ?? ''
    expect((await send(post('authorize/login', { login_token: stolen, user: '1' }))).status).toBe(
      403,
    )
  })

  it.each([
    ['access_denied', /error=access_denied/],
    ['server_error', /error=server_error/],
    ['expired_code', /code=/],
  ])('goes wrong by the button %s', async (outcome, location) => {
    const { send, redeem } = open()
    const html = await (await send(authorize({ login_hint: undefined }))).text()
    const token = /name="login_token" value="(\w+)"/.exec(html)?.[1] ?? ''
    const chosen = await send(post('authorize/login', { login_token: token, outcome }))
    expect(chosen.headers.get('location')).toMatch(location)
    const code = new URL(chosen.headers.get('location') ?? '').searchParams.get('code')
    if (code !== null) expect(await redeem(code)).toMatchObject({ error: 'invalid_grant' })
  })
})

describe('a device', () => {
  const grant = 'urn:ietf:params:oauth:grant-type:device_code'

  async function start() {
    const opened = open()
    const { send } = opened
    const device = (await (
      await send(post('device', { client_id: 'page', scope: 'openid' }))
    ).json()) as Record<string, string>
    const poll = async () =>
      (await (
        await send(
          post('token', {
            client_id: 'page',
            grant_type: grant,
            device_code: device['device_code'] ?? '',
          }),
        )
      ).json()) as Record<string, string>
    async function choose(values: Record<string, string>) {
      const { pathname, search } = new URL(device['verification_uri_complete'] ?? '')
      const html = await (await send(`GET ${pathname}${search}`)).text()
      const token = /name="login_token" value="(\w+)"/.exec(html)?.[1] ?? ''
      return send(post('authorize/login', { login_token: token, ...values }))
    }
    return { ...opened, device, poll, choose }
  }

  it('waits, is slowed down, and gets tokens once', async () => {
    const { poll, choose, clock } = await start()
    expect(await poll()).toMatchObject({ error: 'authorization_pending' })
    expect(await poll()).toMatchObject({ error: 'slow_down' })
    expect((await choose({ user: '1' })).status).toBe(200)
    clock.advance('10s')
    expect(claimsOf((await poll())['id_token'])).toMatchObject({ sub: '1' })
    expect(await poll()).toMatchObject({ error: 'invalid_grant' })
  })

  it('is of one client, and its code of one page', async () => {
    const { send, device } = await start()
    const form = { client_id: 'other', grant_type: grant, device_code: device['device_code'] ?? '' }
    expect(await (await send(post('token', form))).json()).toMatchObject({ error: 'invalid_grant' })
    expect((await send('GET /api/oidc/verify?user_code=XXXX')).status).toBe(404)
  })

  it('is refused by its user, and expires', async () => {
    const refusing = await start()
    await refusing.choose({ outcome: 'access_denied' })
    expect(await refusing.poll()).toMatchObject({ error: 'access_denied' })
    const late = await start()
    late.clock.advance('15m')
    expect(await late.poll()).toMatchObject({ error: 'expired_token' })
  })
})

it('serves the same bytes on every face', async () => {
  const texts = await Promise.all(
    Object.values(faces).map(async (connect) => {
      const connection = await connect(createMock(mockWith()()))
      const answer = await connection.send('GET /api/oidc/.well-known/openid-configuration')
      expectAnswer(answer, { status: 200 })
      await connection.close()
      return answer.text
    }),
  )
  expect(new Set(texts).size).toBe(1)
})
