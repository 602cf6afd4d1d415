import { SignJWT } from 'jose'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import { reloadAll } from '../../../src/core/store/reload.ts'
import {
  auth,
  type AuthOptions,
  type Behaviour,
  fields,
  scenarios,
  schema,
  sessions,
  states,
  versions,
} from '../../../src/behaviours.ts'
import type { Dialect } from '../../../src/core/dialects/contract/dialect.ts'
import { jsonServer0, jsonServer1, simpleRest } from '../../../src/dialects.ts'
import {
  createManualClock,
  createMock,
  type ManualClock,
  type Mock,
  type MockOptions,
} from '../../../src/index.ts'
import { bodyOf, contract, type Expected, faces, type TableRequest } from '../../faces.ts'

const fixtures = {
  users: [
    { id: 1, email: 'ada@x.org', password: 'pa:ss', role: 'admin', apiKey: 'key-ada', name: 'Ada' },
    { id: 2, email: 'bob@x.org', password: 'secret', roles: ['clerk', 'user'], apiKey: 'key-bob' },
    { id: 3, email: 'cat@x.org', role: 'user', apiKey: 'key-cat' },
  ],
  posts: [{ id: 1, title: 'Hello', userId: 1 }],
  orders: [
    { id: 1, userId: 1, total: 10 },
    { id: 2, userId: 2, total: 20 },
    { id: 3, userId: 3, total: 30 },
  ],
}

const shown = fixtures.users.map((user) => {
  const { password: _password, ...rest } = user
  return rest
})
const [ada, bob, cat] = shown

function mockWith(options: AuthOptions): () => MockOptions<Record<string, unknown>> {
  return () => ({
    fixtures,
    base: '/api',
    seed: 1,
    clock: createManualClock(),
    use: [auth({ known: { 'a-ada': 1, 'b-bob': 2, 'c-cat': 3, 'd-gone': 9 }, ...options })],
  })
}

/** So many of the posts, as a dialect lists them. */
function listOf({ name }: Dialect, count: number): Expected {
  const posts = fixtures.posts.slice(0, name === 'simple-rest' ? 1 : count)
  return {
    status: 200,
    body: posts.map((post) => ({ ...post, id: name === 'json-server-1' ? '1' : 1 })),
  }
}

/** A request with a header. */
const by = (request: string, name: string, value: string, body?: unknown): TableRequest => ({
  request,
  headers: { [name]: value },
  ...(body !== undefined && { body }),
})

/** A request with a bearer token. */
const as = (token: string, request: string, body?: unknown): TableRequest =>
  by(request, 'authorization', `Bearer ${token}`, body)

/** The body of a problem whose words end so. */
const says = (words: string): unknown =>
  expect.objectContaining({ detail: expect.stringContaining(`: ${words}`) as string })

contract('bearer tokens', mockWith({}), [
  [
    'are required, and the challenge has no error code without credentials (RFC 6750 §3.1)',
    'GET /api/posts',
    {
      status: 401,
      headers: {
        'www-authenticate': 'Bearer realm="mock"',
        'content-type': 'application/problem+json; charset=utf-8',
      },
      body: {
        type: 'about:blank',
        title: 'Unauthorized',
        status: 401,
        detail: 'Failed to authenticate: the request has no credentials. Please log in.',
        message: 'Failed to authenticate: the request has no credentials. Please log in.',
      },
    },
  ],
  ['authenticate a request', as('a-ada', 'GET /api/posts'), { status: 200, body: fixtures.posts }],
  [
    'are accepted with any case of the scheme',
    by('GET /api/posts', 'authorization', 'bearer a-ada'),
    { status: 200 },
  ],
  [
    'are accepted in the query and filter nothing',
    'GET /api/posts?access_token=a-ada',
    { status: 200, headers: { 'x-mock-ignored': null }, body: fixtures.posts },
  ],
  [
    'that are unknown are invalid_token',
    as('x', 'GET /api/posts'),
    {
      status: 401,
      headers: {
        'www-authenticate':
          'Bearer realm="mock", error="invalid_token", error_description="Failed to log in: the token is invalid. Please log in again."',
      },
      body: expect.objectContaining({ status: 401, error: 'invalid_token' }),
    },
  ],
  ['of a removed user are unknown', as('d-gone', 'GET /api/posts'), { status: 401 }],
  [
    'that are malformed are 400',
    by('GET /api/posts', 'authorization', 'Bearer'),
    {
      status: 400,
      headers: { 'www-authenticate': /^Bearer realm="mock", error="invalid_request", / },
    },
  ],
  [
    'that contain a space are 400',
    as('a b', 'GET /api/posts'),
    {
      status: 400,
      headers: { 'www-authenticate': /error="invalid_request"/ },
      body: says('the token is malformed. Please send the access token of a login.'),
    },
  ],
  [
    'in the header and in the query are 400',
    as('a-ada', 'GET /api/posts?access_token=a-ada'),
    { status: 400, headers: { 'www-authenticate': /error="invalid_request"/ } },
  ],
  [
    'are required, not another scheme',
    by('GET /api/posts', 'authorization', 'Basic YTpi'),
    { status: 401, headers: { 'www-authenticate': 'Bearer realm="mock"' } },
  ],
  ['are required before an unknown path is 404', 'GET /api/nothing', { status: 401 }],
  ['are not required for OPTIONS', 'OPTIONS /api/posts', { status: 204 }],
  [
    'are not required for a preflight',
    {
      request: 'OPTIONS /api/posts',
      headers: { origin: 'http://localhost:5173', 'access-control-request-method': 'POST' },
    },
    { status: 204 },
  ],
  [
    'leave the error readable for pages',
    by('GET /api/posts', 'origin', 'http://localhost:5173'),
    {
      status: 401,
      headers: {
        'access-control-allow-origin': 'http://localhost:5173',
        'access-control-expose-headers': /WWW-Authenticate/,
      },
    },
  ],
])

