import { deviations0 } from './deviations.ts'
import type { JsonRecord } from '../../../src/core/json/json.ts'
import { type Behaviour, schema } from '../../../src/behaviours.ts'
import { jsonServer0 } from '../../../src/dialects.ts'
import type { Dialect } from '../../../src/dialects.ts'
import { describe, expect, it } from 'vitest'
import { contract, type Row } from '../../faces.ts'

function blog(): { fixtures: Record<string, unknown>; dialect: Dialect; base: string } {
  return {
    base: '/api',
    dialect: jsonServer0,
    fixtures: {
      $schema: './schema.json',
      posts: [
        { id: 1, title: 'a', tags: ['x'] },
        { id: 2, title: 'b', tags: [] },
        { title: 'no id' },
      ],
      comments: [
        { id: 1, postId: 1 },
        { id: 2, postId: 99 },
        { id: 3, postId: null },
      ],
      profile: { name: 'Ada' },
      Users: [],
      users: [{ id: 1 }],
      colors: ['red', 'green', 'blue'],
      logs: [{ id: 1, text: 'x'.repeat(200_000) }],
    },
  }
}

const problem = { 'content-type': /^application\/problem\+json/ }
const form = { 'content-type': 'application/x-www-form-urlencoded' }

contract('the dialect json-server-0', blog, [
  ['ignores the case of a resource name', 'GET /api/Posts/1', { status: 200 }],
  [
    'sends an error body even with `return=minimal`',
    { request: 'PUT /api/posts/99', headers: { prefer: 'return=minimal' }, body: {} },
    { status: 404 },
  ],
  [
    'hides the generated id of a record without an id',
    'GET /api/posts?title=no+id',
    { status: 200, body: [{ title: 'no id' }] },
  ],
  [
    'continues ids from the highest stored id',
    [
      { request: 'POST /api/comments', body: {} },
      'DELETE /api/comments/4',
      { request: 'POST /api/comments', body: {} },
    ],
    { status: 201, body: { id: 4 } },
  ],
  [
    'links pages by absolute URLs',
    'GET /api/colors?_page=2&_limit=1',
    {
      status: 200,
      headers: {
        'x-total-count': '3',
        link: /<http:\/\/mock\.test\/api\/colors\?_page=1&_limit=1>; rel="first"/,
      },
      body: ['green'],
    },
  ],
  ['returns all data at /db', 'GET /api/db', { status: 200, headers: { 'cache-control': /./ } }],
  ['answers 404 with an empty object', 'GET /api/nope', { status: 404, body: {} }],
  [
    'answers an unsupported method with an empty object',
    'PUT /api/posts',
    { status: 404, body: {} },
  ],
  [
    'replaces a singleton by POST',
    { request: 'POST /api/profile', body: { a: 1 } },
    { status: 201, body: { a: 1 } },
  ],
  [
    'supports X-HTTP-Method-Override',
    {
      request: 'POST /api/posts/1',
      headers: { 'x-http-method-override': 'patch, GET' },
      body: { a: 1 },
    },
    { status: 200 },
  ],
  [
    'reads forms',
    { request: 'POST /api/posts', headers: form, body: 'title=x+y&b%5Bc%5D=1' },
    { status: 201, body: { title: 'x y', 'b[c]': '1', id: 3 } },
  ],
  [
    'keeps invalid percent-encoding in a form',
    { request: 'POST /api/posts', headers: form, body: 'a=50%+caf%C3%A9&b=%E9%41&c=%E2%98%zz' },
    { status: 201, body: { a: '50% café', b: '\uFFFDA', c: '\uFFFD%zz', id: 3 } },
  ],
  [
    'reads repeated names and values with an equals sign in a form',
    { request: 'POST /api/posts', headers: form, body: 'a=1&&a=2&a=3&b=c=d' },
    { status: 201, body: { a: ['1', '2', '3'], b: 'c=d', id: 3 } },
  ],
  [
    'refuses a form with too many names',
    { request: 'POST /api/posts', headers: form, body: 'a&'.repeat(1000) },
    { status: 413, headers: problem },
  ],
  [
    'refuses a form that is too long',
    { request: 'POST /api/posts', headers: form, body: `a=${'a'.repeat(102_399)}` },
    { status: 413, headers: problem },
  ],
  [
    'ignores case and spaces of a media type',
    {
      request: 'POST /api/posts',
      headers: { 'content-type': 'Application/JSON ; charset=utf-8' },
      body: { a: 1 },
    },
    { status: 201, body: { a: 1, id: 3 } },
  ],
  [
    'reads a body without a Content-Type as JSON',
    { request: 'POST /api/posts', headers: { 'content-type': '' }, body: { a: 1 } },
    { status: 201, body: { a: 1, id: 3 } },
  ],
  [
    'refuses a write to a path below a record',
    { request: 'PUT /api/posts/1/profile', body: {} },
    { status: 404, body: {} },
  ],
  ['answers OPTIONS of any path', 'OPTIONS /api/nope', { status: 204 }],
])

