import { describe, expect, it } from 'vitest'

import { deviations1 } from './deviations.ts'
import { fields, states } from '../../../src/behaviours.ts'
import { jsonServer1 } from '../../../src/dialects.ts'
import type { Dialect } from '../../../src/dialects.ts'
import { createManualClock } from '../../../src/index.ts'
import { contract, type Row } from '../../faces.ts'

function blog(): { fixtures: Record<string, unknown>; dialect: Dialect; base: string } {
  return {
    base: '/api',
    dialect: jsonServer1,
    fixtures: {
      posts: [
        { id: 1, title: 'a', views: 10, author: { name: 'Ann' } },
        { id: '2', title: 'b', views: 20 },
        { title: 'no id', views: 30, author: 'Bob' },
      ],
      comments: [
        { id: 'x', postId: '1' },
        { id: 'y', postId: null },
        { id: 'z', postId: 1 },
      ],
      profile: { name: 'Ada' },
      version: 'v1.0',
    },
  }
}

const json = { 'content-type': 'application/json' }

contract('the dialect json-server-1', blog, [
  ['reads a path with two leading slashes', 'GET /api//posts/2', { status: 200 }],
  [
    'parses no body for a path with two leading slashes',
    { request: 'PUT /api//posts/2', body: { title: 'x' } },
    { status: 400, body: { error: 'Body must be a JSON object' } },
  ],
  [
    'does not add a record below a record, whatever the body',
    { request: 'POST /api/posts/2', body: [] },
    { status: 404, body: { error: 'Not Found' } },
  ],
  ['ignores the body of DELETE', { request: 'DELETE /api/posts/2', body: [] }, { status: 200 }],
  [
    'ignores the case of strings, and trims the values of a list',
    'GET /api/posts?title:startsWith=B&views:in=10,%2020',
    { status: 200, body: [{ id: '2', title: 'b', views: 20 }] },
  ],
  [
    'answers OPTIONS of a path with two leading slashes with 404',
    'OPTIONS /api//posts',
    { status: 404 },
  ],
  [
    'converts ids to strings',
    'GET /api/posts/1',
    {
      status: 200,
      headers: json,
      body: { id: '1', title: 'a', views: 10, author: { name: 'Ann' } },
    },
  ],
  [
    'generates an id, whatever the body contains',
    { request: 'POST /api/posts', body: { id: 7 } },
    {
      status: 201,
      headers: { location: null },
      body: { id: expect.stringMatching(/^[\w-]{11}$/) },
    },
  ],
  [
    'keeps invalid percent-encoding in a parameter',
    [
      { request: 'POST /api/posts', body: { title: '50% café \uFFFD' } },
      'GET /api/posts?title=50%+caf%C3%A9+%E9&_page=1',
    ],
    { status: 200, body: expect.objectContaining({ items: 1 }) },
  ],
  [
    'reads a body of any type',
    { request: 'PATCH /api/profile', headers: { 'content-type': 'text/plain' }, body: '{"a":1}' },
    { status: 200, body: { name: 'Ada', a: 1 } },
  ],
  [
    'wraps a page in an envelope',
    'GET /api/posts?_page=9&_per_page=2&_sort=-views',
    {
      status: 200,
      body: {
        first: 1,
        prev: 1,
        next: null,
        last: 2,
        pages: 2,
        items: 3,
        data: [{ id: '1', title: 'a', views: 10, author: { name: 'Ann' } }],
      },
    },
  ],
  [
    'sets foreign keys that reference a deleted record to null',
    ['DELETE /api/posts/1', 'GET /api/comments'],
    {
      status: 200,
      body: [
        { id: 'x', postId: null },
        { id: 'y', postId: null },
        { id: 'z', postId: 1 },
      ],
    },
  ],
  [
    'deletes records that reference it with _dependent',
    ['DELETE /api/posts/1?_dependent=comments', 'GET /api/comments'],
    { status: 200, body: [{ id: 'z', postId: 1 }] },
  ],
  ['sends a string as plain text', 'GET /api/version', { status: 200, headers: json }],
  [
    'refuses an array',
    { request: 'POST /api/posts', body: [1] },
    { status: 400, headers: json, body: { error: 'Body must be a JSON object' } },
  ],
  [
    'respects the case of a resource name',
    'GET /api/Posts',
    { status: 404, headers: json, body: { error: 'Not Found' } },
  ],
  [
    'refuses an id with invalid percent-encoding',
    'GET /api/posts/100%',
    { status: 400, headers: { 'content-type': /^text\/plain/ }, body: 'Bad Request' },
  ],
  [
    'refuses a name with invalid percent-encoding',
    { request: 'PUT /api/%E0%A4%A', body: {} },
    { status: 400, headers: { 'content-type': /^text\/plain/ }, body: 'Bad Request' },
  ],
  [
    'does not decode a longer path',
    'GET /api/posts/%/x',
    { status: 404, headers: json, body: { error: 'Not Found' } },
  ],
  ['answers OPTIONS of any path', 'OPTIONS /api/nope', { status: 204 }],
])

contract('json-server-1 with another id field', () => ({ ...blog(), id: '_id' }), [
  [
    'generates ids for the field',
    { request: 'POST /api/posts', body: { id: 7 } },
    { status: 201, body: { id: 7, _id: expect.stringMatching(/^[\w-]{11}$/) } },
  ],
])

