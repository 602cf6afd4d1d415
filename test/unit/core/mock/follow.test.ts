import { expect, it, onTestFinished, vi } from 'vitest'

import type { Conflict, FixtureListener } from '../../../../src/core/fixtures/fixtures.ts'
import { createMock } from '../../../../src/index.ts'

it('has taken over a change when the listener of the source returns', () => {
  const { source, publish } = createSource({ posts: [{ id: 1 }], users: [{ id: 1 }] })
  const mock = createMock({ fixtures: source })
  publish({ posts: [{ id: 1 }, { id: 2 }], users: undefined, tags: [{ id: 7 }] })
  expect(mock.db['posts']?.count()).toBe(2)
  expect(mock.routes.filter(({ kind }) => kind === 'collection').map(({ path }) => path)).toEqual([
    '/posts',
    '/tags',
  ])
})

it('reports the records whose changes by requests gave way, and only where some did', () => {
  const { source, publish } = createSource({ posts: [{ id: 1, a: 1 }], me: { a: 1 } })
  const mock = createMock({ fixtures: source })
  mock.db['posts']?.update(1, { a: 2 })
  mock.db['me']?.update({ a: 2 })
  const reported: (readonly Conflict[])[] = []
  publish({ posts: [{ id: 1, a: 3 }], me: { a: 3 } }, (conflicts) => reported.push(conflicts))
  publish({ posts: [{ id: 1, a: 4 }] }, (conflicts) => reported.push(conflicts))
  const lost = [
    { collection: 'posts', id: '1' },
    { collection: 'me', id: '' },
  ]
  expect(reported).toEqual([lost])
})

it('reports what cannot be taken over, and keeps the data', () => {
  const failed = vi.spyOn(console, 'error').mockReturnValue(undefined)
  onTestFinished(() => failed.mockRestore())
  const { source, publish } = createSource({ posts: [{ id: 1 }] })
  const mock = createMock({ fixtures: source })
  publish({ posts: [{ id: 2 }, { id: 2 }] })
  expect(failed.mock.calls).toEqual([['Failed to take over "posts":', expect.any(Error)]])
  expect(mock.db['posts']?.all()).toEqual([{ id: 1 }])
  publish({ posts: [{ id: 3 }] })
  expect(mock.db['posts']?.all()).toEqual([{ id: 3 }])
})

it('lets a mock of other data follow a source until the end', () => {
  const { source, publish } = createSource({ posts: [] })
  const mock = createMock({ fixtures: { posts: [{ id: 1 }] } })
  const stop = mock.follow(source)
  expect(mock.db.posts.count()).toBe(1)
  publish({ posts: [{ id: 1 }, { id: 2 }] })
  expect(mock.db.posts.count()).toBe(2)
  stop()
  publish({ posts: [] })
  expect(mock.db.posts.count()).toBe(2)
})

/** A source, and what publishes a change of its data. */
function createSource(data: Record<string, unknown>) {
  const listeners = new Set<FixtureListener>()
  const source = {
    data,
    subscribe(listener: FixtureListener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
  const publish: FixtureListener = (...change) => listeners.forEach((listen) => listen(...change))
  return { source, publish }
}