contract('passwords', mockWith({}), [
  ['are missing from lists', as('a-ada', 'GET /api/users'), { status: 200, body: shown }],
  ['are missing from members', as('a-ada', 'GET /api/users/1'), { status: 200, body: ada }],
  [
    'are missing from embedded records',
    as('a-ada', 'GET /api/orders/1?_embed=user'),
    { status: 200, body: { ...fixtures.orders[0], user: ada } },
  ],
  [
    'are missing from search results',
    as('a-ada', 'GET /api/users?q=secret'),
    { status: 200, body: [] },
  ],
  [
    'cannot be used as filters',
    as('a-ada', 'GET /api/users?password_like=s%25'),
    { status: 200, body: [] },
  ],
  [
    'are missing from the response to a write',
    as('a-ada', 'POST /api/users', { email: 'd@x.org', password: 'x' }),
    { status: 201, body: { id: 4, email: 'd@x.org' } },
  ],
  [
    'stay when a PUT leaves them out',
    [
      as('a-ada', 'PUT /api/users/2', { email: 'new@x.org' }),
      { request: 'POST /api/login', body: { email: 'new@x.org', password: 'secret' } },
    ],
    { status: 200 },
  ],
  [
    'still protect a user after a PUT leaves them out',
    [
      as('a-ada', 'PUT /api/users/2', { email: 'new@x.org' }),
      { request: 'POST /api/login', body: { email: 'new@x.org', password: 'x' } },
    ],
    { status: 401 },
  ],
  [
    'are hidden in the collection of users only',
    [
      as('a-ada', 'POST /api/posts', { password: 'of the wireless' }),
      as('a-ada', 'GET /api/posts/2'),
    ],
    { status: 200, body: { id: 2, password: 'of the wireless' } },
  ],
  [
    'cannot be copied to a visible field',
    {
      request: 'PATCH /api/users/2',
      headers: { authorization: 'Bearer a-ada', 'content-type': 'application/json-patch+json' },
      body: '[{"op":"copy","from":"/password","path":"/nick"}]',
    },
    { status: 409 },
  ],
  [
    'stay when a merge patch changes another field',
    [
      {
        request: 'PATCH /api/users/2',
        headers: { authorization: 'Bearer a-ada', 'content-type': 'application/merge-patch+json' },
        body: '{"name":"Bob"}',
      },
      { request: 'POST /api/login', body: { email: 'bob@x.org', password: 'secret' } },
    ],
    { status: 200 },
  ],
  [
    'can be changed',
    [
      as('a-ada', 'PATCH /api/users/2', { password: 'new' }),
      { request: 'POST /api/login', body: { email: 'bob@x.org', password: 'new' } },
    ],
    { status: 200 },
  ],
])

contract(
  'a dependent record that a request names',
  mockWith({ protect: ['DELETE orders'], roles: { 'DELETE posts': 'admin' } }),
  [
    [
      'needs the role of a direct DELETE',
      as('b-bob', 'DELETE /api/users/1?_dependent=posts'),
      { status: 403, headers: { 'www-authenticate': /insufficient_scope/ } },
    ],
    [
      'needs the login of a direct DELETE',
      'DELETE /api/users/2?_dependent=orders',
      { status: 401 },
    ],
    [
      'is not checked if the request does not name it',
      as('b-bob', 'DELETE /api/users/1'),
      { status: 200 },
    ],
    [
      'is removed by a user with permission',
      [as('a-ada', 'DELETE /api/users/2?_dependent=posts,orders'), 'GET /api/orders/2'],
      { status: 404 },
    ],
  ],
)

contract(
  'a record of a dependent relation',
  () => ({
    ...mockWith({ protect: [], roles: { 'DELETE posts': 'admin' } })(),
    relations: { posts: { userId: { to: 'users', dependent: true } } },
  }),
  [
    [
      'is removed without a check, as the mock removes it',
      ['DELETE /api/users/1', 'GET /api/posts'],
      { status: 200, body: [] },
    ],
    ['is checked for a direct DELETE', 'DELETE /api/posts/1', { status: 401 }],
  ],
)

contract('a login', mockWith({ tokens: 'opaque' }), [
  [
    'returns tokens and the user',
    { request: 'POST /api/login', body: { email: 'bob@x.org', password: 'secret' } },
    {
      status: 200,
      headers: { 'cache-control': 'no-store' },
      body: {
        access_token: expect.stringMatching(/^\w{32}$/),
        token_type: 'Bearer',
        expires_in: 3600,
        refresh_token: expect.stringMatching(/^\w{32}$/),
        user: bob,
      },
    },
  ],
  [
    'accepts a form',
    {
      request: 'POST /api/login',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: 'email=bob%40x.org&password=secret',
    },
    { status: 200 },
  ],
  [
    'ignores an expired token',
    as('x', 'POST /api/login', { email: 'bob@x.org', password: 'secret' }),
    { status: 200 },
  ],
  [
    'is refused with a wrong password',
    { request: 'POST /api/login', body: { email: 'bob@x.org', password: 'Secret' } },
    {
      status: 401,
      headers: { 'www-authenticate': 'Bearer realm="mock"' },
      body: expect.objectContaining({
        detail: 'Failed to log in: the name or the password is wrong. Please check both.',
      }),
    },
  ],
  [
    'is refused to an unknown user with the same message',
    { request: 'POST /api/login', body: { email: 'eve@x.org', password: 'secret' } },
    {
      status: 401,
      body: expect.objectContaining({
        detail: 'Failed to log in: the name or the password is wrong. Please check both.',
      }),
    },
  ],
  [
    'lists missing fields',
    { request: 'POST /api/login', body: {} },
    {
      status: 422,
      body: expect.objectContaining({
        errors: { email: 'is required', password: 'is required' },
        issues: [
          { pointer: '#/email', detail: 'is required' },
          { pointer: '#/password', detail: 'is required' },
        ],
      }),
    },
  ],
  [
    'requires a password of users with a password',
    { request: 'POST /api/login', body: { email: 'bob@x.org' } },
    { status: 422, body: expect.objectContaining({ errors: { password: 'is required' } }) },
  ],
  [
    'needs no password of users without one',
    { request: 'POST /api/login', body: { email: 'cat@x.org' } },
    { status: 200 },
  ],
  [
    'accepts any password of users without one',
    { request: 'POST /api/login', body: { email: 'cat@x.org', password: 'x' } },
    { status: 200 },
  ],
  [
    'treats a name that is no text as missing',
    { request: 'POST /api/login', body: { email: { $ne: 1 }, password: 'x' } },
    { status: 422 },
  ],
  ['requires a body', 'POST /api/login', { status: 400 }],
  [
    'accepts only POST',
    'GET /api/login',
    {
      status: 405,
      headers: { allow: 'POST, OPTIONS' },
      body: expect.objectContaining({
        detail:
          'Failed to GET "/api/login": it has no such method. Please use one of POST, OPTIONS.',
      }),
    },
  ],
  ['is required for the current user', 'GET /api/me', { status: 401 }],
  ['returns the current user', as('b-bob', 'GET /api/me'), { status: 200, body: bob }],
  ['can be ended without credentials', 'POST /api/logout', { status: 204 }],
  [
    'is not renewed by an unknown token',
    { request: 'POST /api/refresh', body: { refresh_token: 'x' } },
    {
      status: 401,
      headers: { 'www-authenticate': /error="invalid_token"/ },
      body: says('the refresh token is invalid or expired. Please log in again.'),
    },
  ],
  ['is not renewed without a token', { request: 'POST /api/refresh', body: {} }, { status: 422 }],
])

contract('a login with a named password', mockWith({ password: 'password' }), [
  [
    'refuses users without a password',
    { request: 'POST /api/login', body: { email: 'cat@x.org', password: 'x' } },
    { status: 401 },
  ],
])

contract('a login with any password', mockWith({ password: false, by: ['name'] }), [
  ['requires a name', { request: 'POST /api/login', body: { name: 'Ada' } }, { status: 200 }],
])

