import { describe, expect, expectTypeOf, it } from 'vitest'

import type { Json, JsonRecord } from '../../src/core/json/json.ts'
import { createMock, type DataOf, type FixtureSource, type Mock } from '../../src/index.ts'
import { connect } from '../../src/remote.ts'
import data from './data.json' with { type: 'json' }

interface Post {
  readonly id: number
  status: 'draft' | 'published'
  kind: 'post'
  summary?: string
}

/** The record type of a collection. */
type RecordOf<T extends { all(): unknown[] }> = ReturnType<T['all']>[number]

// `tsc -p test` checks these types; at run time the assertions do nothing.
describe('the record types of fixtures', () => {
  const mock = createMock({ fixtures: data })

  it('are one type for records of different fields', () => {
    expectTypeOf<RecordOf<typeof mock.db.posts>>().toEqualTypeOf<{
      id: string | number
      title: string
      deletedAt?: Json
      tags?: Json[]
      views?: number
      subtitle?: string | null
      author?: { name: string; age?: Json; isAdmin?: boolean }
      comments?: { id: number; by?: string }[]
    }>()
  })

  it('widen the fields of a singleton', () => {
    expectTypeOf(mock.db.profile.get()).toEqualTypeOf<{
      theme: string
      avatar: Json
      sizes: number[]
    }>()
  })

  it('leave documents as they are', () => {
    expectTypeOf(mock.db.colours.get()).toEqualTypeOf<string[]>()
    expectTypeOf(mock.db.version.get()).toEqualTypeOf<number>()
  })

  it('are documents for lists of lists, as in the store', () => {
    const { db } = createMock({ fixtures: { grid: [[1, 2], [3]], mixed: [[1], { id: 2 }] } })
    expectTypeOf(db.grid.get()).toEqualTypeOf<number[][]>()
    expectTypeOf(db.mixed).toHaveProperty('get')
    expectTypeOf(db.mixed).not.toHaveProperty('insert')
    expect([db.grid.get(), Object.keys(db.mixed)]).toEqual([[[1, 2], [3]], ['get']])
  })

  it('have strings instead of dates', () => {
    const { db } = createMock({
      fixtures: { posts: [{ id: 1, at: new Date(), by: { at: new Date() } }] },
    })
    expectTypeOf<RecordOf<typeof db.posts>>().toEqualTypeOf<{
      id: number
      at: string
      by: { at: string }
    }>()
  })

  it('are any for an empty list', () => {
    expectTypeOf<RecordOf<typeof mock.db.nothing>>().toEqualTypeOf<JsonRecord>()
  })

  it('have no literals, also where the data is in the code', () => {
    const inline = createMock({ fixtures: { posts: [{ id: 1, title: 'x' }, { id: 2 }] } })
    expectTypeOf<RecordOf<typeof inline.db.posts>>().toEqualTypeOf<{ id: number; title?: string }>()
  })

  it('have no literals where the data is constant', () => {
    const fixtures = {
      posts: [
        { id: 1, title: 'x', tags: ['a'], deletedAt: null },
        { id: 2, title: 'y' },
      ],
      profile: { theme: 'dark', nested: { isOn: true } },
    } as const
    const constant = createMock({ fixtures })
    expectTypeOf<RecordOf<typeof constant.db.posts>>().toEqualTypeOf<{
      id: number
      title: string
      tags?: string[]
      deletedAt?: Json
    }>()
    expectTypeOf(constant.db.profile.get()).toEqualTypeOf<{
      theme: string
      nested: { isOn: boolean }
    }>()
  })

  it('are the declared types', () => {
    type Shape = { kind: 'circle'; radius: number } | { kind: 'square'; side: number }
    const posts: Post[] = []
    const shapes: Shape[] = []
    const declared = createMock({ fixtures: { posts, shapes } })
    expectTypeOf<RecordOf<typeof declared.db.posts>>().toEqualTypeOf<Post>()
    expectTypeOf<RecordOf<typeof declared.db.shapes>>().toEqualTypeOf<Shape>()
  })

  it('are the declared types with brands', () => {
    interface User {
      id: string & { readonly brand: 'user' }
      age: number & { readonly brand: 'years' }
    }
    const users: User[] = []
    const { db } = createMock({ fixtures: { users } })
    expectTypeOf<RecordOf<typeof db.users>>().toEqualTypeOf<User>()
  })

  it('are optional for an optional fixture', () => {
    const fixtures: { posts?: Post[]; profile?: { theme: string } } = { posts: [] }
    const { db } = createMock({ fixtures })
    expectTypeOf<RecordOf<NonNullable<typeof db.posts>>>().toEqualTypeOf<Post>()
    expectTypeOf(db.posts?.count()).toEqualTypeOf<number | undefined>()
    const theme = ({ profile }: typeof db): string | undefined => profile?.get().theme
    expectTypeOf(theme).returns.toEqualTypeOf<string | undefined>()
  })

  it('are the types of the type argument, whatever the data is', () => {
    interface Named {
      posts: Post[]
      profile: { theme: 'dark' | 'light' }
    }
    const named = createMock<Named>({ fixtures: data })
    expectTypeOf<RecordOf<typeof named.db.posts>>().toEqualTypeOf<Post>()
    expectTypeOf(named.db.profile.get()).toEqualTypeOf<{ theme: 'dark' | 'light' }>()
    expectTypeOf(named).toEqualTypeOf<Mock<Named>>()
  })

  it('are the same for a source', () => {
    type Sourced = DataOf<FixtureSource<typeof data>>
    expectTypeOf<Sourced>().toEqualTypeOf<DataOf<typeof data>>()
  })

  it('allow any resource where the names are unknown', () => {
    const fixtures: Record<string, unknown> = {}
    const globbed = createMock({ fixtures })
    const read = ({ db }: typeof globbed): unknown[] => [
      db['posts']?.insert({ title: 'x' }),
      db['posts']?.get(1)?.['title'],
      db['profile']?.get()['theme'],
      db['profile']?.update({ theme: 'dark' }),
    ]
    expectTypeOf(read).returns.toEqualTypeOf<unknown[]>()
  })

  it('make every mock assignable to Mock', () => {
    expectTypeOf(mock).toExtend<Mock>()
    expectTypeOf(mock.fork()).toExtend<typeof mock>()
  })
})

