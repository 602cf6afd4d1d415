import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'

import Kitsu from 'kitsu'
import { setupServer } from 'msw/node'
import { describe, expect, it, onTestFinished } from 'vitest'

import { jsonApi } from '../../src/dialects.ts'
import { createMock } from '../../src/index.ts'
import { handlers, strict } from '../../src/msw.ts'
import { serve } from '../../src/node.ts'

type Blog = ReturnType<typeof blog>

function blog() {
  return createMock({
    dialect: jsonApi,
    fixtures: {
      articles: [
        { id: 1, title: 'One', authorId: 9 },
        { id: 2, title: 'Two', authorId: 2 },
      ],
      authors: [
        { id: 2, name: 'Zoe' },
        { id: 9, name: 'Dan' },
      ],
      comments: [{ id: 5, body: 'First!', articleId: 1 }],
    },
  })
}

async function open(mock: Blog): Promise<string> {
  const server = await serve(mock, { port: 0, host: '127.0.0.1' })
  onTestFinished(() => server.close())
  return server.url
}

const faces: Record<string, (mock: Blog) => Promise<string> | string> = {
  http: open,
  msw(mock) {
    const server = setupServer(...handlers(mock))
    server.listen(strict())
    onTestFinished(() => server.close())
    return 'http://mock.test'
  },
}

describe.each(Object.entries(faces))('over %s', (_, connect) => {
  it('serves kitsu', async () => {
    const mock = blog()
    const stored = () => mock.db.articles.all()
    const api = new Kitsu({ baseURL: await connect(mock), camelCaseTypes: false, pluralize: false })

    const params = { include: 'author', filter: { 'author.name': 'Dan' }, page: { size: 1 } }
    const { data: found, meta } = await api.get('articles', { params })
    expect(found).toMatchObject([{ id: '1', title: 'One', author: { data: { name: 'Dan' } } }])
    expect(meta).toEqual({ total: 1 })
    const { data: comments } = await api.get('articles/1/comments')
    expect(comments).toMatchObject([{ id: '5', body: 'First!' }])

    const author = { data: { type: 'authors', id: '2' } }
    const { data: created } = await api.create('articles', { title: 'Three', author })
    expect(created).toMatchObject({ id: '3', title: 'Three' })
    expect(stored().at(-1)).toEqual({ id: 3, title: 'Three', authorId: 2 })
    await api.update('articles', { id: '3', title: 'Four' })
    expect(stored().at(-1)?.title).toBe('Four')
    await api.delete('articles', '3')
    expect(stored()).toHaveLength(2)
    await expect(api.get('articles/99')).rejects.toMatchObject({
      errors: [{ status: '404', title: 'Not Found' }],
    })
  })
})

it('serves the JSON:API cache of Ember Data', async () => {
  const mock = blog()
  const script = join(import.meta.dirname, 'clients/warp-drive.js')
  const { stdout } = await promisify(execFile)(process.execPath, [
    '--conditions=unpkg',
    script,
    await open(mock),
  ])
  expect(JSON.parse(stdout)).toEqual({
    read: ['1', 'One', 'Dan', 'First!'],
    listed: [1, 'Two', 2],
    updated: 'Changed',
    missing: [404, 'Not Found'],
  })
  expect(mock.db.articles.get(1)).toMatchObject({ title: 'Changed' })
})
