import { setupServer } from 'msw/node'
import { afterAll, beforeAll, describe, expect, it, test } from 'vitest'

import { internalsOf } from '../../src/core/http/contract/internals.ts'
import { sessions } from '../../src/behaviours.ts'
import { createMock } from '../../src/index.ts'
import { handlers, strict } from '../../src/msw.ts'
import { isolate } from '../../src/node.ts'

const mock = createMock({
  fixtures: {
    posts: [
      { id: 1, title: 'First' },
      { id: 2, title: 'Second' },
    ],
  },
  base: '/api',
})
const server = setupServer(...handlers(mock))
const url = 'http://a.test/api/posts'

beforeAll(() => server.listen(strict()))
afterAll(() => {
  server.close()
  expect(mock.db.posts.count()).toBe(2)
  expect(mock.log).toEqual([])
})

describe('three tests at once that each delete everything', () => {
  // Each test waits for the others, so that all have deleted before one reads.
  const all = createBarrier(3)

  for (const name of ['one', 'two', 'three']) {
    test.concurrent(
      `see only their own world (${name})`,
      isolate(mock, async ({ mock: fork, db }) => {
        for (const { id } of await list()) await fetch(`${url}/${id}`, { method: 'DELETE' })
        expect(await list()).toEqual([])
        await all.reached()
        const created = await post({ title: name })
        expect(await created.json()).toEqual({ id: 3, title: name })
        expect(db.posts.all()).toEqual([{ id: 3, title: name }])
        expect(fork.log.map(({ method }) => method)).toEqual([
          'GET',
          'DELETE',
          'DELETE',
          'GET',
          'POST',
        ])
      }),
    )
  }
})

describe('isolate', () => {
  it('works beside diversions that read the request', async () => {
    const here = createMock({ fixtures: { posts: [{ id: 1 }] } })
    const there = here.fork()
    there.db.posts.remove(1)
    const stop = internalsOf(here).divert((request) =>
      request?.headers['x-there'] ? internalsOf(there) : undefined,
    )
    const status = async (headers: Record<string, string>): Promise<number> =>
      (await here.fetch('http://a.test/posts/1', { headers })).status
    expect([await status({}), await status({ 'X-There': '1' })]).toEqual([200, 404])
    stop()
    expect(await status({ 'X-There': '1' })).toBe(200)
  })

  it('gives sessions to one world', async () => {
    const headers = { 'X-Mock-Session': 'a' }
    const shared = createMock({ fixtures: { posts: [{ id: 1 }] }, use: [sessions()] })
    const count = async (): Promise<unknown> => {
      const response = await shared.fetch('http://a.test/posts', { headers })
      return response.headers.get('X-Total-Count')
    }
    const inside = isolate(shared, ({ db }) => {
      db.posts.insert({})
      return count()
    })
    expect([await inside(), await count()]).toEqual(['2', '1'])
  })

  it('gives rules to one world', async () => {
    const failing = isolate(mock, async ({ mock: fork }) => {
      fork.on('GET', '/posts').fail(500)
      return (await fetch(url)).status
    })
    const other = isolate(mock, async () => (await fetch(url)).status)
    expect(await Promise.all([failing(), other()])).toEqual([500, 200])
  })

  it('lets a rule own a path in one world', async () => {
    const open = createMock({ fixtures: {} })
    server.use(...handlers(open))
    const ask = async (): Promise<string> => (await fetch('http://a.test/flags')).text()
    const ruled = isolate(open, async ({ mock: fork }) => {
      fork.on('GET', '/flags').reply(200, 'mine')
      return ask()
    })
    expect(await ruled()).toBe('mine')
    server.resetHandlers()
  })

  it('answers from the world through fetch too', async () => {
    const run = isolate(mock, async ({ db }) => {
      db.posts.clear()
      return (await mock.fetch(new Request(url))).json()
    })
    expect(await run()).toEqual([])
  })

  it('gives a fresh world each time', async () => {
    const run = isolate(mock, async ({ db }) => {
      db.posts.remove(1)
      return (await list()).length
    })
    expect([await run(), await run()]).toEqual([1, 1])
  })

  it('forks the world that it is called in', async () => {
    const inner = isolate(mock, async ({ db }) => {
      db.posts.remove(2)
      return (await list()).length
    })
    const outer = isolate(mock, async ({ db }) => {
      db.posts.remove(1)
      return [await inner(), (await list()).length]
    })
    expect(await outer()).toEqual([0, 1])
  })

  it('keeps the worlds of two mocks apart', async () => {
    const second = createMock({ fixtures: { posts: [{ id: 9 }] } })
    const run = isolate(mock, async ({ db }) => {
      db.posts.clear()
      const inner = isolate(second, async ({ db: other }) => {
        other.posts.insert({})
        const response = await second.fetch(new Request('http://a.test/posts'))
        return [await list(), await response.json()]
      })
      return inner()
    })
    expect(await run()).toEqual([[], [{ id: 9 }, { id: 10 }]])
  })

  it('passes on the arguments of the caller', () => {
    const run = isolate(mock, (_world, left: number, right: number) => left + right)
    expect([run(1, 2), run.length]).toEqual([3, 0])
  })

  it('passes on errors', () => {
    const run = isolate(mock, () => {
      throw new Error('mine')
    })
    expect(run).toThrow('mine')
  })

  it('leaves the mock as it is after the function', async () => {
    isolate(mock, ({ db }) => db.posts.clear())()
    expect(await list()).toHaveLength(2)
    mock.reset()
  })
})

test.each<[args: unknown[], message: string]>([
  [[mock, 5], 'Failed to read the function of isolate: it cannot be 5. Please give a function.'],
  [[mock], 'Failed to read the function of isolate: it cannot be undefined.'],
  [[{ fetch }, () => 1], 'Failed to read the mock of isolate: it cannot be'],
  [[() => 1], 'Please give a mock from createMock or loadMock.'],
])('isolate(...%j) says what is wrong', (args, message) => {
  expect(() => (isolate as (...args: unknown[]) => unknown)(...args)).toThrow(message)
})

const extended = test.extend<{ one: number }>({ one: 1 })
extended(
  'isolate declares no parameters, so that an extended test injects no fixtures',
  isolate(mock, ({ db }) => {
    expect(db.posts.count()).toBe(2)
  }),
)

async function list(): Promise<{ id: number }[]> {
  const response = await fetch(url)
  return (await response.json()) as { id: number }[]
}

interface Barrier {
  /** Resolves when the expected number of callers has called it. */
  reached(): Promise<void>
}

function createBarrier(expected: number): Barrier {
  let open = (): void => {}
  const opened = new Promise<void>((resolve) => {
    open = resolve
  })
  let count = 0
  return {
    reached() {
      if (++count === expected) open()
      return opened
    },
  }
}

function post(record: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(record) })
}
