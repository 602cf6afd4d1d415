import { createMock } from 'fixtura'
import { expect, test } from 'vitest'
import posts from './fixtures/posts.json' with { type: 'json' }

test('adds a post', async () => {
  const mock = createMock({ fixtures: { posts } })
  const response = await mock.fetch('/posts', {
    method: 'POST',
    headers: { 'Content-Type': 'application/json' },
    body: JSON.stringify({ title: 'New' }),
  })
  expect(response.status).toBe(201)
  expect(mock.db.posts.count()).toBe(posts.length + 1)
})

test('recovers when the service was down', async () => {
  const mock = createMock({ fixtures: { posts } })
  mock.on('GET', '/posts').fail(503, { times: 1 })
  expect((await mock.fetch('/posts')).status).toBe(503)
  const response = await mock.fetch('/posts')
  expect(await response.json()).toEqual(posts)
})
