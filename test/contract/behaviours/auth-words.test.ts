import { describe, expect, it } from 'vitest'

import {
  auth,
  type AuthOptions,
  type Behaviour,
  fields,
  routes,
  sessions,
} from '../../../src/behaviours.ts'
import { rest, type RestNames } from '../../../src/dialects.ts'
import {
  type CollectionDb,
  createManualClock,
  createMock,
  type ManualClock,
  type Mock,
} from '../../../src/index.ts'
import { passwordCheck, toStandIn } from '../../../src/core/text/stand-in.ts'
import { documentOf, responseOf } from '../../openapi/document.ts'

const fixtures = {
  users: [
    { id: 1, email: 'ada@x.org', password: 'ada', apiKey: 'key-ada' },
    { id: 2, email: 'bob@x.org', password: 'bob', apiKey: 'key-bob' },
  ],
  articles: [{ id: 1, title: 'One' }],
  comments: [{ id: 1, articleId: 1 }],
}

type Send = (
  request: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<{ status: number; body: unknown; headers: Headers }>

/** A mock with `auth`, and a function that sends it a request such as `POST /login`. */
function start(
  options: AuthOptions,
  names: RestNames = {},
  use: readonly Behaviour[] = [],
): { send: Send; clock: ManualClock; mock: Mock } {
  const clock = createManualClock()
  const mock = createMock({
    fixtures,
    clock,
    seed: 1,
    dialect: rest(names),
    use: [auth({ tokens: 'opaque', ...options }), ...use],
  })
  const send: Send = async (request, body, headers = {}) => {
    const [method = '', path = ''] = request.split(' ')
    const response = await mock.fetch(`http://mock.test${path}`, {
      method,
      headers: { ...(body !== undefined && { 'Content-Type': 'application/json' }), ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    const parsed: unknown = text === '' ? undefined : JSON.parse(text)
    return { status: response.status, body: parsed, headers: response.headers }
  }
  return { send, clock, mock }
}

const bearer = (token: string): Record<string, string> => ({ Authorization: `Bearer ${token}` })

describe('the codes of refused credentials', () => {
  const names: RestNames = {
    error: { code: '$code' },
    messages: { TOKEN_EXPIRED: 'Log in again' },
    errors: { TOKEN_EXPIRED: { text: '$detail' } },
    statuses: { LOGIN_FAILED: 422 },
  }

  it('tell missing, wrong and expired credentials apart', async () => {
    const { send, clock } = start({ scheme: ['bearer', 'apiKey'], expires: '1h' }, names)
    const codeOf = async (...request: Parameters<Send>): Promise<unknown> => {
      const { status, body } = await send(...request)
      return [status, body]
    }
    expect(await codeOf('GET /articles')).toEqual([401, { code: 'UNAUTHORIZED' }])
    const wrong = await codeOf('GET /articles', undefined, bearer('nope'))
    expect(wrong).toEqual([401, { code: 'TOKEN_INVALID' }])
    const key = await codeOf('GET /articles?api_key=nope')
    expect(key).toEqual([401, { code: 'KEY_INVALID' }])
    const login = { email: 'ada@x.org', password: 'ada' }
    const failed = await codeOf('POST /login', { ...login, password: 'x' })
    expect(failed).toEqual([422, { code: 'LOGIN_FAILED' }])

    const { access_token: token, refresh_token: refresh } = (await send('POST /login', login))
      .body as Record<string, string>
    clock.advance('2h')
    const expired = await codeOf('GET /articles', undefined, bearer(token ?? ''))
    expect(expired).toEqual([401, { text: 'Log in again' }])
    clock.advance('60d')
    const late = await codeOf('POST /refresh', { refresh_token: refresh })
    expect(late).toEqual([401, { text: 'Log in again' }])
    const again = await codeOf('POST /refresh', { refresh_token: refresh })
    expect(again).toEqual([401, { code: 'TOKEN_INVALID' }])
  })
})

describe('one path for login, logout and the user', () => {
  const options: AuthOptions = {
    paths: { login: '/session', logout: 'DELETE /session', me: '/session' },
    statuses: { login: 201, logout: 202 },
    answers: { login: { token: '$accessToken' }, logout: { bye: true } },
  }

  it('goes by method', async () => {
    const { send } = start(options)
    const login = await send('POST /session', { email: 'ada@x.org', password: 'ada' })
    expect(login).toMatchObject({ status: 201, body: { token: expect.any(String) } })
    const { token } = login.body as { token: string }
    // As Rails sends it.
    const headers = { Authorization: `Bearer token="${token}"` }
    expect(await send('GET /session', undefined, headers)).toMatchObject({ status: 200 })
    const wrong = await send('PUT /session', {}, headers)
    expect([wrong.status, wrong.headers.get('Allow')]).toEqual([
      405,
      'POST, OPTIONS, DELETE, GET, HEAD',
    ])
    const logout = await send('DELETE /session', undefined, headers)
    expect(logout).toMatchObject({ status: 202, body: { bye: true } })
    expect(await send('GET /session', undefined, headers)).toMatchObject({ status: 401 })
  })

  it('is in the OpenAPI document', async () => {
    const { mock } = start(options)
    const { post, delete: remove } = documentOf(mock).paths['/session'] ?? {}
    expect(Object.keys(post?.responses ?? {})).toContain('201')
    expect(Object.keys(remove?.responses ?? {})).toContain('202')
  })
})

describe('the stand-in for a recorded password', () => {
  it.each([
    ['the password', 'secret-27', 200],
    ['the stand-in itself', 'recorded-STAND', 200],
    ['another password', 'secret-28', 401],
  ])('lets %s in or not', async (_title, sent, status) => {
    const standIn = toStandIn(passwordCheck(['secret-27']))
    const { send, mock } = start({})
    ;(mock.db as Record<string, CollectionDb>)['users']?.update(1, { password: standIn })
    const password = sent.replace('recorded-STAND', standIn)
    expect(await send('POST /login', { email: 'ada@x.org', password })).toMatchObject({ status })
  })
})

describe('$missing', () => {
  const rows: [request: string, status: number, missing: string][] = [
    ['GET /articles/9', 404, 'article'],
    ['GET /articles/9/comments', 404, 'article'],
    ['POST /articles/9/comments', 404, 'article'],
    ['GET /articles/1/comments/9', 404, 'comment'],
    ['PUT /articles/9', 404, 'article'],
    ['GET /nope', 404, 'nope'],
    ['DELETE /articles', 405, 'article'],
  ]
  it.each(rows)('of %s (%i) is %s', async (request, status, missing) => {
    const { send } = start({ protect: [] }, { error: { missing: '$missing' } })
    const hasBody = request.startsWith('P')
    expect(await send(request, hasBody ? {} : undefined)).toMatchObject({
      status,
      body: { missing },
    })
  })
})

const login = { email: 'ada@x.org', password: 'ada' }
const shownAda = { id: 1, email: 'ada@x.org', apiKey: 'key-ada' }

/** The value at the path in a body. */
const at = (body: unknown, ...path: string[]): unknown =>
  path.reduce<unknown>((value, key) => (value as Record<string, unknown>)[key], body)

const tokenOf = (body: unknown, ...path: string[]): string => at(body, ...path) as string

describe('the option word', () => {
  it('is accepted beside Bearer, in any case, and is the type of tokens', async () => {
    const { send } = start({ word: 'Token', known: { 't-ada': 1 } })
    for (const word of ['Token', 'token', 'Bearer', 'bearer']) {
      const { status } = await send('GET /me', undefined, { Authorization: `${word} t-ada` })
      expect([word, status]).toEqual([word, 200])
    }
    const { status } = await send('GET /me', undefined, { Authorization: 'Tokens t-ada' })
    expect(status).toBe(401)
    expect(at((await send('POST /login', login)).body, 'token_type')).toBe('Token')
  })

  it('is in WWW-Authenticate, beside Bearer', async () => {
    const { send } = start({ word: 'Token' })
    const missing = await send('GET /articles')
    expect(missing.headers.get('www-authenticate')).toBe('Token realm="mock", Bearer realm="mock"')
    const malformed = await send('GET /articles', undefined, { Authorization: 'Token' })
    expect(malformed.status).toBe(400)
    const wrong = await send('GET /articles', undefined, { Authorization: 'Token nope' })
    expect(wrong.headers.get('www-authenticate')).toMatch(
      /^Token realm="mock", error="invalid_token".*, Bearer realm="mock", error="invalid_token"/,
    )
  })

  it('is a scheme of the OpenAPI document', () => {
    const { mock } = start({ word: 'Token' })
    expect(documentOf(mock).components.securitySchemes).toEqual({
      Token: {
        type: 'apiKey',
        in: 'header',
        name: 'Authorization',
        description: 'The word `Token`, a space and the token.',
      },
      bearer: { type: 'http', scheme: 'bearer' },
    })
  })

  it('does not change a mock without it', async () => {
    const { send } = start({ known: { 't-ada': 1 } })
    const headers = { Authorization: 'Token t-ada' }
    expect((await send('GET /me', undefined, headers)).status).toBe(401)
  })
})

describe('credentials in an envelope', () => {
  it('are read as records of users are', async () => {
    const { send } = start({}, { record: { $singular: '$record' } })
    const inEnvelope = await send('POST /login', { user: login })
    expect(inEnvelope.status).toBe(200)
    expect((await send('POST /login', login)).status).toBe(200)
    const refresh = { refresh_token: tokenOf(inEnvelope.body, 'refresh_token') }
    expect((await send('POST /refresh', { user: refresh })).status).toBe(200)
    const missing = await send('POST /login', { user: { email: 'ada@x.org' } })
    expect(missing.status).toBe(422)
    expect(at(missing.body, 'errors')).toEqual({ password: 'is required' })
  })

  it.each([
    [{ email: '', password: 'x' }, { email: 'is required' }],
    [{ email: 'ada@x.org', password: '' }, { password: 'is required' }],
  ])('are missing where they are empty: %j', async (credentials, errors) => {
    const { send } = start({})
    const { status, body } = await send('POST /login', credentials)
    expect([status, at(body, 'errors')]).toEqual([422, errors])
  })

  it('can be needed', async () => {
    const { send } = start({}, { body: { user: '$record' } })
    expect((await send('POST /login', login)).status).toBe(400)
    expect((await send('POST /login', { user: login })).status).toBe(200)
  })
})

describe('the option answer', () => {
  const answer = {
    user: { token: '$accessToken', refresh: '$refreshToken', email: '$user.email' },
  }

  it('is the body of a login, a refresh, a registration and of me', async () => {
    const { send } = start({ answer, register: 'users', me: '/user', word: 'Token' })
    const { status, body } = await send('POST /login', login)
    expect([status, body]).toEqual([
      200,
      { user: { token: expect.any(String), refresh: expect.any(String), email: 'ada@x.org' } },
    ])
    const refreshToken = tokenOf(body, 'user', 'refresh')
    const renewed = await send('POST /refresh', { refresh_token: refreshToken })
    expect(renewed.body).toEqual(
      body && {
        user: {
          ...answer.user,
          token: expect.any(String),
          refresh: expect.any(String),
          email: 'ada@x.org',
        },
      },
    )
    const token = tokenOf(renewed.body, 'user', 'token')
    const me = await send('GET /user', undefined, { Authorization: `Token ${token}` })
    expect(me.body).toEqual({ user: { token, refresh: null, email: 'ada@x.org' } })
    const made = await send('POST /users', { email: 'cat@x.org', password: 'cat' })
    expect([made.status, at(made.body, 'user', 'email')]).toEqual([201, 'cat@x.org'])
  })

  it('can differ by endpoint, and have other words', async () => {
    const { send } = start({
      answer: { token: '$accessToken', type: '$tokenType', ends: '$expiresIn' },
      answers: { me: '$user' },
    })
    const { body } = await send('POST /login', login)
    expect(body).toEqual({ token: expect.any(String), type: 'Bearer', ends: 3600 })
    const me = await send('GET /me', undefined, bearer(tokenOf(body, 'token')))
    expect(me.body).toEqual(shownAda)
  })

  it('is no body where it is null', async () => {
    const { send, mock } = start({ scheme: 'cookie', answers: { login: null } })
    const { status, body, headers } = await send('POST /login', login)
    expect([status, body]).toEqual([200, undefined])
    expect(headers.get('set-cookie')).toMatch(/^sid=/)
    const document = documentOf(mock)
    const operation = document.paths['/login']?.post
    expect(operation && responseOf(document, operation, 200)).not.toHaveProperty('content')
  })

  it('has no token where the scheme has none', async () => {
    const { send } = start({
      scheme: 'cookie',
      answer: { 'token?': '$accessToken', id: '$user.id' },
    })
    const { body, headers } = await send('POST /login', login)
    expect(body).toEqual({ id: 1 })
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await send('GET /me', undefined, { Cookie: cookie })).body).toEqual({ id: 1 })
  })

  it('is in the OpenAPI document', () => {
    const { mock } = start({ answer, register: 'users', me: '/user' })
    const document = documentOf(mock)
    const { paths } = document
    const contentOf = (path: string, method: 'post' | 'put', status: number): unknown => {
      const operation = paths[path]?.[method]
      return operation && responseOf(document, operation, status)?.content
    }
    const text = { type: ['string', 'null'] }
    const schema = {
      type: 'object',
      required: ['user'],
      properties: {
        user: {
          type: 'object',
          required: ['token', 'refresh', 'email'],
          properties: { token: text, refresh: text, email: {} },
        },
      },
    }
    const json = { 'application/json': { schema } }
    expect(contentOf('/login', 'post', 200)).toEqual(json)
    expect(paths['/users']?.post?.operationId).toBe('register')
    expect(contentOf('/users', 'post', 201)).toEqual(json)
    expect(paths['/users']?.post?.security).toBeUndefined()
    expect(paths['/users']?.get?.operationId).toBe('listUsers')
    expect(contentOf('/user', 'put', 200)).toEqual(json)
    expect(Object.keys(paths['/user'] ?? {}).toSorted()).toEqual([
      'get',
      'head',
      'options',
      'patch',
      'put',
    ])
  })

  it.each([
    [
      { answer: { token: '$acessToken' } },
      /"answer" has the unknown variable "\$acessToken".*\$accessToken/,
    ],
    [{ answers: { me: '$items' } }, /"answers.me" has the unknown variable "\$items"/],
    [{ answers: { logout: '$user' } }, /"answers.logout" .* has no variables/],
    [{ statuses: { login: 302 } }, /"login".*a status from 200 to 299/],
    [{ paths: { login: 'post /login' } }, /"login".*also|"login".*a path such as \/login/],
    [{ me: '/user', paths: { me: '/me' } }, /"me" and "paths.me" both/],
    [{ scheme: 'cookie', word: 'Token' }, /"word" needs the scheme "bearer"/],
    [{ word: 'To ken' }, /"word".*a word such as Token/],
    [
      { owners: { articles: { key: 'teamId', of: 'teamId' } } },
      /no record of "users" has a field "teamId"/,
    ],
  ] as [AuthOptions, RegExp][])('is checked with the others: %j', (options, message) => {
    expect(() => start(options)).toThrow(message)
  })
})

describe('the option register', () => {
  const accounts = fields({
    users: {
      required: ['email', 'password'],
      unique: ['email'],
      defaults: { bio: null },
      readOnly: ['role'],
      emptyAsNull: ['image'],
    },
  })

  it('creates a user by the write hooks, and logs the user in', async () => {
    const { send } = start({ register: 'users' }, {}, [accounts])
    const made = await send('POST /users', {
      email: 'cat@x.org',
      password: 'cat',
      role: 'admin',
      image: '',
    })
    const user = { id: 3, email: 'cat@x.org', bio: null, image: null }
    expect([made.status, at(made.body, 'user')]).toEqual([201, user])
    const token = tokenOf(made.body, 'access_token')
    expect((await send('GET /me', undefined, bearer(token))).body).toEqual(user)
    const again = { email: 'cat@x.org', password: 'cat' }
    expect((await send('POST /login', again)).status).toBe(200)
    const taken = await send('POST /users', again)
    expect([taken.status, at(taken.body, 'errors')]).toEqual([422, { email: 'is taken' }])
    const empty = await send('POST /users', {})
    expect([empty.status, at(empty.body, 'errors')]).toEqual([
      422,
      { email: 'is required', password: 'is required' },
    ])
    const list = await send('POST /users', [again])
    expect(list.status).toBe(400)
    const id = await send('POST /users', { ...again, email: 'd@x.org', id: 1 })
    expect(id.status).toBe(409)
  })

  it('needs no user; the rest of the collection does', async () => {
    const { send } = start({ register: 'users', owners: { users: 'id' } })
    expect((await send('GET /users')).status).toBe(401)
    const made = await send('POST /users', { email: 'cat@x.org', password: 'cat' })
    expect(made.status).toBe(201)
    const headers = bearer(tokenOf(made.body, 'access_token'))
    expect((await send('GET /users', undefined, headers)).body).toEqual([
      { id: 3, email: 'cat@x.org' },
    ])
    expect((await send('PATCH /users/1', { email: 'x' }, headers)).status).toBe(403)
    expect((await send('OPTIONS /users')).headers.get('allow')).toMatch(/^GET, HEAD/)
  })

  it('ignores credentials, as a login does', async () => {
    const { send } = start({ register: 'users' })
    const cat = { email: 'cat@x.org', password: 'cat' }
    expect((await send('POST /users', cat, bearer('stale'))).status).toBe(201)
  })

  it('can have another path, and sets the cookie', async () => {
    const { send } = start({ scheme: 'cookie', register: '/signup' })
    const made = await send('POST /signup', { email: 'cat@x.org', password: 'cat' })
    expect([made.status, made.body]).toEqual([201, { user: { id: 3, email: 'cat@x.org' } }])
    const cookie = made.headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await send('GET /me', undefined, { Cookie: cookie })).status).toBe(200)
    expect((await send('GET /signup')).status).toBe(405)
    expect((await send('POST /users', { email: 'x' })).status).toBe(401)
  })

  it('takes the envelope of users', async () => {
    const { send } = start({ register: 'users' }, { record: { $singular: '$record' } })
    const made = await send('POST /users', { user: { email: 'cat@x.org', password: 'cat' } })
    expect([made.status, at(made.body, 'user')]).toEqual([201, { id: 3, email: 'cat@x.org' }])
  })

  it('is refused by a mock that only reads', async () => {
    const mock = createMock({
      fixtures,
      readOnly: true,
      use: [auth({ register: '/signup', me: '/user', known: { t: 1 } })],
    })
    const signup = await mock.fetch('http://mock.test/signup', { method: 'POST', body: '{}' })
    expect(signup.status).toBe(405)
    const put = await mock.fetch('http://mock.test/user', {
      method: 'PUT',
      body: '{}',
      headers: bearer('t'),
    })
    expect([put.status, put.headers.get('allow')]).toEqual([405, 'GET, HEAD, OPTIONS'])
  })
})

