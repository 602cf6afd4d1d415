import refineSimpleRest from '@refinedev/simple-rest'
import jsonServerProvider from 'ra-data-json-server'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'

import { schema } from '../../../src/behaviours.ts'
import { type Dialect, simpleRest } from '../../../src/dialects.ts'
import { createMock } from '../../../src/index.ts'
import { serve, type Serving } from '../../../src/node.ts'
import { type Client, clients, type Told } from './clients.ts'

const fixtures = {
  posts: Array.from({ length: 25 }, (_, index) => ({
    id: index + 1,
    title: `Post ${index + 1}`,
    views: (index * 7) % 25,
    status: index % 2 === 0 ? 'draft' : 'published',
    author: { name: index % 5 === 0 ? 'Ann' : 'Bob' },
    userId: (index % 3) + 1,
  })),
  users: [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Grace' },
    { id: 3, name: 'Linus' },
  ],
  places: ['a.b', 'ü', 'a b', 'x/y', '100%', 'q?z', '007', 'A', 'Rome, Italy', 'null'].map(
    (id) => ({
      id,
    }),
  ),
}

/** The dialect of each client: none stands for the default. */
const rows: [name: string, dialect: Dialect | undefined][] = Object.keys(clients).map((name) => [
  name,
  name === 'ra-data-simple-rest' ? simpleRest : undefined,
])

const idsOf = (records: readonly { id: unknown }[]): unknown[] => records.map(({ id }) => id)

/** The ids of the posts that fulfil a condition, in their order. */
function ids(condition: (post: (typeof fixtures.posts)[number]) => boolean): number[] {
  return fixtures.posts.filter(condition).map(({ id }) => id)
}

describe.each(rows)('%s', (name, dialect) => {
  let serving: Serving
  let client: Client

  beforeEach(async () => {
    const use = [schema({ users: { required: ['name'], properties: { name: { minLength: 2 } } } })]
    const mock = createMock({ fixtures, use, ...(dialect && { dialect }) })
    serving = await serve(mock, { port: 0, host: '127.0.0.1' })
    const made = clients[name]?.(serving.url)
    if (!made) throw new Error(`There is no client "${name}".`)
    client = made
  })

  afterEach(() => serving.close())

  async function failureOf(call: () => Promise<unknown>): Promise<Told> {
    try {
      await call()
    } catch (error) {
      return client.told(error)
    }
    throw new Error('The call has not failed.')
  }

  it('lists a page with the total', async () => {
    const { data, total } = await client.list('posts', { page: 2, size: 10 })
    expect(idsOf(data)).toEqual([11, 12, 13, 14, 15, 16, 17, 18, 19, 20])
    expect(data[0]).toEqual(fixtures.posts[10])
    expect(total).toBe(25)
  })

  it('lists the last page, which is not full', async () => {
    const { data, total } = await client.list('posts', { page: 3, size: 10 })
    expect(idsOf(data)).toEqual([21, 22, 23, 24, 25])
    expect(total).toBe(25)
  })

  it('lists nothing behind the last page', async () => {
    const { data, total } = await client.list('posts', { page: 9, size: 10 })
    expect(data).toEqual([])
    expect(total).toBe(25)
  })

  it.each(['asc', 'desc'] as const)('sorts in the order %s', async (order) => {
    const { data } = await client.list('posts', { sort: ['views', order], size: 25 })
    const views = fixtures.posts.map((post) => post.views).toSorted((a, b) => a - b)
    expect(data.map((post) => post['views'])).toEqual(order === 'asc' ? views : views.toReversed())
  })

  it('sorts by the inside of an object', async () => {
    const { data } = await client.list('posts', { sort: ['author.name', 'asc'], size: 5 })
    expect(idsOf(data)).toEqual(ids(({ author }) => author.name === 'Ann'))
  })

  it('filters by one value', async () => {
    const { data, total } = await client.list('posts', { equal: { status: 'published' }, size: 25 })
    expect(idsOf(data)).toEqual(ids(({ status }) => status === 'published'))
    expect(total).toBe(12)
  })

  it('filters by one of several values', async () => {
    const { data } = await client.list('posts', { equal: { views: [0, 7, 14] } })
    expect(idsOf(data)).toEqual(ids(({ views }) => [0, 7, 14].includes(views)))
  })

  it('filters by a bound', async () => {
    const { data, total } = await client.list('posts', { least: { views: 20 } })
    expect(idsOf(data)).toEqual(ids(({ views }) => views >= 20))
    expect(total).toBe(5)
  })

  it('filters by the inside of an object', async () => {
    const { data } = await client.list('posts', { equal: { 'author.name': 'Ann' } })
    expect(idsOf(data)).toEqual(ids(({ author }) => author.name === 'Ann'))
  })

  it('searches', async () => {
    const { data, total } = await client.list('posts', { search: 'post 2' })
    expect(idsOf(data)).toEqual([2, 20, 21, 22, 23, 24, 25])
    expect(total).toBe(7)
  })

  it('filters, sorts and pages at once', async () => {
    const asked = { equal: { status: 'draft' }, sort: ['id', 'desc'] as ['id', 'desc'] }
    const { data, total } = await client.list('posts', { ...asked, page: 2, size: 3 })
    expect(idsOf(data)).toEqual([19, 17, 15])
    expect(total).toBe(13)
  })

  it('reads one record', async () => {
    expect(await client.one('posts', 7)).toEqual(fixtures.posts[6])
  })

  it('reads many records', async () => {
    expect(idsOf(await client.many('posts', [3, 1, 25]))).toEqual([1, 3, 25])
  })

  it('reads many records by the texts of their ids', async () => {
    expect(idsOf(await client.many('posts', ['3', 1, '99', 'x']))).toEqual([1, 3])
  })

  it('reads many records of any ids', async () => {
    const wanted = idsOf(fixtures.places) as string[]
    expect(idsOf(await client.many('places', wanted))).toEqual(wanted)
  })

  it('lists a page of no records with the total', async () => {
    const { data, total } = await client.list('posts', { size: 0 })
    expect(data).toEqual([])
    expect(total).toBe(25)
  })

  it('reads the records that refer to one', async () => {
    const { data, total } = await client.reference('posts', 'userId', 2)
    expect(idsOf(data)).toEqual(ids(({ userId }) => userId === 2))
    expect(total).toBe(8)
  })

  it('creates a record', async () => {
    const created = await client.create('posts', { title: 'New' })
    expect(created).toMatchObject({ id: 26, title: 'New' })
    expect(await client.one('posts', 26)).toEqual({ id: 26, title: 'New' })
  })

  it('updates a record and keeps what it does not change', async () => {
    const previous = await client.one('posts', 3)
    const updated = await client.update('posts', 3, { title: 'Changed' }, previous)
    expect(updated).toEqual({ ...fixtures.posts[2], title: 'Changed' })
    expect(await client.one('posts', 3)).toEqual({ ...fixtures.posts[2], title: 'Changed' })
  })

  it('updates many records', async () => {
    expect(await client.updateMany('posts', [1, 2], { status: 'archived' })).toEqual([1, 2])
    const { data } = await client.list('posts', { equal: { status: 'archived' } })
    expect(idsOf(data)).toEqual([1, 2])
  })

  it('deletes a record', async () => {
    expect(await client.remove('posts', 3)).toMatchObject({ id: 3 })
    const { total } = await client.list('posts')
    expect(total).toBe(24)
  })

  it('deletes many records', async () => {
    expect(await client.removeMany('posts', [1, 2, 3])).toEqual([1, 2, 3])
    const { total } = await client.list('posts')
    expect(total).toBe(22)
  })

  it('tells of a record that is not there', async () => {
    const { status, message } = await failureOf(() => client.update('posts', 99, { a: 1 }, {}))
    expect(status).toBe(404)
    expect(message).toContain('Failed to find \\"99\\"'.replaceAll('\\', isText(name) ? '\\' : ''))
  })

  it('tells of an id that is taken', async () => {
    const { status, message } = await failureOf(() => client.create('posts', { id: 1 }))
    expect(status).toBe(409)
    expect(message).toContain('there is a record with this id')
  })

  it('tells of fields that are wrong', async () => {
    const told = await failureOf(() => client.create('users', { name: 'A' }))
    expect(told.status).toBe(422)
    expect(told.message).toContain('name')
    if (!isText(name)) expect(told.errors).toEqual({ name: expect.stringContaining('2') })
  })

  it('reads what the server says of a resource that is not there', async () => {
    const { status, message } = await failureOf(() => client.create('nope', {}))
    expect(status).toBe(404)
    expect(message).toContain('there is no such resource')
  })
})

