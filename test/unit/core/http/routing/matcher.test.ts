import { expect, it } from 'vitest'

import type { Exchange } from '../../../../../src/core/http/contract/exchange.ts'
import { toMatcher } from '../../../../../src/core/http/routing/matcher.ts'

const rows: [pattern: string, request: string, expected: boolean][] = [
  ['*', 'GET /api/posts', true],
  ['POST', 'POST /api/posts', true],
  ['POST *', 'POST /api/posts', true],
  ['POST *', 'GET /api/posts', false],
  ['GET *', 'HEAD /api/posts', true],
  ['HEAD *', 'GET /api/posts', false],
  ['GET,PUT orders', 'PUT /api/orders/1', true],
  ['GET,PUT orders', 'HEAD /api/orders/1', true],
  ['GET,PUT orders', 'POST /api/orders', false],
  ['orders', 'GET /api/orders', true],
  ['orders', 'POST /api/orders/1/ship', true],
  ['orders', 'GET /api/ordersOfAll', false],
  ['v1/orders', 'GET /api/v1/orders/1', true],
  ['comments', 'GET /api/posts/1/comments', true],
  ['POST comments', 'GET /api/posts/1/comments', false],
  ['/comments', 'GET /api/posts/1/comments', false],
  ['/orders/:id', 'GET /api/orders/7', true],
  ['/orders/:id', 'GET /api/orders', false],
  ['/orders/:id', 'GET /api/orders/7/items', false],
  ['/orders/*', 'GET /api/orders/7/items', true],
]

it.each(rows)('%s and %s: %s', (pattern, request, expected) => {
  const [method = '', path = ''] = request.split(' ')
  const name = path.endsWith('/comments') ? 'comments' : 'orders'
  const target = path.startsWith('/api/posts/1') ? { resource: { name } } : undefined
  const service = { base: '/api' }
  const exchange = { method, path, target, request: { path }, service } as Exchange
  expect(toMatcher(pattern)(exchange)).toBe(expected)
})