/** Fields with the names of the list parameters that are never filters. */
const reserved = Object.fromEntries(
  ['q', '_start', '_end', '_sort', '_order', '_limit', '_embed', '_expand', '_delay'].map(
    (name) => [name, 'never'],
  ),
)

const odd = [
  { ...reserved, id: 1, _: 2, callback: 'x', a: { toString: 1 }, b: [null, 'y', { c: 1 }] },
]

contract(
  'special fields in the dialect json-server-0',
  () => ({
    dialect: jsonServer0,
    fixtures: {
      odd,
      mixed: ['red', { id: 1, a: 1 }],
      posts: [{ id: 1 }, {}],
      logs: [{ id: 1, postNo: 1 }],
      profile: { notes: [{ postId: 1 }] },
    },
  }),
  [
    [
      'are not filtered by list parameters of the same name',
      'GET /odd?q=1&_start=0&_end=9&_sort=id&_order=asc&_limit=5&_delay=0',
      { status: 200, body: odd },
    ],
    [
      'are read from records among plain values',
      'GET /mixed/1',
      { status: 200, body: { id: 1, a: 1 } },
    ],
    [
      'are embedded in records, not in plain values',
      'GET /mixed?_embed=logs',
      { status: 200, body: ['red', { id: 1, a: 1, logs: [] }] },
    ],
    ['do not reveal generated ids', 'GET /posts/%00posts%2F1', { status: 404, body: {} }],
    [
      'are not foreign keys with another suffix',
      ['DELETE /posts/1', 'GET /logs'],
      { status: 200, body: [{ id: 1, postNo: 1 }] },
    ],
    [
      'are embedded from a path into a singleton',
      'GET /posts/1?_embed=profile.notes',
      { status: 200, body: { id: 1, 'profile.notes': [{ postId: 1 }] } },
    ],
    [
      'are encoded in Location, even a lone surrogate',
      { request: 'POST /logs', body: { id: '\ud800' } },
      { status: 201, headers: { location: 'http://mock.test/logs/%EF%BF%BD' } },
    ],
    [
      'are not filtered by the parameters of JSONP and jQuery',
      'GET /odd?_=3&callback=y',
      { status: 200, body: odd },
    ],
    [
      'compare arrays and objects as JavaScript converts them to strings',
      'GET /odd?b=,y,[object+Object]&a=[object+Object]',
      { status: 200, body: odd },
    ],
    ['order objects by that string', 'GET /odd?a_gte=[object', { status: 200, body: odd }],
  ],
)

contract(
  'folders in the dialect json-server-0',
  () => ({
    dialect: jsonServer0,
    fixtures: { v1: [{ id: 'posts' }], 'v1/posts': [{ id: 1, a: 1 }], 'v1/notes': [] },
  }),
  [
    ['contain records', 'GET /v1/posts/1', { status: 200, body: { id: 1, a: 1 } }],
    [
      'win over records with the same path',
      'GET /v1/posts',
      { status: 200, body: [{ id: 1, a: 1 }] },
    ],
    [
      'accept new records',
      { request: 'POST /v1/notes', body: {} },
      { status: 201, body: { id: 1 } },
    ],
  ],
)

