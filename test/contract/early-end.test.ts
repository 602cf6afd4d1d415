import { request as httpRequest } from 'node:http'

import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished } from 'vitest'

import {
  auth,
  type Behaviour,
  delay,
  type Exchange,
  faults,
  idempotency,
  limit,
  routes,
  sessions,
  states,
} from '../../src/behaviours.ts'
import { createProxy } from '../../src/core/behaviours/proxy/proxy.ts'
import { internalsOf } from '../../src/core/http/contract/internals.ts'
import type { Forward } from '../../src/core/proxy/forward.ts'
import { createManualClock, createMock, type Mock } from '../../src/index.ts'
import { handlers, strict } from '../../src/msw.ts'
import { serve } from '../../src/node.ts'
import { createCountingClock, createInstantClock, onNextTurn } from '../clocks.ts'
import { expectAnswer, faces, sendOverHttp } from '../faces.ts'

const fixtures = { posts: [{ id: 1, title: 'First' }] }
const body = JSON.stringify({ title: 'Late' })
const headers = { 'content-type': 'application/json' }

/** Sends a request and returns the function that aborts it. */
type SendAndAbort = (mock: Mock, method?: string) => Promise<() => void>

function fetchWith(send: typeof fetch, method: string): () => void {
  const controller = new AbortController()
  const { signal } = controller
  const init = method === 'POST' ? { method, headers, body, signal } : { method, signal }
  send('http://mock.test/posts', init).catch(() => undefined)
  return () => controller.abort()
}

const aborting: Record<string, SendAndAbort> = {
  fetch: async (mock, method = 'POST') => fetchWith(mock.fetch, method),
  msw: async (mock, method = 'POST') => {
    const server = setupServer(...handlers(mock))
    server.listen(strict())
    onTestFinished(() => server.close())
    return fetchWith(fetch, method)
  },
  http: async (mock, method = 'POST') => {
    const serving = await serve(mock, { port: 0, host: '127.0.0.1' })
    onTestFinished(() => serving.close())
    const { port } = serving
    const options = { port, host: '127.0.0.1', path: '/posts', method }
    const sent = httpRequest(method === 'POST' ? { ...options, headers } : options)
    sent.on('error', () => undefined).end(method === 'POST' ? body : undefined)
    return () => sent.destroy()
  },
}

/** A write hook that waits until the test opens the gate. */
function createGate(): { gate: Behaviour; current: () => Exchange | undefined; open: () => void } {
  let current: Exchange | undefined
  let open = (): void => undefined
  const opened = new Promise<void>((resolve) => (open = resolve))
  const write = (_: unknown, exchange: Exchange): Promise<void> => {
    current = exchange
    return opened
  }
  return { gate: { name: 'gate', create: () => ({ write }) }, current: () => current, open }
}

const timed: [title: string, use: Behaviour[], prepare?: (mock: Mock) => unknown][] = [
  ['a delay', [delay('2s')]],
  ['a fault', [faults({ rules: [{ delay: '2s' }] })]],
  ['a rule', [], (mock) => ['GET', 'POST'].map((method) => mock.on(method, '/posts').delay('2s'))],
]

/** A real server that never answers, in place of that of `proxy()`. */
function createSilentUpstream(): { use: Behaviour; isCancelled: () => boolean } {
  let cancelled = false
  const forward: Forward = ({ onCancel }) => {
    onCancel(() => (cancelled = true))
    return new Promise(() => undefined)
  }
  const options = { to: 'http://real.test', when: 'always' } as const
  return { use: createProxy(options, { forward }), isCancelled: () => cancelled }
}