contract(
  'configured endpoints',
  mockWith({ paths: { login: 'auth/session', me: false, logout: '/bye', refresh: '/again/' } }),
  [
    [
      'have the paths of the options',
      { request: 'POST /api/auth/session', body: { email: 'bob@x.org', password: 'secret' } },
      { status: 200 },
    ],
    ['accept a trailing slash', { request: 'POST /api/again/', body: {} }, { status: 422 }],
    ['replace the default paths', 'POST /api/login', { status: 401 }],
    ['can be disabled', as('a-ada', 'GET /api/me'), { status: 404 }],
  ],
)

const basic = (text: string): string =>
  `Basic ${btoa(String.fromCharCode(...new TextEncoder().encode(text)))}`

contract('basic credentials', mockWith({ scheme: 'basic' }), [
  [
    'are required',
    'GET /api/posts',
    { status: 401, headers: { 'www-authenticate': 'Basic realm="mock", charset="UTF-8"' } },
  ],
  [
    'may contain a colon in the password',
    by('GET /api/me', 'authorization', basic('ada@x.org:pa:ss')),
    { status: 200, body: ada },
  ],
  ['must be right', by('GET /api/posts', 'authorization', basic('ada@x.org:x')), { status: 401 }],
  ['must be well-formed', by('GET /api/posts', 'authorization', 'Basic ***'), { status: 401 }],
  ['have no login endpoint', { request: 'POST /api/login', body: {} }, { status: 401 }],
])

contract('API keys', mockWith({ scheme: 'apiKey' }), [
  [
    'are required',
    'GET /api/posts',
    {
      status: 401,
      headers: { 'www-authenticate': 'ApiKey realm="mock", header="X-API-Key", query="api_key"' },
    },
  ],
  ['authenticate a request', by('GET /api/posts', 'x-api-key', 'key-ada'), { status: 200 }],
  [
    'are accepted in the query and filter nothing',
    'GET /api/posts?api_key=key-ada',
    { status: 200, body: fixtures.posts },
  ],
  [
    'are accepted as the credentials of the scheme that the challenge names',
    by('GET /api/posts', 'authorization', 'ApiKey key-ada'),
    { status: 200, body: fixtures.posts },
  ],
  [
    'are accepted with any case of the scheme',
    by('GET /api/posts', 'authorization', 'apikey  key-ada'),
    { status: 200 },
  ],
  [
    'must be known as credentials of the scheme, too',
    by('GET /api/posts', 'authorization', 'ApiKey key'),
    { status: 401, body: says('the API key is invalid. Please send the "apiKey" of a user.') },
  ],
  [
    'cannot be missing after the scheme',
    by('GET /api/posts', 'authorization', 'ApiKey'),
    { status: 401, body: says('the API key is invalid. Please send the "apiKey" of a user.') },
  ],
  [
    'are not looked for in the credentials of other schemes',
    by('GET /api/posts', 'authorization', 'Bearer key-ada'),
    { status: 401, body: says('the request has no credentials. Please log in.') },
  ],
  [
    'must be known',
    by('GET /api/posts', 'x-api-key', 'key'),
    {
      status: 401,
      body: says('the API key is invalid. Please send the "apiKey" of a user.'),
    },
  ],
  [
    'are hidden',
    by('GET /api/users/3', 'x-api-key', 'key-ada'),
    { status: 200, body: { id: 3, email: 'cat@x.org', role: 'user' } },
  ],
])

contract(
  'API keys in the header Authorization',
  mockWith({ scheme: 'apiKey', key: { header: 'Authorization' } }),
  [
    ['are accepted alone', by('GET /api/posts', 'authorization', 'key-ada'), { status: 200 }],
    [
      'are accepted behind the scheme',
      by('GET /api/posts', 'authorization', 'ApiKey key-ada'),
      { status: 200 },
    ],
  ],
)

for (const dialect of [jsonServer0, jsonServer1, simpleRest]) {
  contract(
    `API keys in the query, by ${dialect.name}`,
    () => ({ ...mockWith({ scheme: ['bearer', 'apiKey'] })(), dialect }),
    [
      ['filter nothing', 'GET /api/posts?api_key=key-ada', listOf(dialect, 1)],
      ['leave filters as they are', 'GET /api/posts?api_key=key-ada&id=9', listOf(dialect, 0)],
      ['neither do tokens', 'GET /api/posts?%61ccess_token=a-ada', listOf(dialect, 1)],
    ],
  )
}

contract('several schemes', mockWith({ scheme: ['bearer', 'apiKey'] }), [
  [
    'are all in the challenge',
    'GET /api/posts',
    {
      status: 401,
      headers: {
        'www-authenticate':
          'Bearer realm="mock", ApiKey realm="mock", header="X-API-Key", query="api_key"',
      },
    },
  ],
  [
    'report the error of the scheme that was sent',
    as('x', 'GET /api/posts'),
    {
      status: 401,
      headers: {
        'www-authenticate':
          'Bearer realm="mock", error="invalid_token", error_description="Failed to log in: the token is invalid. Please log in again.", ApiKey realm="mock", header="X-API-Key", query="api_key"',
      },
    },
  ],
  ['accept the first scheme', as('a-ada', 'GET /api/posts'), { status: 200 }],
  ['accept the second scheme', by('GET /api/posts', 'x-api-key', 'key-ada'), { status: 200 }],
])

contract(
  'credentials for a public path',
  mockWith({ scheme: ['basic', 'apiKey', 'cookie'], protect: [] }),
  [
    ['are optional', 'GET /api/posts', { status: 200 }],
    ['must be right', by('GET /api/posts', 'authorization', basic('ada@x.org:x')), { status: 401 }],
    ['must be known', by('GET /api/posts', 'x-api-key', 'key'), { status: 401 }],
    ['may be an expired cookie', by('GET /api/posts', 'cookie', 'sid=x'), { status: 200 }],
  ],
)

contract('cookies', mockWith({ scheme: 'cookie' }), [
  [
    'are set by a login, with HttpOnly',
    { request: 'POST /api/login', body: { email: 'bob@x.org', password: 'secret' } },
    {
      status: 200,
      headers: {
        'set-cookie': /^sid=\w{24}; Path=\/api; Max-Age=3600; HttpOnly; SameSite=Lax$/,
      },
      body: { user: bob },
    },
  ],
  [
    'are required',
    by('GET /api/posts', 'cookie', 'other=1'),
    { status: 401, headers: { 'www-authenticate': 'Cookie realm="mock", cookie-name="sid"' } },
  ],
  ['that are unknown are ignored', by('GET /api/posts', 'cookie', 'sid=x'), { status: 401 }],
  [
    'with a token of `known` are valid',
    by('GET /api/me', 'cookie', 'sid=x; sid=b-bob'),
    { status: 200, body: bob },
  ],
  [
    'with a token of `known` need a user',
    by('GET /api/me', 'cookie', 'sid=d-gone'),
    { status: 401 },
  ],
  [
    'with a token of `known` are renewed',
    by('POST /api/refresh', 'cookie', 'sid=b-bob'),
    { status: 204, headers: { 'set-cookie': /^sid=b-bob; Path=\/api; Max-Age=3600;/ } },
  ],
  [
    'with a token of `known` are valid after a logout, too',
    [
      by('POST /api/logout', 'cookie', 'sid=b-bob'),
      by('POST /api/refresh', 'cookie', 'sid=b-bob'),
      by('GET /api/me', 'cookie', 'sid=b-bob'),
    ],
    { status: 200, body: bob },
  ],
  [
    'are deleted by a logout',
    'POST /api/logout',
    {
      status: 204,
      headers: { 'set-cookie': 'sid=; Path=/api; Max-Age=0; HttpOnly; SameSite=Lax' },
    },
  ],
  [
    'cannot be renewed without a session',
    'POST /api/refresh',
    { status: 401, body: says('nobody is logged in. Please log in.') },
  ],
])

