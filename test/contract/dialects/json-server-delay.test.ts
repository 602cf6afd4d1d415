import { expect, it } from 'vitest'

import { jsonServer0 } from '../../../src/dialects.ts'
import { createMock } from '../../../src/index.ts'
import { createInstantClock } from '../../clocks.ts'
import { faces, type TableRequest } from '../../faces.ts'

const rows: [request: TableRequest, milliseconds: number][] = [
  ['GET /api/posts?_delay=1100', 1100],
  ['GET /api/posts/1?_delay=20.5', 20.5],
  ['GET /api/nope?_delay=20', 20],
  ['GET /api/users/1/posts?_delay=20&_delay=30', 20],
  [{ request: 'POST /api/posts?_delay=20', body: { title: 'x' } }, 20],
  [{ request: 'PUT /api/posts/1?_delay=20', body: { title: 'x' } }, 20],
  ['DELETE /api/posts/1?_delay=20', 20],
  ['GET /api/posts', 0],
  ['GET /api/posts?_delay=x', 0],
  ['GET /api/posts?_delay=-20', 0],
  ['GET /api/posts?_delay=2147483648', 0],
  ['GET /api/db?_delay=20', 0],
]

it.each(rows.flatMap((row) => Object.keys(faces).map((face) => [...row, face] as const)))(
  'json-server-0 delays %j by %d ms (%s)',
  async (request, milliseconds, face) => {
    const mock = createMock({
      base: '/api',
      dialect: jsonServer0,
      clock: createInstantClock(),
      fixtures: { posts: [{ id: 1, title: 'a' }], users: [] },
    })
    const connection = await faces[face]?.(mock)
    await connection?.send(request)
    await connection?.close()
    const reason = milliseconds > 0 ? `delayed ${milliseconds} ms` : ''
    expect(mock.log.map((entry) => [entry.ms, entry.reason])).toEqual([[milliseconds, reason]])
  },
)
