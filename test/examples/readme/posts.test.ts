import { createMock } from 'fixtura'
import { handlers, strict } from 'fixtura/msw'
import { setupServer } from 'msw/node'
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest'
import posts from './fixtures/posts.json' with { type: 'json' }

const mock = createMock({ fixtures: { posts }, base: '/api' })
const server = setupServer(...handlers(mock))
beforeAll(() => server.listen(strict())) // an unmocked request is an error, on MSW 2 and 3
beforeEach(() => mock.reset())
afterAll(() => server.close())

test('adds a post', async () => {
  const body = JSON.stringify({ title: 'New' })
  const headers = { 'Content-Type': 'application/json' }
  const response = await fetch('http://localhost/api/posts', { method: 'POST', headers, body })
  expect(response.status).toBe(201)
  expect(mock.db.posts.count()).toBe(3)
})

test('says so when the service is down', async () => {
  mock.on('GET', '/posts').fail(503, { times: 1 })
  expect((await fetch('http://localhost/api/posts')).status).toBe(503)
  expect((await fetch('http://localhost/api/posts')).status).toBe(200)
})
