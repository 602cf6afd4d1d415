import { describe, expect, it } from 'vitest'

import { createManualClock, createMock, type MockConfig } from '../../src/index.ts'
import { contract, faces, type TableRequest } from '../faces.ts'

const stamp = '2025-06-01T12:00:00.500Z'
const stampDate = 'Sun, 01 Jun 2025 12:00:00 GMT'
const before = 'Sun, 01 Jun 2025 11:59:59 GMT'
const after = 'Sun, 01 Jun 2025 12:00:01 GMT'

function shop(config: MockConfig = {}): MockConfig & { fixtures: Record<string, unknown> } {
  return {
    fixtures: {
      posts: [
        { id: 1, title: 'First' },
        { id: 2, title: 'Second', updatedAt: stamp },
        { id: 3, title: 'Third', updatedAt: '2999-01-01T00:00:00Z' },
        { id: 4, title: 'Fourth', updated_at: 'yesterday' },
      ],
      comments: [{ id: 1, postId: 1 }],
      profile: { name: 'Ada', modifiedAt: stamp },
      notes: [{ id: 'a', title: 'x' }],
      colours: ['red'],
    },
    clock: createManualClock(Date.UTC(2026, 0, 1)),
    ...config,
  }
}

/** The entity tags of the fixtures, the same on every machine. */
const tags = {
  post1: '"469247241-885401906"',
  posts: '',
  profile: '',
}

const readTag = async (path: string, headers: Record<string, string> = {}): Promise<string> => {
  const request = new Request(`http://mock.test${path}`, { headers })
  return (await createMock(shop()).fetch(request)).headers.get('etag') ?? ''
}

tags.posts = await readTag('/posts')
tags.profile = await readTag('/profile')

/** A request with preconditions. */
function given(request: string, headers: Record<string, string>, body?: unknown): TableRequest {
  return { request, headers, ...(body !== undefined && { body }) }
}

