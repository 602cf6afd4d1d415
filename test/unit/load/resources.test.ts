import { expect, it } from 'vitest'

import { loadMock } from '../../../src/node.ts'
import { createFolder } from '../loader/folder.ts'

const fixtures = {
  posts: [
    { key: 'a', title: 'A', writer: 1 },
    { key: 'b', title: 'B', writer: 2 },
  ],
  users: [{ id: 1 }, { id: 2 }],
}

it('the option resources is read from a configuration file', async () => {
  const folder = createFolder({
    'fixtures/posts.json': fixtures.posts,
    'fixtures/users.json': fixtures.users,
    'mock.config.json': JSON.stringify({
      resources: {
        posts: {
          id: 'key',
          relations: { writer: 'users' },
          schema: { type: 'object', required: ['title'] },
          computed: { words: { count: 'title' } },
          list: { posts: '$items' },
          methods: ['GET', 'POST'],
        },
      },
    }),
  })
  const mock = await loadMock(`${folder}/mock.config.json`)
  const get = async (path: string): Promise<unknown> => (await mock.fetch(`http://x${path}`)).json()
  expect(await get('/posts?_fields=key,words')).toEqual({
    posts: [
      { key: 'a', words: 1 },
      { key: 'b', words: 1 },
    ],
  })
  expect(await get('/users/1/posts?_fields=key')).toEqual({ posts: [{ key: 'a' }] })
  const headers = { 'Content-Type': 'application/json' }
  const refused = await mock.fetch('http://x/posts', { method: 'POST', headers, body: '{}' })
  expect(refused.status).toBe(422)
})
