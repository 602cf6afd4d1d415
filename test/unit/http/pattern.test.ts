import { expect, it } from 'vitest'

import type { Exchange } from '../../../src/core/http/exchange.ts'
import { toPattern } from '../../../src/core/http/pattern.ts'

const rows: [pattern: string, request: string, expected: Record<string, string> | undefined][] = [
  ['*', 'GET /api/posts', {}],
  ['POST *', 'POST /api/posts', {}],
  ['POST *', 'GET /api/posts', undefined],
  ['GET *', 'HEAD /api/posts', {}],
  ['GET,PUT orders', 'PUT /api/orders/1', {}],
  ['orders', 'GET /api/orders', {}],
  ['orders', 'POST /api/orders/1/ship', {}],
  ['orders', 'GET /api/ordersOfAll', undefined],
  ['orders', 'GET /orders', undefined],
  ['v1/orders', 'GET /api/v1/orders/1', {}],
  ['/orders/:id', 'GET /api/orders/7', { id: '7' }],
  ['/orders/:id', 'GET /api/orders/a%20b/', { id: 'a b' }],
  ['/orders/:id', 'GET /api/orders/%zz', { id: '%zz' }],
  ['/orders/:id', 'GET /api/orders', undefined],
  ['/orders/:id', 'GET /api/orders/7/items', undefined],
  ['/orders/*', 'GET /api/orders', {}],
  ['/orders/*', 'GET /api/orders/7/items', {}],
  ['/*/:id', 'GET /api/orders/7', { id: '7' }],
  ['POST /orders/:id/ship', 'POST /api/orders/7/ship', { id: '7' }],
]

it.each(rows)('%s means %s: %o', (pattern, request, expected) => {
  const [method = '', path = ''] = request.split(' ')
  expect(toPattern(pattern, '/api')({ method, path } as Exchange)).toEqual(expected)
})
