import { expect, it } from 'vitest'

import { supabase } from '../../../../../src/dialects.ts'
import { createMock } from '../../../../../src/index.ts'

it('limits the rows of relationships that go to and fro', async () => {
  const posts = Array.from({ length: 4 }, (_, at) => ({ id: at + 1, author_id: 1 }))
  const mock = createMock({ fixtures: { posts, authors: [{ id: 1 }] }, dialect: supabase })
  const select = `${'posts(authors('.repeat(12)}id${'))'.repeat(12)}`
  const response = await mock.fetch(`http://mock.test/rest/v1/authors?select=${select}`)
  expect(response.status).toBe(400)
  expect(await response.json()).toMatchObject({ code: '54000' })
})

it('finds rows of a join table without ids again after a write', async () => {
  const mock = createMock({
    fixtures: {
      posts: [{ id: 1 }],
      tags: [{ id: 1 }, { id: 2 }],
      post_tags: [{ post_id: 1, tag_id: 1 }],
    },
    dialect: supabase,
  })
  const send = (method: string, query: string, body?: unknown): Promise<Response> =>
    mock.fetch(`http://mock.test/rest/v1/post_tags${query}`, {
      method,
      headers: { 'content-type': 'application/json' },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
  expect((await send('POST', '', { post_id: 1, tag_id: 2 })).status).toBe(201)
  expect((await send('DELETE', '?tag_id=eq.1')).status).toBe(204)
  expect((await send('POST', '', { post_id: 1, tag_id: 1 })).status).toBe(201)
  expect((await send('POST', '', { post_id: 1, tag_id: 1 })).status).toBe(409)
  expect((await send('DELETE', '?tag_id=eq.2')).status).toBe(204)
  expect(await (await send('GET', '')).json()).toEqual([{ post_id: 1, tag_id: 1 }])
})

it('has a route for each table, and none for the tables of Supabase itself', () => {
  const { routes } = createMock({ fixtures: { posts: [{ id: 1 }] }, dialect: supabase })
  const paths = routes.filter(({ kind }) => kind !== 'custom').map(({ path }) => path)
  expect(paths).toEqual(['/rest/v1/posts'])
})
