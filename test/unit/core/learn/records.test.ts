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
  const rows: [title: string, expected: Record<string, Json>, ...exchanges: Short[]][] = [
    ['a list', { users: [ann, bob] }, ['GET /users', [ann, bob]]],
    ['an empty list', { users: [] }, ['GET /users', []]],
    [
      'pages that arrive in another order',
      { users: [ann, bob] },
      ['GET /users?page=2&limit=1', [bob]],
      ['GET /users?page=1&limit=1', [ann]],
    ],
    [
      'pages by offset',
      { users: [bob, ann] },
      ['GET /users?offset=1&limit=1', [ann]],
      ['GET /users?offset=0&limit=1', [bob]],
    ],
    ['a member without a list', { users: [ann] }, ['GET /users/1', ann]],
    ['a member by a text', { users: [{ id: 'x-1' }] }, ['GET /users/x-1', { id: 'x-1' }]],
    [
      'a list and a detail',
      { users: [ann, { id: 2, name: 'Bob', bio: 'long' }] },
      ['GET /users', [ann, bob]],
      ['GET /users/2', { id: 2, name: 'Bob', bio: 'long' }],
    ],
    [
      'a detail before the list',
      { users: [ann, { id: 2, name: 'Bob', bio: 'long' }] },
      ['GET /users/2', { id: 2, name: 'Bob', bio: 'long' }],
      ['GET /users', [ann, bob]],
    ],
    [
      'the latest value of a field',
      { users: [{ id: 1, name: 'Ann', bio: 'long' }] },
      ['GET /users/1', { id: 1, name: 'Old', bio: 'long' }],
      ['GET /users', [ann]],
    ],
    [
      'a nested record of which a list shows a part',
      { posts: [{ id: 1, author: { id: 7, name: 'Ann' } }] },
      ['GET /posts/1', { id: 1, author: { id: 7, name: 'Ann' } }],
      ['GET /posts', [{ id: 1, author: { id: 7 } }]],
    ],
    [
      'a record of which a list shows the id',
      { posts: [{ id: 1, author: { id: 7, name: 'Ann' } }] },
      ['GET /posts/1', { id: 1, author: { id: 7, name: 'Ann' } }],
      ['GET /posts', [{ id: 1, author: 7 }]],
    ],
    [
      'an excerpt of a text',
      { posts: [{ id: 1, text: 'A long text.' }] },
      ['GET /posts/1', { id: 1, text: 'A long text.' }],
      ['GET /posts', [{ id: 1, text: 'A long…' }]],
    ],
    [
      'a field that a later detail lacks',
      { users: [ann] },
      ['GET /users/1', { id: 1, name: 'Ann', nick: 'A' }],
      ['GET /users/1', ann],
    ],
    [
      'an embedded record',
      { posts: [{ id: 1, userId: 1 }] },
      ['GET /posts?_embed=user', [{ id: 1, userId: 1, user: ann }]],
      ['GET /posts', [{ id: 1, userId: 1 }]],
    ],
    [
      'fields that were asked for',
      { users: [ann] },
      ['GET /users?fields=id', [{ id: 1 }]],
      ['GET /users/1', ann],
    ],
  ]

  it.each(rows)('are merged: %s', (_title, expected, ...exchanges) => {
    expect(dataOf(learn(exchanges))).toEqual(expected)
  })
})

describe('writes', () => {
  const list: Short = ['GET /users', [ann, bob]]
  const rows: [title: string, expected: Json, ...exchanges: Short[]][] = [
    [
      'POST with the record in the response',
      [ann, bob, { id: 3, name: 'Cy' }],
      list,
      ['POST /users', { id: 3, name: 'Cy' }, { status: 201, sent: { name: 'Cy' } }],
    ],
    [
      'POST with the id in Location',
      [ann, bob, { id: 3, name: 'Cy' }],
      list,
      [
        'POST /users',
        undefined,
        { status: 201, sent: { name: 'Cy' }, headers: [['Location', '/users/3']] },
      ],
    ],
    [
      'PATCH without a body in the response',
      [ann, { id: 2, name: 'Ben' }],
      list,
      ['PATCH /users/2', undefined, { status: 204, sent: { name: 'Ben' } }],
    ],
    [
      'PUT with the record in the response',
      [ann, { id: 2, name: 'Ben' }],
      list,
      ['PUT /users/2', { id: 2, name: 'Ben' }, { sent: { name: 'Ben' } }],
    ],
    ['DELETE', [ann], list, ['DELETE /users/2', undefined, { status: 204 }]],
    [
      'DELETE of a record that a later read shows',
      [ann, bob],
      list,
      ['DELETE /users/2', undefined, { status: 202 }],
      ['GET /users/2', bob],
    ],
    [
      'a value that a later read shows',
      [ann, bob],
      list,
      ['PATCH /users/2', { id: 2, name: 'Ben' }],
      ['GET /users', [ann, bob]],
    ],
    [
      'a refused write',
      [ann, bob],
      list,
      ['POST /users', { error: 'name' }, { status: 422, sent: { id: 9, name: '' } }],
    ],
    [
      'a record that a later list of all records lacks',
      [ann],
      ['GET /users', { items: [ann, bob], total: 2 }],
      ['GET /users', { items: [ann], total: 1 }],
    ],
  ]

  it.each(rows)('are learned: %s', (_title, expected, ...exchanges) => {
    expect(dataOf(learn(exchanges))).toEqual({ users: expected })
  })
})

