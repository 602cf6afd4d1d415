import { afterAll, beforeAll, describe, expect, it } from 'vitest'

import { WebSocket } from 'ws'

import { type TestSocket, toTestSocket } from '../sockets.ts'
import { bundleWorker, startWorkerd, token, type Workerd } from '../workerd.ts'

const source = `
import { auth, events, files, idempotency, limit, oidc, routes, scenarios, states } from ${JSON.stringify(src('behaviours.ts'))}
import { createWorker, documents } from ${JSON.stringify(src('worker.ts'))}
const posts = [{ id: 1, title: 'First' }, { id: 2, title: 'Second' }]
const orders = [{ id: 1, status: 'placed' }]
const users = [{ id: 1, email: 'ada@x.org', password: 'secret' }]
const worker = createWorker(
  {
    fixtures: { posts, orders, users, profile: { theme: 'light' }, notes: [{ id: 'a' }] },
    use: [
      auth({ protect: ['DELETE users'] }),
      events({ protocol: 'websocket' }),
      files({ users: { avatar: { maxSize: '4MB' } } }),
      oidc(),
      idempotency(),
      limit({ requests: 1000, per: '1d' }),
      routes({
        'POST /bytes': () => new Response(new Uint8Array([0, 255])),
        'POST /large': () => new Response(crypto.randomUUID() + 'x'.repeat(3_000_000)),
      }),
      scenarios({ sets: { empty: { fixtures: { posts: [] } } } }),
      states({
        orders: {
          transitions: { placed: ['paid'], paid: ['refunded'], refunded: [] },
          after: { placed: { to: 'paid', in: 500 } },
          actions: { refund: { to: 'refunded', takes: 500, fields: ['reason'] } },
        },
      }),
    ],
    corsOrigin: 'https://app.example.com',
  },
  { documents, sessions: { limit: 5, ttl: '1h' }, limits: { records: 20, bytes: 10_000 } },
)
export const { MockSession } = worker
export default worker
`

function src(file: string): string {
  return new URL(`../../src/${file}`, import.meta.url).pathname
}

let workerd: Workerd

beforeAll(async () => {
  workerd = await startWorkerd(await bundleWorker(source))
})

afterAll(() => workerd?.close())

interface Sent {
  body?: unknown
  session?: string
  headers?: Record<string, string>
}