describe.each(Object.entries(aborting))('an aborted request (%s)', (_, send) => {
  it.each(timed)('writes nothing and leaves no timer after %s', async (_, use, prepare) => {
    const { clock, waiting } = createCountingClock()
    const mock = createMock({ fixtures, clock, use })
    prepare?.(mock)
    const abort = await send(mock)
    await expect.poll(() => waiting()).toBe(1)
    abort()
    await expect.poll(() => mock.log).toHaveLength(1)
    expect(waiting()).toBe(0)
    clock.advance(2000)
    expect(mock.db.posts.count()).toBe(1)
    expect(mock.log[0]).toMatchObject({
      status: 499,
      reason: expect.stringMatching(/Failed to answer: the client aborted the request\.$/),
    })
  })

  describe.each(['GET', 'HEAD'])('by %s', (method) => {
    it.each(timed)('leaves no timer after %s', async (_, use, prepare) => {
      const { clock, waiting } = createCountingClock()
      const mock = createMock({ fixtures, clock, use })
      prepare?.(mock)
      const abort = await send(mock, method)
      await expect.poll(() => waiting()).toBe(1)
      abort()
      await expect.poll(() => mock.log).toHaveLength(1)
      expect(waiting()).toBe(0)
      expect(mock.log[0]).toMatchObject({
        method,
        status: 499,
        reason: expect.stringMatching(/Failed to answer: the client aborted the request\.$/),
      })
    })
  })

  it('by GET cancels the request of a proxy to its server', async () => {
    const { clock, waiting } = createCountingClock()
    const { use, isCancelled } = createSilentUpstream()
    const mock = createMock({ fixtures, clock, use: [use] })
    const abort = await send(mock, 'GET')
    await expect.poll(() => waiting()).toBe(1)
    abort()
    await expect.poll(() => mock.log[0]?.status).toBe(499)
    expect([isCancelled(), waiting()]).toEqual([true, 0])
  })

  it('writes nothing after an asynchronous hook', async () => {
    const { gate, current, open } = createGate()
    const mock = createMock({ fixtures, use: [gate] })
    const abort = await send(mock)
    await expect.poll(() => current()).toBeDefined()
    abort()
    await expect.poll(() => current()?.ended).toBeDefined()
    open()
    await expect.poll(() => mock.log).toHaveLength(1)
    expect(mock.db.posts.count()).toBe(1)
  })
})

it('writes what a client aborts after the response', async () => {
  const controller = new AbortController()
  const { signal } = controller
  const mock = createMock({ fixtures, use: [delay(1)], clock: createInstantClock() })
  const { status } = await mock.fetch('/posts', { method: 'POST', headers, body, signal })
  controller.abort()
  expect([status, mock.db.posts.count(), mock.log[0]?.status]).toEqual([201, 2, 201])
})

it('writes behind a timeout, whose response a client has read', async () => {
  const { clock, waiting } = createCountingClock()
  const use = [delay('2s', { only: ['DELETE *'] }), limit({ timeout: '1s' })]
  const mock = createMock({ fixtures, clock, use })
  const { port, close } = await serve(mock, { port: 0, host: '127.0.0.1', allowHost: '*' })
  onTestFinished(close)
  const answered = sendOverHttp(port, 'DELETE /posts/1')
  await expect.poll(() => waiting()).toBe(2)
  clock.advance(1000)
  expect((await answered).status).toBe(504)
  // The server has closed the connection when it answers on another.
  await sendOverHttp(port, 'GET /posts')
  clock.advance(1000)
  await expect.poll(() => mock.db.posts.count()).toBe(0)
})

const post = { request: 'POST /posts', body: { title: 'Late' } }
const wasReset = {
  status: 503,
  headers: { 'content-type': /problem\+json/, 'cache-control': 'no-store' },
  body: expect.objectContaining({
    detail:
      'Failed to write: the mock was reset while the request waited. Please send the request again.',
  }),
}

describe.each(Object.keys(faces))('a write during mock.reset() (%s)', (name) => {
  it.each(timed)('is 503 at once in %s', async (_, use, prepare) => {
    const { clock, waiting } = createCountingClock()
    const mock = createMock({ fixtures, clock, use })
    prepare?.(mock)
    const connection = await faces[name]?.(mock)
    const answered = connection?.send(post)
    await expect.poll(() => waiting()).toBe(1)
    mock.reset()
    expectAnswer(await answered, wasReset)
    expect([mock.db.posts.count(), waiting(), mock.log.length]).toEqual([1, 0, 0])
    await connection?.close()
  })

  it('is 503 after an asynchronous hook', async () => {
    const { gate, current, open } = createGate()
    const mock = createMock({ fixtures, use: [gate] })
    const connection = await faces[name]?.(mock)
    const answered = connection?.send(post)
    await expect.poll(() => current()).toBeDefined()
    mock.reset()
    open()
    expectAnswer(await answered, wasReset)
    expect(mock.db.posts.count()).toBe(1)
    await connection?.close()
  })
})

/** A behaviour that knows when a request has reached the stage in front of its action. */
function createMark(): { mark: Behaviour; isReached: () => boolean } {
  let isReached = false
  const resource = (): void => void (isReached = true)
  return {
    mark: { name: 'mark', create: () => ({ at: { resource } }) },
    isReached: () => isReached,
  }
}