describe('a cookie', () => {
  it.each([
    ['for a page of the same site', 'http://mock.test', 'same-site', 'SameSite=Lax'],
    ['over TLS', 'https://mock.test', 'same-origin', 'SameSite=Lax; Secure'],
    [
      'for a page of another site',
      'http://mock.test',
      'cross-site',
      'SameSite=None; Secure; Partitioned',
    ],
  ])('%s has the SameSite attributes that it needs', async (_title, url, site, expected) => {
    const mock = createMock(mockWith({ scheme: 'cookie' })())
    const headers = { 'Content-Type': 'application/json', 'Sec-Fetch-Site': site }
    const body = JSON.stringify({ email: 'bob@x.org', password: 'secret' })
    const set = async (path: string): Promise<string | null> => {
      const request = new Request(`${url}/api${path}`, { method: 'POST', headers, body })
      return (await mock.fetch(request)).headers.get('Set-Cookie')
    }
    const ends = new RegExp(`; HttpOnly; ${expected}$`)
    expect(await set('/login')).toMatch(ends)
    expect(await set('/logout')).toMatch(ends)
  })
})

contract(
  'a pattern with GET',
  mockWith({ protect: ['GET orders'], roles: { 'GET users': 'admin' } }),
  [
    ['protects against GET', 'GET /api/orders', { status: 401 }],
    ['protects against HEAD', 'HEAD /api/orders', { status: 401 }],
    ['protects against QUERY', { request: 'QUERY /api/orders', body: {} }, { status: 401 }],
    ['leaves writes alone', { request: 'POST /api/orders', body: {} }, { status: 201 }],
    ['requires the role of QUERY, too', as('b-bob', 'QUERY /api/users', {}), { status: 403 }],
    ['gives QUERY to the role', as('a-ada', 'QUERY /api/users', {}), { status: 200 }],
  ],
)

contract(
  'permissions',
  mockWith({
    protect: ['POST *', 'orders'],
    public: ['POST /posts'],
    roles: { 'DELETE *': 'admin', 'PATCH orders': ['admin', 'clerk'] },
  }),
  [
    ['leave other paths public', 'GET /api/users', { status: 200 }],
    ['protect a method', { request: 'POST /api/users', body: {} }, { status: 401 }],
    ['protect a collection', 'GET /api/orders/1', { status: 401 }],
    ['protect a collection by every path', 'GET /api/users/1/orders', { status: 401 }],
    [
      'protect a collection against embedding',
      'GET /api/users/1?_embed=orders',
      { status: 200, body: { ...ada, orders: [] } },
    ],
    [
      'let users with permission embed a protected collection',
      as('c-cat', 'GET /api/users/1?_embed=orders'),
      { status: 200, body: { ...ada, orders: [fixtures.orders[0]] } },
    ],
    ['open public paths', { request: 'POST /api/posts', body: {} }, { status: 201 }],
    ['accept a token on a public path', as('a-ada', 'GET /api/posts'), { status: 200 }],
    ['refuse an invalid token on a public path', as('x', 'GET /api/posts'), { status: 401 }],
    ['accept a user with the role', as('a-ada', 'DELETE /api/posts/1'), { status: 200 }],
    [
      'refuse a user without the role (RFC 6750 §3.1)',
      as('b-bob', 'DELETE /api/posts/1'),
      {
        status: 403,
        headers: {
          'www-authenticate':
            'Bearer realm="mock", error="insufficient_scope", error_description="Failed to DELETE \'/api/posts/1\': it requires the role admin.", scope="admin"',
        },
        body: expect.objectContaining({
          title: 'Forbidden',
          status: 403,
          error: 'insufficient_scope',
        }),
      },
    ],
    ['require a login for a role', 'DELETE /api/posts/1', { status: 401 }],
    [
      'accept one of several roles',
      as('b-bob', 'PATCH /api/orders/1', { total: 1 }),
      { status: 200 },
    ],
    [
      'refuse a user with none of several roles',
      as('c-cat', 'PATCH /api/orders/1', { total: 1 }),
      { status: 403 },
    ],
  ],
)

contract(
  'a 403 without the scheme bearer',
  mockWith({ scheme: 'apiKey', roles: { posts: 'admin' } }),
  [
    [
      'has no challenge',
      by('GET /api/posts', 'x-api-key', 'key-bob'),
      { status: 403, headers: { 'www-authenticate': null } },
    ],
  ],
)

contract(
  'owners',
  mockWith({ owners: { orders: { key: 'userId', except: ['admin'] }, users: 'id' } }),
  [
    [
      'list their own records',
      as('b-bob', 'GET /api/orders'),
      { status: 200, headers: { 'x-total-count': '1' }, body: [fixtures.orders[1]] },
    ],
    [
      'list all records with an exempt role',
      as('a-ada', 'GET /api/orders'),
      { status: 200, body: fixtures.orders },
    ],
    [
      'cannot read records of others',
      as('b-bob', 'GET /api/orders/1'),
      { status: 403, headers: { 'www-authenticate': /error="insufficient_scope"/ } },
    ],
    [
      'cannot change records of others',
      as('b-bob', 'PATCH /api/orders/1', { total: 0 }),
      { status: 403 },
    ],
    ['cannot remove records of others', as('b-bob', 'DELETE /api/orders/1'), { status: 403 }],
    [
      'can change their own records',
      as('b-bob', 'PATCH /api/orders/2', { total: 0 }),
      { status: 200 },
    ],
    [
      'own the records that they create',
      as('b-bob', 'POST /api/orders', { total: 1 }),
      { status: 201, body: { id: 4, total: 1, userId: 2 } },
    ],
    [
      'own the records that they create with an exempt role',
      as('a-ada', 'POST /api/orders', { total: 1 }),
      { status: 201, body: { id: 4, total: 1, userId: 1 } },
    ],
    [
      'are who an exempt role names',
      as('a-ada', 'POST /api/orders', { total: 1, userId: 3 }),
      { status: 201, body: { id: 4, total: 1, userId: 3 } },
    ],
    [
      'stay when the PUT of an exempt role leaves them out',
      as('a-ada', 'PUT /api/orders/2', { total: 5 }),
      { status: 200, body: { id: 2, total: 5, userId: 2 } },
    ],
    [
      'are removed by an exempt role with null',
      as('a-ada', 'PATCH /api/orders/2', { userId: null }),
      { status: 200, body: { ...fixtures.orders[1], userId: null } },
    ],
    [
      'cannot create records for others',
      as('b-bob', 'POST /api/orders', { total: 1, userId: 1 }),
      { status: 403 },
    ],
    [
      'cannot give records away',
      as('b-bob', 'PATCH /api/orders/2', { userId: 1 }),
      { status: 403 },
    ],
    [
      'stay when a PUT leaves them out',
      as('b-bob', 'PUT /api/orders/2', { total: 5 }),
      { status: 200, body: { id: 2, total: 5, userId: 2 } },
    ],
    [
      'see their own embedded records',
      as('b-bob', 'GET /api/users/2?_embed=orders'),
      { status: 200, body: { ...bob, orders: [fixtures.orders[1]] } },
    ],
    [
      'see null for an embedded record of others',
      as('b-bob', 'GET /api/posts/1?_embed=user'),
      { status: 200, body: { ...fixtures.posts[0], user: null } },
    ],
    [
      'see null for a missing embedded record',
      [as('b-bob', 'POST /api/posts', { userId: 9 }), as('b-bob', 'GET /api/posts/2?_embed=user')],
      { status: 200, body: { id: 2, userId: 9, user: null } },
    ],
    ['cannot list the children of others', as('b-bob', 'GET /api/users/1/posts'), { status: 403 }],
    ['cannot read a child of others', as('b-bob', 'GET /api/users/1/posts/1'), { status: 403 }],
    [
      'cannot create a child of others',
      as('b-bob', 'POST /api/users/1/posts', {}),
      { status: 403 },
    ],
    ['can own their user record', as('c-cat', 'GET /api/users'), { status: 200, body: [cat] }],
    ['cannot read the user record of others', as('c-cat', 'GET /api/users/1'), { status: 403 }],
  ],
)