describe('the types of a running mock', () => {
  const local = createMock({ fixtures: data })
  const mock = connect<typeof data>('http://localhost:3000')

  it('are those of mock.db, with promises', () => {
    type LocalPost = RecordOf<typeof local.db.posts>
    const { db } = mock
    expectTypeOf(db.posts.all).returns.resolves.toEqualTypeOf<LocalPost[]>()
    expectTypeOf(db.posts.get).returns.resolves.toEqualTypeOf<LocalPost | undefined>()
    expectTypeOf(db.posts.insert).parameter(0).toEqualTypeOf<Partial<LocalPost>>()
    expectTypeOf(db.posts.insert).returns.resolves.toEqualTypeOf<LocalPost>()
    expectTypeOf(db.posts.find).parameters.toEqualTypeOf<Parameters<typeof local.db.posts.find>>()
    expectTypeOf(db.posts.count).returns.resolves.toEqualTypeOf<number>()
    expectTypeOf(db.posts.clear).returns.resolves.toEqualTypeOf<void>()
    expectTypeOf(db.profile.get).returns.resolves.toEqualTypeOf<
      ReturnType<typeof local.db.profile.get>
    >()
    expectTypeOf(db.colours.get).returns.resolves.toEqualTypeOf<string[]>()
  })

  it('are the declared types', () => {
    const declared = connect<{ posts: Post[]; profile: { theme: string } }>('http://localhost:3000')
    expectTypeOf(declared.db.posts.all).returns.resolves.toEqualTypeOf<Post[]>()
    expectTypeOf(declared.db.profile.get).returns.resolves.toEqualTypeOf<{ theme: string }>()
  })

  it('allow any resource where the names are unknown', () => {
    const { db } = connect('http://localhost:3000')
    const read = (): unknown[] => [
      db['posts']?.insert({ title: 'x' }).then(({ title }) => title),
      db['posts']?.get(1).then((post) => post?.['title']),
      db['profile']?.get().then((profile) => profile['theme']),
      db['profile']?.update({ theme: 'dark' }),
    ]
    expectTypeOf(read).returns.toEqualTypeOf<unknown[]>()
  })
})