describe('a write whose body is still arriving during mock.reset()', () => {
  it('is 503 (http)', async () => {
    const { mark, isReached } = createMark()
    const mock = createMock({ fixtures, use: [mark] })
    const { port, close } = await serve(mock, { port: 0, host: '127.0.0.1', allowHost: '*' })
    onTestFinished(close)
    const options = { port, host: '127.0.0.1', path: '/posts', method: 'POST', headers }
    const sent = httpRequest({ ...options, headers: { ...headers, 'content-length': body.length } })
    const answered = new Promise<number>((resolve) => {
      sent.on('response', (response) => resolve(response.resume().statusCode ?? 0))
    })
    sent.write(body.slice(0, 5))
    await expect.poll(() => isReached()).toBe(true)
    mock.reset()
    sent.end(body.slice(5))
    expect([await answered, mock.db.posts.count()]).toEqual([503, 1])
  })

  it('is 503 (fetch), also where the body is a login', async () => {
    for (const path of ['/posts', '/login']) {
      const mock = createMock({
        fixtures: { ...fixtures, users: [{ id: 1, email: 'ada' }] },
        use: [auth({ protect: [] })],
        seed: 1,
      })
      let finish = (): void => undefined
      const stream = new ReadableStream({
        start(controller) {
          finish = () => {
            controller.enqueue(new TextEncoder().encode('{"email":"ada","password":""}'))
            controller.close()
          }
        },
      })
      const init = { method: 'POST', headers, body: stream, duplex: 'half' }
      const answered = mock.fetch(new Request(`http://mock.test${path}`, init))
      mock.reset()
      finish()
      expect([(await answered).status, mock.db.posts.count()]).toEqual([503, 1])
    }
  })
})

it('answers a read that waits during mock.reset() from the data after it', async () => {
  const clock = createManualClock()
  const mock = createMock({ fixtures, clock, use: [delay('2s')] })
  mock.db.posts.insert({ title: 'Gone' })
  const answered = mock.fetch('/posts')
  mock.reset()
  clock.advance(2000)
  expect(await (await answered).json()).toEqual(fixtures.posts)
})

it('ends a write during mock.restore(), which can be sent again with its Idempotency-Key', async () => {
  const { gate, current, open } = createGate()
  const mock = createMock({ fixtures, use: [gate, idempotency()] })
  mock.snapshot('start')
  const send = () =>
    mock.fetch('/posts', { method: 'POST', body, headers: { ...headers, 'Idempotency-Key': 'k' } })
  const answered = send()
  await expect.poll(() => current()).toBeDefined()
  mock.restore('start')
  open()
  expect([(await answered).status, (await send()).status, mock.db.posts.count()]).toEqual([
    503, 201, 2,
  ])
})

it('ends a write of a session that ends', async () => {
  const { clock, waiting } = createCountingClock()
  const mock = createMock({ fixtures, clock, use: [sessions(), delay('2s')] })
  const asA = { ...headers, 'X-Mock-Session': 'a' }
  const answered = mock.fetch('/posts', { method: 'POST', headers: asA, body })
  await expect.poll(() => waiting()).toBe(2)
  void internalsOf(mock).behaviours[0]?.controls?.['DELETE']?.('a')
  expect([(await answered).status, waiting()]).toEqual([503, 0])
})

it('finishes a route that resets the mock', async () => {
  const reset = routes({
    'POST /reset': () => {
      mock.reset()
      return { isReset: true }
    },
  })
  const mock: Mock = createMock({ fixtures, use: [reset] })
  expect((await mock.fetch('/reset', { method: 'POST' })).status).toBe(200)
})

it('does not finish an action of states that a reset has cancelled during its write', async () => {
  const { gate, current, open } = createGate()
  const clock = createManualClock()
  const ship = { to: 'shipped', takes: '5s' }
  const machine = states({ posts: { transitions: { open: ['shipped'] }, actions: { ship } } })
  const mock = createMock({
    fixtures: { posts: [{ id: 1, status: 'open' }] },
    clock,
    use: [gate, machine],
  })
  expect((await mock.fetch('/posts/1/ship', { method: 'POST' })).status).toBe(202)
  clock.advance(5000)
  expect(current()).toBeDefined()
  mock.reset()
  open()
  await new Promise<void>((resolve) => onNextTurn(resolve))
  expect(mock.db.posts.get(1)).toEqual({ id: 1, status: 'open' })
})
