import { expect, it } from 'vitest'

import type { Hooks } from '../../../src/behaviours.ts'
import { pause, readJsonBody } from '../../../src/behaviours.ts'
import type { Where } from '../../../src/dialects.ts'
import { createManualClock, createMock, type MockOptions, operators } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

const fixtures = {
  posts: [
    { id: 1, title: 'One', views: 5 },
    { id: 2, title: 'Two', views: 20 },
    { id: 3, title: 'Three', views: 30 },
  ],
}

/** A mock with one behaviour of the given hooks. */
function mockWith(hooks: Hooks): () => MockOptions<Record<string, unknown>> {
  return () => ({ fixtures, use: [{ name: 'mine', create: () => hooks }] })
}

const popular: Where = { path: ['views'], operator: operators.gte, operands: [20] }

contract(
  'a behaviour that adds a filter to lists',
  mockWith({
    list({ query }) {
      query.where = query.where ? { and: [query.where, popular] } : popular
    },
  }),
  [
    ['leaves records out', 'GET /posts', { status: 200, body: fixtures.posts.slice(1) }],
    ['keeps the filter of the request', 'GET /posts?title=One', { status: 200, body: [] }],
    ['leaves members as they are', 'GET /posts/1', { status: 200, body: fixtures.posts[0] }],
  ],
)

const json = { 'Content-Type': 'application/json' }

contract(
  'a behaviour that reads the body',
  mockWith({
    routes: [{ methods: ['POST'], path: '/claims' }],
    at: {
      async auth(exchange) {
        if (exchange.method !== 'POST') return undefined
        await readJsonBody(exchange)
        const value = await readJsonBody(exchange)
        return exchange.target ? undefined : { status: 200, headers: [], value }
      },
    },
  }),
  [
    [
      'leaves the body to the action',
      { request: 'POST /posts', headers: json, body: '{"title":"New"}' },
      { status: 201, body: { id: 4, title: 'New' } },
    ],
    [
      'reads the body of a route of its own',
      { request: 'POST /claims', headers: json, body: '{"code":7}' },
      { status: 200, body: { code: 7 } },
    ],
    [
      'responds with 400 to a body that is not JSON',
      { request: 'POST /claims', headers: json, body: '{"title":' },
      { status: 400 },
    ],
    [
      'responds with 400 to a request without a body',
      { request: 'POST /claims', headers: json },
      { status: 400 },
    ],
  ],
)

it('pauses a request on the clock of the mock, until a reset ends the pause', async () => {
  const clock = createManualClock()
  const mock = createMock({
    fixtures,
    clock,
    use: [
      {
        name: 'slow',
        create: (world) => ({ at: { network: (exchange) => pause(exchange, world.clock, 500) } }),
      },
    ],
  })
  const read = mock.fetch('/posts/1')
  const removed = mock.fetch('/posts/1', { method: 'DELETE' })
  mock.reset()
  expect((await removed).status).toBe(503)
  clock.advance(500)
  expect((await read).status).toBe(200)
})
