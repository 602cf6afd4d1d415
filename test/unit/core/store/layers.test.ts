import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../src/core/json/json.ts'
import { content } from '../../../../src/core/store/records/resource.ts'
import { createStore, type Store } from '../../../../src/core/store/store.ts'
import { createRandom } from '../../../../src/core/time/random.ts'

const one = [{ id: 1 }]
const seven = [{ id: 7 }]

function open(): Store {
  const fixtures: [string, Json][] = [
    ['posts', one],
    ['profile', { name: 'Ada' }],
  ]
  const onFailure = (error: unknown): never => {
    throw error as Error
  }
  return createStore(new Map(fixtures), { idField: () => 'id', onFailure }, createRandom('test'))
}

/** Everything that the store serves. */
function contentOf({ resources }: Store): Record<string, Json> {
  return Object.fromEntries(Array.from(resources, ([name, resource]) => [name, content(resource)]))
}

describe('the overlay of a store', () => {
  it('is served in place of the fixtures, which come back with all edits', () => {
    const store = open()
    store.insert('posts', {})
    store.overlay.set({ posts: seven, extra: {} })
    expect(contentOf(store)).toEqual({ posts: seven, profile: { name: 'Ada' }, extra: {} })
    expect(['posts', 'profile', 'extra'].map(store.overlay.has)).toEqual([true, false, true])
    store.insert('posts', {})
    store.reset()
    expect(contentOf(store)).toMatchObject({ posts: seven })
    store.overlay.set({})
    expect(contentOf(store)).toEqual({ posts: [{ id: 1 }, { id: 2 }], profile: { name: 'Ada' } })
  })

  it('drops its edits when it is set, and keeps them when it is updated', () => {
    const store = open()
    store.overlay.set({ posts: seven })
    store.insert('posts', {})
    store.overlay.update({ posts: [{ id: 7, title: 'x' }], profile: {} })
    expect(contentOf(store)).toEqual({ posts: [{ id: 7, title: 'x' }, { id: 8 }], profile: {} })
    store.overlay.update({ posts: seven })
    expect(contentOf(store)).toEqual({ posts: [{ id: 7 }, { id: 8 }], profile: { name: 'Ada' } })
    store.overlay.set({ posts: seven })
    expect(contentOf(store)).toEqual({ posts: seven, profile: { name: 'Ada' } })
  })

  it('covers the fixtures while they are reloaded and rebased', () => {
    const store = open()
    store.insert('posts', {})
    store.overlay.set({ posts: seven })
    expect(store.reload('posts', [{ id: 1, title: 'file' }])).toEqual([])
    expect(contentOf(store)).toMatchObject({ posts: seven })
    const { resource } = store.fixtureLayer('posts')
    expect(resource && content(resource)).toEqual([{ id: 1, title: 'file' }, { id: 2 }])
    if (resource) store.rebase('posts', resource.fork())
    store.overlay.set({})
    store.reset()
    expect(contentOf(store)).toMatchObject({ posts: [{ id: 1, title: 'file' }, { id: 2 }] })
  })

  it('is copied to a fork', () => {
    const store = open()
    store.overlay.set({ posts: seven })
    const fork = store.fork()
    store.overlay.set({})
    store.reload('posts', [{ id: 3 }])
    expect(contentOf(fork)).toMatchObject({ posts: seven })
    fork.overlay.set({})
    expect([contentOf(fork), contentOf(store)]).toMatchObject([
      { posts: one },
      { posts: [{ id: 3 }] },
    ])
  })

  it('notifies listeners of every resource that is covered, changed or restored', () => {
    const store = open()
    const reloaded: string[] = []
    store.changes.subscribe((change) => {
      if (change.type === 'reloaded') reloaded.push(change.collection)
    })
    const { version } = store
    store.overlay.set({ posts: seven })
    expect(store.version).not.toBe(version)
    store.overlay.update({ posts: [], profile: {} })
    store.reload('posts', [])
    store.overlay.set({})
    expect(reloaded).toEqual(['posts', 'posts', 'profile', 'posts', 'posts', 'profile'])
  })
})
