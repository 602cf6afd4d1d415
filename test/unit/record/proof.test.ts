import { describe, expect, it } from 'vitest'

import type { Json } from '../../../src/core/json/json.ts'
import { prove } from '../../../src/record/prove/prove.ts'
import { dataOf, learn, origin, type Short } from '../core/learn/exchanges.ts'

const posts = [1, 2, 3].map((id) => ({ id, title: `Title ${id}` }))

/** A page of Django REST framework: posts 1 and 2, or post 3. */
function toDjangoPage(page: 1 | 2): Json {
  const url = `${origin}/api/posts/?page_size=2`
  return {
    count: 3,
    next: page === 1 ? `${url}&page=2` : null,
    previous: page === 2 ? url : null,
    results: page === 1 ? posts.slice(0, 2) : posts.slice(2),
  }
}

describe('the records alone answer all reads', () => {
  const rows: [title: string, exchanges: Short[]][] = [
    [
      'with links that end with a slash',
      [
        ['GET /api/posts/?page_size=2', toDjangoPage(1)],
        ['GET /api/posts/?page_size=2&page=2', toDjangoPage(2)],
      ],
    ],
    [
      'with errors that name what is missing',
      [
        ['GET /api/posts', posts],
        ['GET /api/posts/8', { message: 'No post [8].' }, { status: 404 }],
        ['GET /api/posts/9', { message: 'No post [9].' }, { status: 404 }],
        ['GET /api/nothing', { message: 'No route api/nothing.' }, { status: 404 }],
      ],
    ],
    [
      'with errors that have codes',
      [
        ['GET /posts', posts],
        [
          'GET /posts/9',
          { error: { code: 'POST_MISSING', status: 404, message: 'Post not found' } },
          { status: 404 },
        ],
        ['GET /none', { error: { code: 'ROUTE', status: 404, message: 'Gone' } }, { status: 404 }],
      ],
    ],
  ]

  it.each(rows)('%s', async (_title, exchanges) => {
    const learned = learn(exchanges)
    const { fromRecords, answers } = await prove(learned, {
      values: dataOf(learned),
      edited: new Set(),
    })
    expect(answers).toEqual([])
    expect(fromRecords).toBe(learned.reads.length)
  })
})