/** At least one row for each row of the table of differences. */
const rows: readonly (readonly [deviation: string, ...Row])[] = [
  [
    'server error',
    'refuses an existing id',
    { request: 'POST /api/posts', body: { id: '1' } },
    { status: 409, headers: problem },
  ],
  [
    'server error',
    'refuses an invalid regular expression',
    'GET /api/posts?title_like=(',
    { status: 400, headers: problem },
  ],
  [
    'server error',
    'does not expand a foreign key that is null',
    'GET /api/comments/3?_expand=post',
    { status: 200, body: { id: 3, postId: null } },
  ],
  [
    'server error',
    'accepts a repeated _sort',
    'GET /api/posts?_sort=id&_sort=title',
    { status: 200 },
  ],
  [
    'server error',
    'refuses invalid percent-encoding',
    'GET /api/posts/%E0%A4%A',
    { status: 400, headers: problem },
  ],
  [
    'error page',
    'refuses invalid JSON',
    { request: 'POST /api/posts', body: '{' },
    { status: 400, headers: problem },
  ],
  [
    'error page',
    'refuses a body that is a plain value',
    { request: 'POST /api/posts', body: '5' },
    { status: 400, headers: problem },
  ],
  [
    'error page',
    'refuses a charset other than UTF-8',
    {
      request: 'POST /api/posts',
      headers: { 'content-type': 'application/json; charset=latin1' },
      body: '{}',
    },
    { status: 415, headers: problem },
  ],
  [
    'encoding',
    'refuses a body that is compressed',
    { request: 'POST /api/posts', headers: { 'content-encoding': 'gzip' }, body: { a: 1 } },
    { status: 415, headers: { ...problem, 'accept-encoding': 'identity' } },
  ],
  [
    'encoding',
    'refuses a body in UTF-16',
    {
      request: 'POST /api/posts',
      headers: { 'content-type': 'application/json; charset=utf-16le' },
      body: '{"a":1}',
    },
    { status: 415, headers: problem },
  ],
  [
    'sweep',
    'deletes only records that reference the deleted record',
    ['DELETE /api/posts/1', 'GET /api/comments'],
    {
      status: 200,
      body: [
        { id: 2, postId: 99 },
        { id: 3, postId: null },
      ],
    },
  ],
  [
    'sweep',
    'deletes nothing if the record does not exist',
    ['DELETE /api/posts/99', 'GET /api/comments/2'],
    { status: 200 },
  ],
  [
    'body of another type',
    'refuses a body of another type',
    {
      request: 'PUT /api/posts/1',
      headers: { 'content-type': 'text/plain' },
      body: '{"title":"x"}',
    },
    { status: 415, headers: problem },
  ],
  [
    'body of another type',
    'ignores the type of a missing body',
    { request: 'DELETE /api/posts/1', headers: { 'content-type': 'text/plain' } },
    { status: 200, body: {} },
  ],
  [
    'list as record',
    'refuses an array',
    { request: 'POST /api/posts', body: [{ title: 'x' }] },
    { status: 400, headers: problem },
  ],
  [
    'list as record',
    'refuses an array for a singleton',
    { request: 'PUT /api/profile', body: [1] },
    { status: 400, headers: problem },
  ],
  [
    'pattern',
    'refuses a backreference',
    'GET /api/posts?title_like=(a)%5C1',
    { status: 400, headers: problem },
  ],
  [
    'pattern',
    'refuses a lookaround',
    'GET /api/posts?title_like=(%3F=a)a',
    { status: 400, headers: problem },
  ],
  [
    'pattern',
    'refuses a large expression',
    'GET /api/posts?title_like=a{2000}',
    { status: 400, headers: problem },
  ],
  [
    'pattern',
    'refuses expressions that would take seconds on the data',
    `GET /api/logs?${Array.from({ length: 300 }, (_, at) => `text_like=${at}(x%3F){9}y`).join('&')}`,
    { status: 400, headers: problem },
  ],
  [
    'no delay',
    'does not wait',
    'GET /api/posts/1?_delay=0',
    { status: 200, body: { id: 1, title: 'a', tags: ['x'] } },
  ],
  [
    'callback',
    'answers as JSON',
    'GET /api/posts/1?callback=f',
    { status: 200, headers: { 'content-type': /^application\/json/ } },
  ],
  ['prototype', 'finds no inherited resource', 'GET /api/constructor', { status: 404 }],
  [
    'prototype',
    'finds no inherited field',
    'GET /api/posts?constructor_like=.',
    { status: 200, body: [] },
  ],
  [
    'prototype',
    'stores __proto__ like any other key',
    [{ request: 'PATCH /api/profile', body: '{"__proto__":{"x":1}}' }, 'GET /api/profile?x=1'],
    { status: 200, body: JSON.parse('{"name":"Ada","__proto__":{"x":1}}') },
  ],
  [
    'kind of id',
    'refuses an id that is a boolean',
    { request: 'POST /api/posts', body: { id: true } },
    { status: 400, headers: problem },
  ],
  [
    'values',
    'does not write to an array of plain values',
    { request: 'POST /api/colors', body: { id: 1 } },
    { status: 404, body: {} },
  ],
  [
    'names in two cases',
    'finds the resource with the exact name',
    'GET /api/Users/1',
    { status: 404 },
  ],
  [
    'names in two cases',
    'finds the other resource with the exact name',
    'GET /api/users/1',
    { status: 200 },
  ],
  [
    'schema key',
    'omits the key',
    'GET /api/db',
    { status: 200, body: { ...blog().fixtures, $schema: undefined } },
  ],
  [
    'home page',
    'lists the resources',
    'GET /api/',
    { status: 200, body: { resources: expect.arrayContaining(['/api/posts']) } },
  ],
  [
    'headers',
    'leaves out the headers of Express',
    'GET /api/posts/1',
    {
      status: 200,
      headers: {
        'cache-control': 'no-cache',
        pragma: null,
        expires: null,
        'x-powered-by': null,
        'x-content-type-options': null,
        etag: /^"/,
      },
    },
  ],
  [
    'exposed headers',
    'lets pages of other origins read every header',
    { request: 'GET /api/posts', headers: { origin: 'http://localhost:5173' } },
    {
      status: 200,
      headers: { 'access-control-expose-headers': /\bETag\b.*\bLink\b.*\bLocation\b/ },
    },
  ],
  [
    'many names',
    'sorts by the 100th field',
    `GET /api/posts?_limit=1&_sort=${'none,'.repeat(99)}title&_order=${','.repeat(99)}desc`,
    { status: 200, body: [expect.objectContaining({ title: 'no id' })] },
  ],
  [
    'many names',
    'ignores the 101st field',
    `GET /api/posts?_limit=1&_sort=${'none,'.repeat(100)}title&_order=${','.repeat(100)}desc`,
    { status: 200, body: [expect.objectContaining({ title: 'a' })] },
  ],
  [
    'many names',
    'embeds the 100th distinct relation',
    `GET /api/posts/1?${relations(99)}&${relations(99)}&_embed=comments`,
    { status: 200, body: expect.objectContaining({ comments: [{ id: 1, postId: 1 }] }) },
  ],
  [
    'many names',
    'ignores the 101st relation',
    `GET /api/posts/1?${relations(100)}&_embed=comments`,
    { status: 200, body: expect.not.objectContaining({ comments: [{ id: 1, postId: 1 }] }) },
  ],
  [
    'infinite number',
    'refuses the number',
    {
      request: 'POST /api/posts',
      headers: { 'content-type': 'application/json' },
      body: '{"views":-1e400}',
    },
    { status: 400 },
  ],
]

