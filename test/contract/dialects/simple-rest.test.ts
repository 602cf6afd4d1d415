import { expect } from 'vitest'

import { simpleRest } from '../../../src/dialects.ts'
import type { Dialect } from '../../../src/dialects.ts'
import { contract, type Row } from '../../faces.ts'

function shop(): { fixtures: Record<string, unknown>; dialect: Dialect } {
  return {
    dialect: simpleRest,
    fixtures: {
      posts: [
        {
          id: 1,
          title: 'First',
          views: 10,
          tags: ['a', 'b', 7],
          author: { name: 'Ann' },
          user_id: 1,
          cost_gt: 5,
        },
        {
          id: 2,
          title: 'Second',
          views: 20,
          tags: ['bar'],
          author: { name: 'Bob' },
          user_id: 2,
          seen: 0,
        },
        {
          id: 3,
          title: 'Third',
          views: 30,
          tags: [],
          author: null,
          user_id: 1,
          note: null,
          seen: null,
        },
      ],
      users: [
        { id: 1, name: 'Ann' },
        { id: 2, name: 'Bob' },
      ],
      empty: [],
    },
  }
}

function asked(parameters: Record<string, unknown>): string {
  const texts = Object.entries(parameters).map(([name, value]) => [name, JSON.stringify(value)])
  return `GET /posts?${new URLSearchParams(texts).toString()}`
}

/** A row that expects the posts with these ids, in this order. */
function finds(
  title: string,
  parameters: Record<string, unknown>,
  ids: number[],
  total: number,
): Row {
  const posts = shop().fixtures['posts'] as { id: number }[]
  const body = ids.map((id) => posts.find((post) => post.id === id))
  const headers = { 'content-range': new RegExp(`/${total}$`) }
  return [title, asked(parameters), { status: 200, headers, body }]
}

