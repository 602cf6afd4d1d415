import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose'
import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished } from 'vitest'

import { auth, oidc, type OidcOptions, sessions } from '../../src/behaviours.ts'
import { createManualClock, createMock, type Mock } from '../../src/index.ts'
import { handlers, strict } from '../../src/msw.ts'
import { serve } from '../../src/node.ts'
import { connect } from '../../src/remote.ts'

const users = [
  { id: 1, name: 'Ada Lovelace', email: 'ada@x.org', username: 'ada', role: 'admin' },
  { id: 2, name: 'Bob', email: 'bob@x.org' },
]

function open(options: OidcOptions = {}): Mock {
  const use = [sessions(), oidc(options), auth({ roles: { 'DELETE *': 'admin' } })]
  const fixtures = { users, orders: [{ id: 1 }] }
  return createMock({ fixtures, seed: 1, clock: createManualClock(Date.now()), use })
}

async function openServer(options?: OidcOptions) {
  const mock = open(options)
  const server = await serve(mock, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  return { mock, server, url: server.url }
}

const bearer = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

describe('mock.login', () => {
  it.each([
    ['the e-mail in any case', 'ADA@x.org'],
    ['the username', 'ada'],
    ['the id', 1],
    ['the id as a text', '1'],
  ])('finds a user by %s', async (_, user) => {
    const { id_token = '', ...tokens } = await open().login(user)
    expect(decodeJwt(id_token)).toMatchObject({ sub: '1', name: 'Ada Lovelace', aud: 'mock' })
    expect(tokens).toMatchObject({ token_type: 'Bearer', scope: 'openid profile email' })
    expect(tokens).not.toHaveProperty('refresh_token')
  })

  it('returns tokens that auth accepts with their roles, until they expire or a reset', async () => {
    const mock = open()
    const ask = async (token: string, method = 'GET') =>
      (await mock.fetch('/orders/1', { method, ...bearer(token) })).status
    const [ada, bob] = [await mock.login('ada'), await mock.login(2)]
    expect([await ask(bob.access_token), await ask(bob.access_token, 'DELETE')]).toEqual([200, 403])
    expect(await ask(ada.access_token, 'DELETE')).toBe(200)
    mock.clock.advance('1h')
    expect(await ask(bob.access_token)).toBe(401)
    const later = await mock.login(2)
    mock.reset()
    expect(await ask(later.access_token)).toBe(401)
  })

  it('takes the client, the scope, the nonce and the origin of the server', async () => {
    const mock = open({ clients: [{ client_id: 'shop' }, { client_id: 'page' }] })
    const options = { scope: 'openid offline_access', nonce: 'n', origin: 'http://localhost:3000/' }
    const { id_token = '', refresh_token } = await mock.login('ada', options)
    const claims = { iss: 'http://localhost:3000/oidc', aud: 'shop', nonce: 'n' }
    expect(decodeJwt(id_token)).toMatchObject(claims)
    const refresh = {
      grant_type: 'refresh_token',
      client_id: 'shop',
      refresh_token: `${refresh_token}`,
    }
    const body = new URLSearchParams(refresh)
    const renewed = await mock.fetch('/oidc/token', { method: 'POST', body })
    expect(await renewed.json()).toMatchObject({ access_token: expect.any(String) })
    const other = await mock.login('ada', { client: 'page' })
    expect(decodeJwt(other.id_token ?? '').aud).toBe('page')
  })

  it.each([
    ['an unknown user', ['eve'], 'no user of "users" has the id, e-mail or username "eve"'],
    ['an unknown client', ['ada', { client: 'x' }], 'there is no client "x"'],
    ['an unknown option', ['ada', { scopes: 'x' }], 'Did you mean "scope"?'],
    ['no user', [undefined], '"user"'],
  ])('rejects %s', async (_, args, message) => {
    const { login } = open({ clients: [{ client_id: 'shop' }] })
    await expect(login(...(args as ['ada']))).rejects.toThrow(message)
  })

  it('says what to add to a mock without a provider', async () => {
    const message = 'Please add oidc() to "use".'
    await expect(createMock({ fixtures: { users } }).login(1)).rejects.toThrow(message)
  })

  it('has logins of its own in each fork, with the same tokens for the same seed', async () => {
    const mock = open()
    const fork = mock.fork()
    const { access_token } = await fork.login('ada')
    expect((await fork.fetch('/orders', bearer(access_token))).status).toBe(200)
    expect((await mock.fetch('/orders', bearer(access_token))).status).toBe(401)
  })

  it('logs in requests that MSW answers', async () => {
    const mock = open()
    const server = setupServer(...handlers(mock))
    server.listen(strict())
    onTestFinished(() => server.close())
    const { access_token } = await mock.login('ada')
    const info = await fetch('http://localhost/oidc/userinfo', bearer(access_token))
    expect(await info.json()).toMatchObject({ sub: '1', email: 'ada@x.org' })
  })
})

describe('mock.login over connect', () => {
  it('returns tokens that the keys of the server verify, and the cookie of a browser', async () => {
    const { url } = await openServer()
    const { id_token = '', access_token, cookie } = await connect(url).login('ada@x.org')
    const keys = createRemoteJWKSet(new URL(`${url}/oidc/jwks`))
    const { payload } = await jwtVerify(id_token, keys, { issuer: `${url}/oidc`, audience: 'mock' })
    expect(payload['email']).toBe('ada@x.org')
    expect((await fetch(`${url}/orders`, bearer(access_token))).status).toBe(200)
    const query = new URLSearchParams({
      client_id: 'shop',
      redirect_uri: 'http://localhost:5173/',
      response_type: 'code',
      prompt: 'none',
    })
    const silent = await fetch(`${url}/oidc/authorize?${query}`, {
      redirect: 'manual',
      headers: { cookie: `${cookie.name}=${cookie.value}` },
    })
    expect(silent.headers.get('location')).toContain('code=')
  })

  it('logs in at one session', async () => {
    const { url } = await openServer()
    const { access_token } = await connect(url, { session: 'a' }).login('ada')
    const inSession = { authorization: `Bearer ${access_token}`, 'X-Mock-Session': 'a' }
    expect((await fetch(`${url}/orders`, { headers: inSession })).status).toBe(200)
    expect((await fetch(`${url}/orders`, bearer(access_token))).status).toBe(401)
  })

  it('rejects as the local call, and pages of other origins get no token', async () => {
    const { url } = await openServer()
    await expect(connect(url).login('eve')).rejects.toMatchObject({
      status: 404,
      code: 'LOGIN_REFUSED',
    })
    const foreign = await fetch(`${url}/__mock/login`, {
      method: 'POST',
      headers: { origin: 'https://evil.test' },
      body: '"ada"',
    })
    expect([foreign.status, await foreign.text()]).toEqual([403, expect.not.stringContaining('ey')])
  })
})
