import {
  authentication,
  createDirectus,
  createItem,
  createItems,
  deleteItem,
  deleteItems,
  readItem,
  readItems,
  readMe,
  readSingleton,
  rest,
  updateItem,
  updateItems,
  updateItemsBatch,
} from '@directus/sdk'
import { strapi as strapiClient } from '@strapi/client'
import { setupServer } from 'msw/node'
import PocketBase from 'pocketbase'
import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { auth } from '../../src/behaviours.ts'
import { type Dialect, directus, pocketbase, strapi } from '../../src/dialects.ts'
import { createMock } from '../../src/index.ts'
import { handlers, strict } from '../../src/msw.ts'
import { serve } from '../../src/node.ts'

const fixtures = {
  articles: [
    { id: 1, title: 'One', views: 3, authorId: 1 },
    { id: 2, title: 'Two', views: 9, authorId: 2 },
    { id: 3, title: 'Three', views: 5, authorId: 2 },
  ],
  authors: [
    { id: 1, name: 'Ada' },
    { id: 2, name: 'Bob' },
  ],
  homepage: { title: 'Hi' },
  users: [{ id: 1, username: 'ada', email: 'ada@example.org', password: 'secret' }],
}

/** Opens a mock in a dialect over HTTP, behind MSW or in place of `fetch`, and returns its origin. */
const faces: Record<string, (dialect: Dialect) => Promise<string>> = {
  async http(dialect) {
    const mock = createMock({ dialect, fixtures, use: [auth({ protect: ['POST *'] })] })
    const server = await serve(mock, { port: 0 })
    onTestFinished(() => server.close())
    return server.url
  },
  async msw(dialect) {
    const mock = createMock({ dialect, fixtures, use: [auth({ protect: ['POST *'] })] })
    const server = setupServer(...handlers(mock))
    server.listen(strict())
    onTestFinished(() => server.close())
    return 'http://mock.test'
  },
  async 'mock.fetch'(dialect) {
    const mock = createMock({ dialect, fixtures, use: [auth({ protect: ['POST *'] })] })
    vi.stubGlobal('fetch', (...sent: Parameters<typeof fetch>) => mock.fetch(new Request(...sent)))
    onTestFinished(() => void vi.unstubAllGlobals())
    return 'http://mock.test'
  },
}

