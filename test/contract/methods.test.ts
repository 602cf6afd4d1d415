import { expect } from 'vitest'

import { rest } from '../../src/dialects.ts'
import { contract } from '../faces.ts'

const problem = /^application\/problem\+json/

function shop(): { fixtures: Record<string, unknown> } {
  return {
    fixtures: {
      posts: [
        { id: 1, title: 'First', views: 10 },
        { id: 2, title: 'Second', views: 20 },
      ],
      comments: [
        { id: 'a', postId: 1, text: 'Yes' },
        { id: 'b', postId: 2, text: 'No' },
      ],
      replies: [{ id: 1, commentId: 'a' }],
      profile: { name: 'Ada' },
      colours: ['red', 'green'],
    },
  }
}

contract('a collection', shop, [
  [
    'lists its records',
    'GET /comments',
    { status: 200, headers: { 'x-total-count': '2' }, body: shop().fixtures['comments'] },
  ],
  [
    'answers HEAD without a body',
    'HEAD /posts',
    { status: 200, headers: { 'x-total-count': '2' }, body: '' },
  ],
  [
    'adds a record',
    { request: 'POST /posts', body: { title: 'Third' } },
    {
      status: 201,
      headers: { location: 'http://mock.test/posts/3' },
      body: { id: 3, title: 'Third' },
    },
  ],
  [
    'adds all records of a list',
    [{ request: 'POST /posts', body: [{ title: 'x' }, { title: 'y' }] }, 'GET /posts/4'],
    { status: 200, body: { id: 4, title: 'y' } },
  ],
  [
    'draws no id that another of a list brings along',
    { request: 'POST /posts', body: [{ title: 'x' }, { id: 3 }, {}] },
    { status: 201, body: [{ id: 4, title: 'x' }, { id: 3 }, { id: 5 }] },
  ],
  [
    'adds no record of an empty list',
    { request: 'POST /posts', body: [] },
    { status: 201, body: [] },
  ],
  [
    'adds no record if one of the list is refused',
    [{ request: 'POST /posts', body: [{ title: 'x' }, { id: 1 }] }, 'GET /posts'],
    { status: 200, headers: { 'x-total-count': '2' } },
  ],
  [
    'goes on from a list of which one cannot be added as if it had not come',
    [
      { request: 'POST /posts', body: [{ id: 'x' }, { id: 9 }, { id: 1 }] },
      { request: 'POST /posts', body: {} },
    ],
    { status: 201, body: { id: 3 } },
  ],
  [
    'adds no record of a list that has an id twice',
    { request: 'POST /posts', body: [{ id: 3 }, { id: '3' }] },
    { status: 409, headers: { 'content-type': problem } },
  ],
  [
    'refuses an id that is taken',
    { request: 'POST /posts', body: { id: '1' } },
    { status: 409, headers: { 'content-type': problem } },
  ],
  ['refuses a body that is no JSON', { request: 'POST /posts', body: '{' }, { status: 400 }],
  ['refuses a body that is no record', { request: 'POST /posts', body: '"x"' }, { status: 400 }],
  ['refuses to add nothing', 'POST /posts', { status: 400 }],
  [
    'refuses a type that it cannot read',
    { request: 'POST /posts', headers: { 'content-type': 'text/csv' }, body: 'a,b' },
    { status: 415, headers: { accept: /application\/json/ } },
  ],
  [
    'has no PUT',
    { request: 'PUT /posts', body: {} },
    { status: 405, headers: { allow: 'GET, HEAD, QUERY, POST, OPTIONS' } },
  ],
  ['has no PATCH', { request: 'PATCH /posts', body: {} }, { status: 405 }],
  ['has no DELETE', 'DELETE /posts', { status: 405 }],
  [
    'answers OPTIONS',
    'OPTIONS /posts',
    { status: 204, headers: { allow: 'GET, HEAD, QUERY, POST, OPTIONS' } },
  ],
  [
    'never uses an id again',
    ['DELETE /posts/2', { request: 'POST /posts', body: {} }],
    { status: 201, body: { id: 3 } },
  ],
])

