import { describe, expect, it } from 'vitest'

import {
  auth,
  delay,
  events,
  faults,
  fields,
  idempotency,
  limit,
  routes,
  scenarios,
  schema,
  sessions,
  states,
  versions,
  webhooks,
} from '../../../src/behaviours.ts'
import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import { createRandom } from '../../../src/core/time/random.ts'
import { type Clock, createManualClock, createMock, type Mock } from '../../../src/index.ts'
import { type Connection, faces, type TableRequest } from '../../faces.ts'

const fixtures = {
  users: Array.from({ length: 5 }, (_, at) => ({
    id: at + 1,
    email: `user${at + 1}@x.org`,
    password: 'secret',
    role: at === 0 ? 'admin' : 'user',
  })),
  posts: Array.from({ length: 20 }, (_, at) => ({
    id: at + 1,
    title: `Post ${at + 1}`,
    userId: (at % 5) + 1,
  })),
  orders: Array.from({ length: 20 }, (_, at) => ({
    id: at + 1,
    userId: (at % 5) + 1,
    status: ['placed', 'paid', 'shipped'][at % 3],
  })),
}

/** On which a request never waits, and what happens by itself only when time is moved on. */
function createClock(): { clock: Clock; advance(milliseconds: number): void } {
  const manual = createManualClock()
  const clock: Clock = {
    now: manual.now,
    after(milliseconds, callback, isBackground) {
      if (isBackground) return manual.after(milliseconds, callback)
      queueMicrotask(callback)
      return () => {}
    },
  }
  return { clock, advance: manual.advance }
}

const secret = 'whsec_c2VjcmV0LXNlY3JldC1zZWNyZXQ='

/** Everything at once. */
function createEverything(clock: Clock): Mock {
  return createMock({
    fixtures,
    base: '/api',
    seed: 7,
    clock,
    logSize: 5000,
    use: [
      sessions(),
      versions({ versions: { v1: { deprecated: '2025-01-01', successor: 'v2' }, v2: {} } }),
      delay('10-50'),
      limit({ requests: 15, per: '1m', by: 'authorization', page: 7, timeout: '1m' }),
      faults({
        rules: [
          { on: 'GET posts', probability: 0.05, status: 503 },
          { on: 'GET posts', probability: 0.05, drop: true },
          { on: 'GET posts', probability: 0.05, truncate: 0.5 },
        ],
      }),
      scenarios({ sets: { empty: { fixtures: { posts: [] } } } }),
      auth({
        protect: ['POST *', 'orders'],
        roles: { 'DELETE *': 'admin' },
        owners: { orders: { key: 'userId', except: ['admin'] } },
        known: { one: 1, two: 2, three: 3 },
        expires: '10m',
      }),
      idempotency(),
      schema({ posts: { required: ['title'], properties: { title: { type: 'string' } } } }),
      fields({ posts: { timestamps: true, unique: ['title'], readOnly: ['userId'] } }),
      states({
        orders: {
          initial: 'placed',
          transitions: { placed: ['paid', 'cancelled'], paid: ['shipped'] },
          actions: { pay: 'paid', ship: { to: 'shipped', takes: '30s' } },
          after: { placed: { to: 'cancelled', in: '5m' } },
          softDelete: true,
        },
      }),
      events(),
      webhooks({
        endpoints: [{ url: 'http://hooks.test', secret }],
        send: () => ({ status: 200 }),
      }),
      routes({ 'GET /dice': (_, { random }) => random() }),
    ],
  })
}

