import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import { supabase } from '../../../src/dialects.ts'
import { createManualClock, createMock, type Mock } from '../../../src/index.ts'
import { contract, type Row } from '../../faces.ts'
import { expect, it } from 'vitest'

const ada = { id: 1, email: 'ada@example.org', password: 'secret', name: 'Ada', role: 'admin' }
const open =
  (autoconfirm = true) =>
  (): Mock =>
    createMock({
      fixtures: { users: [ada], posts: [{ id: 1, title: 'One', userId: 1 }], profiles: [] },
      dialect: supabase({ autoconfirm }),
      clock: createManualClock('2026-01-01T00:00:00Z'),
      seed: 1,
    })

const post = (path: string, body: object, headers = {}) => ({
  request: `POST /auth/v1/${path}`,
  headers: { apikey: 'any', 'content-type': 'application/json', ...headers },
  body: JSON.stringify(body),
})
const admin = (request: string, body?: object) => ({
  request,
  headers: {
    apikey: 'sb_secret_x',
    ...(body && { 'content-type': 'application/json' }),
  },
  ...(body && { body: JSON.stringify(body) }),
})
const refused = (status: number, error_code: string, msg: unknown = expect.any(String)) => ({
  status,
  body: { code: status, error_code, msg },
})
const user = {
  id: '1',
  aud: 'authenticated',
  role: 'authenticated',
  email: 'ada@example.org',
  app_metadata: { provider: 'email', providers: ['email'], role: 'admin' },
  user_metadata: { name: 'Ada' },
}
const session = {
  access_token: expect.stringMatching(/^ey[\w-]+\.[\w-]+\.[\w-]+$/),
  token_type: 'bearer',
  expires_in: 3600,
  expires_at: expect.any(Number),
  refresh_token: expect.any(String),
}
const bo = { email: 'Bo@example.org', password: 'secret2', data: { name: 'Bo', role: 'admin' } }