contract(
  'several owners',
  () => ({
    ...mockWith({ owners: { posts: 'userIds' } })(),
    fixtures: { users: fixtures.users, posts: [{ id: 1, userIds: [1, 2] }] },
  }),
  [
    ['each have access', as('b-bob', 'GET /api/posts/1'), { status: 200 }],
    ['exclude other users', as('c-cat', 'GET /api/posts/1'), { status: 403 }],
    [
      'stay when a PUT leaves them out',
      as('b-bob', 'PUT /api/posts/1', { title: 'New' }),
      { status: 200, body: { id: 1, title: 'New', userIds: [1, 2] } },
    ],
  ],
)

contract(
  'owners of readable records',
  mockWith({
    public: ['GET *'],
    owners: { posts: { key: 'userId', read: 'all' }, orders: 'userId' },
  }),
  [
    ['let anonymous users read', 'GET /api/posts', { status: 200, body: fixtures.posts }],
    [
      'let no other user change a record',
      as('b-bob', 'PATCH /api/posts/1', { title: '' }),
      { status: 403 },
    ],
    ['can change their record', as('a-ada', 'PATCH /api/posts/1', { title: '' }), { status: 200 }],
    ['are checked before the body', as('b-bob', 'PATCH /api/posts/1', { id: 9 }), { status: 403 }],
    [
      'are checked before preconditions',
      {
        request: 'DELETE /api/posts/1',
        headers: { authorization: 'Bearer b-bob', 'if-match': '"old"' },
      },
      { status: 403 },
    ],
    ['are checked after existence', as('b-bob', 'DELETE /api/posts/9'), { status: 404 }],
    ['see no owned records without a login', 'GET /api/orders', { status: 200, body: [] }],
    ['must log in to read a member', 'GET /api/orders/1', { status: 401 }],
  ],
)

interface Login {
  access_token: string
  refresh_token: string
}

describe.each(Object.keys(faces))('a session (%s)', (name) => {
  type Send = (request: TableRequest) => Promise<{ status: number; body: unknown; cookie: string }>

  const run = async (
    options: AuthOptions,
    act: (send: Send, clock: ManualClock, mock: Mock) => Promise<void>,
  ): Promise<void> => {
    const clock = createManualClock()
    const mock = createMock({ ...mockWith(options)(), clock })
    const connection = await faces[name]?.(mock)
    if (!connection) throw new Error(`There is no face "${name}".`)
    const send: Send = async (request) => {
      const answer = await connection.send(request)
      const cookie = answer.headers['set-cookie']?.split(';', 1)[0] ?? ''
      return { status: answer.status, body: bodyOf(answer), cookie }
    }
    try {
      await act(send, clock, mock)
    } finally {
      await connection.close()
    }
  }

  const login = { request: 'POST /api/login', body: { email: 'bob@x.org', password: 'secret' } }
  const kinds = ['jwt', 'opaque'] as const

  it.each(kinds)(
    'lasts until its %s token expires and is renewed once by a refresh token',
    async (tokens) => {
      await run({ tokens, expires: '10m' }, async (send, clock) => {
        const { access_token: first, refresh_token: renewal } = (await send(login)).body as Login
        expect((await send(as(first, 'GET /api/me'))).body).toEqual(bob)
        clock.advance(600_000)
        expect((await send(as(first, 'GET /api/me'))).body).toMatchObject({
          status: 401,
          error: 'invalid_token',
          detail: 'Failed to log in: the token has expired. Please log in again.',
        })
        const refresh = { request: 'POST /api/refresh', body: { refresh_token: renewal } }
        const renewed = (await send(refresh)).body as Login
        expect(renewed).toMatchObject({ token_type: 'Bearer', expires_in: 600, user: bob })
        expect((await send(as(renewed.access_token, 'GET /api/me'))).body).toEqual(bob)
        expect((await send(refresh)).status).toBe(401)
      })
    },
  )

  it.each(kinds)('ends with a logout, which revokes its %s tokens', async (tokens) => {
    await run({ tokens }, async (send) => {
      const { access_token: token, refresh_token: renewal } = (await send(login)).body as Login
      expect((await send(as(token, 'POST /api/logout'))).status).toBe(204)
      expect((await send(as(token, 'GET /api/me'))).status).toBe(401)
      const refresh = { request: 'POST /api/refresh', body: { refresh_token: renewal } }
      expect((await send(refresh)).status).toBe(401)
    })
  })

  it('is not renewed after the refresh token has expired', async () => {
    await run({ refreshExpires: '1d' }, async (send, clock) => {
      const { refresh_token: renewal } = (await send(login)).body as Login
      clock.advance(86_400_000)
      const refresh = { request: 'POST /api/refresh', body: { refresh_token: renewal } }
      expect((await send(refresh)).status).toBe(401)
    })
  })

  it('lasts until its cookie expires', async () => {
    await run({ scheme: 'cookie', expires: '10m' }, async (send, clock) => {
      const { cookie } = await send(login)
      expect((await send(by('GET /api/me', 'cookie', `a=b; ${cookie}`))).body).toEqual(bob)
      clock.advance(599_999)
      const renewed = await send(by('POST /api/refresh', 'cookie', cookie))
      expect([renewed.status, renewed.cookie]).toEqual([204, cookie])
      clock.advance(599_999)
      expect((await send(by('GET /api/me', 'cookie', cookie))).status).toBe(200)
      clock.advance(1)
      expect((await send(by('GET /api/me', 'cookie', cookie))).status).toBe(401)
    })
  })

  it('is ended by a logout with its cookie', async () => {
    await run({ scheme: 'cookie' }, async (send) => {
      const { cookie } = await send(login)
      expect((await send(by('POST /api/logout', 'cookie', cookie))).status).toBe(204)
      expect((await send(by('GET /api/me', 'cookie', cookie))).status).toBe(401)
    })
  })

  it('is found among cookies of the same name', async () => {
    await run({ scheme: 'cookie' }, async (send) => {
      const { cookie } = await send(login)
      const cookies = `sid=abc; Path=/; ${cookie}`
      expect((await send(by('GET /api/me', 'cookie', cookies))).body).toEqual(bob)
    })
  })

  it('ends when the user is removed', async () => {
    await run({}, async (send, _, mock) => {
      const { access_token: token } = (await send(login)).body as Login
      reloadAll(internalsOf(mock).store, { users: [fixtures.users[0]] })
      expect((await send(as(token, 'GET /api/posts'))).status).toBe(401)
    })
  })

  it('ends, and cannot start, when the user is soft-deleted', async () => {
    const use = [
      auth({
        scheme: ['bearer', 'basic', 'apiKey', 'cookie'],
        known: { 'b-bob': 2 },
        protect: ['posts'],
      }),
      states({ users: { softDelete: true } }),
    ]
    const mock = createMock({ fixtures, base: '/api', clock: createManualClock(), use })
    const connection = await faces[name]?.(mock)
    const send = async (request: TableRequest) => {
      const answer = await connection?.send(request)
      if (!answer) throw new Error('There is no such face.')
      return answer
    }
    try {
      const first = await send(login)
      const { access_token: token, refresh_token } = bodyOf(first) as Login
      const cookie = first.headers['set-cookie']?.split(';', 1)[0] ?? ''
      const basic = `Basic ${btoa('bob@x.org:secret')}`
      const ways: TableRequest[] = [
        login,
        as(token, 'GET /api/posts'),
        as('b-bob', 'GET /api/posts'),
        by('GET /api/posts', 'authorization', basic),
        by('GET /api/posts', 'x-api-key', 'key-bob'),
        by('GET /api/posts', 'cookie', cookie),
        by('GET /api/me', 'cookie', cookie),
        by('POST /api/refresh', 'cookie', cookie),
        { request: 'POST /api/refresh', body: { refresh_token } },
      ]
      const before = ways.filter((way) => way !== ways[8])
      for (const way of before) expect((await send(way)).status).toBeLessThan(300)
      expect((await send('DELETE /api/users/2')).status).toBe(200)
      for (const way of ways) expect((await send(way)).status, JSON.stringify(way)).toBe(401)
    } finally {
      await connection?.close()
    }
  })

  it('gives the same tokens for the same seed and clock', async () => {
    const bodies: unknown[] = []
    for (const _ of [1, 2]) {
      await run({}, async (send) => void bodies.push((await send(login)).body))
    }
    expect(bodies[0]).toEqual(bodies[1])
  })
})