/** Parameters for a number of relations that do not exist. */
function relations(count: number): string {
  return Array.from({ length: count }, (_, at) => `_embed=none${at}s`).join('&')
}

contract(
  'a deviation of json-server-0',
  blog,
  rows.map(([, ...row]) => row),
)

contract('json-server-0 with readOnly', () => ({ ...blog(), readOnly: true }), [
  [
    'refuses writes with the text of the status',
    { request: 'POST /api/posts', body: {} },
    { status: 403, headers: { 'content-type': /^text\/plain/ }, body: 'Forbidden' },
  ],
  ['allows reads', 'GET /api/posts/1', { status: 200 }],
])

function withoutTitle(record: JsonRecord): JsonRecord {
  return Object.fromEntries(Object.entries(record).filter(([key]) => key !== 'title'))
}

/** Hides the second post, and the titles of all posts. */
const hidden: Behaviour = {
  name: 'hidden',
  create: () => ({
    view: (collection) =>
      collection === 'posts'
        ? { includes: ({ id }) => id !== 2, present: withoutTitle }
        : undefined,
  }),
}

contract(
  'json-server-0 with behaviours',
  () => ({ ...blog(), use: [schema({ comments: { required: ['text'] } }), hidden] }),
  [
    [
      'validates a new record',
      { request: 'POST /api/comments', body: {} },
      { status: 422, headers: problem },
    ],
    [
      'validates the result of a patch',
      { request: 'PATCH /api/comments/1', body: { text: null } },
      { status: 200, body: { id: 1, postId: 1, text: null } },
    ],
    [
      'lists visible records',
      'GET /api/posts?id_ne=9',
      { status: 200, body: [{ id: 1, tags: ['x'] }] },
    ],
    ['does not find a hidden record', 'GET /api/posts/2', { status: 404, body: {} }],
    ['does not delete a hidden record', 'DELETE /api/posts/2', { status: 404, body: {} }],
    [
      'omits hidden fields from the response to a write',
      { request: 'PATCH /api/posts/1', body: { views: 1 } },
      { status: 200, body: { id: 1, tags: ['x'], views: 1 } },
    ],
    ['searches visible fields', 'GET /api/posts?q=no', { status: 200, body: [] }],
    [
      'embeds visible fields',
      'GET /api/comments/1?_expand=post',
      { status: 200, body: { id: 1, postId: 1, post: { id: 1, tags: ['x'] } } },
    ],
  ],
)

