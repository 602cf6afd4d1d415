import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, it } from 'vitest'

import { createLearner } from '../../../src/core/learn/learner.ts'
import { writeLearned } from '../../../src/record/files/write-learned.ts'
import { loadMock } from '../../../src/node.ts'
import { createFolder } from '../loader/folder.ts'

const origin = 'https://api.house.test'

type Row = readonly [
  request: string,
  status: number,
  json: unknown,
  more?: { sent?: unknown; carries?: string; sets?: string },
]

/** A front end that is refused, logs in as Ada, reads and writes, and logs out. */
const bearer = (token: string): Row[] => {
  const user = { login: 'ada', name: 'Ada L.', admin: true }
  const post = { id: 1, title: 'One', writer: 'ada' }
  const carries = `Authorization: Token token="${token}"`
  const refused = { error: 'who are you?' }
  return [
    ['GET /v1/posts', 200, [post]],
    ['POST /v1/posts', 401, refused, { sent: { title: 'x' } }],
    ['GET /v1/me', 401, refused],
    ['POST /v1/login', 400, { error: 'no' }, { sent: { login: 'ada', password: 'wrong-77' } }],
    [
      'POST /v1/login',
      201,
      { jwt: token, me: user },
      { sent: { login: 'ada', password: 'real-secret-77' } },
    ],
    ['GET /v1/me', 200, user, { carries }],
    ['GET /v1/posts/1', 200, post, { carries }],
    ['PUT /v1/me', 200, { ...user, name: 'Ada' }, { carries, sent: { name: 'Ada' } }],
    ['GET /v1/me', 200, { ...user, name: 'Ada' }, { carries }],
    ['POST /v1/posts', 201, { id: 2, title: 'Two' }, { carries, sent: { title: 'Two' } }],
    ['DELETE /v1/logout', 200, { bye: true }, { carries }],
    ['GET /v1/me', 401, refused, { carries }],
  ]
}

const cookie = (session: string): Row[] => {
  const person = { id: 7, username: 'ada', role: 'clerk' }
  const carries = `Cookie: theme=dark; house.sid=${session}`
  const sent = { username: 'ada', password: 'real-secret-77' }
  return [
    ['GET /session', 401, { error: 'log in' }],
    ['GET /people', 401, { error: 'log in' }],
    ['POST /session', 200, { user: person }, { sent, sets: `house.sid=${session}; HttpOnly` }],
    ['GET /session', 200, { user: person }, { carries }],
    ['GET /people', 200, [person, { ...person, id: 8, username: 'bob' }], { carries }],
    ['DELETE /session', 204, undefined, { carries }],
  ]
}

const pair = (name: string, value: string): [string, string] => [name, value]

/** Writes the recording of a session, and loads its mock. */
async function record(rows: readonly Row[]) {
  const learner = createLearner({ redact: ['none'] })
  rows.forEach(([request, status, json, { sent, carries, sets } = {}], at) => {
    const [method = '', path = ''] = request.split(' ')
    const [name = '', value = ''] = carries?.split(': ') ?? []
    learner.add({
      startedAt: Date.UTC(2026, 0, 1) + at * 1000,
      method,
      url: origin + path,
      requestHeaders: [
        ['Content-Type', 'application/json'],
        ...(carries ? [pair(name, value)] : []),
      ],
      requestBody: sent === undefined ? undefined : JSON.stringify(sent),
      status,
      headers: [['Content-Type', 'application/json'], ...(sets ? [pair('Set-Cookie', sets)] : [])],
      body: json === undefined ? undefined : JSON.stringify(json),
    })
  })
  const folder = createFolder({})
  const { questions } = await writeLearned(learner.learned(), { out: 'fixtures', cwd: folder })
  const path = join(folder, 'mock.config.jsonc')
  const config = existsSync(path) ? readFileSync(path, 'utf8') : ''
  const mock = await loadMock(config === '' ? join(folder, 'fixtures') : path)
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8', withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'utf8'))
    .join('\n')
  return {
    config,
    questions,
    files,
    async ask(request: string, sent?: unknown, headers: Record<string, string> = {}) {
      const [method = '', path = ''] = request.split(' ')
      const response = await mock.fetch(origin + path, {
        method,
        headers: { 'Content-Type': 'application/json', ...headers },
        ...(sent !== undefined && { body: JSON.stringify(sent) }),
      })
      const text = await response.text()
      const body: unknown = text === '' ? undefined : JSON.parse(text)
      return { status: response.status, body, cookie: response.headers.get('Set-Cookie') }
    },
  }
}

