import { describe, expect, it } from 'vitest'

import type { Json, JsonRecord } from '../../../../src/core/json/json.ts'
import { configOf, dataOf, learn, origin, type Short } from './exchanges.ts'

const tasks = [1, 2, 3].map((id) => ({ id, title: `Task ${id}` }))

/** A page of two tasks. */
function toPage(page: number, more: JsonRecord = {}): Json {
  const data = tasks.slice((page - 1) * 2, page * 2)
  const pagination = { page, pageSize: 2, totalItems: 3, totalPages: 2 }
  return { success: true, data, pagination, ...more }
}

const pagination = {
  page: '$page',
  pageSize: '$limit',
  totalItems: '$total',
  totalPages: '$pages',
}

const paged: Short[] = [
  ['GET /tasks', toPage(1)],
  ['GET /tasks?page=2', toPage(2)],
]

function restOf(exchanges: readonly Short[]): Record<string, unknown> {
  const { dialect = { rest: {} } } = configOf(learn(exchanges))
  return (dialect as { rest: Record<string, unknown> }).rest
}

describe('the envelope of lists', () => {
  const rows: [title: string, expected: Json, ...exchanges: Short[]][] = [
    [
      'has variables, whatever other resources have',
      { success: true, data: '$items', pagination },
      ...paged,
      ['GET /users', { success: true, data: [{ id: 4 }] }],
    ],
    [
      'learns a member that some lists lack from the others',
      { success: true, data: '$items', 'pagination?': pagination },
      ...paged,
      ['GET /tasks?title=Task+1', { success: true, data: tasks.slice(0, 1) }],
    ],
    [
      'leaves out a number and a text that change and that no variable explains',
      { success: true, data: '$items', pagination },
      ['GET /tasks', toPage(1, { took: 17, requestId: 'a' })],
      ['GET /tasks?page=2', toPage(2, { took: 23, requestId: 'b' })],
    ],
    [
      'leaves out an object whose members change',
      { success: true, data: '$items', pagination },
      ['GET /tasks', toPage(1, { meta: { took: 17 } })],
      ['GET /tasks?page=2', toPage(2, { meta: { took: 23 } })],
    ],
    [
      'keeps what never changes',
      { success: true, data: '$items', pagination, version: 3 },
      ['GET /tasks', toPage(1, { version: 3 })],
      ['GET /tasks?page=2', toPage(2, { version: 3 })],
    ],
    [
      'has the variable of a changing number, whatever the key',
      { success: true, data: '$items', pagination, pageNow: '$page' },
      ['GET /tasks', toPage(1, { pageNow: 1 })],
      ['GET /tasks?page=2', toPage(2, { pageNow: 2 })],
    ],
    [
      'has the links of HAL',
      {
        data: '$items',
        _links: { self: { href: '$self' }, 'next?': { href: '$next' } },
        total: '$total',
      },
      ...[1, 2].map((page): Short => {
        const url = `${origin}/tasks?page=${page}&limit=2`
        const next = { next: { href: `${origin}/tasks?page=2&limit=2` } }
        const links = { self: { href: url }, ...(page === 1 && next) }
        const data = tasks.slice((page - 1) * 2, page * 2)
        return [`GET /tasks?page=${page}&limit=2`, { data, _links: links, total: 3 }]
      }),
    ],
    [
      'has the origin of the mock in place of that of the real API',
      { success: true, data: '$items', pagination, url: '$origin/help' },
      ['GET /tasks', toPage(1, { url: `${origin}/help` })],
      ['GET /tasks?page=2', toPage(2, { url: `${origin}/help` })],
    ],
  ]

  it.each(rows)('%s', (_title, expected, ...exchanges) => {
    expect(restOf(exchanges)['list']).toEqual(expected)
  })
})