contract('entity tags (RFC 9110 §8.8.3)', shop, [
  ['are on a member', 'GET /posts/1', { status: 200, headers: { etag: tags.post1 } }],
  ['are on a list', 'GET /posts', { status: 200, headers: { etag: tags.posts } }],
  ['are on a singleton', 'GET /profile', { status: 200, headers: { etag: tags.profile } }],
  ['are on a document', 'GET /colours', { status: 200, headers: { etag: /^"[^"]+"$/ } }],
  ['are on HEAD', 'HEAD /posts/1', { status: 200, headers: { etag: tags.post1 } }],
  [
    'are on QUERY',
    { request: 'QUERY /posts', body: {} },
    { status: 200, headers: { etag: tags.posts } },
  ],
  [
    'change with a record of a list',
    [
      { request: 'PATCH /posts/1', body: { title: 'x' } },
      given('GET /posts', { 'if-none-match': tags.posts }),
    ],
    { status: 200 },
  ],
  [
    'are not on a write whose URL has a read of its own form',
    { request: 'PATCH /posts/1?_fields=id', body: {} },
    { status: 200, headers: { etag: null } },
  ],
  ['are not on an error', 'GET /posts/9', { status: 404, headers: { etag: null } }],
  [
    'change with the record',
    [
      { request: 'PATCH /posts/1', body: { title: 'x' } },
      given('GET /posts/1', { 'if-none-match': tags.post1 }),
    ],
    { status: 200 },
  ],
  [
    'come back with the record',
    [
      { request: 'PATCH /posts/1', body: { title: 'x' } },
      { request: 'PATCH /posts/1', body: { title: 'First' } },
      'GET /posts/1',
    ],
    { status: 200, headers: { etag: tags.post1 } },
  ],
  [
    'are on what POST has created',
    [{ request: 'POST /posts', body: { title: 'x' } }],
    { status: 201, headers: { etag: /^"/ } },
  ],
  [
    'are on what PATCH has left',
    { request: 'PATCH /posts/1', body: { title: 'First' } },
    { status: 200, headers: { etag: tags.post1 } },
  ],
  [
    'are on PUT where it stored what was sent',
    { request: 'PUT /posts/1', body: { id: 1, title: 'First' } },
    { status: 200, headers: { etag: tags.post1 } },
  ],
  [
    'are not on PUT where the id was added',
    { request: 'PUT /posts/1', body: { title: 'First' } },
    { status: 200, headers: { etag: null, 'last-modified': null } },
  ],
  [
    'are not on PUT of a form',
    given('PUT /notes/a', { 'content-type': 'application/x-www-form-urlencoded' }, 'id=a&title=x'),
    { status: 200, headers: { etag: null } },
  ],
  [
    'are not on several records',
    { request: 'POST /posts', body: [{}] },
    { status: 201, headers: { etag: null } },
  ],
  ['are not on what was deleted', 'DELETE /posts/1', { status: 200, headers: { etag: null } }],
])

describe('representations', () => {
  it('differ in their entity tags', async () => {
    const found = await Promise.all([
      readTag('/posts'),
      readTag('/posts?_limit=1'),
      readTag('/posts?_fields=id'),
      readTag('/posts?_page=1&_per_page=10'),
      readTag('/posts?_embed=comments'),
      readTag('/posts', { accept: 'text/html' }),
    ])
    expect(new Set(found).size).toBe(found.length)
  })
})

it.each([1, 2, 3, 4])('tells texts apart by their last sign, behind %i others', async (at) => {
  const mock = createMock({ fixtures: { posts: [{ id: 1, title: '' }] } })
  const read = async (title: string) => {
    mock.db.posts.replace(1, { id: 1, title })
    return (await mock.fetch('/posts/1')).headers.get('etag')
  }
  const text = '-'.repeat(at)
  expect(await read(`${text}x`)).not.toBe(await read(`${text}y`))
})

contract('If-None-Match (RFC 9110 §13.1.2)', shop, [
  [
    'answers 304 to what the client holds',
    given('GET /posts/1', { 'if-none-match': tags.post1 }),
    {
      status: 304,
      body: '',
      headers: {
        etag: tags.post1,
        'cache-control': 'no-cache',
        vary: /Accept/,
        'content-type': null,
      },
    },
  ],
  ['answers 304 to HEAD', given('HEAD /posts/1', { 'if-none-match': tags.post1 }), { status: 304 }],
  [
    'answers 304 to QUERY',
    { request: 'QUERY /posts', headers: { 'if-none-match': tags.posts }, body: {} },
    { status: 304 },
  ],
  [
    'compares weakly',
    given('GET /posts/1', { 'if-none-match': `W/${tags.post1}` }),
    { status: 304 },
  ],
  [
    'reads lists',
    given('GET /posts', { 'if-none-match': `"a,b" , W/"c",${tags.posts}` }),
    { status: 304 },
  ],
  [
    'matches any representation with *',
    given('GET /posts', { 'if-none-match': '*' }),
    { status: 304 },
  ],
  ['lets another tag through', given('GET /posts/1', { 'if-none-match': '"x"' }), { status: 200 }],
  ['does not hide an error', given('GET /posts/9', { 'if-none-match': '*' }), { status: 404 }],
  [
    'refuses to write what is there',
    given('PUT /posts/1', { 'if-none-match': '*' }, {}),
    { status: 412 },
  ],
  [
    'refuses to write a singleton that is there',
    given('PUT /profile', { 'if-none-match': '*' }, {}),
    { status: 412 },
  ],
  [
    'refuses to write what the client holds',
    given('PATCH /posts/1', { 'if-none-match': tags.post1 }, {}),
    { status: 412 },
  ],
  [
    'lets a write of something else through',
    given('PATCH /posts/1', { 'if-none-match': '"x"' }, {}),
    { status: 200 },
  ],
  [
    'lets POST create what is not there',
    given('POST /posts', { 'if-none-match': '*' }, { id: 9 }),
    { status: 201 },
  ],
  [
    'lets POST create what gets its id',
    given('POST /posts', { 'if-none-match': '*' }, {}),
    { status: 201 },
  ],
  [
    'refuses to create what is there',
    given('POST /posts', { 'if-none-match': '*' }, { id: 1 }),
    { status: 412 },
  ],
  [
    'refuses to create a list of which one is there',
    given('POST /posts', { 'if-none-match': '*' }, [{ id: 9 }, { id: 1 }]),
    { status: 412 },
  ],
  ['is ignored by OPTIONS', given('OPTIONS /posts', { 'if-none-match': '*' }), { status: 204 }],
])

contract('If-Match (RFC 9110 §13.1.1)', shop, [
  [
    'lets a write of what the client holds through',
    given('PUT /posts/1', { 'if-match': tags.post1 }, {}),
    { status: 200 },
  ],
  [
    'lets PATCH through',
    given('PATCH /posts/1', { 'if-match': `"x", ${tags.post1}` }, {}),
    { status: 200 },
  ],
  ['lets DELETE through', given('DELETE /posts/1', { 'if-match': tags.post1 }), { status: 200 }],
  [
    'lets DELETE with children through',
    given('DELETE /posts/1?_dependent=comments', { 'if-match': tags.post1 }),
    { status: 200 },
  ],
  ['lets anything through with *', given('DELETE /posts/1', { 'if-match': '*' }), { status: 200 }],
  [
    'lets a singleton through',
    given('PATCH /profile', { 'if-match': tags.profile }, {}),
    { status: 200 },
  ],
  [
    'refuses a record that has changed',
    [
      { request: 'PATCH /posts/1', body: { title: 'x' } },
      given('PUT /posts/1', { 'if-match': tags.post1 }, {}),
    ],
    {
      status: 412,
      headers: { 'content-type': /^application\/problem\+json/, 'cache-control': 'no-store' },
    },
  ],
  [
    'leaves what it refuses to write',
    [given('DELETE /posts/1', { 'if-match': '"x"' }), 'GET /posts/1'],
    { status: 200, headers: { etag: tags.post1 } },
  ],
  [
    'compares strongly',
    given('PUT /posts/1', { 'if-match': `W/${tags.post1}` }, {}),
    { status: 412 },
  ],
  ['comes before the body', given('PUT /posts/1', { 'if-match': '"x"' }, '{'), { status: 412 }],
  ['comes after what is missing', given('PUT /posts/9', { 'if-match': '*' }, {}), { status: 404 }],
  ['comes after the method', given('PATCH /posts', { 'if-match': '"x"' }, {}), { status: 405 }],
  [
    'guards a collection against other additions',
    [{ request: 'POST /posts', body: {} }, given('POST /posts', { 'if-match': tags.posts }, {})],
    { status: 412 },
  ],
  [
    'lets POST to an unchanged collection through',
    given('POST /posts', { 'if-match': tags.posts }, {}),
    { status: 201 },
  ],
  ['holds for GET too', given('GET /posts/1', { 'if-match': '"x"' }), { status: 412 }],
  [
    'lets GET of what the client holds through',
    given('GET /posts/1', { 'if-match': tags.post1 }),
    { status: 200 },
  ],
])

contract('Last-Modified (RFC 9110 §8.8.2)', shop, [
  [
    'is the time that a record says',
    'GET /posts/2',
    { status: 200, headers: { 'last-modified': stampDate } },
  ],
  [
    'is the time that a singleton says',
    'GET /profile',
    { status: 200, headers: { 'last-modified': stampDate } },
  ],
  ['is never in the future', 'GET /posts/3', { status: 200, headers: { 'last-modified': null } }],
  [
    'is not computed from an invalid time',
    'GET /posts/4',
    { status: 200, headers: { 'last-modified': null } },
  ],
  [
    'is not on a list, from which records can go',
    'GET /posts',
    { status: 200, headers: { 'last-modified': null } },
  ],
  [
    'is not on a part of a record',
    'GET /posts/2?_embed=comments',
    { status: 200, headers: { 'last-modified': null } },
  ],
  [
    'answers 304 where nothing changed since',
    given('GET /posts/2', { 'if-modified-since': stampDate }),
    { status: 304, headers: { 'last-modified': stampDate } },
  ],
  [
    'answers 304 where nothing changed since a later time',
    given('GET /posts/2', { 'if-modified-since': after }),
    { status: 304 },
  ],
  [
    'answers what changed since',
    given('GET /posts/2', { 'if-modified-since': before }),
    { status: 200 },
  ],
  [
    'reads the old form of RFC 850',
    given('GET /posts/2', { 'if-modified-since': 'Sunday, 01-Jun-25 12:00:00 GMT' }),
    { status: 304 },
  ],
  [
    "reads the form of C's asctime",
    given('GET /posts/2', { 'if-modified-since': 'Sun Jun  1 12:00:00 2025' }),
    { status: 304 },
  ],
  [
    'ignores an invalid date',
    given('GET /posts/2', { 'if-modified-since': '2026-01-01' }),
    { status: 200 },
  ],
  [
    'gives way to If-None-Match',
    given('GET /posts/2', { 'if-modified-since': after, 'if-none-match': '"x"' }),
    { status: 200 },
  ],
  [
    'is ignored where a record says no time',
    given('GET /posts/1', { 'if-modified-since': after }),
    { status: 200 },
  ],
  [
    'refuses a read of what changed since',
    given('GET /posts/2', { 'if-unmodified-since': before }),
    { status: 412 },
  ],
  [
    'does not keep a write that changes nothing since',
    given('PATCH /posts/2', { 'if-unmodified-since': stampDate }, {}),
    { status: 200 },
  ],
  [
    'refuses a write of what changed since',
    given('PATCH /posts/2', { 'if-unmodified-since': before }, {}),
    { status: 412 },
  ],
  [
    'gives way to If-Match',
    given('PATCH /posts/2', { 'if-unmodified-since': before, 'if-match': '*' }, {}),
    { status: 200 },
  ],
  [
    'is nothing to a write where it asks for what was modified (RFC 9110 §13.1.3)',
    given('PATCH /posts/2', { 'if-modified-since': after }, {}),
    { status: 200 },
  ],
  [
    'is ignored by a write of a record that says no time',
    given('PATCH /posts/1', { 'if-unmodified-since': before }, {}),
    { status: 200 },
  ],
])

contract('a record that is changed without saying so', shop, [
  [
    'has no Last-Modified any more',
    [
      { request: 'PATCH /posts/2', body: { title: 'x' } },
      given('GET /posts/2', { 'if-modified-since': after }),
    ],
    { status: 200, headers: { 'last-modified': null } },
  ],
  [
    'has one again once it does',
    [
      { request: 'PATCH /posts/2', body: { title: 'x' } },
      { request: 'PATCH /posts/2', body: { updatedAt: '2025-07-01T00:00:00Z' } },
      'GET /posts/2',
    ],
    { status: 200, headers: { 'last-modified': 'Tue, 01 Jul 2025 00:00:00 GMT' } },
  ],
])

contract('preconditions that all require', () => shop({ preconditions: true }), [
  ['refuse PUT', { request: 'PUT /notes/a', body: {} }, { status: 428 }],
  ['refuse PATCH of a singleton', { request: 'PATCH /profile', body: {} }, { status: 428 }],
  ['are not asked of POST', { request: 'POST /posts', body: {} }, { status: 201 }],
])

contract('required preconditions (RFC 6585 §3)', () => shop({ preconditions: ['posts'] }), [
  [
    'refuse PUT',
    { request: 'PUT /posts/1', body: {} },
    { status: 428, headers: { 'cache-control': 'no-store' } },
  ],
  ['refuse PATCH', { request: 'PATCH /posts/1', body: {} }, { status: 428 }],
  ['refuse DELETE', 'DELETE /posts/1', { status: 428 }],
  ['are met by If-Match', given('DELETE /posts/1', { 'if-match': tags.post1 }), { status: 200 }],
  [
    'are met by If-Unmodified-Since',
    given('DELETE /posts/2', { 'if-unmodified-since': stampDate }),
    { status: 200 },
  ],
  ['are not asked of POST', { request: 'POST /posts', body: {} }, { status: 201 }],
  ['are not required for a missing record', 'DELETE /posts/9', { status: 404 }],
  ['are not asked of another collection', 'DELETE /comments/1', { status: 200 }],
])

describe.each(Object.keys(faces))('two writes at once (%s)', (name) => {
  it('lets only the first of the same state through', async () => {
    const mock = createMock(shop())
    const connection = await faces[name]?.(mock)
    const patch = given('PATCH /posts/1', { 'if-match': tags.post1 }, { title: 'x' })
    const answers = await Promise.all([connection?.send(patch), connection?.send(patch)])
    await connection?.close()
    expect(new Set(answers.map((one) => one?.status))).toEqual(new Set([200, 412]))
  })
})

contract(
  'Cache-Control (RFC 9111 §5.2)',
  () => shop({ cacheControl: { posts: 'max-age=60', default: 'private' } }),
  [
    [
      'is what is configured',
      'GET /posts',
      { status: 200, headers: { 'cache-control': 'max-age=60' } },
    ],
    [
      'is the default of the configuration',
      'GET /profile',
      { status: 200, headers: { 'cache-control': 'private' } },
    ],
    ['keeps no error', 'GET /posts/9', { status: 404, headers: { 'cache-control': 'no-store' } }],
    [
      'keeps no wrong method',
      'DELETE /posts',
      { status: 405, headers: { 'cache-control': 'no-store' } },
    ],
    [
      'keeps no OPTIONS',
      'OPTIONS /posts',
      { status: 204, headers: { 'cache-control': 'no-store' } },
    ],
  ],
)

contract('Cache-Control by itself', shop, [
  [
    'lets everything be asked again',
    'GET /posts',
    { status: 200, headers: { 'cache-control': 'no-cache' } },
  ],
  [
    'is on every write',
    { request: 'POST /posts', body: {} },
    { status: 201, headers: { 'cache-control': 'no-cache' } },
  ],
  [
    'comes with what an answer varies by',
    'GET /posts',
    { status: 200, headers: { vary: 'Origin, Accept, Accept-Encoding, Prefer' } },
  ],
])