describe('nested paths', () => {
  const rows: [title: string, expected: Record<string, Json>, ...exchanges: Short[]][] = [
    [
      'set the key of the parent',
      { users: [ann], posts: [{ id: 5, title: 'Hi', userId: 1 }] },
      ['GET /users', [ann]],
      ['GET /users/1/posts', [{ id: 5, title: 'Hi' }]],
    ],
    [
      'set a key in the spelling of the records',
      { users: [ann], posts: [{ id: 5, is_new: true, user_id: 1 }] },
      ['GET /users', [ann]],
      ['GET /users/1/posts', [{ id: 5, is_new: true }]],
    ],
    [
      'leave a key that is there',
      { posts: [{ id: 5, user_id: 1 }] },
      ['GET /users/1/posts', [{ id: 5, user_id: 1 }]],
    ],
    [
      'join the collection of that name',
      { posts: [{ id: 5, title: 'Hi', userId: 1 }] },
      ['GET /posts', [{ id: 5, title: 'Hi' }]],
      ['GET /users/1/posts', [{ id: 5, title: 'Hi' }]],
    ],
    [
      'are followed deeper',
      { comments: [{ id: 9, postId: 5 }] },
      ['GET /users/1/posts/5/comments', [{ id: 9 }]],
    ],
    [
      'set no key for a record of several parents',
      { posts: [{ id: 5 }] },
      ['GET /tags/1/posts', [{ id: 5 }]],
      ['GET /tags/2/posts', [{ id: 5 }]],
    ],
    [
      'do not merge different records with one id',
      {},
      ['GET /posts/1/comments', [{ id: 1, text: 'a' }]],
      ['GET /posts/2/comments', [{ id: 1, text: 'b' }]],
    ],
  ]

  it.each(rows)('%s', (_title, expected, ...exchanges) => {
    expect(dataOf(learn(exchanges))).toEqual(expected)
  })
})

describe('other resources', () => {
  const rows: [title: string, expected: Record<string, Json>, ...exchanges: Short[]][] = [
    ['a singleton', { profile: { theme: 'dark' } }, ['GET /profile', { theme: 'dark' }]],
    [
      'a singleton that was written',
      { profile: { theme: 'light' } },
      ['GET /profile', { theme: 'dark' }],
      ['PATCH /profile', { theme: 'light' }],
    ],
    [
      'a singleton in the envelope of members',
      { users: [ann], profile: { theme: 'dark' } },
      ['GET /users/1', { data: ann }],
      ['GET /profile', { data: { theme: 'dark' } }],
    ],
    ['a list of texts', { tags: ['a', 'b'] }, ['GET /tags', ['a', 'b']]],
    ['a search', {}, ['GET /search?q=a', { hits: 1 }]],
    ['a report', {}, ['GET /reports/sales', { sum: 1 }]],
    ['a whole database', {}, ['GET /db', { users: [ann], profile: { theme: 'dark' } }]],
    [
      'a list below a collection',
      { users: [ann] },
      ['GET /users', [ann]],
      ['GET /users/recent', [ann]],
    ],
    ['records without ids', {}, ['GET /rates', [{ from: 'EUR', to: 'USD' }]]],
    ['a failure', {}, ['GET /users', { error: 'down' }, { status: 500 }]],
  ]

  it.each(rows)('%s', (_title, expected, ...exchanges) => {
    expect(dataOf(learn(exchanges))).toEqual(expected)
  })
})

describe('a survey', () => {
  it('finds more records in a list than a function can have parameters', () => {
    const posts = Array.from({ length: 130_000 }, (_, at) => ({ id: at + 1 }))
    const exchanges = toExchanges([['GET /posts', posts]]).flatMap(
      (one) => parseExchange(one) ?? [],
    )
    const { collections } = survey(exchanges, findResourcePaths(exchanges), [])
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
