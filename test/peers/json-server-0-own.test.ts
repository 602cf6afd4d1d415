import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { rewrite } from '../../src/behaviours.ts'
import { deviations0 } from '../contract/dialects/deviations.ts'
import { jsonServer0 } from '../../src/dialects.ts'
import { compare, withoutOrigin } from './harness/compare.ts'
import type { Database } from './harness/database.ts'
import { openClient, type PeerRequest, type PeerResponse } from './harness/exchange.ts'
import { startFixtura } from './harness/fixtura.ts'
import { type Flags0, startJsonServer0 } from './harness/json-server-0.ts'

/**
 * The requests of the tests of json-server 0.17.4 itself (`__tests__` of its repository), over data of the
 * same shape. Both servers answer them, and the responses and the data afterwards are compared.
 */
const database: Database = {
  posts: [
    { id: 1, body: 'first' },
    { id: 2, body: 'second' },
  ],
  tags: [
    { id: 1, body: 'Network' },
    { id: 2, body: 'Painting' },
    { id: 3, body: 'paint' },
  ],
  users: [
    { id: 1, username: 'Ann', tel: '0456' },
    { id: 2, username: 'Ben', tel: '456' },
  ],
  comments: [
    { id: 1, body: 'one', published: true, postId: 1, userId: 1 },
    { id: 2, body: 'two', published: false, postId: 1, userId: 2 },
    { id: 3, body: 'three', published: false, postId: 2, userId: 1 },
    { id: 4, body: 'fourx', published: true, postId: 2, userId: 2 },
    { id: 5, body: 'fivex', published: false, postId: 2, userId: 1 },
  ],
  buyers: [
    { id: 1, name: 'A', country: 'Peru', total: 100 },
    { id: 2, name: 'B', country: 'Peru', total: 200 },
    { id: 3, name: 'C', country: 'Chile', total: 30 },
    { id: 4, name: 'D', country: 'Chile', total: 20 },
    { id: 5, name: 'E', country: 'Bolivia', total: 1 },
    { id: 6, name: 'F', country: 'Bolivia', total: 2 },
  ],
  refs: [{ id: 'wxyz-1234', url: 'http://a.test', postId: 1, userId: 1 }],
  stringIds: [{ id: '1234' }],
  deep: [{ a: { b: 1 } }, { a: 1 }],
  nested: [{ in: { name: 'm' } }, { in: { name: 'c' } }, { in: { name: 'z' } }],
  list: Array.from({ length: 15 }, (_, index) => ({ id: index + 1 })),
  user: { name: 'ann', email: 'ann@a.test' },
}

const routes = {
  '/api/*': '/$1',
  '/blog/posts/:id/show': '/posts/:id',
  '/comments/special/:userId-:body': '/comments/?userId=:userId&body=:body',
  '/firstpostwithcomments': '/posts/1?_embed=comments',
  '/articles\\?_id=:id': '/posts/:id',
}

/** Comments whose foreign key has the suffix `_id`. */
const suffixed: Database = {
  posts: [
    { id: 1, body: 'first' },
    { id: 2, body: 'second' },
  ],
  comments: [
    { id: 1, post_id: 1 },
    { id: 2, post_id: 1 },
    { id: 3, post_id: 2 },
  ],
}

interface Group {
  flags?: Flags0
  data: Database
  requests: readonly (string | PeerRequest)[]
}

const record = { body: 'new', booleanValue: true, integerValue: 1 }

/** A request with a JSON body. */
function json(request: string, body: unknown): PeerRequest {
  const headers = { 'content-type': 'application/json' }
  return { ...toRequest(request), headers, body: JSON.stringify(body) }
}

function toRequest(request: string | PeerRequest): PeerRequest {
  if (typeof request !== 'string') return request
  const [method = '', path = ''] = request.split(' ')
  return { method, path }
}

