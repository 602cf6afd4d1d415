import { describe, expect, it } from 'vitest'

import { createMock } from '../../../../src/index.ts'

const posts = [
  { id: 1, title: 'b', views: 3, author: { name: 'Ada' } },
  { id: 2, title: 'a', views: 1, author: { name: 'Bob' } },
  { id: 3, title: 'c', views: 2, author: { name: 'Ada' } },
]
const [first, second, third] = posts

function shop() {
  const fixtures = { posts, profile: { name: 'Ada', theme: 'light' }, colours: ['red', 'green'] }
  const mock = createMock<{
    posts: { id: number; title: string; views?: number; author?: { name: string } }[]
    profile: { name?: string; theme: string }
    colours: string[]
  }>({ fixtures })
  return mock
}

type ShopDb = ReturnType<typeof shop>['db']

describe('the access to a collection', () => {
  it('returns a record by its id, as a number or a string', () => {
    const { db } = shop()
    expect(db.posts.get(1)).toEqual(first)
    expect(db.posts.get('1')).toEqual(first)
    expect(db.posts.get(9)).toBeUndefined()
  })

  it('returns copies', () => {
    const { db } = shop()
    for (const record of [db.posts.get(1), ...db.posts.all(), ...db.posts.find()]) {
      if (record?.author) record.author.name = 'changed'
    }
    expect(db.posts.all()).toEqual(posts)
  })

  type Options = Parameters<ReturnType<typeof shop>['db']['posts']['find']>[0]
  const queries: [title: string, options: Options, ids: number[]][] = [
    ['all', undefined, [1, 2, 3]],
    ['by a field', { where: { title: 'a' } }, [2]],
    ['by a field inside', { where: { 'author.name': 'Ada' } }, [1, 3]],
    ['by a tree', { where: { or: [{ views: { gt: 2 } }, { title: 'a' }] } }, [1, 2]],
    ['in order', { sort: 'views' }, [2, 3, 1]],
    ['in falling order', { sort: '-views' }, [1, 3, 2]],
    ['in an order by several', { sort: 'author.name, -views' }, [1, 3, 2]],
    ['in an order by a list', { sort: ['-author.name', 'id'] }, [2, 1, 3]],
    ['up to a limit', { limit: 2 }, [1, 2]],
    ['none', { limit: 0 }, []],
    ['from an offset', { offset: 1 }, [2, 3]],
    ['a part of an order', { sort: '-id', offset: 1, limit: 1 }, [2]],
    ['a part of what is found', { where: { 'author.name': 'Ada' }, offset: 1, limit: 5 }, [3]],
  ]

  it.each(queries)('finds %s', (_, options, ids) => {
    expect(
      shop()
        .db.posts.find(options)
        .map(({ id }) => id),
    ).toEqual(ids)
  })

  it('reads only the records that an index names, from the second query of a field on', () => {
    let reads = 0
    const posts = Array.from({ length: 1000 }, (_, at) => ({
      id: at + 1,
      get userId() {
        reads++
        return at % 500
      },
      get views() {
        reads++
        return 1000 - at
      },
    }))
    // A source is not copied, so the getters stay.
    const { db } = createMock({ fixtures: { data: { posts }, subscribe: () => () => undefined } })
    const readsOf = (query: () => unknown): number => {
      reads = 0
      query()
      return reads
    }
    for (const userId of [1, 2]) {
      db.posts.find({ where: { userId } })
      db.posts.find({ sort: 'views', offset: userId, limit: 1 })
    }
    expect(db.posts.find({ where: { userId: 3 } }).map(({ id }) => id)).toEqual([4, 504])
    expect(db.posts.find({ sort: 'views', limit: 2 }).map(({ id }) => id)).toEqual([1000, 999])
    // Each copy that is handed out reads both fields.
    expect(readsOf(() => db.posts.find({ where: { userId: 4 } }))).toBe(4)
    expect(readsOf(() => db.posts.find({ sort: 'views', offset: 10, limit: 2 }))).toBe(4)
    expect(readsOf(() => expect(db.posts.count({ where: { userId: 5 } })).toBe(2))).toBe(0)
  })

  it('finds what is written after an index was built', () => {
    const { db } = shop()
    for (const title of ['a', 'b', 'c']) db.posts.find({ where: { title }, sort: 'views' })
    db.posts.insert({ title: 'a', views: 0 })
    db.posts.update(3, { title: 'a' })
    db.posts.remove(2)
    const found = db.posts.find({ where: { title: 'a' }, sort: 'views' })
    expect(found.map(({ id }) => id)).toEqual([4, 3])
  })

  it.each([undefined, NaN, 1n, Symbol('null')])('does not take %s for null', (title) => {
    const { db } = createMock({ fixtures: { posts: [{ id: 1, title: null }] } })
    for (let times = 0; times < 3; times++) {
      expect(db.posts.find({ where: { title: null } })).toHaveLength(1)
      expect(db.posts.find({ where: { title: title as never } })).toEqual([])
    }
  })

  it('counts', () => {
    const { db } = shop()
    expect([db.posts.count(), db.posts.count({ where: { views: { gte: 2 } } })]).toEqual([3, 2])
  })

  const drawn: [title: string, ids: (number | string)[], next: number | RegExp][] = [
    ['the next integer', [3, 7, 5], 8],
    ['the first one', [], 1],
    ['the lowest that is free behind the last there is', [1, Number.MAX_SAFE_INTEGER, 2], 3],
    ['a text where one of the ids is one', [1, 'a'], /^[a-z\d]{10}$/],
    ['a UUID where all ids are', ['3f0c4b6e-0000-4000-8000-000000000000'], /^[\da-f-]{36}$/],
  ]

  it.each(drawn)('draws %s', (_, ids, next) => {
    const { db } = createMock({ fixtures: { posts: ids.map((id) => ({ id })) } })
    expect(db.posts.insert({}).id).toEqual(
      typeof next === 'number' ? next : expect.stringMatching(next),
    )
  })

  it('inserts, drawing an id where there is none', () => {
    const { db } = shop()
    expect(db.posts.insert({ title: 'd' })).toEqual({ id: 4, title: 'd' })
    expect(db.posts.insert({ id: 9, title: 'e' })).toEqual({ id: 9, title: 'e' })
    expect(db.posts.count()).toBe(5)
    expect(() => db.posts.insert({ id: 9, title: 'f' })).toThrow(
      'Failed to insert "9" into "posts": there is a record with this id.',
    )
  })

  it('updates some fields, and replaces all', () => {
    const { db } = shop()
    expect(db.posts.update(1, { title: 'z' })).toEqual({ ...first, title: 'z' })
    expect(db.posts.replace(2, { id: 2, title: 'y' })).toEqual({ id: 2, title: 'y' })
    expect(db.posts.all()).toEqual([{ ...first, title: 'z' }, { id: 2, title: 'y' }, third])
  })

  it.each([
    ['another id in an update', 3, (db: ShopDb) => db.posts.update(1, { id: 3 })],
    ['another id in a replacement', 3, (db: ShopDb) => db.posts.replace(1, { id: 3, title: 'z' })],
    ['null in an update', null, (db: ShopDb) => db.posts.update(1, { id: null as never })],
  ])('refuses %s, like a request', (_, id, write) => {
    const { db } = shop()
    expect(() => write(db)).toThrow(
      `Failed to write "1": its id cannot become ${id}. Please leave it out.`,
    )
    expect(db.posts.all()).toEqual(posts)
  })

  it('takes the same id, as a number or a string', () => {
    const { db } = shop()
    expect(db.posts.update('1', { id: 1, title: 'z' })).toEqual({ ...first, title: 'z' })
    expect(db.posts.update(1, { id: '1' as never, title: 'y' })).toEqual({ ...first, title: 'y' })
  })

  it('removes', () => {
    const { db } = shop()
    expect(db.posts.remove(2)).toEqual(second)
    expect(db.posts.all()).toEqual([first, third])
    db.posts.clear()
    expect(db.posts.all()).toEqual([])
  })

  it.each([
    ['updated', () => shop().db.posts.update(9, {})],
    ['replaced', () => shop().db.posts.replace(9, { id: 9, title: '' })],
    ['updated with another id', () => shop().db.posts.update(9, { id: 3 })],
    ['removed', () => shop().db.posts.remove(9)],
  ])('says what is not there to be %s', (_, write) => {
    expect(write).toThrow('Failed to find "9" in "posts".')
  })
})

describe('the access to other resources', () => {
  it('reads, updates and replaces a singleton', () => {
    const { db } = shop()
    expect(db.profile.get()).toEqual({ name: 'Ada', theme: 'light' })
    expect(db.profile.update({ theme: 'dark' })).toEqual({ name: 'Ada', theme: 'dark' })
    expect(db.profile.replace({ theme: 'none' })).toEqual({ theme: 'none' })
    expect(db.profile.get()).toEqual({ theme: 'none' })
  })

  it('reads a document', () => {
    const { db } = shop()
    db.colours.get().push('blue')
    expect(db.colours.get()).toEqual(['red', 'green'])
    expect(Object.keys(db.colours)).toEqual(['get'])
  })

  it('throws for an unknown name', () => {
    const { db } = shop() as { db: Record<string, unknown> }
    expect(() => db['post']).toThrow('Failed to find the collection "post". Did you mean "posts"?')
  })

  it('lists all names', () => {
    const { db } = shop()
    expect(Object.keys(db)).toEqual(['posts', 'profile', 'colours'])
    expect(['posts' in db, 'nope' in db]).toEqual([true, false])
  })
})
