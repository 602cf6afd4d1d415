import { describe, expect, it } from 'vitest'

import type { Json } from '../../../src/core/json/json.ts'
import { prove } from '../../../src/record/prove/prove.ts'
import { dataOf, learn, origin, type Short } from '../core/learn/exchanges.ts'

const posts = [1, 2, 3].map((id) => ({ id, title: `Title ${id}` }))

const tags = [
  { slug: 'a', label: 'A' },
  { slug: 'b', label: 'B' },
]

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
  const rows: [title: string, ...exchanges: Short[]][] = [
    [
      'with links that end with a slash',
      ['GET /api/posts/?page_size=2', toDjangoPage(1)],
      ['GET /api/posts/?page_size=2&page=2', toDjangoPage(2)],
    ],
    [
      'with errors that name what is missing',
      ['GET /api/posts', posts],
      ['GET /api/posts/8', { message: 'No post [8].' }, { status: 404 }],
      ['GET /api/posts/9', { message: 'No post [9].' }, { status: 404 }],
      ['GET /api/nothing', { message: 'No route api/nothing.' }, { status: 404 }],
    ],
    [
      'with errors that have codes',
      ['GET /posts', posts],
      [
        'GET /posts/9',
        { error: { code: 'POST_MISSING', status: 404, message: 'Post not found' } },
        { status: 404 },
      ],
      ['GET /none', { error: { code: 'ROUTE', status: 404, message: 'Gone' } }, { status: 404 }],
    ],
    [
      'with pages in an envelope, and lists without',
      ['GET /posts', posts],
      ['GET /posts?page=1&limit=2', { items: posts.slice(0, 2), total: 3 }],
      ['GET /posts?page=2&limit=2', { items: posts.slice(2), total: 3 }],
    ],
    [
      'with an id field',
      ['GET /api/v1/tags', tags],
      ['GET /api/v1/tags/b', tags[1]],
      ['GET /api/v1/tags/c', { error: 'Tag c not found' }, { status: 404 }],
    ],
    [
      'with records under their name',
      ['GET /posts', { posts }],
      ['GET /posts/1', { post: posts[0] ?? null }],
      ['GET /tags', { tags }],
      ['GET /tags/b', { tag: tags[1] ?? null }],
    ],
    [
      'with records under a name of two words, as the paths spell it',
      ['GET /blog_posts', { blog_posts: posts }],
      ['GET /blog_posts/1', { blog_post: posts[0] ?? null }],
      ['GET /blog_posts/3', { blog_post: posts[2] ?? null }],
      ['GET /tags/b', { tag: tags[1] ?? null }],
    ],
    [
      'with records under a name of two words, in camelCase',
      ['GET /blog_posts', { blog_posts: posts }],
      ['GET /blog_posts/1', { blogPost: posts[0] ?? null }],
      ['GET /tags', { tags }],
      ['GET /tags/b', { tag: tags[1] ?? null }],
    ],
    [
      'with JSON:API',
      [
        'GET /posts',
        {
          data: posts.map(({ id, title }) => ({
            type: 'posts',
            id: String(id),
            attributes: { title },
          })),
        },
      ],
      ['GET /posts/1', { data: { type: 'posts', id: '1', attributes: { title: 'Title 1' } } }],
    ],
    [
      'with a bare list beside lists in envelopes',
      ['GET /posts', { data: { posts, page: { number: 1, total: 3 } } }],
      ['GET /posts/1', { data: posts[0] ?? null }],
      ['GET /users', { data: { users: [{ id: 4 }], page: { number: 1, total: 1 } } }],
      ['GET /users/4', { data: { id: 4 } }],
      ['GET /tags', tags],
      ['GET /tags/b', tags[1] ?? null],
      ['GET /settings', { theme: 'dark' }],
      ['GET /me', { user: { id: 4 } }],
    ],
    [
      'with one collection in an envelope',
      ['GET /posts', { data: posts, meta: { total: 3 } }],
      ['GET /tags', tags],
      ['GET /tags/a', tags[0] ?? null],
      ['GET /posts/1', { data: posts[0] ?? null }],
    ],
    [
      'with details of some records',
      ['GET /posts', { data: posts, total: 3 }],
      ['GET /posts/1', { ...posts[0], body: 'x', author: { id: 1 } }],
      ['GET /posts/2', { ...posts[1], body: 'y', author: { id: 1 } }],
    ],
    [
      'with lists that leave out fields',
      ['GET /posts', { posts: posts.map(({ id }) => ({ id })) }],
      ['GET /posts/1', posts[0] ?? null],
      ['GET /posts/3', posts[2] ?? null],
      ['GET /posts', { posts: posts.map(({ id }) => ({ id })) }],
    ],
    [
      'with nested paths that alone say the parent',
      ['GET /users', [{ id: 4 }, { id: 5 }]],
      ['GET /users/4/posts', posts.slice(0, 2)],
      ['GET /users/5/posts', posts.slice(2)],
      ['GET /posts', posts],
      ['GET /posts/3', posts[2] ?? null],
    ],
    [
      'with nested paths',
      ['GET /users', [{ id: 4 }, { id: 5 }]],
      ['GET /users/4/posts', posts.slice(0, 2).map((p) => ({ ...p, userId: 4 }))],
      ['GET /users/5/posts', posts.slice(2).map((p) => ({ ...p, userId: 5 }))],
      ['GET /users/4/posts?title=Title 1', posts.slice(0, 1).map((p) => ({ ...p, userId: 4 }))],
    ],
    [
      'with a singleton in the envelope',
      ['GET /posts', { data: posts }],
      ['GET /posts/1', { data: posts[0] ?? null }],
      ['GET /me', { data: { id: 7, name: 'x' } }],
    ],
    [
      'with constants beside the record',
      ['GET /posts', { success: true, data: posts }],
      ['GET /posts/1', { success: true, data: posts[0] ?? null }],
      ['GET /posts/9', { success: false, error: 'nope' }, { status: 404 }],
    ],
    [
      'with search and range filters',
      ['GET /posts', { data: posts, total: 3 }],
      ['GET /posts?search=Title 2', { data: posts.slice(1, 2), total: 1 }],
      ['GET /posts?filter[title]=Title 2', { data: posts.slice(1, 2), total: 1 }],
      ['GET /posts?id[gte]=2', { data: posts.slice(1), total: 2 }],
    ],
  ]

  it.each(rows)('%s', async (_title, ...exchanges) => {
    const learned = learn(exchanges)
    const { fromRecords, answers } = await prove(learned, {
      values: dataOf(learned),
      edited: new Set(),
    })
    expect(answers).toEqual([])
    expect(fromRecords).toBe(learned.reads.length)
  })
})
