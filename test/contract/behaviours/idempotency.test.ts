import { describe, expect, it } from 'vitest'

import {
  auth,
  type Behaviour,
  idempotency,
  type IdempotencyOptions,
  routes,
} from '../../../src/behaviours.ts'
import { createManualClock, createMock, MockError, type MockOptions } from '../../../src/index.ts'
import { bodyOf, contract, faces, type TableRequest } from '../../faces.ts'

const fixtures = {
  users: [
    { id: 1, email: 'a', password: 'a' },
    { id: 2, email: 'b', password: 'b' },
  ],
  orders: [{ id: 1, total: 10 }],
  posts: [{ id: 1 }],
}

function mockWith(
  options: IdempotencyOptions = {},
  ...others: Behaviour[]
): () => MockOptions<Record<string, unknown>> {
  return () => ({
    fixtures,
    clock: createManualClock(),
    use: [idempotency(options), ...others],
  })
}

/** A request with a key. */
const keyed = (key: string, request: string, body?: unknown, token?: string): TableRequest => ({
  request,
  headers: { 'idempotency-key': key, ...(token && { authorization: `Bearer ${token}` }) },
  ...(body !== undefined && { body }),
})

const post = keyed('"k-1"', 'POST /orders', { total: 1 })

contract('an idempotency key', mockWith(), [
  [
    'lets the first request through',
    post,
    {
      status: 201,
      headers: { location: 'http://mock.test/orders/2', 'idempotency-replayed': null },
      body: { id: 2, total: 1 },
    },
  ],
  [
    'replays the first response to the second',
    [post, post],
    {
      status: 201,
      headers: {
        location: 'http://mock.test/orders/2',
        'content-type': 'application/json; charset=utf-8',
        'idempotency-replayed': 'true',
      },
      body: { id: 2, total: 1 },
    },
  ],
  [
    'runs a request once',
    [post, post, post, 'GET /orders'],
    { status: 200, headers: { 'x-total-count': '2' } },
  ],
  [
    'is equal with and without quotation marks',
    [post, keyed('k-1', 'POST /orders', { total: 1 })],
    { status: 201, headers: { 'idempotency-replayed': 'true' } },
  ],
  [
    'differs by its text',
    [post, keyed('"k-2"', 'POST /orders', { total: 1 })],
    { status: 201, body: { id: 3, total: 1 } },
  ],
  [
    'differs by path',
    [post, keyed('"k-1"', 'POST /posts', { total: 1 })],
    { status: 201, body: { id: 2, total: 1 } },
  ],
  [
    'differs by method',
    [keyed('k', 'PATCH /orders/1', { total: 2 }), keyed('k', 'POST /orders', { total: 2 })],
    { status: 201, body: { id: 2, total: 2 } },
  ],
  [
    'differs by query',
    [post, keyed('"k-1"', 'POST /orders?dry=1', { total: 1 })],
    { status: 201, headers: { 'idempotency-replayed': null } },
  ],
  [
    'differs by credentials',
    [keyed('k', 'POST /orders', {}, 'a'), keyed('k', 'POST /orders', {}, 'b')],
    { status: 201, headers: { 'idempotency-replayed': null } },
  ],
  [
    'is refused with another payload',
    [post, keyed('"k-1"', 'POST /orders', { total: 2 })],
    {
      status: 422,
      headers: { 'content-type': 'application/problem+json; charset=utf-8' },
      body: expect.objectContaining({
        detail:
          'Failed to use the key "k-1": it was used with another payload. Please use a new key.',
      }),
    },
  ],
  [
    'replays an error',
    [
      keyed('k', 'POST /orders', { id: 1 }),
      'DELETE /orders/1',
      keyed('k', 'POST /orders', { id: 1 }),
    ],
    { status: 409, headers: { 'idempotency-replayed': 'true' } },
  ],
  [
    'is ignored for other requests',
    [keyed('k', 'PUT /orders/1', { total: 1 }), keyed('k', 'PUT /orders/1', { total: 2 })],
    { status: 200, body: { id: 1, total: 2 } },
  ],
  ['is optional', { request: 'POST /orders', body: {} }, { status: 201 }],
  ['may not be empty', keyed('""', 'POST /orders', {}), { status: 400 }],
  ['may not be too long', keyed('k'.repeat(256), 'POST /orders', {}), { status: 400 }],
  ['may not contain invisible characters', keyed('a b', 'POST /orders', {}), { status: 400 }],
])

