import { exportJWK, generateKeyPair } from 'jose'
import * as client from 'openid-client'
import { expect, it, onTestFinished } from 'vitest'

import { auth, oidc, type OidcOptions } from '../../src/behaviours.ts'
import { createManualClock, createMock } from '../../src/index.ts'
import { serve } from '../../src/node.ts'

const redirect = 'http://localhost:5173/callback'
const users = [
  { id: 1, name: 'Ada Lovelace', email: 'ada@x.org', role: 'admin' },
  { id: 2, name: 'Bob', email: 'bob@x.org' },
]

async function open(options: OidcOptions = {}, secret?: string) {
  const clock = createManualClock(Date.now())
  const use = [auth({ roles: { 'DELETE *': 'admin' } }), oidc(options)]
  const mock = createMock({ fixtures: { users, orders: [{ id: 1 }] }, clock, seed: 1, use })
  const server = await serve(mock, { port: 0 })
  onTestFinished(() => server.close())
  const issuer = `${server.url}/oidc`
  const config = await client.discovery(new URL(issuer), 'shop', secret, undefined, {
    execute: [client.allowInsecureRequests],
  })
  return { mock, clock, config, origin: server.url }
}

/** Starts a login with PKCE, and returns the address to which the provider redirects. */
async function start(config: client.Configuration, parameters: Record<string, string>) {
  const verifier = client.randomPKCECodeVerifier()
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirect,
    scope: 'openid profile email offline_access',
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state: 'a state',
    nonce: 'a nonce',
    ...parameters,
  })
  const response = await fetch(url, { redirect: 'manual' })
  expect(response.status, await response.clone().text()).toBe(303)
  const checks = { pkceCodeVerifier: verifier, expectedState: 'a state', expectedNonce: 'a nonce' }
  return { location: new URL(response.headers.get('location') ?? ''), checks }
}

async function logIn(config: client.Configuration, hint: string) {
  const { location, checks } = await start(config, { login_hint: hint })
  return client.authorizationCodeGrant(config, location, checks)
}

it.each(['RS256', 'ES256'] as const)(
  'logs in with %s, asks for the user info, refreshes and logs out',
  async (algorithm) => {
    const { config, origin } = await open({ algorithm })
    const tokens = await logIn(config, 'ada@x.org')
    expect(tokens.claims()).toMatchObject({ sub: '1', name: 'Ada Lovelace', given_name: 'Ada' })
    const info = await client.fetchUserInfo(config, tokens.access_token, '1')
    expect(info).toMatchObject({ email: 'ada@x.org', email_verified: true })
    const orders = (token: string, method = 'GET') =>
      fetch(`${origin}/orders/1`, { method, headers: { authorization: `Bearer ${token}` } })
    expect((await orders(tokens.access_token)).status).toBe(200)
    const renewed = await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
    expect((await orders(renewed.access_token, 'DELETE')).status).toBe(200)
    const url = client.buildEndSessionUrl(config, {
      id_token_hint: renewed.id_token ?? '',
      post_logout_redirect_uri: 'http://localhost:5173/',
      state: 'bye',
    })
    const out = await fetch(url, { redirect: 'manual' })
    expect(out.headers.get('location')).toBe('http://localhost:5173/?state=bye')
    expect((await orders(renewed.access_token)).status).toBe(401)
  },
)

it('refuses a user without the role, an expired token and a reused refresh token', async () => {
  const { config, origin, clock } = await open()
  const tokens = await logIn(config, 'bob@x.org')
  const headers = { authorization: `Bearer ${tokens.access_token}` }
  expect((await fetch(`${origin}/orders/1`, { method: 'DELETE', headers })).status).toBe(403)
  clock.advance('61m')
  expect((await fetch(`${origin}/orders/1`, { headers })).status).toBe(401)
  await client.refreshTokenGrant(config, tokens.refresh_token ?? '')
  await expect(client.refreshTokenGrant(config, tokens.refresh_token ?? '')).rejects.toMatchObject({
    error: 'invalid_grant',
  })
})

it('reports that nobody is logged in for prompt=none', async () => {
  const { config } = await open()
  const { location, checks } = await start(config, { prompt: 'none' })
  await expect(client.authorizationCodeGrant(config, location, checks)).rejects.toMatchObject({
    error: 'login_required',
  })
})

it('authenticates a client by its secret, also for itself, and revokes and introspects tokens', async () => {
  const clients = [{ client_id: 'shop', client_secret: 's:e+c', redirect_uris: [redirect] }]
  const { config } = await open({ clients }, 's:e+c')
  const { access_token: token } = await client.clientCredentialsGrant(config, { scope: 'read' })
  expect(await client.tokenIntrospection(config, token)).toMatchObject({
    active: true,
    sub: 'shop',
  })
  await client.tokenRevocation(config, token)
  expect(await client.tokenIntrospection(config, token)).toMatchObject({ active: false })
})

it('authenticates a client by a signed assertion, and refuses one of another key', async () => {
  const pair = () => generateKeyPair('ES256', { extractable: true })
  const [own, other] = [await pair(), await pair()]
  const jwks = { keys: [{ ...(await exportJWK(own.publicKey)) }] }
  const clients = [{ client_id: 'shop', jwks, redirect_uris: [redirect] }]
  const { clock, origin } = await open({ clients })
  const logInWith = async (key: CryptoKey) => {
    const server = new URL(`${origin}/oidc`)
    const method = client.PrivateKeyJwt(key)
    const execute = [client.allowInsecureRequests]
    const config = await client.discovery(server, 'shop', undefined, method, { execute })
    return client.clientCredentialsGrant(config)
  }
  await expect(logInWith(other.privateKey)).rejects.toMatchObject({ status: 401 })
  expect(await logInWith(own.privateKey)).toMatchObject({ token_type: 'bearer' })
  clock.advance('1d')
  await expect(logInWith(own.privateKey)).rejects.toMatchObject({ status: 401 })
})

it('connects a device', async () => {
  const { config } = await open({ auto: 1 })
  const device = await client.initiateDeviceAuthorization(config, { scope: 'openid' })
  const tokens = await client.pollDeviceAuthorizationGrant(config, { ...device, interval: 0 })
  expect(tokens.claims()).toMatchObject({ sub: '1' })
})