contract(
  'json-server-0 with another id field',
  () => ({
    dialect: jsonServer0,
    id: '_id',
    fixtures: { posts: [{ _id: 1 }, { id: 5 }], comments: [{ _id: 1, postId: 1 }] },
  }),
  [
    [
      'finds a record by the field',
      'GET /posts/1?_embed=comments',
      { status: 200, body: { _id: 1, comments: [{ _id: 1, postId: 1 }] } },
    ],
    ['does not find a record by `id`', 'GET /posts/5', { status: 404, body: {} }],
    [
      'continues ids of the field',
      { request: 'POST /posts', body: { id: 9 } },
      { status: 201, headers: { location: 'http://mock.test/posts/2' }, body: { id: 9, _id: 2 } },
    ],
    [
      'deletes records that reference the field',
      ['DELETE /posts/1', 'GET /comments'],
      { status: 200, body: [] },
    ],
  ],
)

contract('json-server-0 without a base', () => ({ ...blog(), base: '' }), [
  ['ignores the case of a resource name', 'GET /Posts/1', { status: 200 }],
  ['has the route /db', 'GET /db', { status: 200 }],
  [
    'sends Location',
    { request: 'POST /comments', body: {} },
    { status: 201, headers: { location: 'http://mock.test/comments/4' } },
  ],
])

describe('the table of differences from json-server 0.17', () => {
  it('has a test for each row', () => {
    const tested = new Set(rows.map(([name]) => name))
    expect([...tested]).toEqual(deviations0.map(({ name }) => name))
  })
})

contract(
  'json-server-0 with an id field per collection',
  () => ({
    dialect: jsonServer0,
    id: { posts: 'slug', comments: 'key' },
    fixtures: { posts: [{ slug: 'a' }], comments: [{ key: 5, postId: 'a' }] },
  }),
  [
    [
      'expands by the id field of the parent',
      'GET /comments/5?_expand=post',
      { status: 200, body: { key: 5, postId: 'a', post: { slug: 'a' } } },
    ],
    [
      'embeds by the id field of the collection',
      'GET /posts?_embed=comments',
      { status: 200, body: [{ slug: 'a', comments: [{ key: 5, postId: 'a' }] }] },
    ],
  ],
)