contract('a member', shop, [
  ['is read', 'GET /posts/1', { status: 200, body: { id: 1, title: 'First', views: 10 } }],
  ['is read with a slash behind it', 'GET /posts/1/', { status: 200 }],
  ['is found by the exact text of its id', 'GET /posts/01', { status: 404 }],
  [
    'is replaced',
    { request: 'PUT /posts/1', body: { title: 'New' } },
    { status: 200, body: { id: 1, title: 'New' } },
  ],
  [
    'is patched',
    { request: 'PATCH /posts/1', body: { views: 11 } },
    { status: 200, body: { id: 1, title: 'First', views: 11 } },
  ],
  [
    'is patched by the rules of a merge patch',
    {
      request: 'PATCH /posts/1',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { views: null },
    },
    { status: 200, body: { id: 1, title: 'First' } },
  ],
  ['keeps its id', { request: 'PUT /posts/1', body: { id: 2 } }, { status: 400 }],
  ['is deleted', ['DELETE /posts/1', 'GET /posts/1'], { status: 404 }],
  [
    'is handed out when it is deleted',
    'DELETE /posts/1',
    { status: 200, body: { id: 1, title: 'First', views: 10 } },
  ],
  [
    'leaves its children when it is deleted',
    ['DELETE /posts/1', 'GET /comments/a'],
    { status: 200 },
  ],
  [
    'takes named children along',
    ['DELETE /posts/1?_dependent=comments', 'GET /comments/a'],
    { status: 404 },
  ],
  ['cannot be replaced when it is missing', { request: 'PUT /posts/9', body: {} }, { status: 404 }],
  [
    'has no POST',
    { request: 'POST /posts/1', body: {} },
    { status: 405, headers: { allow: 'GET, HEAD, PUT, PATCH, DELETE, OPTIONS' } },
  ],
])

contract('a nested collection', shop, [
  [
    'lists the children',
    'GET /posts/1/comments',
    { status: 200, body: [{ id: 'a', postId: 1, text: 'Yes' }] },
  ],
  ['lists them with a slash behind it', 'GET /posts/1/comments/', { status: 200 }],
  ['is missing where the parent is', 'GET /posts/9/comments', { status: 404 }],
  ['is missing where any parent is', 'GET /posts/2/comments/a/replies', { status: 404 }],
  [
    'leads deeper',
    'GET /posts/1/comments/a/replies',
    { status: 200, body: [{ id: 1, commentId: 'a' }] },
  ],
  [
    'sets the key of the parent with the type of its id',
    { request: 'POST /posts/1/comments', body: { id: 'c', postId: '2' } },
    {
      status: 201,
      headers: { location: 'http://mock.test/comments/c' },
      body: { id: 'c', postId: 1 },
    },
  ],
  ['hands out a child', 'GET /posts/1/comments/a', { status: 200 }],
  ["does not hand out another parent's child", 'GET /posts/1/comments/b', { status: 404 }],
])

contract('a singleton', shop, [
  ['is read', 'GET /profile', { status: 200, body: { name: 'Ada' } }],
  [
    'is replaced',
    { request: 'PUT /profile', body: { nick: 'A' } },
    { status: 200, body: { nick: 'A' } },
  ],
  [
    'is patched',
    { request: 'PATCH /profile', body: { nick: 'A' } },
    { status: 200, body: { name: 'Ada', nick: 'A' } },
  ],
  ['has no POST', { request: 'POST /profile', body: {} }, { status: 405 }],
  ['has no DELETE', 'DELETE /profile', { status: 405 }],
  ['has no members', 'GET /profile/name', { status: 404 }],
])

contract('a document', shop, [
  ['is read', 'GET /colours', { status: 200, body: ['red', 'green'] }],
  [
    'cannot be written',
    { request: 'PUT /colours', body: {} },
    { status: 405, headers: { allow: 'GET, HEAD, OPTIONS' } },
  ],
])

const root = { resources: Object.keys(shop().fixtures).map((name) => `/api/${name}`) }
contract('a mock with a base', () => ({ ...shop(), base: '/api/' }), [
  ['answers below it', 'GET /api/posts/1', { status: 200 }],
  ['tells what there is at its root', 'GET /api/', { status: 200, body: root }],
  ['tells so without the slash', 'GET /api', { status: 200, body: root }],
  ['takes nothing at its root', { request: 'POST /api/', body: {} }, { status: 404 }],
  [
    'owns what is unknown below it',
    'GET /api/nope',
    { status: 404, headers: { 'content-type': problem } },
  ],
  [
    'locates what it has created below it',
    { request: 'POST /api/posts', body: {} },
    { status: 201, headers: { location: 'http://mock.test/api/posts/3' } },
  ],
])