describe('a recording of a login with a token', () => {
  const token = 'tok-4711-secret-of-the-real-api'
  const login = { login: 'ada', password: 'real-secret-77' }

  it('becomes auth, which knows the user, the password and the logout', async () => {
    const { ask } = await record(bearer(token))
    const refused = await ask('POST /v1/login', { ...login, password: 'guess' })
    expect(refused).toMatchObject({ status: 400, body: { error: 'no' } })
    const { status, body } = await ask('POST /v1/login', login)
    const user = { login: 'ada', name: 'Ada', admin: true }
    expect([status, body]).toEqual([201, { jwt: expect.any(String), me: user }])
    const headers = { Authorization: `Token ${(body as { jwt: string }).jwt}` }
    expect((await ask('GET /v1/me', undefined, headers)).body).toEqual(user)
    expect((await ask('POST /v1/posts', { title: 'Three' }, headers)).status).toBe(201)
    await ask('PUT /v1/me', { name: 'Countess' }, headers)
    expect((await ask('GET /v1/me', undefined, headers)).body).toMatchObject({ name: 'Countess' })
    const gone = await ask('DELETE /v1/logout', undefined, headers)
    expect([gone.status, gone.body]).toEqual([200, { bye: true }])
    expect((await ask('GET /v1/me', undefined, headers)).status).toBe(401)
  })

  it('protects the requests that were refused, and leaves the others open', async () => {
    const { ask } = await record(bearer(token))
    const refused = { status: 401, body: { error: 'who are you?' } }
    expect(await ask('POST /v1/posts', { title: 'x' })).toMatchObject(refused)
    expect(await ask('DELETE /v1/posts/1')).toMatchObject(refused)
    expect((await ask('GET /v1/posts')).status).toBe(200)
  })

  it('accepts the token of the recording, and stand-ins that the configuration names', async () => {
    const { ask, config, questions } = await record(bearer(token))
    const real = await ask('GET /v1/me', undefined, { Authorization: `Token token=${token}` })
    expect(real.status).toBe(200)
    const [, standIn] = /ada logs in with "(recorded-\w+)"/.exec(config) ?? []
    expect(questions[0]?.text).toContain(standIn)
    expect((await ask('POST /v1/login', { ...login, password: standIn })).status).toBe(201)
  })

  it('writes neither the password nor the token', async () => {
    const { files } = await record(bearer(token))
    expect(files).not.toMatch(/secret|wrong-77|4711/)
  })
})

describe('a recording of a login with a cookie', () => {
  const session = 's%3Areal-session-4711.of-the-real-api'

  it('becomes auth with users of the collection that lists them', async () => {
    const { ask, config, files } = await record(cookie(session))
    expect(config).toContain('"users": "people"')
    expect(files).not.toContain('real-session')
    expect((await ask('GET /session')).body).toEqual({ error: 'log in' })
    expect((await ask('GET /people')).status).toBe(401)
    // No wrong password was recorded, so that any password does.
    const login = await ask('POST /session', { username: 'bob', password: 'any' })
    const bob = { id: 8, username: 'bob', role: 'clerk' }
    expect([login.status, login.body]).toEqual([200, { user: bob }])
    const headers = { Cookie: login.cookie?.split(';')[0] ?? '' }
    expect((await ask('GET /session', undefined, headers)).body).toEqual({ user: bob })
    expect((await ask('GET /people', undefined, headers)).status).toBe(200)
    expect((await ask('DELETE /session', undefined, headers)).status).toBe(204)
    expect((await ask('GET /session', undefined, headers)).status).toBe(401)
  })
})

/** Ada writes posts, which embed their writers, and is refused at a post of Bob's. */
const blog = (token: string): Row[] => {
  const carries = `Authorization: Bearer ${token}`
  const [ada, bob] = ['ada', 'bob'].map((name) => ({ name, bio: `I am ${name}.` }))
  const post = (id: number, writer: object | undefined) => ({ id, title: `Post ${id}`, writer })
  const posts = [post(1, ada), post(2, bob), post(3, bob)]
  const sent = { name: 'ada', password: 'real-secret-77' }
  return [
    ['POST /login', 200, { token, ...ada }, { sent }],
    ['GET /writers/ada', 200, ada, { carries }],
    ['GET /writers/bob', 200, bob, { carries }],
    ['GET /posts', 200, posts, { carries }],
    ['GET /posts/2', 200, posts[1], { carries }],
    ['PATCH /posts/2', 403, { error: 'not yours' }, { carries, sent: { title: 'x' } }],
    ['PATCH /posts/1', 200, { ...post(1, ada), title: 'x' }, { carries, sent: { title: 'x' } }],
    ['POST /posts', 201, post(4, ada), { carries, sent: { title: 'Post 4' } }],
  ]
}