contract('a required idempotency key', mockWith({ required: true, on: ['POST orders'] }), [
  [
    'may not be missing',
    { request: 'POST /orders', body: {} },
    {
      status: 400,
      body: expect.objectContaining({
        detail:
          'Failed to read "Idempotency-Key": the key is missing. Please send 1 to 255 visible ASCII characters, such as a UUID.',
      }),
    },
  ],
  ['is optional for other requests', { request: 'POST /posts', body: {} }, { status: 201 }],
  ['lets a request through', post, { status: 201 }],
])

contract('a key of any request', mockWith({ on: ['*'] }), [
  [
    'differs by method at the same path',
    [keyed('k', 'PATCH /orders/1', { total: 2 }), keyed('k', 'PUT /orders/1', { total: 2 })],
    { status: 200, headers: { 'idempotency-replayed': null } },
  ],
])

contract('a key in another header', mockWith({ header: 'X-Request-Id' }), [
  [
    'is read there',
    [
      { request: 'POST /orders', headers: { 'x-request-id': 'k' }, body: {} },
      { request: 'POST /orders', headers: { 'x-request-id': 'k' }, body: {} },
    ],
    { status: 201, headers: { 'idempotency-replayed': 'true' } },
  ],
])

contract('keys of users', mockWith({}, auth({ known: { a: 1, a2: 1, b: 2 } })), [
  [
    'differ between users',
    [keyed('k', 'POST /orders', { total: 1 }, 'a'), keyed('k', 'POST /orders', { total: 1 }, 'b')],
    { status: 201, headers: { 'idempotency-replayed': null }, body: { id: 3, total: 1 } },
  ],
  [
    'stay the same with another token',
    [keyed('k', 'POST /orders', { total: 1 }, 'a'), keyed('k', 'POST /orders', { total: 1 }, 'a2')],
    { status: 201, headers: { 'idempotency-replayed': 'true' }, body: { id: 2, total: 1 } },
  ],
  [
    'are not used by a request without permission',
    [keyed('k', 'POST /orders', { total: 1 }), keyed('k', 'POST /orders', { total: 1 }, 'a')],
    { status: 201, headers: { 'idempotency-replayed': null } },
  ],
])

describe.each(Object.keys(faces))('a key of a request in progress (%s)', (name) => {
  it('is 409 until the first response', async () => {
    let reach = (): void => {}
    let release = (): void => {}
    const reached = new Promise<void>((resolve) => (reach = resolve))
    const released = new Promise<void>((resolve) => (release = resolve))
    const slow: Behaviour = {
      name: 'slow',
      create: () => ({
        at: {
          resource({ method }) {
            if (method !== 'POST') return undefined
            reach()
            return released
          },
        },
      }),
    }
    const connection = await faces[name]?.(createMock(mockWith({}, slow)()))
    if (!connection) throw new Error(`There is no face "${name}".`)
    try {
      const first = connection.send(post)
      await reached
      expect((await connection.send(post)).status).toBe(409)
      release()
      const answers = [await first, await connection.send(post)]
      expect(answers.map(bodyOf)).toEqual([
        { id: 2, total: 1 },
        { id: 2, total: 1 },
      ])
    } finally {
      await connection.close()
    }
  })
})

