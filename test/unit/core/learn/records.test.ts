import { describe, expect, it } from 'vitest'

import type { Json } from '../../../../src/core/json/json.ts'
import { parseExchange } from '../../../../src/core/learn/parse-exchange.ts'
import { findResourcePaths } from '../../../../src/core/learn/recognize/resource-paths.ts'
import { toOrder } from '../../../../src/core/learn/records/to-records.ts'
import { survey } from '../../../../src/core/learn/records/survey.ts'
import { dataOf, learn, type Short, toExchanges } from './exchanges.ts'

const ann = { id: 1, name: 'Ann' }
const bob = { id: 2, name: 'Bob' }

describe('records', () => {
  const rows: [title: string, exchanges: Short[], expected: Record<string, Json>][] = [
    ['a list', [['GET /users', [ann, bob]]], { users: [ann, bob] }],
    ['an empty list', [['GET /users', []]], { users: [] }],
    [
      'pages that arrive in another order',
      [
        ['GET /users?page=2&limit=1', [bob]],
        ['GET /users?page=1&limit=1', [ann]],
      ],
      { users: [ann, bob] },
    ],
    [
      'pages by offset',
      [
        ['GET /users?offset=1&limit=1', [ann]],
        ['GET /users?offset=0&limit=1', [bob]],
      ],
      { users: [bob, ann] },
    ],
    ['a member without a list', [['GET /users/1', ann]], { users: [ann] }],
    ['a member by a text', [['GET /users/x-1', { id: 'x-1' }]], { users: [{ id: 'x-1' }] }],
    [
      'a list and a detail',
      [
        ['GET /users', [ann, bob]],
        ['GET /users/2', { id: 2, name: 'Bob', bio: 'long' }],
      ],
      { users: [ann, { id: 2, name: 'Bob', bio: 'long' }] },
    ],
    [
      'a detail before the list',
      [
        ['GET /users/2', { id: 2, name: 'Bob', bio: 'long' }],
        ['GET /users', [ann, bob]],
      ],
      { users: [ann, { id: 2, name: 'Bob', bio: 'long' }] },
    ],
    [
      'the latest value of a field',
      [
        ['GET /users/1', { id: 1, name: 'Old', bio: 'long' }],
        ['GET /users', [ann]],
      ],
      { users: [{ id: 1, name: 'Ann', bio: 'long' }] },
    ],
    [
      'a nested record of which a list shows a part',
      [
        ['GET /posts/1', { id: 1, author: { id: 7, name: 'Ann' } }],
        ['GET /posts', [{ id: 1, author: { id: 7 } }]],
      ],
      { posts: [{ id: 1, author: { id: 7, name: 'Ann' } }] },
    ],
    [
      'a record of which a list shows the id',
      [
        ['GET /posts/1', { id: 1, author: { id: 7, name: 'Ann' } }],
        ['GET /posts', [{ id: 1, author: 7 }]],
      ],
      { posts: [{ id: 1, author: { id: 7, name: 'Ann' } }] },
    ],
    [
      'an excerpt of a text',
      [
        ['GET /posts/1', { id: 1, text: 'A long text.' }],
        ['GET /posts', [{ id: 1, text: 'A long…' }]],
      ],
      { posts: [{ id: 1, text: 'A long text.' }] },
    ],
    [
      'a field that a later detail lacks',
      [
        ['GET /users/1', { id: 1, name: 'Ann', nick: 'A' }],
        ['GET /users/1', ann],
      ],
      { users: [ann] },
    ],
    [
      'an embedded record',
      [
        ['GET /posts?_embed=user', [{ id: 1, userId: 1, user: ann }]],
        ['GET /posts', [{ id: 1, userId: 1 }]],
      ],
      { posts: [{ id: 1, userId: 1 }] },
    ],
    [
      'fields that were asked for',
      [
        ['GET /users?fields=id', [{ id: 1 }]],
        ['GET /users/1', ann],
      ],
      { users: [ann] },
    ],
  ]

  it.each(rows)('are merged: %s', (_title, exchanges, expected) => {
    expect(dataOf(learn(exchanges))).toEqual(expected)
  })
})

describe('writes', () => {
  const list: Short = ['GET /users', [ann, bob]]
  const rows: [title: string, exchanges: Short[], expected: Json][] = [
    [
      'POST with the record in the response',
      [list, ['POST /users', { id: 3, name: 'Cy' }, { status: 201, sent: { name: 'Cy' } }]],
      [ann, bob, { id: 3, name: 'Cy' }],
    ],
    [
      'POST with the id in Location',
      [
        list,
        [
          'POST /users',
          undefined,
          { status: 201, sent: { name: 'Cy' }, headers: [['Location', '/users/3']] },
        ],
      ],
      [ann, bob, { id: 3, name: 'Cy' }],
    ],
    [
      'PATCH without a body in the response',
      [list, ['PATCH /users/2', undefined, { status: 204, sent: { name: 'Ben' } }]],
      [ann, { id: 2, name: 'Ben' }],
    ],
    [
      'PUT with the record in the response',
      [list, ['PUT /users/2', { id: 2, name: 'Ben' }, { sent: { name: 'Ben' } }]],
      [ann, { id: 2, name: 'Ben' }],
    ],
    ['DELETE', [list, ['DELETE /users/2', undefined, { status: 204 }]], [ann]],
    [
      'DELETE of a record that a later read shows',
      [list, ['DELETE /users/2', undefined, { status: 202 }], ['GET /users/2', bob]],
      [ann, bob],
    ],
    [
      'a value that a later read shows',
      [list, ['PATCH /users/2', { id: 2, name: 'Ben' }], ['GET /users', [ann, bob]]],
      [ann, bob],
    ],
    [
      'a refused write',
      [list, ['POST /users', { error: 'name' }, { status: 422, sent: { id: 9, name: '' } }]],
      [ann, bob],
    ],
    [
      'a record that a later list of all records lacks',
      [
        ['GET /users', { items: [ann, bob], total: 2 }],
        ['GET /users', { items: [ann], total: 1 }],
      ],
      [ann],
    ],
  ]

  it.each(rows)('are learned: %s', (_title, exchanges, expected) => {
    expect(dataOf(learn(exchanges))).toEqual({ users: expected })
  })
})