/** Draws requests of every kind. */
function draw(count: number): TableRequest[] {
  const random = createRandom('requests')
  const pick = <T>(list: readonly T[]): T => list[Math.floor(random() * list.length)] as T
  const id = (): number => Math.ceil(random() * 22)
  const kinds: (() => { request: string; body?: unknown })[] = [
    () => ({ request: `GET /posts?_page=${id()}&_limit=3&_sort=-title` }),
    () => ({ request: `GET /posts/${id()}?_embed=user` }),
    () => ({ request: 'POST /posts', body: pick([{ title: `New ${id()}` }, { title: 1 }, '{']) }),
    () => ({ request: `PATCH /posts/${id()}`, body: { title: `Post ${id()}` } }),
    () => ({ request: `DELETE /posts/${id()}` }),
    () => ({ request: 'GET /orders' }),
    () => ({ request: `GET /orders/${id()}` }),
    () => ({ request: 'POST /orders', body: { total: id() } }),
    () => ({ request: `PATCH /orders/${id()}`, body: { status: pick(['paid', 'shipped']) } }),
    () => ({ request: `POST /orders/${id()}/${pick(['pay', 'ship', 'fly'])}` }),
    () => ({ request: `DELETE /orders/${id()}` }),
    () => ({ request: 'GET /users?_sort=id' }),
    () => ({ request: 'GET /dice' }),
    () => ({ request: 'GET /me' }),
    () => ({ request: 'GET /nothing' }),
    () => ({
      request: 'POST /login',
      body: { email: 'user2@x.org', password: pick(['secret', 'x']) },
    }),
  ]
  return Array.from({ length: count }, () => {
    const { request, body } = pick(kinds)()
    const [method = '', path = ''] = request.split(' ')
    const headers: Record<string, string> = {}
    const token = pick([undefined, 'one', 'one', 'two', 'three', 'unknown'])
    if (token) headers['authorization'] = `Bearer ${token}`
    if (random() < 0.3) headers['idempotency-key'] = `key-${id()}`
    if (random() < 0.2) headers['x-mock-session'] = pick(['a', 'b'])
    if (random() < 0.1) headers['x-mock-scenario'] = 'empty'
    if (random() < 0.05) headers['prefer'] = 'code=500'
    return {
      request: `${method} /api/${random() < 0.02 ? 'v3' : pick(['v1', 'v2'])}${path}`,
      headers,
      ...(body !== undefined && { body }),
    }
  })
}

/** The log of a run, and what was answered; a connection that breaks is an answer too. */
async function run(
  connect: (mock: Mock) => Promise<Connection>,
  requests: readonly TableRequest[],
): Promise<string[]> {
  const { clock, advance } = createClock()
  const mock = createEverything(clock)
  const connection = await connect(mock)
  const heard = await listen(mock)
  const lines: string[] = []
  try {
    for (const request of requests) {
      try {
        const { status, text } = await connection.send(request)
        lines.push(`${status} ${text.replaceAll(/"https?:[^"]*"/g, '""')}`)
      } catch {
        lines.push('broken')
      }
      advance(500)
    }
  } finally {
    await connection.close()
  }
  const hooks = internalsOf(mock)
    .behaviours.find(({ name }) => name === 'webhooks')
    ?.controls?.['GET']?.(null)
  // What a client adds to a request by itself is its own affair.
  const log = mock.log.map((entry) => JSON.stringify({ ...entry, headers: undefined }))
  return [...lines, ...log, JSON.stringify(await hooks), await heard()]
}

/** What those hear who listen to the orders; the last event is one of its own. */
async function listen(mock: Mock): Promise<() => Promise<string>> {
  const headers = { accept: 'text/event-stream', authorization: 'Bearer one' }
  const response = await mock.fetch(new Request('http://mock.test/api/orders', { headers }))
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  return async () => {
    internalsOf(mock).store.insert('orders', { id: 'end' })
    let text = ''
    while (!text.includes('"end"')) text += (await reader?.read())?.value ?? '"end"'
    await reader?.cancel()
    return text
  }
}

describe('all behaviours together', () => {
  const requests = draw(1000)
  const expected = run(connect(faces['core']), requests)

  it('give every kind of response', async () => {
    const lines = (await expected).slice(0, requests.length)
    const statuses = new Set(lines.map((line) => line.split(' ', 1)[0]))
    const kinds = ['200', '201', '202', '400', '401', '403', '404', '409', '410', '422', '429']
    expect((await expected).at(-1)).toContain('event: updated')
    expect((await expected).at(-2)).toContain('orders.updated')
    expect([...statuses]).toEqual(expect.arrayContaining([...kinds, '500', '503', 'broken']))
  })

  it.each(Object.keys(faces))('answer and log the same in another run (%s)', async (name) => {
    expect(await run(connect(faces[name]), requests)).toEqual(await expected)
  })
})

function connect(face: (typeof faces)[string] | undefined): (mock: Mock) => Promise<Connection> {
  if (!face) throw new Error('There is no such face.')
  return face
}