describe('the option me', () => {
  const options: AuthOptions = { me: '/user', known: { 't-ada': 1, 't-bob': 2, 't-gone': 9 } }
  const ada = bearer('t-ada')

  it('reads and changes the user who asks, by the write hooks', async () => {
    const unique = fields({ users: { unique: ['email'], readOnly: ['apiKey'] } })
    const { send } = start(options, {}, [unique])
    expect((await send('GET /user', undefined, ada)).body).toEqual(shownAda)
    const put = await send('PUT /user', { email: 'ada@y.org' }, ada)
    expect([put.status, put.body]).toEqual([200, { ...shownAda, email: 'ada@y.org' }])
    expect((await send('POST /login', { ...login, email: 'ada@y.org' })).status).toBe(200)
    const patch = await send('PATCH /user', { bio: 'x', apiKey: 'y' }, ada)
    expect(patch.body).toEqual({ ...shownAda, email: 'ada@y.org', bio: 'x' })
    const taken = await send('PATCH /user', { email: 'bob@x.org' }, ada)
    expect(taken.status).toBe(422)
  })

  it('changes no other user', async () => {
    const { send } = start(options)
    const { status } = await send('PUT /user', { id: 2, email: 'x' }, ada)
    expect(status).toBe(400)
    expect((await send('GET /user', undefined, bearer('t-bob'))).body).toMatchObject({
      email: 'bob@x.org',
    })
  })

  it('needs a user, and has no other methods', async () => {
    const { send } = start({ ...options, protect: [] })
    expect((await send('PUT /user', { email: 'x' })).status).toBe(401)
    expect((await send('GET /user')).status).toBe(401)
    expect((await send('GET /user', undefined, bearer('t-gone'))).status).toBe(401)
    const removed = await send('DELETE /user', undefined, ada)
    expect([removed.status, removed.headers.get('allow')]).toEqual([
      405,
      'GET, HEAD, PUT, PATCH, OPTIONS',
    ])
    expect((await send('GET /me', undefined, ada)).status).toBe(404)
  })

  it('obeys preconditions', async () => {
    const { send } = start(options)
    const { status } = await send('PUT /user', { email: 'x' }, { ...ada, 'If-Match': '"nope"' })
    expect(status).toBe(412)
  })

  it('is answered as records of users are, also at its default path', async () => {
    const names: RestNames = {
      record: { $singular: '$record' },
      resources: { users: { hidden: ['id'] } },
      key: 'snake_case',
    }
    const { send } = start(options, names)
    const wire = { email: 'ada@x.org', api_key: 'key-ada' }
    expect((await send('GET /user', undefined, ada)).body).toEqual({ user: wire })
    const put = await send('PATCH /user', { user: { first_name: 'Ada' } }, ada)
    expect(put.body).toEqual({ user: { ...wire, first_name: 'Ada' } })
    const { me: _me, ...others } = options
    const { send: ask } = start(others, names)
    expect((await ask('GET /me', undefined, ada)).body).toEqual({ user: wire })
    expect((await ask('PUT /me', {}, ada)).status).toBe(405)
  })
})

