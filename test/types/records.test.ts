import { describe, expect, expectTypeOf, it } from 'vitest'

import type { Json, JsonRecord } from '../../src/core/json/json.ts'
import { createMock, type DataOf, type FixtureSource, type Mock } from '../../src/index.ts'
import data from './data.json' with { type: 'json' }

interface Post {
  readonly id: number
  status: 'draft' | 'published'
  kind: 'post'
  summary?: string
}

/** A record of the collection at hand. */
type RecordOf<T extends { all(): unknown[] }> = ReturnType<T['all']>[number]

// What counts here is that it compiles; `tsc -p test` is the judge, and running it is a formality.
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

  it('let a singleton hold what its fixture could', () => {
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

  it('take lists of lists for documents, as the store does', () => {
    const { db } = createMock({ fixtures: { grid: [[1, 2], [3]], mixed: [[1], { id: 2 }] } })
    expectTypeOf(db.grid.get()).toEqualTypeOf<number[][]>()
    expectTypeOf(db.mixed).toHaveProperty('get')
    expectTypeOf(db.mixed).not.toHaveProperty('insert')
    expect([db.grid.get(), Object.keys(db.mixed)]).toEqual([[[1, 2], [3]], ['get']])
  })

  it('have the texts that dates become', () => {
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

  it('are those that are declared', () => {
    type Shape = { kind: 'circle'; radius: number } | { kind: 'square'; side: number }
    const posts: Post[] = []
    const shapes: Shape[] = []
    const declared = createMock({ fixtures: { posts, shapes } })
    expectTypeOf<RecordOf<typeof declared.db.posts>>().toEqualTypeOf<Post>()
    expectTypeOf<RecordOf<typeof declared.db.shapes>>().toEqualTypeOf<Shape>()
  })

  it('are those that are declared with a brand', () => {
    interface User {
      id: string & { readonly brand: 'user' }
      age: number & { readonly brand: 'years' }
    }
    const users: User[] = []
    const { db } = createMock({ fixtures: { users } })
    expectTypeOf<RecordOf<typeof db.users>>().toEqualTypeOf<User>()
  })

  it('are undefined at most for a fixture that may be missing', () => {
    const fixtures: { posts?: Post[]; profile?: { theme: string } } = { posts: [] }
    const { db } = createMock({ fixtures })
    expectTypeOf<RecordOf<NonNullable<typeof db.posts>>>().toEqualTypeOf<Post>()
    expectTypeOf(db.posts?.count()).toEqualTypeOf<number | undefined>()
    const theme = ({ profile }: typeof db): string | undefined => profile?.get().theme
    expectTypeOf(theme).returns.toEqualTypeOf<string | undefined>()
  })

  it('are those that are named, whatever the data is', () => {
    interface Named {
      posts: Post[]
      profile: { theme: 'dark' | 'light' }
    }
    const named = createMock<Named>({ fixtures: data })
    expectTypeOf<RecordOf<typeof named.db.posts>>().toEqualTypeOf<Post>()
    expectTypeOf(named.db.profile.get()).toEqualTypeOf<{ theme: 'dark' | 'light' }>()
    expectTypeOf(named).toEqualTypeOf<Mock<Named>>()
  })

  it('come through a source', () => {
    type Sourced = DataOf<FixtureSource<typeof data>>
    expectTypeOf<Sourced>().toEqualTypeOf<DataOf<typeof data>>()
  })

  it('are any resource where nothing is known', () => {
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

  it('make every mock a mock', () => {
    expectTypeOf(mock).toExtend<Mock>()
    expectTypeOf(mock.fork()).toExtend<typeof mock>()
  })
})
