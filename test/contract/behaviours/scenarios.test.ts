import { describe, expect, it } from 'vitest'

import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import type { FixtureListener } from '../../../src/core/fixtures/fixtures.ts'
import type { Json } from '../../../src/core/json/json.ts'
import { type Behaviour, type ScenarioOptions, scenarios } from '../../../src/behaviours.ts'
import { createMock, type Mock, type MockOptions } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

const sets: ScenarioOptions['sets'] = {
  empty: { fixtures: { posts: [] } },
  more: { fixtures: { posts: [{ id: 7 }], extra: [{ id: 1 }] } },
  down: { faults: [{ status: 503 }] },
}
type Options = MockOptions<Record<string, unknown>>
const withScenarios = (active?: string) => (): Options => ({
  fixtures: { posts: [{ id: 1 }, { id: 2 }], comments: [{ id: 1 }] },
  base: '/api',
  use: [scenarios({ sets, ...(active && { active }) })],
})
const asked = (name: string, request: string) => ({ request, headers: { 'x-mock-scenario': name } })

contract('no scenario', withScenarios(), [
  [
    'leaves the fixtures unchanged',
    'GET /api/posts',
    { status: 200, headers: { 'x-total-count': '2' } },
  ],
  [
    'can be chosen by a header for one request',
    asked('empty', 'GET /api/posts'),
    { status: 200, body: [] },
  ],
  [
    'keeps its data for the next such request',
    [asked('empty', 'GET /api/posts'), 'GET /api/posts'],
    { status: 200, headers: { 'x-total-count': '2' } },
  ],
  ['can add faults to one request', asked('down', 'GET /api/posts'), { status: 503 }],
  ['is an error for an unknown name', asked('emty', 'GET /api/posts'), { status: 400 }],
])

contract('an active scenario', withScenarios('more'), [
  ['has its own data', 'GET /api/posts', { status: 200, body: [{ id: 7 }] }],
  ['can add resources', 'GET /api/extra/1', { status: 200 }],
  ['leaves other resources unchanged', 'GET /api/comments', { status: 200, body: [{ id: 1 }] }],
])

it('resets its data when it is switched', async () => {
  const mock = createMock(withScenarios()())
  const control = internalsOf(mock).behaviours[0]?.controls?.['PUT']
  const count = async (): Promise<string | null> =>
    (await mock.fetch(new Request('http://x/api/posts'))).headers.get('x-total-count')
  const headers = { 'content-type': 'application/json' }
  const add = new Request('http://x/api/posts', { method: 'POST', headers, body: '{}' })
  void control?.('empty')
  expect(await count()).toBe('0')
  await mock.fetch(add)
  expect(await count()).toBe('1')
  void control?.('more')
  expect(await count()).toBe('1')
  void control?.('empty')
  expect(await count()).toBe('0')
  void control?.(null)
  expect(await count()).toBe('2')
  expect((await mock.fetch(new Request('http://x/api/extra'))).status).toBe(404)
})

interface Data {
  posts: { id: number | string }[]
}

it('stays active in a fork, with its changes', async () => {
  const mock = createMock<Data>(withScenarios()())
  mock.db.posts.insert({})
  expect(mock.fork().db.posts.count()).toBe(3)
  const scenario = (one: Mock<Data>) => internalsOf(one).behaviours[0]?.controls
  void scenario(mock)?.['PUT']?.('empty')
  mock.db.posts.insert({ id: 'new' })
  const fork = mock.fork()
  expect(fork.db.posts.all()).toEqual([{ id: 'new' }])
  expect(scenario(fork)?.['GET']?.(null)).toMatchObject({ active: 'empty' })
  void scenario(fork)?.['PUT']?.(null)
  expect(fork.db.posts.all()).toEqual([{ id: 1 }, { id: 2 }])
  expect(mock.db.posts.all()).toEqual([{ id: 'new' }])
  mock.fork().reset()
  expect(mock.db.posts.all()).toEqual([{ id: 'new' }])
  void scenario(mock)?.['PUT']?.('down')
  const broken = await mock.fork().fetch(new Request('http://x/api/posts'))
  expect(broken.status).toBe(503)
})