describe('owners by a field of the user', () => {
  it('compares the field', async () => {
    const mock = createMock({
      fixtures: {
        users: [
          { id: 1, teamId: 't1' },
          { id: 2, teamId: 't2' },
          { id: 3, teamId: ['t1', 't2'] },
          { id: 4 },
        ],
        discussions: [
          { id: 1, teamId: 't1' },
          { id: 2, teamId: 't2' },
        ],
      },
      use: [
        auth({
          known: { a: 1, b: 2, c: 3, d: 4 },
          owners: { discussions: { key: 'teamId', of: 'teamId' } },
        }),
      ],
    })
    const ask = async (token: string, method = 'GET', path = '', body?: object) => {
      const response = await mock.fetch(`http://mock.test/discussions${path}`, {
        method,
        headers: { ...bearer(token), 'Content-Type': 'application/json' },
        ...(body && { body: JSON.stringify(body) }),
      })
      return [response.status, await response.json()] as const
    }
    expect(await ask('a')).toEqual([200, [{ id: 1, teamId: 't1' }]])
    expect(await ask('c')).toEqual([
      200,
      [
        { id: 1, teamId: 't1' },
        { id: 2, teamId: 't2' },
      ],
    ])
    expect(await ask('d')).toEqual([200, []])
    expect((await ask('b', 'GET', '/1'))[0]).toBe(403)
    expect((await ask('b', 'PATCH', '/1', { x: 1 }))[0]).toBe(403)
    expect(await ask('b', 'POST', '', {})).toEqual([201, { id: 3, teamId: 't2' }])
    expect((await ask('b', 'POST', '', { teamId: 't1' }))[0]).toBe(403)
    expect((await ask('d', 'POST', '', {}))[0]).toBe(403)
  })
})