it('redacts secrets in the log, whatever their names', async () => {
  const users = [{ id: 1, email: 'ada@x.org', word: 'S3CRET', k: 'S3CRET' }]
  const key = { header: 'X-Company', query: 'k', field: 'k' }
  const use = [auth({ scheme: ['bearer', 'apiKey'], key, password: 'word' })]
  const mock = createMock({ fixtures: { users, posts: [] }, use })
  const send = async (path: string, body?: unknown, headers?: HeadersInit) => {
    const method = body === undefined ? 'GET' : 'POST'
    const init = {
      method,
      ...(headers && { headers }),
      ...(body ? { body: JSON.stringify(body) } : {}),
    }
    return (await mock.fetch(`http://mock.test${path}`, init)).status
  }
  const json = { 'Content-Type': 'application/json' }
  expect(await send('/login', { email: 'ada@x.org', word: 'S3CRET' }, json)).toBe(200)
  expect(await send('/posts?a=1&k=S3CRET')).toBe(200)
  expect(await send('/posts', undefined, { 'X-Company': 'S3CRET' })).toBe(200)
  expect(JSON.stringify(mock.log)).not.toContain('S3CRET')
  expect(mock.log[1]?.url).toBe('/posts?a=1&k=[redacted]')
})

it('redacts secrets in the log under their names in a version', async () => {
  const named = { v1: { fields: { users: { password: 'hush' } } }, v2: {} }
  const mock = createMock({
    fixtures,
    use: [versions({ versions: named }), auth({ protect: [] })],
  })
  const headers = { 'Content-Type': 'application/json' }
  for (const [method, path] of [
    ['POST', '/v1/users'],
    ['PATCH', '/v1/users/1'],
  ] as const) {
    await mock.fetch(path, { method, headers, body: '{"name":"Eve","hush":"S3CRET"}' })
  }
  const bodies = mock.log.map(({ status, body }) => [status, body])
  const body = { name: 'Eve', hush: '[redacted]' }
  expect(bodies).toEqual([
    [201, body],
    [200, body],
  ])
})

describe.each([
  ['after', (mine: Behaviour, renamed: Behaviour) => [renamed, mine]],
  ['before', (mine: Behaviour, renamed: Behaviour) => [mine, renamed]],
])('a log with "auth" %s "versions"', (_, inOrder) => {
  const rows: [title: string, request: string, body: unknown, shown: object][] = [
    ['a parameter', 'GET /v1/users?hush=S3CRET', undefined, { url: '/v1/users?hush=[redacted]' }],
    [
      'a parameter with an operator',
      'GET /v1/users?hush:startsWith=S3CRET&hush_ne=S3CRET',
      undefined,
      { url: '/v1/users?hush:startsWith=[redacted]&hush_ne=[redacted]' },
    ],
    [
      'a tree of conditions',
      'GET /v1/users?_where=%7B%22hush%22:%22S3CRET%22%7D',
      undefined,
      { url: '/v1/users?_where=[redacted]' },
    ],
    ['a record', 'POST /v1/posts', { hush: 'S3CRET' }, { body: { hush: '[redacted]' } }],
    [
      'a field of the fixtures',
      'GET /users?phrase=S3CRET&phrase:ne=S3CRET',
      undefined,
      { url: '/users?phrase=[redacted]&phrase:ne=[redacted]' },
    ],
    [
      'no similar names',
      'GET /v1/users?hushed=1&no_hush=2&rehush=3',
      undefined,
      { url: '/v1/users?hushed=1&no_hush=2&rehush=3' },
    ],
  ]

  it.each(rows)('redacts %s, without a write before', async (_title, line, body, shown) => {
    const named = { v1: { fields: { users: { phrase: 'hush' } } }, v2: {} }
    const mock = createMock({
      fixtures: { users: [{ id: 1, email: 'ada@x.org', phrase: 'S3CRET' }], posts: [] },
      use: inOrder(auth({ protect: [], password: 'phrase' }), versions({ versions: named })),
    })
    const [method = '', path = ''] = line.split(' ')
    const headers = { 'Content-Type': 'application/json' }
    await mock.fetch(path, { method, headers, ...(body ? { body: JSON.stringify(body) } : {}) })
    expect(mock.log[0]).toMatchObject(shown)
    expect(JSON.stringify(mock.log)).not.toContain('S3CRET')
  })
})