const groups: Record<string, Group> = {
  'reads of collections': {
    data: database,
    requests: [
      'GET /db',
      { method: 'GET', path: '/posts', headers: { origin: 'http://localhost:5173' } },
      'GET /undefined',
      'GET /comments?postId=1&published=true',
      'GET /users?tel=456',
      'GET /comments?id=1&id=2',
      'GET /deep?a.b=1',
      'GET /comments?foo=1&bar=2',
      'GET /posts?body=first',
      'GET /tags?q=pai',
      'GET /deep?q=1',
      'GET /tags?q=nope',
      'GET /comments?q=x&published=true',
      'GET /comments?q=one&q=two',
      'GET /comments?published=false',
      'GET /comments?_end=2',
      'GET /tags?_sort=body',
      'GET /tags?_sort=body&_order=DESC',
      'GET /tags?_sort=body&_order=desc',
      'GET /posts?_sort=id&_order=DESC',
      'GET /nested?_sort=in.name',
      'GET /buyers?_sort=country,total&_order=asc,desc',
      'GET /comments?_start=1&_end=2',
      'GET /comments?_start=1&_limit=1',
      'GET /list?_page=2',
      'GET /list?_page=2&_limit=1',
      'GET /comments?id_gte=2&id_lte=3',
      'GET /comments?id_ne=1',
      'GET /comments?id_ne=1&id_ne=2',
      'GET /tags?body_like=paint',
      'GET /tags?body_like=paint&body_like=net',
      'GET /posts?_delay=20',
    ],
  },
  'reads of records and relations': {
    data: database,
    requests: [
      'GET /posts/1/comments',
      'GET /posts/1',
      'GET /refs/wxyz-1234',
      'GET /stringIds/1234',
      'GET /posts/9001',
      'GET /posts?_embed=comments',
      'GET /posts?_embed=comments&_embed=refs',
      'GET /posts/1?_embed=comments',
      'GET /posts/1?_embed=comments&_embed=refs',
      'GET /refs?_expand=post',
      'GET /comments/1?_expand=post',
      'GET /refs?_expand=post&_expand=user',
      'GET /comments/1?_expand=post&_expand=user',
    ],
  },
  writes: {
    data: database,
    requests: [
      json('POST /posts', record),
      {
        method: 'POST',
        path: '/posts',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: 'body=new&booleanValue=true&integerValue=1',
      },
      json('POST /posts/1/comments', { body: 'new' }),
      json('POST /posts?_delay=20', record),
      json('PUT /posts/1', { id: 1, booleanValue: true, integerValue: 1 }),
      json('PUT /posts/9001', { id: 1, body: 'other' }),
      json('PUT /posts/1?_delay=20', { id: 1, booleanValue: true }),
      json('PATCH /posts/1', { body: 'other' }),
      json('PATCH /posts/9001', { body: 'other' }),
      json('PATCH /posts/1?_delay=20', { id: 1, booleanValue: true }),
      'DELETE /posts/9001',
      json('DELETE /posts/2?_delay=20', {}),
      'DELETE /posts/1',
    ],
  },
  singletons: {
    data: { $schema: 'http://a.test/schema', user: database['user'] ?? null },
    requests: [
      'GET /user',
      json('POST /user', { name: 'ben' }),
      json('PUT /user', { name: 'cat' }),
      json('PATCH /user', { email: 'cat@a.test' }),
      'GET /user',
    ],
  },
  rewrites: {
    flags: { routes },
    data: database,
    requests: [
      'GET /api/posts/1',
      'GET /blog/posts/1/show',
      'GET /firstpostwithcomments',
      'GET /comments/special/1-fivex',
      'GET /articles?_id=1',
      'GET /__rules',
    ],
  },
  'foreign keys with another suffix': {
    flags: { foreignKeySuffix: '_id' },
    data: suffixed,
    requests: [
      'GET /posts/1/comments',
      'GET /posts/1',
      'GET /posts?_embed=comments',
      'GET /posts/1?_embed=comments',
      'GET /comments?_expand=post',
      'GET /comments/1?_expand=post',
      json('POST /posts/1/comments', { body: 'new' }),
      'DELETE /posts/1',
    ],
  },
  'another id field': {
    flags: { id: '_id' },
    data: { posts: [{ _id: 1 }] },
    requests: ['GET /posts/1', 'GET /posts'],
  },
  'the command line with several options': {
    flags: {
      routes: { '/blog/*': '/$1' },
      id: '_id',
      foreignKeySuffix: '_id',
      readOnly: true,
    },
    data: { posts: [{ id: 1 }, { _id: 2 }], comments: [{ id: 1, post_id: 1 }] },
    requests: [
      'GET /blog/posts/2',
      'GET /posts/1/comments',
      json('POST /blog/posts', {}),
      'DELETE /posts/2',
    ],
  },
}

