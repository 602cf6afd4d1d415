import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest'

import { events, faults, routes } from '../../../../src/behaviours.ts'
import type {
  PlaywrightRequest,
  PlaywrightRoute,
  Routable,
} from '../../../../src/faces/playwright/mock-route.ts'
import { createMock } from '../../../../src/index.ts'
import { mockRoute } from '../../../../src/playwright.ts'

type Fulfilment = Parameters<PlaywrightRoute['fulfill']>[0]

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))
afterEach(() => void vi.useRealTimers())

describe('mockRoute', () => {
  it('responds with 501 to an event stream that does not end', async () => {
    const warn = vi.spyOn(console, 'warn').mockImplementation(() => {})
    onTestFinished(() => warn.mockRestore())
    const mock = createMock({
      fixtures: { posts: [{ id: 1, title: 'Old' }] },
      base: '/api',
      use: [events({ heartbeat: '1h' })],
    })
    const context = createContext()
    const world = await mockRoute(context, mock)
    const answer = context.ask('/api/posts', { accept: 'text/event-stream' })
    world.db.posts.insert({ title: 'New' })
    const { status, headers, body } = await advanceUntil(answer)
    expect([status, headers['Content-Type']]).toEqual([501, 'application/problem+json'])
    const message =
      'Failed to answer "/api/posts": its event stream did not end within 5 seconds, and Playwright can only send complete responses. Please test it with Vite\'s server mode or with "mock server".'
    expect(JSON.parse(body.toString())).toMatchObject({ status: 501, detail: message })
    expect(warn.mock.calls).toEqual([[message]])
    // The stream is cancelled, so its timers are gone.
    await vi.waitFor(() => expect(vi.getTimerCount()).toBe(0))
  })

  it('sends an event stream that ends, also after pauses', async () => {
    const mock = createMock({ fixtures: {}, base: '/api' })
    const context = createContext()
    const world = await mockRoute(context, mock)
    const headers = { 'Content-Type': 'text/event-stream' }
    world
      .on('GET', '/answer')
      .reply(200, yieldSlowly(['data: one\n\n', 'data: two\n\n']), { headers })
    const answer = context.ask('/api/answer', {})
    expect((await advanceUntil(answer)).body.toString()).toBe('data: one\n\ndata: two\n\n')
    expect(vi.getTimerCount()).toBe(0)
  })
})

describe('a request of a page', () => {
  it('gets each cookie on its own line, and other repeated headers as one list', async () => {
    const mock = createMock({ fixtures: {}, use: [routes({ 'GET /hello': () => repeated() })] })
    const context = createContext()
    await mockRoute(context, mock)
    const { status, headers } = await context.ask('/hello', {})
    expect([status, headers['Set-Cookie'], headers['vary']]).toEqual([200, 'a=1\nb=2', 'x, y'])
  })

  it('is aborted where the mock drops it', async () => {
    const context = createContext()
    const world = await mockRoute(context, createMock({ fixtures: { posts: [] } }))
    world.on('GET', '/posts').drop()
    await expect(context.ask('/posts', {})).rejects.toThrow('connectionreset')
  })

  it('is aborted where its response is truncated', async () => {
    const context = createContext()
    const use = [faults({ rules: [{ truncate: 0.5 }] })]
    await mockRoute(context, createMock({ fixtures: { posts: [] }, use }))
    await expect(context.ask('/posts', {})).rejects.toThrow('connectionreset')
  })

  it('passes through if it is a page navigation', async () => {
    const context = createContext()
    await mockRoute(context, createMock({ fixtures: { posts: [] } }))
    const fallback = vi.fn(async () => {})
    await context.handle(toRoute('/posts', { fallback, isNavigationRequest: () => true }))
    expect(fallback).toHaveBeenCalledOnce()
  })

  it('keeps its method and its body', async () => {
    const context = createContext()
    const { db } = await mockRoute(context, createMock({ fixtures: { posts: [{ id: 1, a: '' }] } }))
    const route = toRoute('/posts', {
      method: () => 'POST',
      allHeaders: async () => ({ 'content-type': 'application/json' }),
      postDataBuffer: () => Buffer.from('{"a":"b"}'),
    })
    await context.handle(route)
    expect(db.posts.get(2)).toEqual({ id: 2, a: 'b' })
  })

  it('is answered by the mock for the given origin only', async () => {
    const context = createContext()
    const mock = createMock({ fixtures: { posts: [] } })
    await mockRoute(context, mock)
    expect(context.isMatched('http://any.test/posts')).toBe(true)
    await mockRoute(context, mock, { origin: 'http://a.test' })
    expect(
      ['http://a.test/posts', 'http://b.test/posts', 'http://a.test/'].map(context.isMatched),
    ).toEqual([true, false, false])
  })

  it('uses one fork for all pages of a context, and another in each context', async () => {
    const mock = createMock({ fixtures: { posts: [] } })
    const context = createContext()
    const page = { ...createContext(), context: () => context }
    const world = await mockRoute(context, mock)
    expect(await mockRoute(page, mock)).toBe(world)
    expect(await mockRoute(createContext(), mock)).not.toBe(world)
    expect(await mockRoute(context, createMock({ fixtures: {} }))).not.toBe(world)
  })
})

