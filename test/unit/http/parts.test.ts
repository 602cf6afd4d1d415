import { describe, expect, it, vi } from 'vitest'

import { createMock, type Mock } from '../../../src/index.ts'

const fixtures = { posts: [{ id: 1, title: 'First' }], comments: [{ id: 1, postId: 1 }] }

describe('the parts of the pipeline', () => {
  it('are loaded when they are first needed, and nobody overtakes who waits', async () => {
    // Other tests have loaded all there is.
    vi.resetModules()
    const { later } = await import('../../../src/core/http/parts.ts')
    const fresh = await import('../../../src/index.ts')
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

  it('tells of a change in a source that cannot be taken over, and goes on', async () => {
    vi.resetModules()
    const told = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const fresh = await import('../../../src/index.ts')
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

function send(mock: Mock, method: string, target: string, body?: unknown) {
  const [path = '', query] = target.split('?')
  return mock.handle(
    {
      method,
      path,
      search: query === undefined ? '' : `?${query}`,
      origin: 'http://localhost',
      headers: body === undefined ? {} : { 'content-type': 'application/json' },
      text: () => (body === undefined ? '' : JSON.stringify(body)),
      form: () => [],
    },
    { origins: 'any' },
  )
}

async function bodyOf(answer: ReturnType<typeof send>): Promise<unknown> {
  const { body } = await answer
  return typeof body === 'string' ? JSON.parse(body) : body
}
