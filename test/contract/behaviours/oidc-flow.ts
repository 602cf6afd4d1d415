import { auth, oidc, type OidcOptions } from '../../../src/behaviours.ts'
import { createManualClock, createMock, type MockOptions } from '../../../src/index.ts'
import type { TableRequest } from '../../table-requests.ts'

const users = [
  {
    id: 1,
    name: 'Ada Lovelace',
    email: 'ada@x.org',
    role: 'admin',
    password: 'pa',
    avatar: 'https://x.org/ada.png',
    address: { locality: 'London' },
    phone: '+44 20 7946 0000',
    updatedAt: '2026-01-01T00:00:00Z',
  },
  { id: 2, name: 'Bob', email: 'bob@x.org' },
]
export const redirect = 'http://localhost:5173/cb'
export const verifier = 'v'.repeat(43)
/** The S256 challenge of the verifier (RFC 7636 §4.2), as a text: a page has no `node:crypto`. */
const challenge = '7w_YNF9DSfIdPf_pRjSq646_kPr-2-o9NAl16JGghdM'
export const shop = { client_id: 'shop', client_secret: 'secret', redirect_uris: [redirect] }
export const page = { client_id: 'page', redirect_uris: ['http://localhost/cb', 'com.example:/cb'] }

export function mockWith(options: OidcOptions = {}): () => MockOptions<Record<string, unknown>> {
  return () => ({
    fixtures: { users, orders: [{ id: 1 }] },
    base: '/api',
    seed: 1,
    clock: createManualClock(),
    use: [auth({ roles: { 'DELETE *': 'admin' } }), oidc(options)],
  })
}

export function query(values: Record<string, string | undefined>): string {
  const given = Object.entries(values).filter(
    (pair): pair is [string, string] => pair[1] !== undefined,
  )
  return new URLSearchParams(given).toString()
}

/** A request for a login as `ada@x.org`, with other parameters; undefined leaves one out. */
export function authorize(
  values: Record<string, string | undefined> = {},
  headers = {},
): TableRequest {
  const usual = {
    client_id: 'page',
    redirect_uri: redirect,
    response_type: 'code',
    scope: 'openid',
    state: 'st',
    code_challenge: challenge,
    code_challenge_method: 'S256',
    login_hint: 'ada@x.org',
  }
  return { request: `GET /api/oidc/authorize?${query({ ...usual, ...values })}`, headers }
}

export function post(path: string, values: Record<string, string>, headers = {}): TableRequest {
  const type = { 'content-type': 'application/x-www-form-urlencoded' }
  return {
    request: `POST /api/oidc/${path}`,
    headers: { ...type, ...headers },
    body: query(values),
  }
}

/** Opens a mock over the fetch face with a cookie jar. */
export function open(options: OidcOptions = {}) {
  const config = mockWith(options)()
  const clock = createManualClock()
  const mock = createMock({ ...config, clock })
  let cookie = ''
  async function send(asked: TableRequest) {
    const { request, headers = {}, body } = typeof asked === 'string' ? { request: asked } : asked
    const [method = '', path = ''] = request.split(' ')
    const init = {
      method,
      headers: { ...headers, cookie },
      ...(body !== undefined && { body: body as string }),
    }
    const response = await mock.fetch(new Request(`http://mock.test${path}`, init))
    cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
    return response
  }
  async function codeFor(values: Record<string, string | undefined> = {}) {
    const response = await send(authorize(values))
    return new URL(response.headers.get('location') ?? 'http://none').searchParams.get('code') ?? ''
  }
  async function redeem(code: string, values: Record<string, string> = {}) {
    const usual = {
      client_id: 'page',
      grant_type: 'authorization_code',
      redirect_uri: redirect,
      code_verifier: verifier,
    }
    const response = await send(post('token', { ...usual, code, ...values }))
    return (await response.json()) as Record<string, string>
  }
  async function refresh(token = '', values: Record<string, string> = {}) {
    const usual = { client_id: 'page', grant_type: 'refresh_token', refresh_token: token }
    return (await (await send(post('token', { ...usual, ...values }))).json()) as Record<
      string,
      string
    >
  }
  const orders = async (token = '', method = 'GET') =>
    (
      await send({
        request: `${method} /api/orders/1`,
        headers: { authorization: `Bearer ${token}` },
      })
    ).status
  return {
    mock,
    clock,
    send,
    codeFor,
    redeem,
    refresh,
    orders,
    setCookie: (text: string) => (cookie = text),
  }
}

/** Reads the claims of a token. */
export function claimsOf(token = ''): Record<string, unknown> {
  return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<
    string,
    unknown
  >
}