contract('a list of the dialect simple-rest', shop, [
  finds('filters by equality', { filter: { title: 'First' } }, [1], 1),
  finds('filters by several ids', { filter: { id: [3, 1] } }, [1, 3], 2),
  finds('filters by an operator', { filter: { views_gte: 20 } }, [2, 3], 2),
  finds('filters by a nested object', { filter: { author: { name: 'Ann' } } }, [1], 1),
  finds('filters by a path', { filter: { 'author.name': 'Bob' } }, [2], 1),
  finds('filters by arrays that contain all values', { filter: { tags: ['a', 'b'] } }, [1], 1),
  finds('filters by arrays that contain one value', { filter: { tags: 'b' } }, [1], 1),
  finds('filters arrays by _inc with a number', { filter: { tags_inc: [7, 'a'] } }, [1], 1),
  finds('filters arrays by whole strings', { filter: { tags_inc: 'ba' } }, [], 0),
  finds('filters by exact ids', { filter: { id: ['01', '2'] } }, [2], 1),
  finds('filters by exact ids with an operator', { filter: { id_eq: '01' } }, [], 0),
  finds('filters by a field with the suffix of an operator', { filter: { cost_gt: 5 } }, [1], 1),
  finds(
    'filters by an operator in a nested object',
    { filter: { author: { name_q: 'B' } } },
    [2],
    1,
  ),
  finds('filters arrays by _inc_any', { filter: { tags_inc_any: ['a', 'x'] } }, [1], 1),
  finds('filters arrays by _ninc_any', { filter: { tags_ninc_any: ['a'] } }, [2, 3], 2),
  finds('filters strings by _inc', { filter: { title_inc: 'ir' } }, [1, 3], 2),
  finds('filters strings by _q', { filter: { title_q: 'FIR' } }, [1], 1),
  finds('filters by _neq', { filter: { title_neq: 'First' } }, [2, 3], 2),
  finds('filters by _eq_any', { filter: { views_eq_any: [10, 30] } }, [1, 3], 2),
  finds('finds missing fields by null', { filter: { note: null } }, [1, 2, 3], 3),
  finds('finds missing fields by _eq with null', { filter: { seen_eq: null } }, [1, 3], 2),
  finds(
    'finds missing fields by an array with null',
    { filter: { seen: [0, null] } },
    [1, 2, 3],
    3,
  ),
  finds(
    'finds missing fields by _eq_any with null',
    { filter: { seen_eq_any: [null] } },
    [1, 3],
    2,
  ),
  finds('finds fields with a value by _neq with null', { filter: { seen_neq: null } }, [2], 1),
  finds(
    'finds fields with other values by _neq_any with null',
    { filter: { seen_neq_any: [0, null] } },
    [],
    0,
  ),
  finds('finds nothing by an unknown field', { filter: { nope: 1 } }, [], 0),
  finds('searches', { filter: { q: 'bob' } }, [2], 1),
  finds('ignores an empty search', { filter: { q: '' } }, [1, 2, 3], 3),
  finds('ignores an empty sort order', { sort: [] }, [1, 2, 3], 3),
  [
    'sorts by a name without an order',
    'GET /posts?sort=author.name&range=[0,0]',
    { status: 200, body: [expect.objectContaining({ id: 1 })] },
  ],
  [
    'names unknown parameters in X-Mock-Ignored',
    'GET /posts?embed=user&page=2',
    { status: 200, headers: { 'x-mock-ignored': 'page' } },
  ],
  finds('sorts', { sort: ['views', 'DESC'] }, [3, 2, 1], 3),
  finds('sorts by a path', { sort: ['author.name', 'ASC'] }, [1, 2, 3], 3),
  finds('includes the end of a range', { range: [1, 2] }, [2, 3], 3),
  finds('accepts an empty range', { range: [0, -1] }, [], 3),
  finds('applies a range after the filter', { filter: { views_gte: 20 }, range: [0, 0] }, [2], 2),
  [
    'sends Content-Range for a range',
    asked({ range: [1, 1] }),
    { status: 200, headers: { 'content-range': 'posts 1-1/3', 'x-total-count': '3' } },
  ],
  [
    'sends Content-Range for a whole list',
    'GET /posts',
    { status: 200, headers: { 'content-range': 'posts 0-2/3' } },
  ],
  [
    'sends Content-Range for an empty list',
    'GET /empty',
    { status: 200, headers: { 'content-range': 'empty */0' }, body: [] },
  ],
  [
    'embeds a parent',
    asked({ filter: { id: 2 }, embed: ['user'] }),
    {
      status: 200,
      body: [{ ...(shop().fixtures['posts'] as object[])[1], user: { id: 2, name: 'Bob' } }],
    },
  ],
  ['refuses a filter that is not JSON', 'GET /posts?filter={', { status: 400 }],
  ['refuses a filter that is not an object', 'GET /posts?filter=5', { status: 400 }],
  ['refuses a negative range', 'GET /posts?range=[-1,2]', { status: 400 }],
  ['refuses a range that is not an array', 'GET /posts?range=5', { status: 400 }],
  ['refuses a range of strings', 'GET /posts?range=["0",9]', { status: 400 }],
  ['refuses a range with null as end', 'GET /posts?range=[0,null]', { status: 400 }],
  [
    'refuses a pattern that is too long',
    asked({ filter: { title_like: 'a_'.repeat(501) } }),
    { status: 400, body: expect.objectContaining({ errors: { filter: expect.any(String) } }) },
  ],
  ['refuses a filter by lists of objects', 'GET /posts?filter={"id":[{}]}', { status: 400 }],
  ['refuses a sort order that is not a string', 'GET /posts?sort=["title",1]', { status: 400 }],
  ['refuses a misspelled sort order', asked({ sort: ['title', 'ascending'] }), { status: 400 }],
  ['refuses a relation that is not a string', 'GET /posts?embed=[5]', { status: 400 }],
  ['refuses an unknown sort order', asked({ sort: ['title', 'up'] }), { status: 400 }],
])

contract('a record of the dialect simple-rest', shop, [
  [
    'keeps the fields that PUT does not send',
    { request: 'PUT /users/1', body: { age: 7 } },
    { status: 200, body: { id: 1, name: 'Ann', age: 7 } },
  ],
  [
    'is returned by DELETE, with any Content-Type',
    { request: 'DELETE /users/1', headers: { 'content-type': 'text/plain' } },
    { status: 200, body: { id: 1, name: 'Ann' } },
  ],
  ['embeds its children', 'GET /users/2?embed=["posts"]', { status: 200 }],
  [
    'embeds a relation given as a JSON string',
    'GET /posts/2?embed="user"',
    { status: 200, body: expect.objectContaining({ user: { id: 2, name: 'Bob' } }) },
  ],
  [
    'is answered with problem details if it does not exist',
    'GET /users/9',
    { status: 404, headers: { 'content-type': /problem/ } },
  ],
])

contract(
  'a field q of the dialect simple-rest',
  () => ({
    dialect: simpleRest,
    fixtures: {
      posts: [
        { id: 1, q: 'a' },
        { id: 2, q: 'b', a: 'a' },
      ],
    },
  }),
  [
    [
      'is a filter, not a search',
      asked({ filter: { q: 'a' } }),
      { status: 200, body: [{ id: 1, q: 'a' }] },
    ],
  ],
)