const rows: Row[] = [
  [
    'a password logs in',
    post('token?grant_type=password', { email: 'ADA@example.org', password: 'secret' }),
    { status: 200, body: { ...session, user: expect.objectContaining(user) } },
  ],
  [
    'a wrong password is refused',
    post('token?grant_type=password', { email: 'ada@example.org', password: 'wrong' }),
    refused(400, 'invalid_credentials', 'Invalid login credentials'),
  ],
  [
    'an unknown user is refused in the same way',
    post('token?grant_type=password', { email: 'eve@example.org', password: 'secret' }),
    refused(400, 'invalid_credentials', 'Invalid login credentials'),
  ],
  [
    'a login without a name',
    post('token?grant_type=password', {}),
    refused(400, 'validation_failed'),
  ],
  ['an unknown grant', post('token?grant_type=magic', {}), refused(400, 'validation_failed')],
  [
    'a name of Object.prototype is no grant',
    post('token?grant_type=constructor', {}),
    refused(400, 'validation_failed'),
  ],
  [
    'an unknown refresh token',
    post('token?grant_type=refresh_token', { refresh_token: 'x' }),
    refused(400, 'refresh_token_not_found'),
  ],
  ['a body that is no JSON', { ...post('signup', {}), body: '{' }, refused(400, 'bad_json')],
  [
    'a sign-up logs in; a role is no metadata',
    post('signup', bo),
    {
      status: 200,
      body: {
        ...session,
        user: expect.objectContaining({
          id: '2',
          email: 'bo@example.org',
          user_metadata: { name: 'Bo' },
          app_metadata: { provider: 'email', providers: ['email'] },
        }),
      },
    },
  ],
  [
    'the account of a sign-up is a record without its password',
    [post('signup', bo), 'GET /rest/v1/users?id=eq.2'],
    { status: 200, body: [{ id: 2, name: 'Bo', email: 'bo@example.org', role: null }] },
  ],
  [
    'a second sign-up with the e-mail',
    [post('signup', bo), post('signup', bo)],
    refused(422, 'user_already_exists', 'User already registered'),
  ],
  [
    'a short password',
    post('signup', { ...bo, password: 'x' }),
    {
      status: 422,
      body: {
        code: 422,
        error_code: 'weak_password',
        msg: 'Password should be at least 6 characters.',
        weak_password: { reasons: ['length'] },
      },
    },
  ],
  ['a sign-up without a password', post('signup', { email: bo.email }), { status: 422 }],
  [
    'a malformed e-mail',
    post('signup', { ...bo, email: 'bo' }),
    refused(400, 'email_address_invalid'),
  ],
  [
    'an anonymous sign-up',
    post('signup', { data: { theme: 'dark' } }),
    {
      status: 200,
      body: {
        ...session,
        user: expect.objectContaining({
          is_anonymous: true,
          user_metadata: { theme: 'dark' },
          identities: [],
        }),
      },
    },
  ],
  ['the user without a token', 'GET /auth/v1/user', refused(401, 'no_authorization')],
  [
    'the user with a token that is none',
    { request: 'GET /auth/v1/user', headers: { authorization: 'Bearer x' } },
    refused(403, 'bad_jwt'),
  ],
  ['the health', 'GET /auth/v1/health', { status: 200 }],
  [
    'the settings',
    'GET /auth/v1/settings',
    { status: 200, body: expect.objectContaining({ mailer_autoconfirm: true }) },
  ],
  [
    'the keys',
    'GET /auth/v1/.well-known/jwks.json',
    {
      status: 200,
      body: { keys: expect.arrayContaining([expect.objectContaining({ kty: 'EC' })]) },
    },
  ],
  ['an unknown endpoint', 'GET /auth/v1/nope', refused(404, 'not_found')],
  ['a mail to nobody', post('recover', { email: 'eve@example.org' }), { status: 200, body: {} }],
  [
    'no account for an OTP',
    post('otp', { email: 'eve@example.org', create_user: false }),
    refused(422, 'otp_disabled'),
  ],
  [
    'a wrong code',
    post('verify', { type: 'email', email: 'ada@example.org', token: '000000' }),
    refused(403, 'otp_expired'),
  ],
  [
    'a wrong link',
    'GET /auth/v1/verify?token=x&type=signup&redirect_to=http://localhost:5173/in',
    {
      status: 303,
      headers: {
        location: /^http:\/\/localhost:5173\/in#error=access_denied&error_code=otp_expired/,
      },
    },
  ],
  [
    'a redirect to another site is not followed',
    'GET /auth/v1/verify?token=x&redirect_to=https://evil.example/in',
    { status: 303, headers: { location: /^http:\/\/mock\.test#error/ } },
  ],
  [
    'an OAuth login leads to the login page',
    'GET /auth/v1/authorize?provider=github&redirect_to=http://localhost:5173/',
    {
      status: 303,
      headers: { location: /\/auth\/v1\/oauth\/authorize\?client_id=github&response_type=code/ },
    },
  ],
  [
    'an OAuth login without a provider',
    'GET /auth/v1/authorize',
    refused(400, 'validation_failed'),
  ],
  [
    'the list of users needs the service role',
    { request: 'GET /auth/v1/admin/users', headers: { apikey: 'any' } },
    refused(403, 'not_admin'),
  ],
  [
    'the list of users',
    [post('signup', bo), admin('GET /auth/v1/admin/users?page=2&per_page=1')],
    {
      status: 200,
      headers: { 'x-total-count': '2' },
      body: { aud: 'authenticated', users: [expect.objectContaining({ id: '2' })] },
    },
  ],
  [
    'a user of an administrator',
    admin('POST /auth/v1/admin/users', {
      email: 'cy@example.org',
      phone: '+49 1',
      password: 'secret3',
      email_confirm: true,
      user_metadata: { name: 'Cy' },
      app_metadata: { plan: 'pro' },
    }),
    {
      status: 200,
      body: expect.objectContaining({
        id: '2',
        email: 'cy@example.org',
        phone: '49 1',
        user_metadata: { name: 'Cy' },
        app_metadata: { provider: 'email', providers: ['email'], plan: 'pro' },
      }),
    },
  ],
  ['an unknown user', admin('GET /auth/v1/admin/users/7'), refused(404, 'user_not_found')],
  [
    'a changed user',
    admin('PUT /auth/v1/admin/users/1', { user_metadata: { name: 'Ada L' } }),
    { status: 200, body: expect.objectContaining({ id: '1', user_metadata: { name: 'Ada L' } }) },
  ],
  [
    'a removed user cannot log in',
    [
      admin('DELETE /auth/v1/admin/users/1'),
      post('token?grant_type=password', { email: 'ada@example.org', password: 'secret' }),
    ],
    refused(400, 'invalid_credentials'),
  ],
  [
    'the code of a link',
    admin('POST /auth/v1/admin/generate_link', { type: 'magiclink', email: 'ada@example.org' }),
    {
      status: 200,
      body: expect.objectContaining({
        id: '1',
        email_otp: expect.stringMatching(/^\d{6}$/),
        action_link: expect.stringMatching(/^http:\/\/mock\.test\/auth\/v1\/verify\?token=/),
        verification_type: 'magiclink',
      }),
    },
  ],
  [
    'an invalid token is refused elsewhere',
    {
      request: 'GET /rest/v1/posts',
      headers: { authorization: `Bearer x.${btoa('{"role":"authenticated"}')}.x` },
    },
    { status: 401 },
  ],
  ['the mails are no table', 'GET /rest/v1/auth%2Fmails', { status: 404 }],
  [
    'a filter finds no row of an empty table',
    'GET /rest/v1/profiles?user_id=eq.7c062b17-24fb-4d76-8a9c-4c9252b0ee46',
    { status: 200, body: [] },
  ],
  [
    'the first row of an empty table has its columns',
    {
      request: 'POST /rest/v1/profiles?select=*',
      headers: { 'content-type': 'application/json', prefer: 'return=representation' },
      body: '{"id":1,"name":"Ada"}',
    },
    { status: 201, body: [{ id: 1, name: 'Ada' }] },
  ],
  [
    'any key is the anonymous one',
    { request: 'GET /rest/v1/posts', headers: { apikey: 'any', authorization: 'Bearer any' } },
    { status: 200 },
  ],
]

contract('Auth of Supabase', open(), rows)

contract('Auth of Supabase with mails', open(false), [
  [
    'a sign-up waits for the mail',
    post('signup', bo),
    { status: 200, body: expect.not.objectContaining({ access_token: expect.anything() }) },
  ],
  [
    'a login before the mail',
    [post('signup', bo), post('token?grant_type=password', bo)],
    refused(400, 'email_not_confirmed', 'Email not confirmed'),
  ],
  [
    'users of fixtures are confirmed',
    post('token?grant_type=password', { email: 'ada@example.org', password: 'secret' }),
    { status: 200 },
  ],
])

it('leaves paths of the application to the application', () => {
  const { owns } = internalsOf(open()())
  expect(['/rest/v1/users', '/auth/v1/user', '/users'].map((path) => owns(path))).toEqual([
    true,
    true,
    false,
  ])
})