describe('what only one client sends', () => {
  let serving: Serving

  beforeEach(async () => {
    const comments = [{ id: 1, postId: 2 }]
    const mock = createMock({ fixtures: { ...fixtures, comments } })
    serving = await serve(mock, { port: 0, host: '127.0.0.1' })
  })

  afterEach(() => serving.close())

  it('is a list of react-admin without a page, which needs the total too', async () => {
    const { data, total } = await jsonServerProvider(serving.url).getList('users', {})
    expect(idsOf(data)).toEqual([1, 2, 3])
    expect(total).toBe(3)
  })

  it('is a record of react-admin with what is related to it', async () => {
    const provider = jsonServerProvider(serving.url)
    const { data } = await provider.getOne('posts', {
      id: 2,
      meta: { embed: ['comments', 'user'] },
    })
    expect(data).toMatchObject({ comments: [{ id: 1, postId: 2 }], user: { id: 2, name: 'Grace' } })
  })

  it('is a deletion of refine with a body', async () => {
    const provider = refineSimpleRest(serving.url)
    const { data } = await provider.deleteOne({ resource: 'users', id: 1, variables: { why: 'x' } })
    expect(data).toEqual({ id: 1, name: 'Ada' })
  })

  it('is a list of refine without any parameter', async () => {
    const provider = refineSimpleRest(serving.url)
    const { data, total } = await provider.getList({
      resource: 'users',
      pagination: { mode: 'off' },
    })
    expect(idsOf(data as { id: unknown }[])).toEqual([1, 2, 3])
    expect(total).toBe(3)
  })
})

/** Whether a client tells of an error by the text of the whole body. */
function isText(name: string): boolean {
  return name === '@refinedev/rest'
}
