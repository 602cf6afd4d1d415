import { dataProvider as createRefineProvider } from '@refinedev/supabase'
import { createClient } from '@supabase/supabase-js'
import { setupServer } from 'msw/node'
import { supabaseDataProvider } from 'ra-supabase-core'
import { describe, expect, it, onTestFinished } from 'vitest'

import { routes } from '../../src/behaviours.ts'
import { supabase } from '../../src/dialects.ts'
import { createMock, type Mock } from '../../src/index.ts'
import { handlers, strict } from '../../src/msw.ts'
import { serve } from '../../src/node.ts'

function createBackend() {
  return createMock({
    seed: 1,
    dialect: supabase,
    fixtures: {
      posts: [
        { id: 1, title: 'First', views: 10, author_id: 1 },
        { id: 2, title: 'Second', views: 20, author_id: 2 },
        { id: 3, title: 'Third', views: null, author_id: 1 },
      ],
      authors: [
        { id: 1, name: 'Ann' },
        { id: 2, name: 'Bob' },
      ],
    },
    use: [
      routes({
        'POST /rest/v1/rpc/add': async (request) => {
          const { a, b } = (await request.json()) as { a: number; b: number }
          return Response.json(a + b)
        },
        'POST /rest/v1/rpc/popular': () =>
          Response.json([
            { id: 1, views: 10 },
            { id: 2, views: 20 },
          ]),
      }),
    ],
  })
}

/** The ways from a client to the mock; each returns the URL and the fetch function of the client. */
const ways: Record<string, (mock: Mock) => Promise<{ url: string; fetch?: typeof fetch }>> = {
  async HTTP(mock) {
    const server = await serve(mock, { port: 0 })
    onTestFinished(() => server.close())
    return { url: server.url }
  },
  async MSW(mock) {
    const server = setupServer(...handlers(mock))
    server.listen(strict())
    onTestFinished(() => server.close())
    return { url: 'http://supabase.test' }
  },
  'mock.fetch': async (mock) => ({ url: 'http://supabase.test', fetch: mock.fetch }),
}

// Node 20 has no WebSocket of its own, without which no client is created.
const realtime = { transport: function socket() {} as never }

async function connect(way: string) {
  const { url, fetch } = (await ways[way]?.(createBackend())) ?? { url: '' }
  const auth = { autoRefreshToken: false, persistSession: false }
  const client = createClient(url, 'any', { realtime, auth, ...(fetch && { global: { fetch } }) })
  return { url, client }
}