describe('nested paths', () => {
  const rows: [title: string, exchanges: Short[], expected: Record<string, Json>][] = [
    [
      'set the key of the parent',
      [
        ['GET /users', [ann]],
        ['GET /users/1/posts', [{ id: 5, title: 'Hi' }]],
      ],
      { users: [ann], posts: [{ id: 5, title: 'Hi', userId: 1 }] },
    ],
    [
      'set a key in the spelling of the records',
      [
        ['GET /users', [ann]],
        ['GET /users/1/posts', [{ id: 5, is_new: true }]],
      ],
      { users: [ann], posts: [{ id: 5, is_new: true, user_id: 1 }] },
    ],
    [
      'leave a key that is there',
      [['GET /users/1/posts', [{ id: 5, user_id: 1 }]]],
      { posts: [{ id: 5, user_id: 1 }] },
    ],
    [
      'join the collection of that name',
      [
        ['GET /posts', [{ id: 5, title: 'Hi' }]],
        ['GET /users/1/posts', [{ id: 5, title: 'Hi' }]],
      ],
      { posts: [{ id: 5, title: 'Hi', userId: 1 }] },
    ],
    [
      'are followed deeper',
      [['GET /users/1/posts/5/comments', [{ id: 9 }]]],
      { comments: [{ id: 9, postId: 5 }] },
    ],
    [
      'set no key for a record of several parents',
      [
        ['GET /tags/1/posts', [{ id: 5 }]],
        ['GET /tags/2/posts', [{ id: 5 }]],
      ],
      { posts: [{ id: 5 }] },
    ],
    [
      'do not merge different records with one id',
      [
        ['GET /posts/1/comments', [{ id: 1, text: 'a' }]],
        ['GET /posts/2/comments', [{ id: 1, text: 'b' }]],
      ],
      {},
    ],
  ]

  it.each(rows)('%s', (_title, exchanges, expected) => {
    expect(dataOf(learn(exchanges))).toEqual(expected)
  })
})

describe('other resources', () => {
  const rows: [title: string, exchanges: Short[], expected: Record<string, Json>][] = [
    ['a singleton', [['GET /profile', { theme: 'dark' }]], { profile: { theme: 'dark' } }],
    [
      'a singleton that was written',
      [
        ['GET /profile', { theme: 'dark' }],
        ['PATCH /profile', { theme: 'light' }],
      ],
      { profile: { theme: 'light' } },
    ],
    [
      'a singleton in the envelope of members',
      [
        ['GET /users/1', { data: ann }],
        ['GET /profile', { data: { theme: 'dark' } }],
      ],
      { users: [ann], profile: { theme: 'dark' } },
    ],
    ['a list of texts', [['GET /tags', ['a', 'b']]], { tags: ['a', 'b'] }],
    ['a search', [['GET /search?q=a', { hits: 1 }]], {}],
    ['a report', [['GET /reports/sales', { sum: 1 }]], {}],
    ['a whole database', [['GET /db', { users: [ann], profile: { theme: 'dark' } }]], {}],
    [
      'a list below a collection',
      [
        ['GET /users', [ann]],
        ['GET /users/recent', [ann]],
      ],
      { users: [ann] },
    ],
    ['records without ids', [['GET /rates', [{ from: 'EUR', to: 'USD' }]]], {}],
    ['a failure', [['GET /users', { error: 'down' }, { status: 500 }]], {}],
  ]

  it.each(rows)('%s', (_title, exchanges, expected) => {
    expect(dataOf(learn(exchanges))).toEqual(expected)
  })
})

describe('a survey', () => {
  it('finds more records in a list than a function can have parameters', () => {
    const posts = Array.from({ length: 130_000 }, (_, at) => ({ id: at + 1 }))
    const exchanges = toExchanges([['GET /posts', posts]]).flatMap(
      (one) => parseExchange(one) ?? [],
    )
    const { collections } = survey(exchanges, findResourcePaths(exchanges))
    expect(collections.get('posts')?.observations.size).toBe(posts.length)
  })
})

describe('the order of records that no list shows', () => {
  it.each([
    ['2', '10', '1a'],
    ['10', '1a', '2'],
    ['1a', '2', '10'],
  ])('begins with numbers, whatever comes first: %s', (...ids) => {
    expect(toOrder(ids, [])).toEqual(['2', '10', '1a'])
  })
})