describe('a route, a hook and a login', () => {
  const demo = routes({
    'POST /demo': async (_, { login: logIn, db }) => {
      const [bob] = db['users']?.find({ where: { email: 'bob@x.org' } }) ?? []
      return logIn((bob as { id: number }).id)
    },
    'POST /nobody': (_, { login: logIn }) => logIn(99),
  })

  it('context.login returns tokens', async () => {
    const { send } = start({ public: ['POST /demo', 'POST /nobody'] }, {}, [demo])
    const { status, body } = await send('POST /demo')
    expect(status).toBe(200)
    const me = await send('GET /me', undefined, bearer(tokenOf(body, 'access_token')))
    expect(me.body).toMatchObject({ id: 2 })
    expect((await send('POST /nobody')).status).toBe(500)
  })

  it('context.login sets the cookie', async () => {
    const { send } = start({ scheme: 'cookie', public: ['POST /demo'] }, {}, [demo])
    const { body, headers } = await send('POST /demo')
    expect(body).toEqual({})
    const cookie = headers.get('set-cookie')?.split(';')[0] ?? ''
    expect((await send('GET /me', undefined, { Cookie: cookie })).body).toMatchObject({ id: 2 })
  })

  it('context.login needs auth', async () => {
    const mock = createMock({
      fixtures,
      use: [demo],
    })
    const response = await mock.fetch('http://mock.test/demo', { method: 'POST' })
    expect(response.status).toBe(500)
    expect(await response.text()).toContain('without \\"auth\\" in \\"use\\"')
  })

  it('a hook of a behaviour can log in', async () => {
    const magic: Behaviour = {
      name: 'magic',
      create: () => ({
        at: {
          resource: async ({ path, login: logIn }) =>
            path === '/magic'
              ? { status: 200, headers: [], value: await logIn?.({ id: 2 }) }
              : undefined,
        },
      }),
    }
    const { send } = start({ public: ['* /magic'] }, {}, [magic])
    const { body } = await send('GET /magic')
    const me = await send('GET /me', undefined, bearer(tokenOf(body, 'access_token')))
    expect(me.body).toMatchObject({ id: 2 })
  })
})

describe.each(['jwt', 'opaque'] as const)('accounts with %s tokens', (tokens) => {
  it('are apart in sessions and forks', async () => {
    const mock = createMock({
      fixtures,
      seed: 1,
      use: [auth({ tokens, register: 'users', me: '/user' }), sessions()],
    })
    const ask = async (
      session: string,
      method: string,
      path: string,
      body?: object,
      token = '',
    ) => {
      const response = await mock.fetch(`http://mock.test${path}`, {
        method,
        headers: {
          'X-Mock-Session': session,
          'Content-Type': 'application/json',
          ...(token !== '' && bearer(token)),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      return [response.status, await response.json()] as const
    }
    const account = { email: 'cat@x.org', password: 'cat' }
    const [status, made] = await ask('a', 'POST', '/users', account)
    expect(status).toBe(201)
    const token = tokenOf(made, 'access_token')
    expect((await ask('a', 'PATCH', '/user', { bio: 'x' }, token))[0]).toBe(200)
    expect((await ask('a', 'GET', '/user', undefined, token))[1]).toMatchObject({ bio: 'x' })
    expect((await ask('b', 'POST', '/login', account))[0]).toBe(401)
    expect((await ask('b', 'GET', '/user', undefined, token))[0]).toBe(401)
  })
})
