import { strapi as strapiClient } from '@strapi/client'
import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished } from 'vitest'

import { auth } from '../../src/behaviours.ts'
import { type Dialect, strapi } from '../../src/dialects.ts'
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

/** Opens a mock in a dialect over HTTP or behind MSW, and returns its origin. */
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
})
