import { describe, expect, it } from 'vitest'

import { isSame, type Json, type JsonRecord } from '../../../../src/core/json/json.ts'
import { createRandom } from '../../../../src/core/time/random.ts'
import { createLinks } from '../../../../src/core/store/relations.ts'
import { idOf } from '../../../../src/core/store/records/ids.ts'
import { mergeRecords } from '../../../../src/core/store/merge.ts'
import { content } from '../../../../src/core/store/records/resource.ts'
import { createStore, type Store } from '../../../../src/core/store/store.ts'
import { fc } from '../../../fast-check.ts'

describe('reloading a store', () => {
  it('merges the records of a collection', () => {
    const store = open({
      posts: [
        { id: 1, t: 'a' },
        { id: 2, t: 'a' },
        { id: 3, t: 'a' },
      ],
    })
    store.replace('posts', '1', { id: 1, t: 'request' })
    store.replace('posts', '2', { id: 2, t: 'request' })
    store.insert('posts', { t: 'created' })
    const conflicts = store.reload('posts', [
      { id: 3, t: 'file' },
      { id: 2, t: 'file' },
      { id: 1, t: 'a' },
    ])
    expect(conflicts).toEqual(['2'])
    expect(valueOf(store, 'posts')).toEqual([
      { id: 3, t: 'file' },
      { id: 2, t: 'file' },
      { id: 1, t: 'request' },
      { id: 4, t: 'created' },
    ])
  })

  it('never gives an id again that a request has used', () => {
    const store = open({ posts: [{ id: 1 }] })
    store.insert('posts', {})
    store.remove('posts', '2')
    store.reload('posts', [{ id: 1 }, { id: 9 }])
    expect(store.insert('posts', {})).toEqual({ id: 10 })
    store.reload('posts', [])
    expect(store.insert('posts', {})).toEqual({ id: 11 })
  })

  it('draws no id of a record that a request created', () => {
    const store = open({ posts: [{ t: 'a' }] })
    store.insert('posts', { t: 'request' })
    const made = { id: 2, t: 'request' }
    expect(store.reload('posts', [{ t: 'a' }, { t: 'file' }])).toEqual([])
    expect(valueOf(store, 'posts')).toEqual([{ id: 1, t: 'a' }, { id: 3, t: 'file' }, made])
    expect(store.reload('posts', [{ t: 'a' }, { t: 'file' }, { t: 'more' }])).toEqual([])
    expect(valueOf(store, 'posts')).toEqual([
      { id: 1, t: 'a' },
      { id: 3, t: 'file' },
      { id: 4, t: 'more' },
      made,
    ])
  })

  it('takes the type that an id has in the file now', () => {
    const store = open({ posts: [{ id: 1 }] })
    store.reload('posts', [{ id: '1' }])
    expect(valueOf(store, 'posts')).toEqual([{ id: '1' }])
  })

  it('knows every key that a record has ever had', () => {
    const store = open({ posts: [{ id: 1, a: 1 }] })
    store.reload('posts', [{ id: 1, b: 1 }])
    expect([...store.collection('posts').keys()].sort()).toEqual(['a', 'b', 'id'])
  })

  it('knows every path that a record has ever had', () => {
    const list = [{ by: { name: 'x' } }]
    const store = open({
      posts: [
        { id: 1, a: { b: 1 } },
        { id: 2, list },
      ],
    })
    store.reload('posts', [{ id: 1, a: {} }])
    const known = ['a.b', 'list.by.name', 'list.by.age'].map((path) =>
      store.collection('posts').hasPath(path.split('.')),
    )
    expect(known).toEqual([true, true, false])
  })

  it('knows every path that a request has taken away', () => {
    const store = open({ posts: [{ id: 1, a: { b: 1, c: [{ d: 1 }] }, e: [{ f: 1 }] }] })
    store.replace('posts', '1', { id: 1, a: { b: 1, c: 'text' }, e: { f: 1 } })
    store.replace('posts', '1', { id: 1, a: { b: 1 } })
    store.remove('posts', '1')
    const known = ['a.b', 'a.c', 'a.c.d', 'e.f', 'e.length', 'a.e'].map((path) =>
      store.collection('posts').hasPath(path.split('.')),
    )
    expect(known).toEqual([true, true, true, true, false, false])
    expect([...store.collection('posts').keys()].sort()).toEqual(['a', 'e', 'id'])
  })

  it('knows the keys of a record that only the file has added', () => {
    const store = open({ posts: [{ id: 1, a: 1 }] })
    expect([...store.collection('posts').keys()]).toEqual(['id', 'a'])
    store.reload('posts', [
      { id: 1, a: 1 },
      { id: 2, b: 1 },
    ])
    expect([...store.collection('posts').keys()]).toEqual(['id', 'a', 'b'])
  })

  it('lets a request take the id of a record that the file has dropped', () => {
    const store = open({ posts: [{ id: 1 }, { id: 2 }] })
    store.reload('posts', [{ id: 1 }])
    expect(store.insert('posts', { id: 2, t: 'request' })).toEqual({ id: 2, t: 'request' })
  })

  it('goes on after a reset from the highest id that the file has now', () => {
    const store = open({ posts: [{ id: 1 }, { id: 9 }] })
    store.reload('posts', [{ id: 1 }])
    store.reset()
    expect(store.insert('posts', {})).toEqual({ id: 2 })
  })

  it('keeps the ordinal of a changed record behind a removed record', () => {
    const store = open({ posts: [{ id: 1 }, { id: 2 }, { id: 3 }] })
    store.remove('posts', '1')
    const before = store.collection('posts')
    const [ordinal, { version }] = [before.ordinalOf('3'), before]
    store.reload('posts', [{ id: 1 }, { id: 2 }, { id: 3, t: 'file' }])
    const posts = store.collection('posts')
    expect(posts.records()).toEqual([{ id: 2 }, { id: 3, t: 'file' }])
    expect(posts.get('3')).toEqual({ id: 3, t: 'file' })
    expect(posts.ordinalOf('3')).toBe(ordinal)
    expect(posts.version).not.toBe(version)
    store.insert('posts', { t: 'request' })
    expect(posts.records()).toEqual([{ id: 2 }, { id: 3, t: 'file' }, { id: 4, t: 'request' }])
  })

  it('keeps a singleton that only requests changed, and the file where both did', () => {
    const store = open({ profile: { a: 1 } })
    store.replaceSingleton('profile', { a: 2 })
    expect(store.reload('profile', { a: 1 })).toEqual([])
    expect(valueOf(store, 'profile')).toEqual({ a: 2 })
    expect(store.reload('profile', { a: 3 })).toEqual([''])
    expect(valueOf(store, 'profile')).toEqual({ a: 3 })
    store.replaceSingleton('profile', { a: 4 })
    expect(store.reload('profile', { a: 4 })).toEqual([])
    expect(valueOf(store, 'profile')).toEqual({ a: 4 })
  })

  it('takes documents from the file', () => {
    const store = open({ list: [1] })
    expect(store.reload('list', [2])).toEqual([])
    expect(valueOf(store, 'list')).toEqual([2])
  })

  const kinds: [title: string, value: Json, expected: Json][] = [
    ['a singleton', { a: 1 }, { a: 1 }],
    ['a document', 7, 7],
  ]

  it.each(kinds)(
    'names what requests lose where a collection becomes %s',
    (_title, value, expected) => {
      const store = open({ posts: [{ id: 1 }, { id: 2 }, { id: 3 }] })
      store.replace('posts', '1', { id: 1, t: 'request' })
      store.remove('posts', '2')
      store.insert('posts', {})
      expect(store.reload('posts', value)).toEqual(['1', '4', '2'])
      expect(valueOf(store, 'posts')).toEqual(expected)
    },
  )

  const returned: [title: string, posts: Json, expected: Json][] = [
    ['unchanged', [{ id: 1 }, { id: 2 }], [{ id: 1, t: 'request' }, { id: 3 }]],
    ['changed', [{ id: 1 }, { id: 9 }], [{ id: 1, t: 'request' }, { id: 9 }, { id: 3 }]],
  ]

  it.each(returned)(
    'keeps what requests did while a file is away that comes back %s',
    (_title, posts, expected) => {
      const store = open({ posts: [{ id: 1 }, { id: 2 }], profile: { a: 1 } })
      store.replace('posts', '1', { id: 1, t: 'request' })
      store.remove('posts', '2')
      store.insert('posts', {})
      store.replaceSingleton('profile', { a: 2 })
      for (const name of ['posts', 'profile', 'posts']) {
        expect(store.reload(name, undefined)).toEqual([])
        expect(valueOf(store, name)).toBeUndefined()
      }
      const fork = store.fork()
      for (const one of [store, fork]) {
        expect(one.reload('posts', posts)).toEqual([])
        expect(one.reload('profile', { a: 1 })).toEqual([])
        expect([valueOf(one, 'posts'), valueOf(one, 'profile')]).toEqual([expected, { a: 2 }])
      }
      fork.insert('posts', { t: 'fork' })
      expect(valueOf(store, 'posts')).toEqual(expected)
    },
  )

  it('forgets what requests did to a removed file on a reset', () => {
    const store = open({ posts: [{ id: 1 }] })
    store.insert('posts', {})
    store.reload('posts', undefined)
    store.reset()
    store.reload('posts', [{ id: 1 }])
    expect(valueOf(store, 'posts')).toEqual([{ id: 1 }])
  })

  it('goes back to the file as it was last read', () => {
    const store = open({ posts: [{ id: 1 }] })
    store.insert('posts', {})
    store.reload('posts', [{ id: 7 }])
    store.reset()
    expect(valueOf(store, 'posts')).toEqual([{ id: 7 }])
  })

  it('merges from the rebased fixture', () => {
    const store = open({ posts: [{ id: 1, t: 'a' }] })
    store.replace('posts', '1', { id: 1, t: 'request' })
    store.rebase('posts', store.collection('posts').fork())
    expect(store.reload('posts', [{ id: 1, t: 'file' }])).toEqual([])
    expect(valueOf(store, 'posts')).toEqual([{ id: 1, t: 'file' }])
  })

  it('keeps resources on a reset, but not on a restore', () => {
    const store = open({ posts: [{ id: 1 }], users: [{ id: 1 }] })
    const snapshot = store.fork()
    store.keepOnReset((name) => name === 'posts')
    store.insert('posts', {})
    store.insert('users', {})
    store.reset()
    expect([valueOf(store, 'posts'), valueOf(store, 'users')]).toEqual([
      [{ id: 1 }, { id: 2 }],
      [{ id: 1 }],
    ])
    store.restore(snapshot)
    expect(valueOf(store, 'posts')).toEqual([{ id: 1 }])
  })

  it('finds new relations where the number of keys is the same', () => {
    const store = open({ posts: [{ id: 1, userId: 1 }], users: [{ id: 1 }], writers: [{ id: 1 }] })
    const links = createLinks(store)
    const snapshot = store.fork()
    expect(links.childNames('users')).toEqual(['posts'])
    store.reload('posts', [{ id: 1, writerId: 1 }])
    store.reset()
    expect(links.childNames('writers')).toEqual(['posts'])
    store.restore(snapshot)
    expect(links.childNames('writers')).toEqual([])
  })

  it('restores the resources that there still are, and no others', () => {
    const store = open({ posts: [{ id: 1 }], gone: [{ id: 1 }] })
    const snapshot = store.fork()
    store.reload('gone', undefined)
    store.reload('made', [{ id: 5 }])
    store.insert('made', {})
    store.insert('posts', {})
    store.restore(snapshot)
    expect([...store.resources.keys()]).toEqual(['posts', 'made'])
    expect([valueOf(store, 'posts'), valueOf(store, 'made')]).toEqual([[{ id: 1 }], [{ id: 5 }]])
  })

  it('finds every record by its id after any reload, in the order of the merge', () => {
    const record = fc.record({ id: fc.nat(7), t: fc.constantFrom('a', 'b') })
    const list = fc.uniqueArray(record, { selector: ({ id }) => id, maxLength: 8 })
    fc.assert(
      fc.property(list, list, list, (base, theirs, ours) => {
        // A file that says what it said before is no reload.
        fc.pre(!isSame(base, theirs))
        const store = open({ posts: base })
        for (const { id } of base) store.remove('posts', String(id))
        for (const one of ours) store.insert('posts', one)
        const fork = store.fork()
        store.reload('posts', theirs)
        const { records } = mergeRecords({ base, theirs, ours }, 'id')
        const posts = store.collection('posts')
        expect(posts.records()).toEqual(records)
        expect(posts.size).toBe(records.length)
        for (const one of records) expect(posts.get(idOf(one, 'id') ?? '')).toEqual(one)
        const ordinals = records.map((one) => posts.ordinalOf(idOf(one, 'id') ?? '') ?? -1)
        expect(ordinals).toEqual([...ordinals].sort((x, y) => x - y))
        for (let id = 0; id < 8; id++) {
          const isThere = records.some((one) => one['id'] === id)
          expect(posts.get(String(id)) !== undefined).toBe(isThere)
        }
        expect(fork.collection('posts').records()).toEqual(ours)
      }),
    )
  })
})

function open(fixtures: Record<string, Json>): Store {
  return createStore(
    new Map(Object.entries(fixtures)),
    { idField: () => 'id', onFailure: fail },
    createRandom('test'),
  )
}

function valueOf(store: Store, name: string): Json | JsonRecord[] | undefined {
  const resource = store.resources.get(name)
  return resource && content(resource)
}

function fail(error: unknown): never {
  throw error as Error
}