it.each([[{ name: 'empty' }], [7], ['emty']])('is not switched to %j', async (input) => {
  const mock = createMock<Data>(withScenarios('more')())
  const put = (): unknown => internalsOf(mock).behaviours[0]?.controls?.['PUT']?.(input)
  expect(put).toThrow('Failed to find the scenario')
  expect(mock.db.posts.all()).toEqual([{ id: 7 }])
})

describe('an edit of the fixtures', () => {
  const open = () => {
    let change: FixtureListener = () => undefined
    const source = {
      data: { posts: [{ id: 1 }, { id: 2 }], me: { name: 'Ada' } },
      subscribe(listener: FixtureListener) {
        change = listener
        return () => undefined
      },
    }
    const one = { posts: [{ id: 7 }], me: { name: 'Bob' }, extra: [] }
    const mock = createMock({
      fixtures: source,
      use: [scenarios({ sets: { one: { fixtures: one } } })],
    })
    const put = (name: string | null) =>
      void internalsOf(mock).behaviours[0]?.controls?.['PUT']?.(name)
    const ask = async (path: string, headers = {}): Promise<unknown> =>
      (await mock.fetch(path, { headers })).json()
    return { mock, put, ask, change: (data: Record<string, unknown>) => change(data) }
  }

  it('is served when the scenario ends', async () => {
    const { mock, put, ask, change } = open()
    put('one')
    await ask('/posts')
    mock.db.posts.insert({ id: 8 })
    change({ posts: [{ id: 3 }], me: { name: 'Cid' }, late: [{ id: 1 }] })
    expect(await ask('/posts')).toEqual([{ id: 7 }, { id: 8 }])
    expect([await ask('/me'), await ask('/late')]).toEqual([{ name: 'Bob' }, [{ id: 1 }]])
    mock.reset()
    expect([await ask('/posts'), await ask('/me')]).toEqual([[{ id: 3 }], { name: 'Cid' }])
    put('one')
    change({ posts: undefined })
    expect(await ask('/posts')).toEqual([{ id: 7 }])
    put(null)
    expect(await ask('/posts')).toMatchObject({ status: 404 })
  })

  it('reaches the scenario of single requests, except for the resources of the scenario', async () => {
    const { mock, ask, change } = open()
    const headers = { 'X-Mock-Scenario': 'one' }
    await ask('/posts', headers)
    change({ posts: [{ id: 3 }], late: [{ id: 1 }] })
    expect(await ask('/posts', headers)).toEqual([{ id: 7 }])
    expect(await ask('/late', headers)).toEqual([{ id: 1 }])
    mock.reset()
    change({ late: [] })
    expect(await ask('/late', headers)).toEqual([])
  })

  it('is restored in a fork', async () => {
    const { mock, put, change } = open()
    put('one')
    const fork = mock.fork()
    put(null)
    await mock.fetch('/posts')
    change({ posts: [{ id: 3 }] })
    void internalsOf(fork).behaviours[0]?.controls?.['PUT']?.(null)
    expect([fork.db.posts.all(), mock.db.posts.all()]).toEqual([
      [{ id: 1 }, { id: 2 }],
      [{ id: 3 }],
    ])
  })
})