describe.each(Object.entries(faces))('over %s', (_, open) => {
  it('serves @strapi/client', async () => {
    const origin = await open(strapi)
    const login = await fetch(`${origin}/api/auth/local`, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify({ identifier: 'ada', password: 'secret' }),
    })
    const { jwt } = (await login.json()) as { jwt: string }
    const anonymous = strapiClient({ baseURL: `${origin}/api` })
    const client = strapiClient({ baseURL: `${origin}/api`, auth: jwt })
    const articles = client.collection('articles')

    const found = await articles.find({
      filters: { author: { name: { $eq: 'Bob' } }, $or: [{ views: { $gt: 8 } }, { id: 3 }] },
      sort: ['views:desc'],
      populate: { author: { fields: ['name'] } },
      pagination: { page: 1, pageSize: 1 },
    })
    expect(found).toEqual({
      data: [
        {
          id: 2,
          documentId: '2',
          title: 'Two',
          views: 9,
          authorId: 2,
          author: { id: 2, documentId: '2', name: 'Bob' },
        },
      ],
      meta: { pagination: { page: 1, pageSize: 1, pageCount: 2, total: 2 } },
    })
    expect((await articles.findOne('3', { fields: ['title'] })).data).toEqual({
      id: 3,
      documentId: '3',
      title: 'Three',
    })
    await expect(articles.findOne('9')).rejects.toThrow(/404/)

    await expect(anonymous.collection('articles').create({ title: 'x' })).rejects.toThrow(/401/)
    const { data } = await articles.create({ title: 'Four' })
    expect(data.documentId).toBe('4')
    expect((await articles.update('4', { views: 1 })).data).toMatchObject({
      title: 'Four',
      views: 1,
    })
    await articles.delete('4')
    await expect(articles.findOne('4')).rejects.toThrow(/404/)

    const home = client.single('homepage')
    expect((await home.update({ title: 'Ho' })).data).toEqual({ title: 'Ho' })
    expect((await home.find()).data).toEqual({ title: 'Ho' })
    const me = await client.fetch('/users/me')
    expect(await me.json()).toMatchObject({ username: 'ada' })
  })

  it('serves @directus/sdk', async () => {
    const origin = await open(directus)
    // The client keeps the `fetch` of its import, which is not that of MSW.
    const globals = { fetch: (...sent: Parameters<typeof fetch>) => fetch(...sent) }
    const client = createDirectus(origin, { globals })
      .with(authentication('json', { autoRefresh: false }))
      .with(rest())

    const found = await client.request(
      readItems('articles', {
        filter: {
          author: { name: { _eq: 'Bob' } },
          _or: [{ views: { _gt: 8 } }, { id: { _eq: 3 } }],
        },
        sort: ['-views'],
        fields: ['title', { author: ['name'] }],
        limit: 1,
        page: 2,
      }),
    )
    expect(found).toEqual([{ title: 'Three', author: { name: 'Bob' } }])
    const one = await client.request(readItem('articles', 1, { fields: ['*', 'author.*'] }))
    expect(one).toMatchObject({ title: 'One', author: { id: 1, name: 'Ada' } })
    await expect(client.request(readItem('articles', 9))).rejects.toMatchObject({
      errors: [{ extensions: { code: 'FORBIDDEN' } }],
    })
    const create = () => client.request(createItem('articles', { title: 'Four' }))
    await expect(create()).rejects.toMatchObject({
      errors: [{ extensions: { code: 'INVALID_CREDENTIALS' } }],
    })

    await expect(client.login('ada@example.org', 'x')).rejects.toMatchObject({
      errors: [{ message: 'Invalid user credentials.' }],
    })
    await client.login('ada@example.org', 'secret')
    expect(await create()).toEqual({ id: 4, title: 'Four' })
    const titles = [{ title: 'Five' }, { title: 'Six' }]
    expect(await client.request(createItems('articles', titles))).toHaveLength(2)
    const changed = await client.request(updateItem('articles', 4, { views: 1 }))
    expect(changed).toEqual({ id: 4, title: 'Four', views: 1 })
    await client.request(updateItems('articles', [5, 6], { views: 2 }))
    await client.request(updateItemsBatch('articles', [{ id: 6, title: 'Sechs' }]))
    const both = await client.request(readItems('articles', { filter: { views: { _eq: 2 } } }))
    expect(both).toMatchObject([{ title: 'Five' }, { title: 'Sechs' }])
    await client.request(deleteItems('articles', [5, 6]))
    await client.request(deleteItem('articles', 4))
    await expect(client.request(readItem('articles', 4))).rejects.toBeDefined()
    expect(await client.request(readSingleton('homepage'))).toEqual({ title: 'Hi' })
    expect(await client.request(readMe())).toMatchObject({ username: 'ada' })

    const refreshed = await client.refresh()
    expect(refreshed).toMatchObject({ expires: 3_600_000, access_token: expect.any(String) })
    await client.logout()
    await expect(client.request(readMe())).rejects.toMatchObject({
      errors: [{ extensions: { code: 'INVALID_CREDENTIALS' } }],
    })
  })

  it('serves pocketbase', async () => {
    const client = new PocketBase(await open(pocketbase)).autoCancellation(false)
    const articles = client.collection('articles')

    const filter = client.filter('author.name = {:name} && (views > {:least} || id = 3)', {
      name: 'Bob',
      least: 8,
    })
    const found = await articles.getList(1, 1, { filter, sort: '-views', expand: 'author' })
    expect(found).toMatchObject({ page: 1, perPage: 1, totalItems: 2, totalPages: 2 })
    expect(found.items).toMatchObject([
      { title: 'Two', collectionName: 'articles', expand: { author: { name: 'Bob' } } },
    ])
    expect(await articles.getFullList({ batch: 2 })).toHaveLength(3)
    expect(await articles.getFirstListItem("title ~ 'thr'")).toMatchObject({ id: 3 })
    expect(await articles.getOne('1', { fields: 'title' })).toMatchObject({ title: 'One' })
    await expect(articles.getOne('9')).rejects.toMatchObject({ status: 404 })
    await expect(articles.create({ title: 'Four' })).rejects.toMatchObject({ status: 401 })

    const users = client.collection('users')
    await expect(users.authWithPassword('ada', 'x')).rejects.toMatchObject({ status: 400 })
    const { token, record } = await users.authWithPassword('ada', 'secret')
    expect(record).toMatchObject({ username: 'ada', collectionName: 'users' })
    expect(client.authStore.isValid).toBe(true)
    await users.authRefresh()
    expect(client.authStore.token).not.toBe(token)

    expect(await articles.create({ title: 'Four' })).toMatchObject({ id: 4, title: 'Four' })
    const form = new FormData()
    form.set('title', 'Five')
    expect(await articles.create(form)).toMatchObject({ title: 'Five' })
    expect(await articles.update('4', { views: 1 })).toMatchObject({ title: 'Four', views: 1 })
    expect(await articles.delete('4')).toBe(true)
    await expect(articles.getOne('4')).rejects.toMatchObject({ status: 404 })
  })
})
