import { describe, expect, it, vi } from 'vitest'

import type { Access } from '../../../../../src/core/http/contract/answerer.ts'
import type { MockResponse } from '../../../../../src/core/http/contract/messages.ts'
import { createMock, type Mock, MockError } from '../../../../../src/index.ts'

const nobody: Access = { origins: () => false }

const fixtures = { posts: [{ id: 1, title: 'First' }], comments: [{ id: 1, postId: 1 }] }

describe('the parts of the pipeline', () => {
  it('are loaded when they are first needed, and nobody overtakes who waits', async () => {
    // Other tests have loaded all there is.
    vi.resetModules()
    const { later } = await import('../../../../../src/core/mock/service.ts')
    const fresh = await import('../../../../../src/index.ts')
    const mock = fresh.createMock({ fixtures })
    expect(send(mock, 'GET', '/posts')).not.toBeInstanceOf(Promise)
    expect(send(mock, 'GET', '/posts/1')).not.toBeInstanceOf(Promise)
    expect(() => later.get()).toThrow(TypeError)

    const answers = [
      send(mock, 'POST', '/posts', { title: 'Second' }),
      send(mock, 'POST', '/posts', { title: 'Third' }),
      send(mock, 'GET', '/posts'),
      send(mock, 'DELETE', '/posts/1'),
      send(mock, 'GET', '/posts/1'),
      send(mock, 'GET', '/posts?title=Third'),
    ]
    expect(answers.every((answer) => answer instanceof Promise)).toBe(true)
    const bodies = await Promise.all(answers.map(bodyOf))
    expect(bodies).toMatchObject([
      { id: 2, title: 'Second' },
      { id: 3, title: 'Third' },
      [{ id: 1 }, { id: 2 }, { id: 3 }],
      { id: 1 },
      { status: 404 },
      [{ id: 3 }],
    ])
  })

  it('are loaded for who reads often, whose answers are kept from then on', async () => {
    vi.resetModules()
    const fresh = await import('../../../../../src/index.ts')
    const mock = fresh.createMock({ fixtures })
    const answers = Array.from({ length: 34 }, () => send(mock, 'GET', '/posts'))
    const waiting = answers.map((answer) => answer instanceof Promise)
    expect(waiting).toEqual([...Array<boolean>(32).fill(false), true, true])
    const texts = await Promise.all(answers.map(async (answer) => (await answer).body))
    expect(new Set(texts)).toEqual(new Set(['[{"id":1,"title":"First"}]']))
    expect(send(mock, 'GET', '/posts')).not.toBeInstanceOf(Promise)
    expect(mock.log).toHaveLength(35)
  })

  it('tells of a change in a source that cannot be taken over, and goes on', async () => {
    vi.resetModules()
    const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const fresh = await import('../../../../../src/index.ts')
    let change: (changed: Record<string, unknown>) => void = () => undefined
    const source = {
      data: fixtures,
      subscribe(listener: typeof change) {
        change = listener
        return () => undefined
      },
    }
    const mock = fresh.createMock({ fixtures: source })
    change({ posts: [{ id: 1 }, { id: 1 }] })
    await mock.prepare?.()
    await vi.waitFor(() => expect(told).toHaveBeenCalledOnce())
    told.mockRestore()
    expect(mock.db.posts.count()).toBe(1)
  })

  it('answer plain reads byte for byte as what stands for them until then', async () => {
    vi.resetModules()
    const { later } = await import('../../../../../src/core/mock/service.ts')
    const { createMock, createManualClock } = await import('../../../../../src/index.ts')
    const updatedAt = '2025-12-31T10:00:00Z'
    const options = {
      fixtures: {
        posts: [{ id: 1, title: 'Ünï "x"' }, { id: 'a b' }, { id: 3, updatedAt }],
        'v1/notes': [{ id: 1 }],
        profile: { name: 'A', updatedAt },
        ahead: { updatedAt: '2030-01-01T00:00:00Z' },
        tags: ['a', 'b'],
        none: [],
        count: 5,
      },
      cacheControl: { posts: 'max-age=60', default: 'no-cache' },
    }
    const headers = [
      {},
      { origin: 'http://a.test', accept: '*/*' },
      { accept: 'application/json, text/plain, */*', prefer: 'return=minimal', range: 'items=0-1' },
    ]
    const paths = '/posts /posts/1 /posts/3 /profile /ahead /tags /none /count'.split(' ')
    const all = ['', '/api'].flatMap((base) =>
      paths.flatMap((path) => headers.map((one) => ({ base, path: base + path, headers: one }))),
    )
    const make = (base: string) =>
      createMock({ ...options, base, clock: createManualClock() }) as unknown as Mock
    const ask = (mock: Mock, { path, headers }: (typeof all)[number]) => {
      mock.store.replace('posts', '3', { id: 3, updatedAt })
      const answer = send(mock, 'GET', path, undefined, headers)
      return { answer, log: [...mock.log] }
    }
    const plain = all.map((one) => ask(make(one.base), one))
    expect(() => later.get()).toThrow(TypeError)
    expect(plain.map(({ answer }) => (answer as MockResponse).status)).toEqual(all.map(() => 200))
    const whole: typeof plain = []
    for (const one of all) {
      const mock = make(one.base)
      await mock.prepare?.()
      whole.push(ask(mock, one), ask(mock, one))
    }
    expect(whole.filter((_, at) => at % 2 === 0)).toEqual(plain)
    // What is kept is the same again.
    expect(whole.filter((_, at) => at % 2 === 1).map(({ answer }) => answer)).toEqual(
      plain.map(({ answer }) => answer),
    )
  })

  const others: [title: string, request: Parameters<typeof send>[4], path?: string][] = [
    ['a precondition', { 'if-none-match': '"x"' }],
    ['a person who reads', { accept: 'text/html,*/*;q=0.8' }],
    ['a client that takes something else', { accept: 'image/png' }],
    ['a record that is not there', {}, '/posts/9'],
    ['a resource that is not there', {}, '/post'],
    ['a path with an escape', {}, '/p%6Fsts'],
    ['a closing slash', {}, '/posts/'],
    ['a URL that is too long', {}, `/posts/${'1'.repeat(20_000)}`],
  ]

  it.each(others)('wait for the whole where there is %s', async (_title, headers, path) => {
    vi.resetModules()
    const fresh = await import('../../../../../src/index.ts')
    const mock = fresh.createMock({ fixtures }) as unknown as Mock
    const answer = send(mock, 'GET', path ?? '/posts', undefined, headers)
    expect(answer).toBeInstanceOf(Promise)
    const known = createMock({ fixtures })
    await known.prepare?.()
    expect(await answer).toEqual(send(known, 'GET', path ?? '/posts', undefined, headers))
  })

  const beside: [method: string, path: string, status: number][] = [
    ['HEAD', '/api/posts', 200],
    ['GET', '/xyz/posts', 404],
    ['GET', '/xyz/posts/', 404],
  ]
  it.each(beside)('are waited for by %s of %s', async (method, path, status) => {
    vi.resetModules()
    const fresh = await import('../../../../../src/index.ts')
    const mock = fresh.createMock({ fixtures, base: '/api' }) as unknown as Mock
    const first = await send(mock, method, path)
    expect(first.status).toBe(status)
    if (method === 'HEAD') expect(first.body).toBeNull()
    expect(await send(mock, method, path)).toEqual(first)
  })

  it('are waited for where somebody has to check who asks', async () => {
    vi.resetModules()
    const fresh = await import('../../../../../src/index.ts')
    const mock = fresh.createMock({ fixtures }) as unknown as Mock
    const check = (): never => {
      throw new MockError('Failed to answer: not you.', { status: 403 })
    }
    const answer = send(mock, 'GET', '/posts', undefined, {}, { origins: 'any', check })
    expect((await answer).status).toBe(403)
    const other = fresh.createMock({ fixtures }) as unknown as Mock
    const local = send(other, 'GET', '/posts', undefined, { origin: 'http://a.test' }, nobody)
    expect((await local).headers.map(([name]) => name)).not.toContain('Access-Control-Allow-Origin')
  })

  it('are waited for by a request with a rule, whose delay counts from when it came', async () => {
    vi.resetModules()
    const fresh = await import('../../../../../src/index.ts')
    const clock = fresh.createManualClock()
    const mock = fresh.createMock({ fixtures, clock }) as unknown as Mock
    mock.on('GET', '/posts').delay(300)
    const answer = send(mock, 'GET', '/posts')
    clock.advance(300)
    expect((await answer).status).toBe(200)
    expect(mock.log[0]).toMatchObject({ ms: 300, reason: 'rule 1 waited' })
  })

  it('are waited for by what is to be answered in time', async () => {
    vi.resetModules()
    const fresh = await import('../../../../../src/index.ts')
    const { delay, limit } = await import('../../../../../src/behaviours.ts')
    const clock = fresh.createManualClock()
    const use = [delay('3s'), limit({ timeout: '2s' })]
    const mock = fresh.createMock({ fixtures, clock, use }) as unknown as Mock
    const answer = send(mock, 'GET', '/posts')
    clock.advance(2000)
    expect((await answer).status).toBe(504)
  })

  const requests: [method: string, path: string, body?: unknown][] = [
    ['POST', '/posts', { title: 'New' }],
    ['PATCH', '/posts/1', { title: 'Other' }],
    ['QUERY', '/posts', {}],
    ['OPTIONS', '/posts'],
    ['GET', '/posts?_limit=1'],
    ['GET', '/posts/1/comments'],
    ['DELETE', '/posts/1'],
  ]

  it.each(requests)('answer %s %s at once from then on', async (method, path, body) => {
    await createMock({ fixtures }).prepare?.()
    const mock = createMock({ fixtures })
    expect(send(mock, method, path, body)).not.toBeInstanceOf(Promise)
    expect(send(mock.fork(), method, path, body)).not.toBeInstanceOf(Promise)
  })
})

function send(
  mock: Mock,
  method: string,
  target: string,
  body?: unknown,
  headers: Record<string, string> = {},
  access: Access = { origins: 'any' },
) {
  const [path = '', query] = target.split('?')
  return mock.handle(
    {
      method,
      path,
      search: query === undefined ? '' : `?${query}`,
      origin: 'http://localhost',
      headers: body === undefined ? headers : { 'content-type': 'application/json' },
      text: () => (body === undefined ? '' : JSON.stringify(body)),
      form: () => [],
    },
    access,
  )
}

async function bodyOf(answer: ReturnType<typeof send>): Promise<unknown> {
  const { body } = await answer
  return typeof body === 'string' ? JSON.parse(body) : body
}
