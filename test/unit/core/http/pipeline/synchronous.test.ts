import { afterEach, describe, expect, it, vi } from 'vitest'

import type { AnyMock } from '../../../../../src/core/http/contract/any-mock.ts'
import { internalsOf } from '../../../../../src/core/http/contract/internals.ts'
import type { Access } from '../../../../../src/core/http/contract/answerer.ts'
import { delay, limit } from '../../../../../src/behaviours.ts'
import { createManualClock, createMock, MockError } from '../../../../../src/index.ts'

const fixtures = {
  posts: [{ id: 1, title: 'First' }],
  comments: [{ id: 1, postId: 1 }],
  profile: { name: 'A' },
}

const requests: [method: string, path: string, body?: unknown][] = [
  ['GET', '/posts'],
  ['GET', '/posts/1'],
  ['GET', '/profile'],
  ['HEAD', '/posts'],
  ['GET', '/posts?_limit=1'],
  ['GET', '/posts?title=First&_sort=-title'],
  ['GET', '/posts/1/comments'],
  ['GET', '/posts/1?_embed=comments'],
  ['GET', '/posts/9'],
  ['GET', '/nowhere'],
  ['QUERY', '/posts', {}],
  ['OPTIONS', '/posts'],
  ['POST', '/posts', { title: 'New' }],
  ['PUT', '/posts/1', { title: 'Other' }],
  ['PATCH', '/posts/1', { title: 'Other' }],
  ['PATCH', '/profile', { name: 'B' }],
  ['DELETE', '/posts/1'],
]

describe('a request that has nothing to wait for', () => {
  it.each(requests)('is answered without a promise: %s %s', (method, path, body) => {
    const mock = createMock({ fixtures })
    expect(send(mock, method, path, body)).not.toBeInstanceOf(Promise)
    expect(send(mock.fork(), method, path, body)).not.toBeInstanceOf(Promise)
  })

  it('has its effect before the next request of the same turn', () => {
    const mock = createMock({ fixtures })
    void send(mock, 'POST', '/posts', { title: 'Second' })
    void send(mock, 'DELETE', '/posts/1')
    expect(send(mock, 'GET', '/posts')).toMatchObject({ body: '[{"id":2,"title":"Second"}]' })
    expect(send(mock, 'GET', '/posts/1')).toMatchObject({ status: 404 })
  })

  it('is refused by the check of its face', () => {
    const check = (): never => {
      throw new MockError('Failed to answer: not you.', { status: 403 })
    }
    const mock = createMock({ fixtures })
    const answer = send(mock, 'GET', '/posts', undefined, { origins: 'any', check })
    expect(answer).toMatchObject({ status: 403 })
  })
})

describe('the time of the first request of a mock', () => {
  it('counts for the delay of a rule', async () => {
    const clock = createManualClock()
    const mock = createMock({ fixtures, clock })
    mock.on('GET', '/posts').delay(300)
    const answer = send(mock, 'GET', '/posts')
    clock.advance(300)
    expect((await answer).status).toBe(200)
    expect(mock.log[0]).toMatchObject({ ms: 300, reason: 'rule 1 waited' })
  })

  it('counts for a time-out', async () => {
    const clock = createManualClock()
    const use = [delay('3s'), limit({ timeout: '2s' })]
    const mock = createMock({ fixtures, clock, use })
    const answer = send(mock, 'GET', '/posts')
    clock.advance(2000)
    expect((await answer).status).toBe(504)
  })
})

describe('a module that is loaded afresh', () => {
  afterEach(() => vi.useRealTimers())

  // A dynamic import takes real time, in which a fake timer of the application may run out.
  it.each(requests)('answers %s %s before a fake timer of one second', async (...request) => {
    const [method, path, body] = request
    vi.resetModules()
    const fresh = await import('../../../../../src/index.ts')
    vi.useFakeTimers()
    const mock = fresh.createMock({ fixtures })
    const timeout = new Promise<string>((resolve) => setTimeout(resolve, 1000, 'timed out'))
    const answer = mock.fetch(`http://localhost${path}`, {
      method,
      ...(body !== undefined && {
        body: JSON.stringify(body),
        headers: { 'Content-Type': 'application/json' },
      }),
    })
    const first = Promise.race([answer.then(() => 'answered'), timeout])
    await vi.advanceTimersByTimeAsync(1000)
    expect(await first).toBe('answered')
  })
})

describe('a fixture source', () => {
  function createSource() {
    let change: (changed: Record<string, unknown>) => void = () => undefined
    const source = {
      data: { posts: [{ id: 1 }] },
      subscribe(listener: typeof change) {
        change = listener
        return () => undefined
      },
    }
    return { source, change: (changed: Record<string, unknown>) => change(changed) }
  }

  it('is taken over before its change returns', () => {
    const { source, change } = createSource()
    const mock = createMock({ fixtures: source })
    change({ posts: [{ id: 1 }, { id: 2 }] })
    expect(mock.db.posts.count()).toBe(2)
    expect(send(mock, 'GET', '/posts/2')).toMatchObject({ status: 200 })
  })

  it('keeps the last good data where its change cannot be taken over, and reports it', () => {
    const report = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const { source, change } = createSource()
    const mock = createMock({ fixtures: source })
    change({ posts: [{ id: 1 }, { id: 1 }] })
    expect(report).toHaveBeenCalledOnce()
    report.mockRestore()
    expect(mock.db.posts.count()).toBe(1)
    change({ posts: [] })
    expect(mock.db.posts.count()).toBe(0)
  })
})

function send(
  mock: AnyMock,
  method: string,
  target: string,
  body?: unknown,
  access: Access = { origins: 'any' },
) {
  const [path = '', query] = target.split('?')
  return internalsOf(mock).handle(
    {
      method,
      path,
      search: query === undefined ? '' : `?${query}`,
      origin: 'http://localhost',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      text: () => (body === undefined ? '' : JSON.stringify(body)),
      form: () => [],
    },
    access,
  )
}