/** Sends a request, `GET /posts`, of a session. */
async function send(
  request: string,
  { body, session, headers }: Sent = {},
): Promise<{ status: number; body: unknown; headers: Headers }> {
  const [method = '', path = ''] = request.split(' ')
  const response = await fetch(workerd.url + path, {
    method,
    headers: {
      ...(session !== undefined && { 'X-Mock-Session': session }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  })
  const text = await response.text()
  const isJson = response.headers.get('content-type')?.includes('json') && text !== ''
  return {
    status: response.status,
    body: isJson ? JSON.parse(text) : text,
    headers: response.headers,
  }
}

/** Sends a request to the control, with the token. */
function control(request: string, { body, session }: Sent = {}): ReturnType<typeof send> {
  const [method, path] = request.split(' ')
  const headers = { Authorization: `Bearer ${token}` }
  return send(`${method} /__mock/${path}`, { body, session: session ?? '', headers })
}

describe('a session of a worker', () => {
  it('has data of its own, which begin as a copy of the shared mock', async () => {
    await send('POST /notes', { body: { id: 'shared' } })
    const [a, b] = ['own-a', 'own-b']
    await send('POST /notes', { body: { id: 'b' }, session: a })
    await send('DELETE /notes/a', { session: b })
    const idsOf = async (session: string): Promise<unknown> =>
      ((await send('GET /notes', { session })).body as { id: string }[]).map(({ id }) => id)
    expect(await idsOf('')).toEqual(['a', 'shared'])
    expect(await idsOf(a)).toEqual(['a', 'shared', 'b'])
    expect(await idsOf(b)).toEqual(['shared'])
    expect(await control('GET sessions')).toMatchObject({ body: [{ name: a }, { name: b }] })
    await control('DELETE sessions', { body: a })
    expect(await idsOf(a)).toEqual(['a', 'shared'])
    expect(await control('DELETE sessions')).toMatchObject({ body: 0 })
  })

  it('is named by a cookie too, and refused with an invalid name', async () => {
    await send('DELETE /notes/a', { headers: { Cookie: 'mock-session=cookie' } })
    expect(await send('GET /notes/a', { session: 'cookie' })).toMatchObject({ status: 404 })
    expect(await send('GET /notes/a', { session: 'x'.repeat(129) })).toMatchObject({ status: 400 })
    await control('DELETE sessions')
  })

  it('is refused above the limit, with the way out', async () => {
    for (let at = 0; at < 5; at++) await send('GET /notes', { session: `many-${at}` })
    const refused = await send('GET /notes', { session: 'many-5' })
    expect(refused).toMatchObject({
      status: 429,
      body: { code: 'SESSIONS_FULL', detail: expect.stringContaining('DELETE /__mock/sessions') },
    })
    expect(Object.fromEntries(refused.headers)).toMatchObject({
      'retry-after': '60',
      'access-control-allow-origin': '*',
      'access-control-expose-headers': '*',
    })
    expect(await send('GET /notes', { session: 'many-1' })).toMatchObject({ status: 200 })
    await control('DELETE sessions')
  })

  it('may store so many records and bytes', async () => {
    const session = 'full'
    await control('POST reset', { session })
    const large = await send('POST /notes', { body: { text: 'x'.repeat(10_000) }, session })
    expect(large).toMatchObject({
      status: 413,
      body: { detail: expect.stringContaining('limits.bytes') },
    })
    // The order that becomes paid may be one of the changed records.
    const list = Array.from({ length: 19 }, () => ({}))
    expect(await send('POST /notes', { body: list, session })).toMatchObject({ status: 201 })
    await send('POST /notes', { body: {}, session })
    expect(await send('POST /notes', { body: {}, session })).toMatchObject({ status: 413 })
    const body = { name: 'x' }
    expect(await send('PATCH /users/1', { body, session })).toMatchObject({ status: 413 })
    expect(await send('DELETE /notes/a', { session })).toMatchObject({ status: 200 })
    await control('DELETE sessions')
  })
})

describe('the limit of a session', () => {
  const text = 'x'.repeat(6000)

  it('counts the difference that a write makes', async () => {
    const session = 'difference'
    await send('POST /notes', { body: { id: 'n', text }, session })
    const changes = [`${text}y`, text + text, 'short']
    const statuses = []
    for (const changed of changes) {
      const patched = await send('PATCH /notes/n', { body: { text: changed }, session })
      statuses.push(patched.status)
    }
    expect(statuses).toEqual([200, 413, 200])
    await control('DELETE sessions')
  })

  it('applies to the data of a scenario for one request', async () => {
    const headers = { 'X-Mock-Session': 'fork', 'X-Mock-Scenario': 'empty' }
    const statuses = []
    for (let at = 0; at < 2; at++) {
      statuses.push((await send('POST /notes', { body: { text }, headers })).status)
    }
    expect(statuses).toEqual([201, 413])
    await control('DELETE sessions')
  })
})

describe('the responses of a scenario for one request', () => {
  it('are repeated within the size of a session', async () => {
    const read = async (key: string): Promise<string> => {
      const headers = { 'X-Mock-Scenario': 'empty', 'Idempotency-Key': key }
      const response = await fetch(`${workerd.url}/large`, { method: 'POST', headers })
      return (await response.text()).slice(0, 36)
    }
    const [first, again] = [await read('a'), await read('a')]
    expect(again).toBe(first)
    for (const key of ['b', 'c']) await read(key)
    expect(await read('a')).not.toBe(first)
  })
})

describe('a client', () => {
  it('begins no session without the token of the control', async () => {
    const headers = { Authorization: 'Bearer wrong' }
    for (const path of ['state', 'home/app.js', 'nothing']) {
      const refused = await send(`GET /__mock/${path}`, { session: 'refused', headers })
      expect(refused).toMatchObject({
        status: 401,
        body: { detail: expect.stringContaining('MOCK_TOKEN') },
      })
    }
    expect(await control('GET sessions')).toMatchObject({ body: [] })
  })

  it('cannot fill the storage with fields of removed records', async () => {
    const session = 'fields'
    const statuses = []
    for (let at = 0; at < 5; at++) {
      const names = Array.from({ length: 150 }, (_, field) => [`field ${at} of ${field}`, 1])
      const body = { id: 'n', ...Object.fromEntries(names) }
      statuses.push((await send('POST /notes', { body, session })).status)
      await send('DELETE /notes/n', { session })
    }
    expect(statuses).toEqual([201, 201, 201, 413, 413])
    await workerd.restart()
    expect(await send('POST /notes', { body: { text: 'x'.repeat(2000) }, session })).toMatchObject({
      status: 413,
    })
    await control('POST reset', { session })
    expect(await send('POST /notes', { body: {}, session })).toMatchObject({ status: 201 })
    await control('DELETE sessions')
  })
})

describe('a worker that is killed', () => {
  it('repeats a stored response that is bytes', async () => {
    const headers = { 'X-Mock-Session': 'bytes', 'Idempotency-Key': 'bytes' }
    const read = async (): Promise<number[]> => {
      const response = await fetch(`${workerd.url}/bytes`, { method: 'POST', headers })
      return [response.status, ...new Uint8Array(await response.arrayBuffer())]
    }
    expect(await read()).toEqual([200, 0, 255])
    await workerd.restart()
    expect(await read()).toEqual([200, 0, 255])
    await control('DELETE sessions')
  })

  it('has every file again, also a large one', async () => {
    const path = '/users/1/avatar'
    const headers = { 'X-Mock-Session': 'files', 'Content-Type': 'text/plain' }
    const bytes = Uint8Array.from({ length: 2_500_000 }, (_, at) => at % 251)
    const sent = await fetch(workerd.url + path, { method: 'PUT', body: bytes, headers })
    expect(sent.status).toBe(201)
    const made = await fetch(`${workerd.url}/uploads`, {
      method: 'POST',
      body: bytes.subarray(0, 3),
      headers: {
        ...headers,
        'Tus-Resumable': '1.0.0',
        'Upload-Length': '6',
        'Content-Type': 'application/offset+octet-stream',
      },
    })
    await workerd.restart()
    const again = await fetch(workerd.url + path, { headers })
    expect(new Uint8Array(await again.arrayBuffer())).toEqual(bytes)
    const tus = { method: 'HEAD', headers: { ...headers, 'Tus-Resumable': '1.0.0' } }
    const upload = new URL(made.headers.get('location') ?? '').pathname
    const state = await fetch(workerd.url + upload, tus)
    expect([state.status, state.headers.get('upload-offset')]).toEqual([200, '3'])
    await control('DELETE sessions')
  })

  it('has every change again', async () => {
    const session = 'killed'
    await send('POST /posts', { body: { title: 'Third' }, session })
    await send('POST /posts', { body: { title: 'Fourth' }, session })
    await send('DELETE /posts/4', { session })
    await send('DELETE /posts/1', { session })
    await send('PATCH /posts/2', { body: { title: 'New', once: 1 }, session })
    await send('PATCH /posts/2', { body: { once: null }, session })
    await send('PUT /profile', { body: { theme: 'dark' }, session })
    await workerd.restart()
    expect(await send('GET /posts', { session })).toMatchObject({
      body: [
        { id: 2, title: 'New', once: null },
        { id: 3, title: 'Third' },
      ],
    })
    expect(await send('GET /profile', { session })).toMatchObject({ body: { theme: 'dark' } })
    expect(await send('POST /posts', { body: {}, session })).toMatchObject({ body: { id: 5 } })
    await control('POST reset', { session })
    await workerd.restart()
    expect(await send('GET /posts', { session })).toMatchObject({ body: [{ id: 1 }, { id: 2 }] })
  })

  it('has the codes, tokens and sessions of a provider again', async () => {
    const headers = { 'X-Mock-Session': 'login' }
    const app = { client_id: 'shop', redirect_uri: 'http://localhost:5173/' }
    const asked = { ...app, response_type: 'code', scope: 'openid offline_access' }
    const authorize = async (values: Record<string, string>, cookie = '') => {
      const query = new URLSearchParams({ ...asked, ...values })
      const init = { redirect: 'manual', headers: { ...headers, cookie } } as const
      const response = await fetch(`${workerd.url}/oidc/authorize?${query}`, init)
      const { searchParams } = new URL(response.headers.get('location') ?? 'http://none')
      return [
        searchParams.get('code') ?? searchParams.get('error') ?? '',
        response.headers.get('set-cookie')?.split(';')[0] ?? '',
      ] as const
    }
    const redeem = async (values: Record<string, string>) => {
      const body = new URLSearchParams({ ...app, ...values })
      const answered = await fetch(`${workerd.url}/oidc/token`, { method: 'POST', headers, body })
      return (await answered.json()) as Record<string, string>
    }
    const infoOf = (token = '') =>
      send('GET /oidc/userinfo', {
        session: 'login',
        headers: { Authorization: `Bearer ${token}` },
      })
    const [code, cookie] = await authorize({ login_hint: 'ada@x.org' })
    await workerd.restart()
    const tokens = await redeem({ grant_type: 'authorization_code', code })
    await workerd.restart()
    expect(await infoOf(tokens['access_token'])).toMatchObject({ body: { sub: '1' } })
    expect((await authorize({ prompt: 'none' }, cookie))[0]).toMatch(/^[a-z\d]{40}$/)
    const refresh = { grant_type: 'refresh_token', refresh_token: tokens['refresh_token'] ?? '' }
    const renewed = await redeem(refresh)
    await workerd.restart()
    expect(await redeem({ grant_type: 'authorization_code', code })).toMatchObject({
      error: 'invalid_grant',
    })
    expect(await infoOf(renewed['access_token'])).toMatchObject({ status: 401 })
    const login = await control('POST login', { body: 'ada@x.org', session: 'login' })
    const { access_token: own } = login.body as Record<string, string>
    await workerd.restart()
    expect(await infoOf(own)).toMatchObject({ body: { sub: '1' } })
    await control('POST reset', { session: 'login' })
    await workerd.restart()
    expect(await infoOf(own)).toMatchObject({ status: 401 })
    expect((await authorize({ prompt: 'none' }, cookie))[0]).toBe('login_required')
    await control('DELETE sessions')
  })

  it('has the state of behaviours, rules, snapshots and the clock again', async () => {
    const session = 'state'
    const login = await send('POST /login', {
      body: { email: 'ada@x.org', password: 'secret' },
      session,
    })
    const { access_token: access } = login.body as { access_token: string }
    const headers = { 'Idempotency-Key': 'k1' }
    await send('POST /notes', { body: { id: 'once' }, session, headers })
    await control('POST rules', { body: { on: 'GET /profile', status: 503, times: 2 }, session })
    await send('GET /profile', { session })
    await control('POST snapshots', { body: { name: 'one' }, session })
    await send('DELETE /notes/once', { session })
    await control('POST clock/advance', { body: '10m', session })
    const before = await send('GET /notes', { session })
    await workerd.restart()
    const after = await send('GET /notes', { session })
    const remaining = (answer: typeof after): number =>
      Number(/r=(\d+)/.exec(answer.headers.get('ratelimit') ?? '')?.[1])
    expect(remaining(after)).toBe(remaining(before) - 1)
    const replayed = await send('POST /notes', { body: { id: 'once' }, session, headers })
    expect(replayed).toMatchObject({ status: 201 })
    expect(replayed.headers.get('idempotency-replayed')).toBe('true')
    expect(await send('GET /notes/once', { session })).toMatchObject({ status: 404 })
    expect(await send('GET /profile', { session })).toMatchObject({ status: 503 })
    expect(await send('GET /profile', { session })).toMatchObject({ status: 200 })
    const { now } = (await control('GET clock', { session })).body as { now: number }
    expect(now).toBeGreaterThan(Date.now() + 590_000)
    await control('POST snapshots/one', { session })
    expect(await send('GET /notes/once', { session })).toMatchObject({ status: 200 })
    const me = { Authorization: `Bearer ${access}` }
    expect(await send('GET /me', { session, headers: me })).toMatchObject({ status: 200 })
  })

  it('sends no Last-Modified of records that changed while their time did not', async () => {
    const session = 'modified'
    const read = async (path: string): Promise<string | null> =>
      (await send(`GET ${path}`, { session })).headers.get('last-modified')
    const paths = ['/posts/3', '/posts/4', '/profile']
    const body = [{ updatedAt: '2025-06-01T12:00:00Z' }, { updatedAt: '2025-06-01T12:00:00Z' }]
    await send('POST /posts', { body, session })
    await send('PATCH /profile', { body: { updatedAt: '2025-06-01T12:00:00Z' }, session })
    await send('PATCH /posts/3', { body: { title: 'x' }, session })
    await send('PATCH /profile', { body: { theme: 'dark' }, session })
    const marked = [null, 'Sun, 01 Jun 2025 12:00:00 GMT', null]
    await workerd.restart()
    expect(await Promise.all(paths.map(read))).toEqual(marked)
    await control('POST snapshots', { body: { name: 'marked' }, session })
    const later = { updatedAt: '2025-07-01T12:00:00Z' }
    for (const path of paths) await send(`PATCH ${path}`, { body: later, session })
    await workerd.restart()
    const date = 'Tue, 01 Jul 2025 12:00:00 GMT'
    expect(await Promise.all(paths.map(read))).toEqual([date, date, date])
    await control('POST snapshots/marked', { session })
    expect(await Promise.all(paths.map(read))).toEqual(marked)
    await workerd.restart()
    expect(await Promise.all(paths.map(read))).toEqual(marked)
  })

  it('has the active scenario again', async () => {
    const session = 'scenario'
    await control('PUT scenarios', { body: 'empty', session })
    await send('POST /posts', { body: { title: 'Only' }, session })
    await workerd.restart()
    expect(await send('GET /posts', { session })).toMatchObject({ body: [{ title: 'Only' }] })
    await control('PUT scenarios', { body: null, session })
    await workerd.restart()
    expect(await send('GET /posts', { session })).toMatchObject({ body: [{ id: 1 }, { id: 2 }] })
  })

  it('makes a delayed transition when its time comes, by an alarm', async () => {
    const session = 'alarm'
    await send('POST /orders', { body: { status: 'placed' }, session })
    await workerd.restart()
    await expect
      .poll(async () => (await send('GET /orders?status=paid', { session })).body)
      .toHaveLength(2)
  })

  it('finishes an action that takes time', async () => {
    await control('DELETE sessions')
    const session = 'takes'
    await send('PATCH /orders/1', { body: { status: 'paid' }, session })
    const started = await send('POST /orders/1/refund', { body: { reason: 'late' }, session })
    expect(started).toMatchObject({ status: 202 })
    await workerd.restart()
    const progress = 'GET /orders/1/refund/1'
    await expect
      .poll(async () => (await send(progress, { session })).body)
      .toMatchObject({ status: 'succeeded', finishedAt: expect.any(String) })
    expect(await send('GET /orders/1', { session })).toMatchObject({
      body: { status: 'refunded', reason: 'late' },
    })
    expect(await send('POST /orders/1/refund', { session })).toMatchObject({ status: 409 })
  })
})

describe('uploaded fixtures', () => {
  it('become resources of a session, and stay when the worker is killed', async () => {
    await control('DELETE sessions')
    const session = 'upload'
    await control('POST reset', { session })
    const fixtures = { tags: [{ id: 1 }], notes: [{ id: 'new' }] }
    expect(await control('PUT fixtures', { body: fixtures, session })).toMatchObject({
      body: { uploaded: ['notes', 'tags'] },
    })
    await send('POST /tags', { body: {}, session })
    await workerd.restart()
    expect(await send('GET /tags', { session })).toMatchObject({ body: [{ id: 1 }, { id: 2 }] })
    expect(await send('GET /notes', { session })).toMatchObject({ body: [{ id: 'new' }] })
    expect(await send('GET /tags')).toMatchObject({ status: 404 })
    await control('DELETE fixtures', { session })
    expect(await send('GET /tags', { session })).toMatchObject({ status: 404 })
  })

  it('are refused with the reason', async () => {
    const body = { tags: [{ id: 1 }, { id: 1 }] }
    expect(await control('PUT fixtures', { body })).toMatchObject({
      status: 422,
      body: { detail: expect.stringContaining('records 0 and 1 both have the id "1"') },
    })
    expect(await control('PUT fixtures', { body: [] })).toMatchObject({ status: 422 })
  })
})

describe('a part of the control', () => {
  it('is in the worker if its options name it', async () => {
    expect(await control('GET openapi.json')).toMatchObject({ body: { openapi: '3.1.1' } })
    expect(await control('GET schema/notes.json')).toMatchObject({ status: 200 })
    expect(await control('GET log.har')).toMatchObject({
      status: 404,
      body: { detail: expect.stringContaining('import "har" from "fixtura/worker"') },
    })
  })
})

describe('access', () => {
  it('to the control and the page needs the token', async () => {
    expect(await send('GET /__mock/state')).toMatchObject({ status: 401 })
    expect(await send('POST /__mock/reset?token=wrong')).toMatchObject({ status: 401 })
    expect(await send(`GET /__mock/state?token=${token}`)).toMatchObject({ status: 200 })
    const html = { headers: { Accept: 'text/html' } }
    expect(await send('GET /', html)).toMatchObject({ status: 401 })
    expect(await send('GET /posts', html)).toMatchObject({ status: 200 })
  })

  it('of pages is that of corsOrigin', async () => {
    const origin = async (from: string): Promise<string | null> => {
      const { headers } = await send('GET /posts', { headers: { Origin: from } })
      return headers.get('access-control-allow-origin')
    }
    expect(await origin('https://app.example.com')).toBe('https://app.example.com')
    expect(await origin('https://other.example.com')).toBeNull()
  })

  it('of pages includes the header of the session', async () => {
    const { status, headers } = await send('OPTIONS /posts', {
      headers: {
        Origin: 'https://app.example.com',
        'Access-Control-Request-Method': 'POST',
        'Access-Control-Request-Headers': 'content-type, x-mock-session',
      },
    })
    expect(status).toBe(204)
    expect(headers.get('access-control-allow-headers')).toContain('x-mock-session')
  })

  it('to the calls between objects is none', async () => {
    const headers = { 'X-Fixtura-Call': 'end', 'X-Fixtura-Session': 'x' }
    await send('POST /notes', { body: { id: 'stays' } })
    await send('POST /notes', { body: '', headers })
    expect(await send('GET /notes/stays')).toMatchObject({ status: 200 })
  })
})

describe('a socket', () => {
  const open = (path: string, headers: Record<string, string> = {}): Promise<TestSocket> =>
    toTestSocket(new WebSocket(workerd.url.replace('http', 'ws') + path, { headers }))

  it('belongs to a session, whose changes it sends, and ends with it', async () => {
    const socket = await open('/live?mock-session=live')
    socket.send({ type: 'subscribe', id: 'a', collection: 'posts', filter: 'title=Live' })
    expect(await socket.next()).toMatchObject({ type: 'subscribed', id: 'a' })
    for (const session of ['other', 'live']) {
      await send('POST /posts', { session, body: { title: 'Live', session } })
    }
    expect(await socket.next()).toMatchObject({ id: 'a', change: { record: { session: 'live' } } })
    socket.send('{')
    expect(await socket.next()).toMatchObject({ type: 'error', status: 400 })
    const headers = { authorization: `Bearer ${token}` }
    for (const session of ['other', 'live']) {
      await send('DELETE /__mock/sessions', { body: session, headers })
    }
    expect((await socket.closed)[0]).toBe(1001)
  })

  it('is refused to a page of another site', async () => {
    await expect(open('/live', { origin: 'https://evil.example' })).rejects.toThrow('refused 403')
    const socket = await open('/live', { origin: 'https://app.example.com' })
    socket.close(1000, 'done')
    expect((await socket.closed)[0]).toBe(1000)
  })
})