/** Requests that the two servers answer differently, with the rows of the table of differences. */
const different: readonly [request: string, deviation: string][] = [
  ['GET /comments?callback=1&_=1', 'callback'],
  ['GET /', 'home page'],
  ['GET /script.js', 'home page'],
  ['GET /style.css', 'home page'],
]

interface Pair {
  /** Sends one request to both servers. */
  ask(request: PeerRequest): Promise<[reference: PeerResponse, subject: PeerResponse]>
  close(): Promise<void>
}

async function startBoth(data: Database, flags: Flags0 = {}): Promise<Pair> {
  const { routes: rules, ...options } = flags
  const reference = await startJsonServer0(data, flags)
  const use = rules ? [rewrite(rules)] : []
  const subject = await startFixtura(data, jsonServer0, { ...options, use })
  const [theirs, ours] = [openClient(reference.url), openClient(subject.url)]
  return {
    ask: async (request) => [
      withoutOrigin(await theirs.exchange(request), reference.url),
      withoutOrigin(await ours.exchange(request), subject.url),
    ],
    async close() {
      theirs.close()
      ours.close()
      await Promise.all([reference.close(), subject.close()])
    },
  }
}

/** The names in a header that lists names. */
function namesIn(header: string | undefined): string[] {
  return (header ?? '').split(', ').filter(Boolean)
}

beforeAll(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

afterAll(() => {
  vi.restoreAllMocks()
})

describe("json-server 0.17.4's own tests", () => {
  it.each(Object.keys(groups))('pass: %s', async (title) => {
    const { flags, data, requests } = groups[title] as Group
    const pair = await startBoth(data, flags)
    try {
      for (const request of requests.map(toRequest)) {
        const [expected, actual] = await pair.ask(request)
        expect({ request, differs: compare(request, expected, actual) }).toEqual({ request })
        const header = 'access-control-expose-headers'
        const exposed = namesIn(actual.headers[header])
        if (request.headers?.['origin'] === undefined) continue
        expect(exposed).toEqual(expect.arrayContaining(namesIn(expected.headers[header])))
        for (const name of ['access-control-allow-origin', 'access-control-allow-credentials'])
          expect(actual.headers[name]).toBe(expected.headers[name])
      }
      const [expected, actual] = await pair.ask({ method: 'GET', path: '/db' })
      const { $schema: _schema, ...state } = JSON.parse(expected.text) as Database
      expect(JSON.parse(actual.text)).toEqual(state)
    } finally {
      await pair.close()
    }
  })

  it('create a record with a random id', async () => {
    const pair = await startBoth(database)
    const request = json('POST /refs', { url: 'http://b.test', postId: 1 })
    const answers = await pair.ask(request)
    await pair.close()
    const id = expect.stringMatching(/^[\w-]{7}$/) as string
    for (const { status, text } of answers) {
      const body = JSON.parse(text) as unknown
      expect([status, body]).toEqual([201, { url: 'http://b.test', postId: 1, id }])
    }
  })

  it('create a record with another id field', async () => {
    const pair = await startBoth({ posts: [{ _id: 1 }] }, { id: '_id' })
    const answers = await pair.ask(json('POST /posts', { body: 'hello' }))
    await pair.close()
    const expected = { body: 'hello', _id: 2 }
    expect(answers.map(({ text }) => JSON.parse(text) as unknown)).toEqual([expected, expected])
  })

  it.each(different)('have another result for %s', async (request, deviation) => {
    const pair = await startBoth(database)
    const [expected, actual] = await pair.ask(toRequest(request))
    await pair.close()
    expect(expected.status).toBe(200)
    expect(actual.text).not.toBe(expected.text)
    expect(deviations0.map(({ name }) => name)).toContain(deviation)
  })

  it('have other headers against caches', async () => {
    const pair = await startBoth(database)
    const [expected, actual] = await pair.ask({ method: 'GET', path: '/db' })
    await pair.close()
    const names = ['cache-control', 'pragma', 'expires']
    expect(names.map((name) => expected.headers[name])).toEqual(['no-cache', 'no-cache', '-1'])
    expect(names.map((name) => actual.headers[name])).toEqual(['no-cache', undefined, undefined])
    expect(deviations0.map(({ name }) => name)).toContain('headers')
  })
})