const named = { 'a b/c#d': [], "50%?'ü": [] }
const namedPaths = { resources: ['/api/a%20b/c%23d', "/api/50%25%3F'%C3%BC"] }
contract('names of any sign', () => ({ fixtures: named, base: '/api' }), [
  ['are told as they stand in a URL', 'GET /api/', { status: 200, body: namedPaths }],
  [
    'are told so to whoever misses them',
    'GET /api/a',
    { status: 404, body: expect.objectContaining(namedPaths) },
  ],
])
contract('names of any sign without a base', () => ({ fixtures: named }), [
  ['are found in a folder', 'GET /a%20b/c%23d', { status: 200, body: [] }],
  ['are found with some escapes', "GET /50%25%3F'%C3%BC", { status: 200, body: [] }],
  ['are found with others', 'GET /%35%30%25%3F%27%C3%BC', { status: 200, body: [] }],
])

contract(
  'a collection that only nested paths serve',
  () => ({
    fixtures: { posts: [{ id: 1 }], comments: [{ id: 5, postId: 1 }] },
    resources: { comments: { nested: true } },
  }),
  [
    ['is served there', 'GET /posts/1/comments', { status: 200, body: [{ id: 5, postId: 1 }] }],
    ['has its records there', 'GET /posts/1/comments/5', { status: 200 }],
    [
      'takes new records there',
      { request: 'POST /posts/1/comments', body: {} },
      { status: 201, headers: { Location: /\/posts\/1\/comments\/6$/ } },
    ],
    [
      'keeps the parent of a replaced record',
      [{ request: 'PUT /posts/1/comments/5', body: { text: 'x' } }, 'GET /posts/1/comments/5'],
      { status: 200, body: { id: 5, postId: 1, text: 'x' } },
    ],
    [
      'is no resource at the top',
      'GET /comments',
      { status: 404, body: expect.objectContaining({ resources: ['/posts'] }) },
    ],
    ['has no record at the top', 'GET /comments/5', { status: 404 }],
    [
      'is embedded',
      'GET /posts?_embed=comments',
      { status: 200, body: [{ id: 1, comments: [{ id: 5, postId: 1 }] }] },
    ],
  ],
)

const { parseQuery: _, ...asked } = rest
contract('a dialect without QUERY', () => ({ ...shop(), dialect: asked }), [
  [
    'has no such method',
    { request: 'QUERY /posts', body: {} },
    {
      status: 405,
      headers: { allow: 'GET, HEAD, POST, OPTIONS' },
      body: expect.objectContaining({
        detail:
          'Failed to QUERY "/posts": a collection has no such method. Please use one of GET, HEAD, POST, OPTIONS.',
      }),
    },
  ],
  [
    'says so before',
    'OPTIONS /posts',
    { status: 204, headers: { allow: 'GET, HEAD, POST, OPTIONS', 'accept-query': null } },
  ],
])

contract('a mock that only reads', () => ({ ...shop(), readOnly: true }), [
  [
    'says so to a write',
    { request: 'PATCH /posts/1', body: {} },
    {
      status: 405,
      headers: { allow: 'GET, HEAD, OPTIONS' },
      body: expect.objectContaining({
        message:
          'Failed to PATCH "/posts/1": the mock is read-only. Please use one of GET, HEAD, OPTIONS.',
      }),
    },
  ],
  ['takes QUERY', { request: 'QUERY /posts', body: {} }, { status: 200 }],
])

contract(
  'a name in a folder',
  () => ({
    fixtures: {
      v1: [{ id: 'notes' }, { id: 'other' }],
      'v1/notes': [{ id: 1 }, { id: 'a/b' }],
    },
  }),
  [
    ['is the longest that there is', 'GET /v1/notes/1', { status: 200, body: { id: 1 } }],
    ['leaves others to the shorter one', 'GET /v1/%6Fther', { status: 200, body: { id: 'other' } }],
    ['may be written with escapes', 'GET /v1/n%6Ftes/1', { status: 200, body: { id: 1 } }],
    ['has ids with a slash', 'GET /v1/notes/a%2Fb', { status: 200, body: { id: 'a/b' } }],
    // Whoever keeps `/v1/notes` from others could be got round else (RFC 3986 §2.2).
    ['is no other where its slash is escaped', 'GET /v1%2Fnotes', { status: 404 }],
    ['is not written to there either', { request: 'POST /v1%2Fnotes', body: {} }, { status: 404 }],
  ],
)