const pin = btoa('77:1234')

contract(
  'names, passwords and keys that are numbers',
  () => ({
    fixtures: { users: [{ id: 1, username: 77, password: 1234, apiKey: 42 }, { id: 2 }] },
    use: [auth({ scheme: ['bearer', 'basic', 'apiKey'] })],
  }),
  [
    [
      'log in as numbers',
      { request: 'POST /login', body: { username: 77, password: 1234 } },
      { status: 200, body: expect.objectContaining({ user: { id: 1, username: 77 } }) },
    ],
    [
      'log in as the strings of a form',
      {
        request: 'POST /login',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'username=77&password=1234',
      },
      { status: 200 },
    ],
    [
      'must match',
      { request: 'POST /login', body: { username: 77, password: 123 } },
      { status: 401 },
    ],
    [
      'work as basic credentials',
      { request: 'GET /me', headers: { authorization: `Basic ${pin}` } },
      { status: 200 },
    ],
    ['work as an API key', 'GET /me?api_key=42', { status: 200, body: { id: 1, username: 77 } }],
  ],
)

const judges: readonly Behaviour[] = [
  schema({ posts: { properties: { title: { type: 'string' } } } }),
  fields({ posts: { required: ['title'], readOnly: ['role'], onReadOnly: 'refuse' } }),
  states({
    posts: {
      initial: 'draft',
      transitions: { draft: ['public'] },
      actions: { publish: 'public' },
    },
  }),
  auth({
    protect: [],
    owners: { posts: { key: 'userId', read: 'all' } },
    known: { ada: 1, bob: 2 },
  }),
]

for (const use of [judges, judges.toReversed()]) {
  const as = (name: string): Record<string, string> => ({ authorization: `Bearer ${name}` })
  const wrong = { title: 1, role: 'x', status: 'gone' }
  contract(
    `owners beside ${use.map(({ name }) => name).join(', ')}`,
    () => ({
      fixtures: {
        users: [{ id: 1 }, { id: 2 }],
        posts: [
          { id: 1, userId: 1, title: 'One', status: 'draft' },
          { id: 2, userId: 1, title: 'Two', status: 'public' },
        ],
      },
      use,
    }),
    [
      [
        'are checked before a PATCH is validated',
        { request: 'PATCH /posts/1', headers: as('bob'), body: wrong },
        { status: 403 },
      ],
      [
        'are checked before a PUT is validated',
        { request: 'PUT /posts/1', body: wrong },
        { status: 401 },
      ],
      [
        'are required before a POST is validated',
        { request: 'POST /posts', body: wrong },
        { status: 401 },
      ],
      [
        'are checked before the state for an action',
        { request: 'POST /posts/2/publish', headers: as('bob') },
        { status: 403 },
      ],
      [
        'get the state error of their own record',
        { request: 'POST /posts/2/publish', headers: as('ada') },
        { status: 409 },
      ],
      [
        'get the validation errors of their own record',
        { request: 'PATCH /posts/1', headers: as('ada'), body: { role: 'x', title: null } },
        { status: 422 },
      ],
      [
        'can write valid records',
        { request: 'POST /posts', headers: as('bob'), body: { title: 'Three' } },
        { status: 201, body: { id: 3, title: 'Three', userId: 2, status: 'draft' } },
      ],
      [
        'cannot give records away',
        { request: 'PATCH /posts/1', headers: as('ada'), body: { userId: 2 } },
        { status: 403 },
      ],
    ],
  )
}

describe.each(['jwt', 'opaque'] as const)('a login of the kind %s', (tokens) => {
  const open = () => {
    const users = [1, 2].map((id) => ({ id, email: `${id}@x.org`, password: 'p' }))
    const options: AuthOptions = { scheme: ['bearer', 'cookie'], tokens }
    const use = [auth(options), scenarios({ sets: { one: {} } }), sessions()]
    return createMock({ fixtures: { users }, seed: 1, clock: createManualClock(), use })
  }
  type World = Pick<Mock, 'fetch'>
  type Lines = Record<string, string>
  const post = (world: World, path: string, lines: Lines, body = {}): Promise<Response> => {
    const headers = { 'Content-Type': 'application/json', ...lines }
    return world.fetch(path, { method: 'POST', headers, body: JSON.stringify(body) })
  }
  const logIn = async (world: World, id: number) => {
    const response = await post(world, '/login', {}, { email: `${id}@x.org`, password: 'p' })
    const { access_token, refresh_token } = (await response.json()) as Login
    const authorization = `Bearer ${access_token}`
    return { authorization, refresh_token, cookie: response.headers.get('set-cookie') ?? '' }
  }
  const me = async (world: World, headers: Lines): Promise<unknown> =>
    ((await (await world.fetch('/me', { headers })).json()) as { id?: number }).id

  it('is valid in a fork, in a scenario for one request, and in a session', async () => {
    const mock = open()
    const { authorization, cookie, refresh_token } = await logIn(mock, 1)
    for (const one of [{ authorization }, { cookie }]) {
      expect(await me(mock.fork(), one)).toBe(1)
      expect(await me(mock, { ...one, 'X-Mock-Scenario': 'one' })).toBe(1)
      expect(await me(mock, { ...one, 'X-Mock-Session': 'a' })).toBe(1)
    }
    for (const world of [mock.fork(), mock]) {
      expect((await post(world, '/refresh', {}, { refresh_token })).status).toBe(200)
    }
  })

  it('keeps its user in a fork and does not end with the logout of another user', async () => {
    const mock = open()
    const first = await logIn(mock, 1)
    const fork = mock.fork()
    const second = await logIn(fork, 2)
    expect(await me(fork, { cookie: first.cookie })).toBe(1)
    expect(await me(fork, { authorization: first.authorization })).toBe(1)
    const { authorization, cookie } = second
    expect((await post(fork, '/logout', { authorization, cookie })).status).toBe(204)
    expect(await me(fork, { authorization })).toBe(undefined)
    expect(await me(fork, { authorization: first.authorization })).toBe(1)
    await post(fork, '/logout', { authorization: first.authorization, cookie: first.cookie })
    expect(await me(fork, { cookie: first.cookie })).toBe(undefined)
    expect(await me(mock, { cookie: first.cookie })).toBe(1)
    expect(await me(mock, { authorization: first.authorization })).toBe(1)
  })
})

