import { http, HttpResponse } from 'msw'
import { setupServer, type SetupServer } from 'msw/node'
import { afterEach, describe, expect, it, vi } from 'vitest'

import type { MockRequest, MockResponse } from '../../src/core/http/contract/messages.ts'
import { createMock } from '../../src/index.ts'
import { createHandlers } from '../../src/faces/msw/handlers.ts'
import { handlers, strict } from '../../src/msw.ts'

const fixtures = { posts: [{ id: 1, title: 'First' }] }
let server: SetupServer | undefined

afterEach(() => {
  server?.close()
  server = undefined
  vi.restoreAllMocks()
})

describe('the handlers', () => {
  it('are a list of one handler', () => {
    listen(...handlers(createMock({ fixtures })))
    expect(server?.listHandlers()).toHaveLength(1)
  })

  const requests: [title: string, base: string, url: string, status: number | 'passed'][] = [
    ['answer a resource', '', 'http://a.test/posts/1', 200],
    ['answer a missing record', '', 'http://a.test/posts/9', 404],
    ['let another path pass', '', 'http://a.test/other', 'passed'],
    ['let the root pass', '', 'http://a.test/', 'passed'],
    ['answer below the base', '/api', 'http://a.test/api/posts', 200],
    ['answer an unknown name below the base', '/api', 'http://a.test/api/other', 404],
    ['let a path outside the base pass', '/api', 'http://a.test/posts', 'passed'],
    [
      'let a path that only starts with the same characters as the base pass',
      '/api',
      'http://a.test/apis/posts',
      'passed',
    ],
    ['answer every origin', '/api', 'https://b.test:8080/api/posts', 200],
  ]

  it.each(requests)('%s', async (_title, base, url, expected) => {
    listen(...handlers(createMock({ fixtures, base })), passed)
    const response = await fetch(url)
    const status = response.headers.has('X-Passed') ? 'passed' : response.status
    expect(status).toBe(expected)
  })

  it('answer only the given origin', async () => {
    listen(...handlers(createMock({ fixtures }), { origin: 'http://a.test/ignored' }), passed)
    const [own, other] = await Promise.all([
      fetch('http://a.test/posts'),
      fetch('http://b.test/posts'),
    ])
    expect([own.headers.has('X-Passed'), other.headers.has('X-Passed')]).toEqual([false, true])
  })

  it('let page navigations pass', async () => {
    const [handler] = handlers(createMock({ fixtures }))
    const navigation = new Request('http://a.test/posts')
    expect(await handler?.test({ request: navigation.clone() })).toBe(true)
    // Only browsers create navigation requests, so the mode is set by hand.
    Object.defineProperty(navigation, 'mode', { value: 'navigate' })
    expect(await handler?.test({ request: navigation })).toBe(false)
  })

  it('list the resources for an unknown name', async () => {
    listen(...handlers(createMock({ fixtures, base: '/api' })))
    const response = await fetch('http://a.test/api/post')
    expect(response.headers.get('Content-Type')).toMatch('application/problem+json')
    expect(await response.json()).toMatchObject({ status: 404, resources: ['/api/posts'] })
  })

  it('answer HEAD without a body', async () => {
    listen(...handlers(createMock({ fixtures })))
    const response = await fetch('http://a.test/posts', { method: 'HEAD' })
    expect(response.headers.get('X-Total-Count')).toBe('1')
    expect(await response.text()).toBe('')
  })

  it('answer a preflight', async () => {
    listen(...handlers(createMock({ fixtures })))
    const response = await fetch('http://a.test/posts/1', {
      method: 'OPTIONS',
      headers: { Origin: 'http://b.test', 'Access-Control-Request-Method': 'DELETE' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('Access-Control-Allow-Origin')).toBe('http://b.test')
    expect(response.headers.get('Access-Control-Allow-Methods')).toContain('DELETE')
  })

  it('let handlers of server.use answer first', async () => {
    listen(...handlers(createMock({ fixtures })))
    server?.use(http.get('*/posts', () => HttpResponse.json(['mine'])))
    expect(await json('http://a.test/posts')).toEqual(['mine'])
    server?.resetHandlers()
    expect(await json('http://a.test/posts')).toEqual(fixtures.posts)
  })

  it('turn a dropped connection into a network error', async () => {
    answerWith({ status: 0, headers: [], body: null })
    await expect(fetch('http://a.test/')).rejects.toThrow(TypeError)
  })

  it('set several cookies', async () => {
    const headers: MockResponse['headers'] = [
      ['Set-Cookie', 'a=1; Path=/; HttpOnly'],
      ['Set-Cookie', 'b=2'],
    ]
    answerWith({ status: 200, headers, body: null })
    const response = await fetch('http://cookies.test/')
    expect(response.headers.getSetCookie()).toEqual(['a=1; Path=/; HttpOnly', 'b=2'])
  })

  const statuses = [204, 205, 304]
  it.each(statuses)('drop the body that status %i cannot have', async (status) => {
    answerWith({ status, headers: [], body: 'x' })
    const response = await fetch('http://a.test/')
    expect([response.status, await response.text()]).toEqual([status, ''])
  })

  const streams: [
    title: string,
    toBody: (chunks: AsyncIterable<string>) => MockResponse['body'],
  ][] = [
    ['an iterable', (chunks) => chunks],
    ['a ReadableStream', (chunks) => toStream(chunks)],
  ]

  it.each(streams)('stream %s as it comes', async (_title, toBody) => {
    const gate = createGate()
    answerWith({ status: 200, headers: [], body: toBody(iterate(['one', gate, 'two'])) })
    const response = await fetch('http://a.test/')
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    expect((await reader?.read())?.value).toBe('one')
    gate.open()
    expect((await reader?.read())?.value).toBe('two')
    expect((await reader?.read())?.done).toBe(true)
  })

  it('abort a response whose body throws', async () => {
    const gate = createGate()
    answerWith({ status: 200, headers: [], body: iterate(['one', gate, new Error('broken')]) })
    const response = await fetch('http://a.test/')
    gate.open()
    await expect(response.text()).rejects.toThrow()
  })

  it('end a stream when the request is aborted', async () => {
    const controller = new AbortController()
    const gate = createGate()
    const ended = new Promise<void>((resolve) => {
      const body = iterate(['one', gate, 'two', 'three'], resolve)
      answerWith({ status: 200, headers: [], body })
    })
    const response = await fetch('http://a.test/', { signal: controller.signal })
    controller.abort()
    gate.open()
    await response.text().catch(() => {})
    await ended
  })

  it('pass on the cookies in the header of a request', async () => {
    const seen: MockRequest[] = []
    answerWith({ status: 200, headers: [], body: null }, seen)
    await fetch('http://a.test/', { headers: { Cookie: 'a=1; b=x%20y' } })
    expect(seen.map((request) => request.headers['cookie'])).toEqual(['a=1; b=x%20y'])
  })
})

describe('strict', () => {
  it('makes an unmocked request an error', async () => {
    vi.spyOn(console, 'error').mockImplementation(() => {})
    listen()
    await expect(fetch('http://a.test/unknown')).rejects.toThrow()
    expect(vi.mocked(console.error).mock.calls.flat().join('')).toContain('http://a.test/unknown')
  })
})

type Handler = ReturnType<typeof handlers>[number]

/** Answers every request that passes the mock, so that no request leaves the process. */
const passed = http.all('*', () => HttpResponse.text('', { headers: { 'X-Passed': '1' } }))

function listen(...all: Handler[]): void {
  server = setupServer(...all)
  server.listen(strict())
}

/** Listens with a mock that answers everything with one response. */
function answerWith(response: MockResponse, seen: MockRequest[] = []): void {
  const handle = (request: MockRequest): MockResponse => {
    seen.push(request)
    return response
  }
  listen(...createHandlers({ base: '', owns: () => true, handle }, {}))
}

async function json(url: string): Promise<unknown> {
  const response = await fetch(url)
  return response.json()
}

interface Gate {
  opened: Promise<void>
  open(): void
}

function createGate(): Gate {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  return { opened, open }
}

/** Yields the texts, waits for the gates and throws the errors; calls `onEnd` at the end. */
async function* iterate(
  steps: readonly (string | Gate | Error)[],
  onEnd = (): void => {},
): AsyncGenerator<string> {
  try {
    for (const step of steps) {
      if (step instanceof Error) throw step
      if (typeof step === 'string') yield step
      else await step.opened
    }
  } finally {
    onEnd()
  }
}

function toStream(chunks: AsyncIterable<string>): ReadableStream<Uint8Array> {
  const iterator = chunks[Symbol.asyncIterator]()
  return new ReadableStream<string>({
    async pull(controller) {
      const { done, value } = await iterator.next()
      if (done) controller.close()
      else controller.enqueue(value)
    },
  }).pipeThrough(new TextEncoderStream())
}