describe('a recording of records that embed their owners', () => {
  it('has foreign keys, which decide who may write', async () => {
    const { ask, config } = await record(blog('tok-4711-secret-of-the-real-api'))
    expect(config).toContain('"relations": { "writerId": "writers" }')
    expect(config).toContain('"owners": { "key": "writerId", "read": "all" }')
    const login = await ask('POST /login', { name: 'bob', password: 'any' })
    const headers = { Authorization: `Bearer ${(login.body as { token: string }).token}` }
    const bob = { name: 'bob', bio: 'I am bob.' }
    const made = await ask('POST /posts', { title: 'By Bob' }, headers)
    expect([made.status, made.body]).toEqual([201, { id: 5, title: 'By Bob', writer: bob }])
    const other = await ask('PATCH /posts/1', { title: 'y' }, headers)
    expect([other.status, other.body]).toEqual([403, { error: 'not yours' }])
    expect((await ask('PATCH /posts/3', { title: 'y' }, headers)).status).toBe(200)
    expect((await ask('GET /posts/2')).body).toEqual({ id: 2, title: 'Post 2', writer: bob })
  })
})

describe('a login', () => {
  const token = 'tok-4711-secret-of-the-real-api'
  const carries = `Authorization: Bearer ${token}`
  const ada = { id: 3, email: 'ada@example.org' }

  it('can send the name in another field than that of the user', async () => {
    const sent = { username: 'ada@example.org', password: 'real-secret-77' }
    const { ask } = await record([
      ['POST /token', 200, { access_token: token, expires_in: 3600 }, { sent }],
      ['GET /dashboard', 200, { owner: ada, numbers: [1, 2] }, { carries }],
      ['GET /account', 200, { data: ada }, { carries }],
    ])
    const { body } = await ask('POST /token', sent)
    const { access_token: own } = body as { access_token: string }
    expect(body).toEqual({ access_token: own, expires_in: 3600 })
    const headers = { Authorization: `Bearer ${own}` }
    expect((await ask('GET /account', undefined, headers)).body).toEqual({ data: ada })
    expect((await ask('GET /dashboard')).body).toEqual({ owner: ada, numbers: [1, 2] })
  })

  it('stays that of a user who has got another name', async () => {
    const sent = { email: ada.email, password: 'real-secret-77' }
    const renamed = { ...ada, email: 'countess@example.org' }
    const { ask } = await record([
      ['POST /login', 200, { token }, { sent }],
      ['GET /me', 200, ada, { carries }],
      ['PATCH /me', 200, renamed, { carries, sent: { email: renamed.email } }],
      ['GET /me', 200, renamed, { carries }],
    ])
    const me = await ask('GET /me', undefined, { Authorization: `Bearer ${token}` })
    expect([me.status, me.body]).toEqual([200, renamed])
    expect((await ask('POST /login', { ...sent, email: renamed.email })).status).toBe(200)
  })

  it('is none at a path that takes other requests', async () => {
    const password = 'real-secret-77'
    const { config } = await record([
      ['GET /notes', 200, [{ id: 1 }]],
      ['POST /graphql', 200, { data: { token, ...ada } }, { sent: { email: ada.email, password } }],
      ['POST /graphql', 200, { data: { me: ada } }, { carries, sent: { query: '{ me }' } }],
    ])
    expect(config).not.toContain('auth')
  })

  it('can answer a wrong password with 200', async () => {
    const right = { email: ada.email, password: 'real-secret-77' }
    const wrong = { ...right, password: 'no' }
    const { ask } = await record([
      ['POST /login', 200, { success: false }, { sent: wrong }],
      ['POST /login', 200, { success: false }, { sent: { ...wrong, password: 'nope' } }],
      ['POST /login', 200, { success: true, token, user: ada }, { sent: right }],
      ['GET /me', 200, ada, { carries }],
    ])
    const { body } = await ask('POST /login', right)
    expect(body).toEqual({ success: true, token: expect.any(String), user: ada })
  })
})

it('learns no auth where no request carries what a login has given', async () => {
  const rows = bearer('tok-4711-secret').map(([request, status, json, more]): Row => {
    const { carries: _, ...rest } = more ?? {}
    return [request, status, json, rest]
  })
  expect((await record(rows)).config).not.toContain('auth')
})

describe('a recording of a login that gives a token in its response and in a cookie', () => {
  it('gives the token in both, and knows it without a word', async () => {
    const user = { id: 7, username: 'ada', role: 'clerk' }
    const token = 'eyJ0b2tlbi1vZi1hZGE'
    const carries = `Authorization: ${token}`
    const { ask } = await record([
      [
        'POST /login',
        200,
        { token, ...user },
        { sent: { username: 'ada', password: 'real-secret-77' }, sets: `sid=${token}; HttpOnly` },
      ],
      ['GET /me', 200, user, { carries }],
      ['GET /people', 200, [user, { ...user, id: 8, username: 'bob' }], { carries }],
    ])
    const login = await ask('POST /login', { username: 'ada', password: 'real-secret-77' })
    expect(login.body).toEqual({ token: expect.any(String), ...user })
    const { token: given = '' } = login.body as Record<string, string>
    expect(await ask('GET /me', undefined, { Authorization: given })).toMatchObject({
      status: 200,
      body: user,
    })
  })
})