describe.each(Object.keys(ways))('over %s', (way) => {
  it('supabase-js reads rows by filters, embeds and pages', async () => {
    const { client } = await connect(way)
    const posts = () =>
      client.from('posts').select('id, title, authors!inner(name)', { count: 'exact' })
    const page = await posts().order('views', { ascending: false }).range(0, 1)
    expect(page).toMatchObject({ error: null, count: 3, status: 206 })
    expect(page.data).toEqual([
      { id: 3, title: 'Third', authors: { name: 'Ann' } },
      { id: 2, title: 'Second', authors: { name: 'Bob' } },
    ])
    const filters = [
      posts().eq('authors.name', 'Bob'),
      posts().gt('views', 10),
      posts().not('id', 'in', '(1,3)'),
      posts().or('views.eq.20,title.eq.none'),
      posts().match({ title: 'Second', views: 20 }),
      posts().ilike('title', 'sec%'),
      posts().textSearch('title', 'second', { type: 'websearch' }),
    ]
    for (const filter of filters) expect((await filter).data?.map(({ id }) => id)).toEqual([2])
    expect((await posts().is('views', null)).data).toHaveLength(1)
    expect((await client.from('posts').select('*').eq('id', 1).single()).data).toEqual({
      id: 1,
      title: 'First',
      views: 10,
      author_id: 1,
    })
    expect((await client.from('posts').select().eq('id', 9).maybeSingle()).data).toBeNull()
    const many = await client.from('posts').select().single()
    expect(many.error).toMatchObject({ code: 'PGRST116', details: 'The result contains 3 rows' })
    const head = await client.from('posts').select('*', { count: 'exact', head: true })
    expect(head.count).toBe(3)
    expect((await client.from('posts').select('id').csv()).data).toBe('id\n1\n2\n3')
  })

  it('supabase-js inserts, upserts, updates and deletes rows', async () => {
    const { client } = await connect(way)
    const inserted = await client
      .from('posts')
      .insert({ title: 'New', author_id: 2 })
      .select('id, authors(name)')
      .single()
    expect(inserted.data).toEqual({ id: 4, authors: { name: 'Bob' } })
    const bulk = await client.from('posts').insert([{ title: 'A' }, { title: 'B', views: 1 }])
    expect(bulk).toMatchObject({ error: null, status: 201, data: null })
    const upserted = await client
      .from('posts')
      .upsert([
        { id: 4, title: 'Newer' },
        { id: 9, title: 'Ninth' },
      ])
      .select('id, title')
    expect(upserted.data).toEqual([
      { id: 4, title: 'Newer' },
      { id: 9, title: 'Ninth' },
    ])
    const updated = await client.from('posts').update({ views: 5 }).eq('id', 4).select('views')
    expect(updated.data).toEqual([{ views: 5 }])
    const removed = await client.from('posts').delete({ count: 'exact' }).gte('id', 4)
    expect(removed).toMatchObject({ error: null, status: 204, count: 4 })
    const taken = await client.from('posts').insert({ id: 1, title: 'Again' })
    expect(taken).toMatchObject({
      status: 409,
      error: { code: '23505', details: 'Key (id)=(1) already exists.' },
    })
  })

  it('supabase-js calls functions, which are routes', async () => {
    const { client } = await connect(way)
    expect((await client.rpc('add', { a: 1, b: 2 })).data).toBe(3)
    expect((await client.rpc('popular').gt('views', 10).select('id')).data).toEqual([{ id: 2 }])
    const unknown = await client.rpc('nope', { a: 1 })
    expect(unknown).toMatchObject({ status: 404, error: { code: 'PGRST202' } })
  })

  it('refine lists, reads and changes records', async () => {
    const { client } = await connect(way)
    const provider = createRefineProvider(client as never)
    const list = await provider.getList({
      resource: 'posts',
      pagination: { currentPage: 1, pageSize: 1 },
      sorters: [{ field: 'views', order: 'asc' }],
      filters: [{ field: 'views', operator: 'gte', value: 10 }],
      meta: { select: '*, authors(name)' },
    })
    expect(list).toEqual({
      data: [{ id: 1, title: 'First', views: 10, author_id: 1, authors: { name: 'Ann' } }],
      total: 2,
    })
    const created = await provider.create({ resource: 'posts', variables: { title: 'New' } })
    const { id = 0 } = created.data
    expect((await provider.getOne({ resource: 'posts', id })).data).toMatchObject({ title: 'New' })
    await provider.update({ resource: 'posts', id, variables: { title: 'Newer' } })
    expect((await provider.getMany?.({ resource: 'posts', ids: [id] }))?.data).toMatchObject([
      { title: 'Newer' },
    ])
    await provider.deleteOne({ resource: 'posts', id })
    expect((await provider.getOne({ resource: 'posts', id })).data).toBeUndefined()
  })
})

// Its provider sends with the global `fetch` alone.
describe.each(['HTTP', 'MSW'])('over %s', (way) => {
  it('react-admin lists, reads and changes records', async () => {
    const { client, url: instanceUrl } = await connect(way)
    const provider = supabaseDataProvider({
      instanceUrl,
      apiKey: 'any',
      supabaseClient: client as never,
    })
    const list = await provider.getList('posts', {
      pagination: { page: 1, perPage: 1 },
      sort: { field: 'views', order: 'ASC' },
      filter: { 'views@gte': 10 },
    })
    expect(list).toMatchObject({ data: [{ id: 1, title: 'First' }], total: 2 })
    const children = await provider.getManyReference('posts', {
      target: 'author_id',
      id: 1,
      pagination: { page: 1, perPage: 5 },
      sort: { field: 'id', order: 'DESC' },
      filter: {},
    })
    expect(children.data.map(({ id }) => id)).toEqual([3, 1])
    const { data } = await provider.create('posts', { data: { title: 'New' } })
    expect(data).toMatchObject({ id: 4, title: 'New' })
    const change = { id: 4, data: { title: 'Newer' }, previousData: data }
    expect((await provider.update('posts', change)).data).toMatchObject({ title: 'Newer' })
    expect((await provider.getMany('posts', { ids: [4, 1] })).data).toHaveLength(2)
    await provider.delete('posts', { id: 4, previousData: data })
    await expect(provider.getOne('posts', { id: 4 })).rejects.toMatchObject({ status: 406 })
  })
})