describe('the forms of single resources', () => {
  const rows: [title: string, expected: Json | undefined, ...exchanges: Short[]][] = [
    [
      'are learned from lists without pages',
      { users: { list: { success: true, data: '$items' }, pages: { always: false } } },
      ...paged,
      ['GET /users', { success: true, data: [{ id: 4 }] }],
    ],
    [
      'have the size of their pages',
      { posts: { pages: { size: 1, always: true } } },
      ...paged,
      [
        'GET /posts',
        {
          success: true,
          data: [{ id: 7 }],
          pagination: { page: 1, pageSize: 1, totalItems: 4, totalPages: 4 },
        },
      ],
    ],
    [
      'have pages by cursor',
      {
        events: {
          list: { data: '$items', nextCursor: '$nextCursor' },
          pages: { size: 1, always: true, by: 'cursor' },
        },
      },
      ...paged,
      ['GET /tasks?page=1', toPage(1)],
      ['GET /events', { data: [{ id: 7 }], nextCursor: 'x' }],
      ['GET /events?cursor=x', { data: [{ id: 6 }], nextCursor: null }],
    ],
    [
      'are those of nested lists, which do not change those of the resource',
      { 'users/:id/tasks': { list: { success: true, data: '$items' }, pages: { always: false } } },
      ...paged,
      ['GET /users/4/tasks', { success: true, data: tasks.slice(0, 1) }],
      ['GET /users/4/tasks?title=Task+1', { success: true, data: tasks.slice(0, 1) }],
      ['GET /users/5/tasks', { success: true, data: tasks.slice(1) }],
      [
        'GET /users',
        {
          success: true,
          data: [{ id: 4 }, { id: 5 }],
          pagination: { page: 1, pageSize: 2, totalItems: 2, totalPages: 1 },
        },
      ],
    ],
    [
      'have pages by number beside pages by offset',
      { authors: { list: '$items', pages: { by: 'number' } } },
      ...[0, 2].map((offset): Short => {
        const next = offset === 0 ? `${origin}/tasks?offset=2&limit=2` : null
        const items = tasks.slice(offset, offset + 2)
        const query = offset === 0 ? '' : '?offset=2&limit=2'
        return [`GET /tasks${query}`, { items, meta: { offset, limit: 2, total: 3, next } }]
      }),
      [
        'GET /tasks?offset=0',
        {
          items: tasks.slice(0, 2),
          meta: { offset: 0, limit: 2, total: 3, next: `${origin}/tasks?offset=2&limit=2` },
        },
      ],
      [
        'GET /authors',
        [{ id: 1 }, { id: 2 }],
        { headers: [['Link', `<${origin}/authors?page=2>; rel="next"`]] },
      ],
      ['GET /authors?page=2', [{ id: 3 }]],
    ],
    [
      'have the responses to their writes',
      { notes: { removed: { deleted: true } } },
      ...paged,
      ['GET /notes', toPage(1)],
      ['GET /notes?page=2', toPage(2)],
      ['DELETE /tasks/1', undefined, { status: 204 }],
      ['DELETE /notes/1', { deleted: true }],
    ],
    ['are none where all resources have one form', undefined, ...paged],
  ]

  it.each(rows)('%s', (_title, expected, ...exchanges) => {
    const { tasks: hidden, ...resources } = (restOf(exchanges)['resources'] ?? {}) as JsonRecord
    // The key of nested paths is hidden.
    expect([undefined, { hidden: ['userId'] }]).toContainEqual(hidden)
    expect(Object.keys(resources).length > 0 ? resources : undefined).toEqual(expected)
  })
})

const pathsOf = (id: number | string, userId: number | string): JsonRecord => ({
  self: { href: `/posts/${id}` },
  user: { href: `/users/${userId}` },
})

describe('a member of lists with the name of a size', () => {
  const tags = Array.from({ length: 5 }, (_, at) => ({ id: at + 1, name: `Tag ${at}` }))
  /** The list and the pages that are learned from pages of three, which state a size. */
  function learned(sizeOf: (count: number) => number): unknown {
    const exchanges = [0, 3].map((skip): Short => {
      const items = tags.slice(skip, skip + 3)
      const data = { tags: items, total: 5, skip, limit: sizeOf(items.length) }
      return [`GET /tags?limit=3&skip=${skip}`, data]
    })
    const { list, pages } = restOf(exchanges)
    return { limit: (list as JsonRecord)['limit'], pages }
  }

  it('can be the number of records, which the last page shows', () => {
    expect(learned((count) => count)).toEqual({ limit: '$count', pages: undefined })
    expect(learned(() => 3)).toEqual({ limit: '$limit', pages: undefined })
  })
})