describe('an edit of the active scenario', () => {
  const open = () => {
    const behaviour = scenarios()
    behaviour.extend({ one: { fixtures: { posts: [{ id: 7 }], extra: [{ id: 1 }] } } }, 'one')
    const fixtures: Record<string, object[]> = { posts: [{ id: 1 }], users: [{ id: 1 }] }
    const mock = createMock({ fixtures, use: [behaviour] })
    const ask = async (from: typeof mock, path: string, headers = {}): Promise<unknown> =>
      (await from.fetch(path, { headers })).json()
    const edit = (data?: Record<string, Json>): void =>
      behaviour.extend(data ? { one: { fixtures: data } } : { two: {} })
    return { mock, ask, edit }
  }
  const headers = { 'X-Mock-Scenario': 'one' }

  it('is served at once, with the changes of requests', async () => {
    const { mock, ask, edit } = open()
    mock.db.posts?.insert({ id: 8 })
    edit({ posts: [{ id: 7, a: 1 }], users: [] })
    expect(mock.db.posts?.all()).toEqual([{ id: 7, a: 1 }, { id: 8 }])
    expect([await ask(mock, '/users'), await ask(mock, '/extra')]).toMatchObject([
      [],
      { status: 404 },
    ])
    mock.reset()
    expect(await ask(mock, '/posts')).toEqual([{ id: 7, a: 1 }])
    void internalsOf(mock).behaviours[0]?.controls?.['PUT']?.(null)
    expect([await ask(mock, '/posts'), await ask(mock, '/users')]).toEqual([
      [{ id: 1 }],
      [{ id: 1 }],
    ])
  })

  it('is served in a fork and to single requests', async () => {
    const { mock, ask, edit } = open()
    const fork = mock.fork()
    fork.db.posts?.insert({ id: 9 })
    void internalsOf(mock).behaviours[0]?.controls?.['PUT']?.(null)
    expect(await ask(mock, '/posts', headers)).toEqual([{ id: 7 }])
    edit({ posts: [{ id: 8 }] })
    expect(await ask(fork.fork(), '/posts')).toEqual([{ id: 8 }, { id: 9 }])
    expect(await ask(fork, '/posts')).toEqual([{ id: 8 }, { id: 9 }])
    expect(await ask(mock, '/posts', headers)).toEqual([{ id: 8 }])
    expect(await ask(mock, '/posts')).toEqual([{ id: 1 }])
  })

  it('deactivates a removed scenario until it is activated again', async () => {
    const { mock, ask, edit } = open()
    const fork = mock.fork()
    void internalsOf(fork).behaviours[0]?.controls?.['PUT']?.(null)
    expect(await ask(fork, '/posts', headers)).toEqual([{ id: 7 }])
    mock.db.users?.insert({ id: 2 })
    edit()
    expect(await ask(mock, '/posts')).toEqual([{ id: 1 }])
    expect(await ask(mock.fork(), '/users')).toEqual([{ id: 1 }, { id: 2 }])
    expect(internalsOf(mock).behaviours[0]?.controls?.['GET']?.(null)).toEqual({
      active: null,
      scenarios: ['two'],
    })
    mock.reset()
    expect(await ask(mock, '/posts')).toEqual([{ id: 1 }])
    expect(await ask(fork, '/posts', headers)).toMatchObject({ status: 400 })
    edit({ posts: [{ id: 8 }] })
    expect(await ask(mock, '/posts')).toEqual([{ id: 1 }])
    expect(await ask(fork, '/posts', headers)).toEqual([{ id: 8 }])
    mock.reset()
    expect(await ask(mock, '/posts')).toEqual([{ id: 8 }])
  })
})

it('is the initial scenario after a reset', async () => {
  const mock = createMock(withScenarios('empty')())
  void internalsOf(mock).behaviours[0]?.controls?.['PUT']?.('more')
  mock.reset()
  expect(await (await mock.fetch(new Request('http://x/api/posts'))).json()).toEqual([])
})

it('copies the sets as JSON when it is created', async () => {
  const post = { id: 1, title: 'Given', at: new Date(0) }
  const use = [scenarios({ sets: { one: { fixtures: { posts: [post as never] } } } })]
  const mock = createMock({ fixtures: { posts: [] as object[] }, use })
  post.title = 'Changed'
  const headers = { 'X-Mock-Scenario': 'one' }
  const answer = await mock.fetch('http://x/posts?at=1970-01-01T00:00:00.000Z', { headers })
  expect(await answer.json()).toEqual([{ id: 1, title: 'Given', at: '1970-01-01T00:00:00.000Z' }])
})

it.each([
  [{ sets: [] }, '"sets" cannot be []'],
  [{ sets: { a: { fixtures: { posts: Promise.resolve([]) } } } }, 'it is a promise'],
  [{ sets: {} }, 'there are no scenarios. Please give "sets", or add a folder "_scenarios".'],
  [{ sets, active: 'emty' }, '"active" cannot be "emty"'],
  [{ sets: { a: { fixture: {} } } }, 'Did you mean "fixtures"?'],
  [
    { sets: { a: { fixtures: { posts: [{ id: 1 }, { id: 1 }] } } } },
    'Failed to load "posts": records 0 and 1 both have the id "1"',
  ],
])('refuses the options %j', (options, message) => {
  const use = (): Behaviour => scenarios(options as never)
  expect(() => createMock({ fixtures: { posts: [] }, use: [use()] })).toThrow(message)
})