describe('idempotency', () => {
  const open = (options: IdempotencyOptions = {}, ...others: Behaviour[]) => {
    const clock = createManualClock()
    const mock = createMock({ ...mockWith(options, ...others)(), clock })
    const send = async (key: string): Promise<string | null> => {
      const headers = { 'idempotency-key': key, 'content-type': 'application/json' }
      const request = new Request('http://x/orders', { method: 'POST', headers, body: '{}' })
      return (await mock.fetch(request)).headers.get('idempotency-replayed')
    }
    return { clock, mock, send }
  }

  it('removes responses after the ttl', async () => {
    const { clock, send } = open({ ttl: '1m' })
    await send('k')
    clock.advance(59_999)
    expect(await send('k')).toBe('true')
    clock.advance(1)
    expect(await send('k')).toBeNull()
  })

  it('removes the oldest response above the limit', async () => {
    const { send } = open({ limit: 2 })
    for (const key of ['a', 'b', 'c']) await send(key)
    expect([await send('b'), await send('c'), await send('a')]).toEqual(['true', 'true', null])
  })

  it('removes all responses with a reset, and starts empty in a fork', async () => {
    const { mock, send } = open()
    await send('k')
    const headers = { 'idempotency-key': 'k', 'content-type': 'application/json' }
    const request = new Request('http://x/orders', { method: 'POST', headers, body: '{}' })
    const forked = await mock.fork().fetch(request)
    mock.reset()
    expect([forked.headers.get('idempotency-replayed'), await send('k')]).toEqual([null, null])
  })

  it('logs a replay', async () => {
    const { mock, send } = open()
    await send('k')
    await send('k')
    expect(mock.log.map(({ reason }) => reason)).toEqual(['', 'replayed "k"'])
  })

  it('stores the response to a form with a file', async () => {
    const { mock } = open()
    const send = async (content: string): Promise<number> => {
      const body = new FormData()
      body.set('file', new Blob([content]), 'a.txt')
      const headers = { 'idempotency-key': 'k' }
      return (await mock.fetch(new Request('http://x/orders', { method: 'POST', headers, body })))
        .status
    }
    expect([await send('one'), await send('one'), await send('two')]).toEqual([201, 201, 422])
    expect(mock.log[1]?.reason).toBe('replayed "k"')
  })

  it('stores the response to a binary body', async () => {
    const upload = routes({
      'POST /uploads': async (request) => [...new Uint8Array(await request.arrayBuffer())],
    })
    const { mock } = open({}, upload)
    const send = async (path: string, bytes: number[], type?: string): Promise<unknown[]> => {
      const headers = { 'idempotency-key': 'k', ...(type && { 'content-type': type }) }
      const body = new Uint8Array(bytes)
      const response = await mock.fetch(`http://x/${path}`, { method: 'POST', headers, body })
      return [response.status, response.headers.get('idempotency-replayed'), await response.json()]
    }
    const type = 'application/octet-stream'
    expect([
      await send('uploads', [255, 0, 37], type),
      await send('uploads', [255, 0, 37], type),
      (await send('uploads', [255, 0], type))[0],
      (await send('orders', [255, 0], type))[0],
      (await send('orders', [255, 0]))[0],
    ]).toEqual([[200, null, [255, 0, 37]], [200, 'true', [255, 0, 37]], 422, 415, 400])
  })

  it('does not store a dropped connection', async () => {
    const answers = [Response.error(), new Response('one')]
    const { mock } = open({}, routes({ 'POST /pay': () => answers.shift() }))
    const pay = () => mock.fetch('/pay', { method: 'POST', headers: { 'idempotency-key': 'k' } })
    await expect(pay()).rejects.toThrow()
    expect(await (await pay()).text()).toBe('one')
  })

  it('removes a request in progress with a reset', async () => {
    const answers: ((body: string) => void)[] = []
    const pay = () => new Promise<string>((resolve) => void answers.push(resolve))
    const { mock } = open({}, routes({ 'POST /pay': pay }))
    const send = async (): Promise<unknown> => {
      const init = { method: 'POST', headers: { 'idempotency-key': 'k' } }
      return (await mock.fetch('/pay', init)).json()
    }
    const first = send()
    await expect.poll(() => answers.length).toBe(1)
    mock.reset()
    const second = send()
    await expect.poll(() => answers.length).toBe(2)
    answers[0]?.('one')
    expect(await first).toBe('one')
    answers[1]?.('two')
    expect([await second, await send()]).toEqual(['two', 'two'])
  })

  it('lets a route read a body of another type as text', async () => {
    const upload = routes({ 'POST /uploads': async (request) => request.text() })
    const { mock } = open({}, upload)
    const headers = { 'idempotency-key': 'k', 'content-type': 'application/xml' }
    const init = { method: 'POST', headers, body: '<a>50 % é €</a>' }
    expect(await (await mock.fetch('http://x/uploads', init)).json()).toBe('<a>50 % é €</a>')
  })

  it('does not store the response of a fault', async () => {
    let isDown = true
    const down: Behaviour = {
      name: 'down',
      create: () => ({
        at: {
          fault() {
            if (isDown) throw new MockError('Down.', { status: 503 })
          },
        },
      }),
    }
    const { send, mock } = open({}, down)
    await send('k')
    isDown = false
    await send('k')
    expect(mock.log.map(({ status }) => status)).toEqual([503, 201])
  })

  it('refuses an unknown option', () => {
    expect(() => idempotency({ require: true } as IdempotencyOptions)).toThrow(
      'Failed to read the options of "idempotency": there is no "require". Did you mean "required"?',
    )
  })
})

it('stores at most 64 MiB of payloads and responses', async () => {
  const mock = createMock({ fixtures: { posts: [] }, use: [idempotency()] })
  const ask = async (key: string): Promise<string | null> => {
    const headers = { 'idempotency-key': key, 'content-type': 'application/json' }
    const body = JSON.stringify({ text: 'x'.repeat(9_000_000) })
    const request = new Request('http://mock.test/posts', { method: 'POST', headers, body })
    return (await mock.fetch(request)).headers.get('idempotency-replayed')
  }
  for (const key of ['a', 'b', 'c', 'd', 'e']) expect(await ask(key)).toBe(null)
  expect([await ask('e'), await ask('d'), await ask('a')]).toEqual(['true', 'true', null])
})