/** A response with repeated headers. */
function repeated(): Response {
  const headers = [
    ['Set-Cookie', 'a=1'],
    ['Set-Cookie', 'b=2'],
    ['Vary', 'x'],
    ['Vary', 'y'],
  ] as [string, string][]
  return new Response('', { headers })
}

describe('a page that is closed before its request is answered', () => {
  const closed = (): Promise<never> => Promise.reject(new Error('Target page has been closed'))
  const rows: [title: string, route: Partial<PlaywrightRoute & PlaywrightRequest>][] = [
    ['headers', { allHeaders: closed }],
    ['answer', { fulfill: closed }],
    ['fallback', { fallback: closed, isNavigationRequest: () => true }],
  ]

  it.each(rows)('does not fail in %s', async (_, route) => {
    const context = createContext()
    await mockRoute(context, createMock({ fixtures: { posts: [] } }))
    await expect(context.handle(toRoute('/posts', route))).resolves.toBeUndefined()
  })

  it('does not hide other failures', async () => {
    const context = createContext()
    await mockRoute(context, createMock({ fixtures: { posts: [] } }))
    const route = toRoute('/posts', { fulfill: () => Promise.reject(new Error('no way')) })
    await expect(context.handle(route)).rejects.toThrow('no way')
  })
})

describe('the options of mockRoute', () => {
  const rows: [title: string, options: object, expected: string][] = [
    ['unknown', { orign: 'http://a.test' }, 'there is no "orign". Did you mean "origin"?'],
    ['no origin', { origin: 'a.test' }, 'Please give an origin such as https://api.example.com.'],
  ]

  it.each(rows)('are refused where one is %s', async (_, options, expected) => {
    const mock = createMock({ fixtures: {} })
    await expect(mockRoute(createContext(), mock, options)).rejects.toThrow(expected)
  })
})

/** Advances the fake timers until there is a response. */
async function advanceUntil(answer: Promise<Fulfilment>): Promise<Fulfilment> {
  const done = new AbortController()
  void answer.finally(() => done.abort())
  while (!done.signal.aborted) {
    await vi.advanceTimersByTimeAsync(100)
    await new Promise(setImmediate)
  }
  return answer
}

async function* yieldSlowly(texts: readonly string[]): AsyncGenerator<string> {
  for (const text of texts) {
    await new Promise((resolve) => setTimeout(resolve, 1000))
    yield text
  }
}

/** A fake browser context, with a function that sends a request from a page. */
function createContext() {
  let handle: (route: PlaywrightRoute) => unknown = () => {}
  let matches = (_url: URL): boolean => false
  const context: Routable = {
    async route(url, handler) {
      matches = url
      handle = handler
    },
  }
  const ask = (path: string, headers: Record<string, string>): Promise<Fulfilment> =>
    new Promise((resolve, reject) => {
      handle(
        toRoute(path, {
          allHeaders: async () => headers,
          fulfill: async (fulfilment) => resolve(fulfilment),
          abort: async (reason) => reject(new Error(reason)),
          fallback: async () => reject(new Error('fallback')),
        }),
      )
    })
  const isMatched = (url: string): boolean => matches(new URL(url))
  return { ...context, ask, isMatched, handle: (route: PlaywrightRoute) => handle(route) }
}

function toRoute(
  path: string,
  given: Partial<PlaywrightRoute & PlaywrightRequest>,
): PlaywrightRoute {
  const all = {
    url: () => `http://app.test${path}`,
    method: () => 'GET',
    allHeaders: async () => ({}),
    postDataBuffer: () => null,
    isNavigationRequest: () => false,
    fulfill: async () => {},
    abort: async () => {},
    fallback: async () => {},
    ...given,
  }
  return { ...all, request: () => all }
}