describe('links of records', () => {
  const linked = (id: number): JsonRecord => ({
    id,
    _links: { self: { href: `${origin}/v1/posts/${id}` } },
    comments: `${origin}/v1/posts/${id}/comments`,
  })

  it('are made by a template, and leave the fixture', () => {
    const exchanges: Short[] = [['GET /v1/posts', [linked(1), linked(2)]]]
    expect(dataOf(learn(exchanges))).toEqual({ posts: [{ id: 1 }, { id: 2 }] })
    expect(restOf(exchanges)['resources']).toEqual({
      posts: {
        item: { '...': '$record', _links: { self: { href: '$url' } }, comments: '$url/comments' },
      },
    })
  })

  it('are made by a template if they are paths', () => {
    const exchanges: Short[] = [
      ['GET /posts', [1, 2].map((id) => ({ id, userId: id + 5, _links: pathsOf(id, id + 5) }))],
    ]
    expect(dataOf(learn(exchanges))).toEqual({
      posts: [
        { id: 1, userId: 6 },
        { id: 2, userId: 7 },
      ],
    })
    expect(restOf(exchanges)['resources']).toEqual({
      posts: {
        item: { '...': '$record', _links: pathsOf('$record.id', '$record.userId') },
      },
    })
  })

  it('stay in the records if they are paths of files, or those of a single record', () => {
    const posts = [1, 2].map((id) => ({ id, cover: `/covers/${id}.png`, icon: '/icons/post.png' }))
    expect(dataOf(learn([['GET /posts', posts]]))).toEqual({ posts })
    const post = { id: 1, _links: pathsOf(1, 6) }
    expect(dataOf(learn([['GET /posts', [post]]]))).toEqual({ posts: [post] })
  })

  it('stay in the records if they name other records', () => {
    const posts = [1, 2].map((id) => ({ id, author: `${origin}/v1/users/${id + 5}` }))
    expect(dataOf(learn([['GET /v1/posts', posts]]))).toEqual({ posts })
  })
})

describe('the order of records', () => {
  const page = (number: number, ids: number[]): Short => [
    `GET /tasks?page=${number}`,
    { data: ids.map((id) => ({ id })), pagination: { page: number, pageSize: 2, total: 6 } },
  ]
  const nested: Short = ['GET /users/4/tasks', [6, 2, 5].map((id) => ({ id, userId: 4 }))]
  const rows: [title: string, ...exchanges: Short[]][] = [
    ['in any order of requests', page(2, [1, 4]), page(3, [2, 5]), page(1, [6, 3])],
    ['beside longer nested lists', nested, page(1, [6, 3]), page(2, [1, 4]), page(3, [2, 5])],
  ]

  it.each(rows)('is that of the pages, %s', (_title, ...exchanges) => {
    const tasks = dataOf(learn(exchanges))['tasks'] as JsonRecord[]
    expect(tasks.map(({ id }) => id)).toEqual([6, 3, 1, 4, 2, 5])
  })

  it('is that of the pages by the sizes in requests and in answers', () => {
    const learned = learn([
      ['GET /tasks?page=2', { data: [{ id: 1 }], page: 2, pageSize: 4, total: 5 }],
      [
        'GET /tasks?page=1&pageSize=4',
        { data: [9, 2, 8, 3].map((id) => ({ id })), page: 1, pageSize: 4, total: 5 },
      ],
    ])
    const tasks = dataOf(learned)['tasks'] as JsonRecord[]
    expect(tasks.map(({ id }) => id)).toEqual([9, 2, 8, 3, 1])
  })
})

describe('the key of a nested list', () => {
  it('is the one that fits, by a single parent', () => {
    const rows = [
      { id: 1, reporterId: 12, assigneeId: 12 },
      { id: 2, reporterId: 12, assigneeId: 12 },
      { id: 3, reporterId: 12, assigneeId: 13 },
    ]
    const learned = learn([
      ['GET /tasks', rows],
      ['GET /users', [{ id: 12 }, { id: 13 }]],
      ['GET /users/12/tasks', rows.slice(0, 2)],
    ])
    expect(dataOf(learned)['tasks']).toEqual(rows)
    expect(configOf(learned)).toMatchObject({
      resources: { tasks: { relations: { assigneeId: 'users' } } },
    })
  })

  it('is no field that happens to have the same value', () => {
    const rows = [{ id: 1, rank: 12 }]
    const learned = learn([
      ['GET /users', [{ id: 12 }]],
      ['GET /users/12/tasks', rows],
    ])
    expect(dataOf(learned)['tasks']).toEqual([{ id: 1, rank: 12, userId: 12 }])
  })
})