describe('a signed token', () => {
  const logIn = async (mock: Mock): Promise<Login> => {
    const response = await mock.fetch(
      new Request('http://x/api/login', {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: '{"email":"ada@x.org","password":"pa:ss"}',
      }),
    )
    return (await response.json()) as Login
  }
  const me = (mock: Mock, token: string): Promise<Response> =>
    mock.fetch(new Request('http://x/api/me', { headers: { authorization: `Bearer ${token}` } }))
  const logOut = (mock: Mock, token: string): Promise<Response> =>
    mock.fetch('/api/logout', { method: 'POST', headers: { authorization: `Bearer ${token}` } })

  it('contains the user and the expiry', async () => {
    const { access_token: token } = await logIn(createMock(mockWith({})()))
    const [header = '', payload = ''] = token.split('.')
    const read = (part: string): unknown => JSON.parse(Buffer.from(part, 'base64url').toString())
    const now = Date.UTC(2026, 0, 1) / 1000
    expect([read(header), read(payload)]).toEqual([
      { alg: 'HS256', typ: 'JWT' },
      {
        sub: '1',
        email: 'ada@x.org',
        name: 'Ada',
        role: 'admin',
        iat: now,
        exp: now + 3600,
        jti: expect.any(String),
        sid: expect.stringMatching(/^[a-z\d]{10}$/),
      },
    ])
  })

  it('is valid in a fork and after a reset', async () => {
    const mock = createMock(mockWith({})())
    const { access_token: token } = await logIn(mock)
    expect((await me(mock.fork(), token)).status).toBe(200)
    mock.reset()
    expect((await me(mock, token)).status).toBe(200)
  })

  it('expires after a reset too', async () => {
    const clock = createManualClock()
    const mock = createMock({ ...mockWith({ expires: '10m' })(), clock })
    const { access_token: token } = await logIn(mock)
    clock.advance(1000)
    mock.reset()
    clock.advance(599_999)
    expect((await me(mock, token)).status).toBe(200)
    clock.advance(1)
    expect(await (await me(mock, token)).json()).toMatchObject({
      detail: 'Failed to log in: the token has expired. Please log in again.',
    })
  })

  it('is the same after a reset, which revokes old refresh tokens', async () => {
    const mock = createMock(mockWith({})())
    const old = await logIn(mock)
    mock.reset()
    const headers = { 'content-type': 'application/json' }
    const body = JSON.stringify({ refresh_token: old.refresh_token })
    const refreshed = await mock.fetch('/api/refresh', { method: 'POST', headers, body })
    expect(refreshed.status).toBe(401)
    mock.reset()
    expect(await logIn(mock)).toEqual(old)
  })

  it('that a test has signed is revoked alone by its logout', async () => {
    const secret = 'a secret of the test'
    const key = new TextEncoder().encode(secret)
    const make = (id: string): Promise<string> =>
      new SignJWT({ sub: id }).setProtectedHeader({ alg: 'HS256' }).sign(key)
    const mock = createMock(mockWith({ secret })())
    const [one, other] = await Promise.all([make('1'), make('2')])
    expect((await logOut(mock, one)).status).toBe(204)
    expect([(await me(mock, one)).status, (await me(mock, other)).status]).toEqual([401, 200])
  })

  it('of an earlier process is revoked alone by its logout', async () => {
    const { seed: _, ...options } = mockWith({})()
    const { access_token: old } = await logIn(createMock(options))
    const mock = createMock(options)
    const { access_token: before } = await logIn(mock)
    expect((await logOut(mock, old)).status).toBe(204)
    const { access_token: after } = await logIn(mock)
    const statuses = [old, before, after].map(async (token) => (await me(mock, token)).status)
    expect(await Promise.all(statuses)).toEqual([401, 200, 200])
  })

  it('is valid after the logout of an equal session from before a reset', async () => {
    const mock = createMock(mockWith({})())
    const { access_token: old } = await logIn(mock)
    mock.reset()
    expect((await logOut(mock, old)).status).toBe(204)
    const { access_token: token } = await logIn(mock)
    expect((await me(mock, token)).status).toBe(200)
  })

  it('is invalid with another secret or another algorithm', async () => {
    const { access_token: token } = await logIn(createMock(mockWith({ secret: 'x'.repeat(32) })()))
    const mock = createMock(mockWith({})())
    const none = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${token.split('.')[1]}.`
    expect([(await me(mock, token)).status, (await me(mock, none)).status]).toEqual([401, 401])
  })
})

describe('auth', () => {
  it('adds its endpoints to the routes', () => {
    const mock = createMock(mockWith({ scheme: 'cookie' })())
    const own = mock.routes.filter(({ resource, kind }) => resource === 'auth' && kind === 'custom')
    expect(own.map(({ path, methods }) => `${methods.join()} ${path}`)).toEqual([
      'POST,OPTIONS /api/login',
      'POST,OPTIONS /api/logout',
      'POST,OPTIONS /api/refresh',
      'GET,HEAD,OPTIONS /api/me',
    ])
  })

  const wrong: [title: string, options: AuthOptions & Record<string, unknown>, message: string][] =
    [
      ['an unknown option', { protct: [] }, 'there is no "protct". Did you mean "protect"?'],
      [
        'an unknown scheme',
        { scheme: 'digest' as 'basic' },
        '"scheme" cannot be "digest". Please give one of bearer, apiKey, basic, cookie, or a list of (one of bearer, apiKey, basic, cookie).',
      ],
      ['an unknown endpoint', { paths: { signin: '/x' } as object }, 'there is no "signin"'],
      ['an owner without a key', { owners: { orders: {} as { key: string } } }, '"key" is missing'],
      [
        'an unknown collection of users',
        { users: 'user' },
        'there is no resource "user". Did you mean "users"?',
      ],
      [
        'owners of an unknown collection',
        { owners: { order: 'userId' } },
        'there is no resource "order"',
      ],
      [
        'users without a password',
        { password: 'pass' },
        'no record of "users" has a field "pass". Please add one',
      ],
    ]

  it.each(wrong)('refuses %s', (_, options, message) => {
    expect(() => createMock({ fixtures, use: [auth(options)] })).toThrow(message)
  })

  it('accepts fields that some users have, or any fields without users', () => {
    const by = ['email', 'nick']
    for (const users of [fixtures.users, []]) {
      expect(() => createMock({ fixtures: { users }, use: [auth({ by })] })).not.toThrow()
    }
    const use = [auth({ by: ['nick'], password: 'pass' })]
    expect(() => createMock({ fixtures: { users: [] }, use })).not.toThrow()
  })
})

describe('a runtime without WebCrypto', () => {
  it('gets an error that suggests opaque tokens', async () => {
    vi.stubGlobal('crypto', {})
    onTestFinished(() => void vi.unstubAllGlobals())
    const log = async (tokens: 'jwt' | 'opaque'): Promise<Response> => {
      const mock = createMock(mockWith({ tokens })())
      const headers = { 'Content-Type': 'application/json' }
      const body = JSON.stringify({ email: 'bob@x.org', password: 'secret' })
      return mock.fetch('/api/login', { method: 'POST', headers, body })
    }
    expect((await log('opaque')).status).toBe(200)
    const refused = await log('jwt')
    expect(refused.status).toBe(500)
    expect(await refused.json()).toMatchObject({
      detail:
        'Failed to sign a token: this runtime has no WebCrypto (crypto.subtle). Please set it, or give "auth" the option tokens: "opaque".',
    })
  })
})