/** At least one row for each row of the table of differences. */
const rows: readonly (readonly [deviation: string, ...Row])[] = [
  [
    'server error',
    'refuses invalid JSON',
    { request: 'POST /api/posts', body: '{' },
    { status: 400, headers: json },
  ],
  [
    'server error',
    'refuses an invalid path',
    'GET /api/posts?a[=1',
    { status: 400, headers: json },
  ],
  [
    'server error',
    'accepts a body of more than 100 KiB',
    { request: 'PATCH /api/profile', body: { name: 'x'.repeat(200_000) } },
    { status: 200 },
  ],
  [
    'server error',
    'keeps the order for an invalid path',
    'GET /api/posts?_sort=a[&_page=1&_per_page=1',
    { status: 200 },
  ],
  [
    'encoding',
    'refuses a body that is compressed',
    { request: 'POST /api/posts', headers: { 'content-encoding': 'gzip' }, body: { a: 1 } },
    { status: 415, headers: { ...json, 'accept-encoding': 'identity' } },
  ],
  ['head', 'answers HEAD as GET', 'HEAD /api/posts', { status: 200, headers: json, body: '' }],
  ['prototype', 'finds no inherited resource', 'GET /api/__proto__', { status: 404 }],
  [
    'prototype',
    'does not write to the prototype',
    [{ request: 'PUT /api/__proto__', body: { polluted: true } }, 'GET /api/polluted'],
    { status: 404 },
  ],
  [
    'prototype',
    'finds no inherited field',
    'GET /api/posts?toString:ne=1',
    { status: 200, body: [] },
  ],
  [
    'missing parent',
    'finds nothing inside a missing field',
    'GET /api/posts?author.name=typicode',
    { status: 200, body: [] },
  ],
  [
    'missing parent',
    'finds nothing inside a missing field with _where',
    'GET /api/posts?_where={"author":{"name":{"ne":"Bob"}}}&_sort=id',
    { status: 200, body: [{ id: '1', title: 'a', views: 10, author: { name: 'Ann' } }] },
  ],
  [
    'value',
    'does not write to a plain value',
    { request: 'PUT /api/version', body: {} },
    { status: 404, headers: json },
  ],
  [
    'deep tree',
    'accepts 500 levels',
    `GET /api/posts?_where=${nested(500)}`,
    { status: 200, body: [expect.objectContaining({ id: '1' })] },
  ],
  [
    'deep tree',
    'refuses 501 levels',
    `GET /api/posts?_where=${nested(501)}`,
    {
      status: 400,
      body: expect.objectContaining({
        errors: { _where: 'it is nested deeper than 500 levels' },
      }),
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
    `GET /api/posts?_sort=${'none,'.repeat(99)}-views`,
    { status: 200, body: [30, 20, 10].map((views) => expect.objectContaining({ views })) },
  ],
  [
    'many names',
    'ignores the 101st field',
    `GET /api/posts?_sort=${'none,'.repeat(100)}-views`,
    { status: 200, body: [10, 20, 30].map((views) => expect.objectContaining({ views })) },
  ],
  [
    'many names',
    'embeds the 100th distinct relation',
    `GET /api/posts/1?${relations(99)}&${relations(99)}&_embed=comments`,
    {
      status: 200,
      body: expect.objectContaining({ comments: [{ id: 'x', postId: '1' }] }),
    },
  ],
  [
    'many names',
    'ignores the 101st relation',
    `GET /api/posts/1?${relations(100)}&_embed=comments`,
    {
      status: 200,
      body: expect.not.objectContaining({ comments: [{ id: 'x', postId: '1' }] }),
    },
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

/** A tree that matches the first record, nested in a number of `or`. */
function nested(levels: number): string {
  return `${'{"or":['.repeat(levels)}{"id":{"eq":"1"}}${']}'.repeat(levels)}`
}

contract(
  'a deviation of json-server-1',
  blog,
  rows.map(([, ...row]) => row),
)

describe('the table of differences from json-server 1', () => {
  it('has a test for each row', () => {
    const tested = new Set(rows.map(([name]) => name))
    expect([...tested]).toEqual(deviations1.map(({ name }) => name))
  })
})

contract(
  'json-server-1 with boolean fields',
  () => ({
    dialect: jsonServer1,
    fixtures: { posts: [{ id: '1', isDraft: true }, { id: '2', isDraft: false }, { id: '3' }] },
  }),
  [
    ['finds true', 'GET /posts?isDraft=true', { status: 200, body: [{ id: '1', isDraft: true }] }],
    [
      'finds false',
      'GET /posts?isDraft=false',
      { status: 200, body: [{ id: '2', isDraft: false }] },
    ],
  ],
)

contract(
  'json-server-1 with states',
  () => ({
    ...blog(),
    clock: createManualClock(),
    use: [states({ comments: { softDelete: true } }), fields({ profile: { readOnly: ['name'] } })],
  }),
  [
    [
      'soft-deletes the children of a deleted parent',
      ['DELETE /api/posts/1?_dependent=comments', 'GET /api/comments/x'],
      { status: 410 },
    ],
    [
      'merges a patch into a singleton, except read-only fields',
      { request: 'PATCH /api/profile', body: { name: 'Eve', age: 3 } },
      { status: 200, body: { name: 'Ada', age: 3 } },
    ],
  ],
)

contract('json-server-1 with readOnly', () => ({ ...blog(), readOnly: true }), [
  [
    'refuses writes with a message',
    'DELETE /api/posts/2',
    {
      status: 405,
      headers: { allow: 'GET, HEAD, OPTIONS' },
      body: expect.objectContaining({
        error:
          'Failed to DELETE "/api/posts/2": the mock is read-only. Please use one of GET, HEAD, OPTIONS.',
      }),
    },
  ],
])
