import { createRequire } from 'node:module'
import { isDeepStrictEqual } from 'node:util'

import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'

import { rewrite } from '../../src/behaviours.ts'
import { compileExpressPattern } from '../../src/core/url/express-pattern.ts'
import { jsonServer0 } from '../../src/dialects.ts'
import { seed } from '../seed.ts'
import { compare, withoutOrigin } from './harness/compare.ts'
import type { Database } from './harness/database.ts'
import { openClient, type PeerRequest } from './harness/exchange.ts'
import { startFixtura } from './harness/fixtura.ts'
import { startJsonServer0 } from './harness/json-server-0.ts'
import { listed } from './harness/listed.ts'
import { createRandom, type Random } from './harness/random.ts'

const database: Database = {
  posts: [
    { id: 1, title: 'json-server', category: 'javascript', slug: 'a.b' },
    { id: 2, title: 'other', category: 'css', slug: 'a-b' },
    { id: 3, title: 'third', category: 'javascript', slug: 'c' },
  ],
  comments: [
    { id: 1, body: 'foo', postId: 1, userId: 1 },
    { id: 2, body: 'bar', postId: 1, userId: 2 },
  ],
  profile: { name: 'typicode' },
}

/** Patterns with the targets that their parameters allow. */
const rules: readonly (readonly [pattern: string, ...targets: string[]])[] = [
  ['/api/*', '/$1', '/$1?_sort=title', '/posts', '/$0', '/posts/$2'],
  ['/api/', '/', '/posts'],
  ['/*/v1/*', '/$1/$2', '/$2'],
  ['/:resource/:id/show', '/:resource/:id', '/:resource?id=:id', '/$1/$2'],
  ['/blog/:resource/:id/show', '/:resource/:id'],
  ['/blog/:category', '/posts?category=:category', '/posts?q=:category&_limit=1'],
  ['/blog', '/posts', '/posts?_page=1&_limit=2'],
  ['/blog*', '/posts$1', '/posts?_sort=id&_order=desc'],
  ['/posts/:category', '/posts?category=:category'],
  ['/posts/:category([a-z]+)', '/posts?category=:category'],
  ['/articles?id=:id', '/posts/:id', '/posts/:id?_embed=comments'],
  ['/articles\\?id=:id', '/posts/:id'],
  ['/articles\\?*', '/posts?$1'],
  ['/articles/:id(\\d+)', '/posts/:id'],
  ['/articles/(\\d+)', '/posts/$1', '/posts/:0'],
  ['/archive/:year-:month', '/posts?category=:year&id=:month'],
  ['/archive/:year.:month', '/posts?slug=:year.:month'],
  ['/optional/:id?', '/posts/:id', '/posts?id=:id'],
  ['/optional/:id?/end', '/posts/:id'],
  ['/many/:path+', '/:path'],
  ['/any/:path*', '/:path', '/posts'],
  ['/comments/special/:userId-:body', '/comments/?userId=:userId&body=:body'],
  ['/firstpostwithcomments', '/posts/1?_embed=comments'],
  ['/me', '/profile', 'profile'],
  ['/:a/:a', '/:a', '/posts/:a'],
  ['*', '$1', '/$1'],
  ['/(.*)', '/$1'],
  ['/x y', '/posts'],
  ['/UPPER/:id', '/posts/:id'],
]

const paths: readonly string[] = [
  '/',
  '/posts',
  '/posts/',
  '/posts/1',
  '/posts/1/show',
  '/posts/1/show/',
  '/posts/1/comments',
  '/posts/javascript',
  '/comments/2/show',
  '/api',
  '/api/',
  '/api/posts',
  '/api/posts/1',
  '/api/posts/1/show',
  '/API/posts',
  '/api/v1/posts',
  '/x/v1/posts/2',
  '/a/v1/b/v1/posts',
  '/blog',
  '/blog/',
  '/blog/css',
  '/blog/posts/1/show',
  '/blog/posts/1',
  '/blog/java%73cript',
  '/articles',
  '/articles/2',
  '/articles/x',
  '/archive/javascript-3',
  '/archive/a-b-c',
  '/archive/a.b',
  '/optional',
  '/optional/2',
  '/optional/2/end',
  '/optional/end',
  '/many/posts/1',
  '/many/posts',
  '/any',
  '/any/posts/3',
  '/comments/special/1-foo',
  '/firstpostwithcomments',
  '/me',
  '/profile',
  '/upper/2',
  '/__rules',
  '/__RULES/',
  '/db',
  '/nope',
]

const queries: readonly string[] = [
  '',
  '',
  '',
  '?',
  '?id=1',
  '?id=2&id=3',
  '?_limit=1',
  '?_page=1&_limit=1',
  '?_page=2&_limit=1&_sort=id',
  '?category=css',
  '?q=o',
  '?_embed=comments',
  '?x=/api/posts',
]

function makeRules(random: Random): Record<string, string> {
  const chosen = Array.from({ length: random.int(1, 5) }, () => random.pick(rules))
  return Object.fromEntries(
    chosen.map(([pattern, ...targets]) => [pattern, random.pick(targets)] as const),
  )
}

function makeRequest(random: Random): PeerRequest {
  const path = random.pick(paths) + random.pick(queries)
  if (random.chance(0.85)) return { method: 'GET', path }
  const method = random.pick(['POST', 'PUT', 'PATCH', 'DELETE'])
  const headers = { 'content-type': 'application/json' }
  return { method, path, headers, body: '{"title":"new"}' }
}

/** Parts of patterns. */
const parts: readonly string[] = listed(
  '/¦/api¦posts¦:id¦:a¦:b¦*¦-¦.¦:id(\\d+)¦(\\d+)¦?¦+¦\\?¦x=¦&¦(.*)¦:c?¦/:d*¦(a|b)¦\\.¦$1¦:¦(¦[¦{2}',
)

/** The package that json-server compiles patterns with. */
const pathToRegExp = createRequire(createRequire(import.meta.url).resolve('express-urlrewrite'))(
  'path-to-regexp',
) as (pattern: string, keys: object[]) => RegExp

beforeAll(() => {
  vi.spyOn(console, 'error').mockReturnValue()
})

afterAll(() => {
  vi.restoreAllMocks()
})

/** Sends one request after the other to both servers; returns what differs. */
async function findDifferences(
  routes: Record<string, string>,
  requests: readonly PeerRequest[],
): Promise<object[]> {
  const reference = await startJsonServer0(database, { routes })
  const subject = await startFixtura(database, jsonServer0, { use: [rewrite(routes)] })
  const [theirs, ours] = [openClient(reference.url), openClient(subject.url)]
  const differences: object[] = []
  try {
    for (const request of requests) {
      const [expected, actual] = await Promise.all([
        theirs.exchange(request),
        ours.exchange(request),
      ])
      // Differences that are not about rewriting: the home page, errors, and the list of resources.
      const isPage = expected.headers['content-type']?.startsWith('text/html')
      const isRoot = actual.text.startsWith('{\n  "resources"')
      if (expected.status >= 500 || isPage || isRoot) continue
      const difference = compare(
        request,
        withoutOrigin(expected, reference.url),
        withoutOrigin(actual, subject.url),
      )
      if (difference) differences.push({ routes, request, ...difference })
    }
    return differences
  } finally {
    theirs.close()
    ours.close()
    await Promise.all([reference.close(), subject.close()])
  }
}

describe('rewrite', () => {
  it('answers random requests with random rules as json-server does', async () => {
    const random = createRandom(`rewrite ${seed}`)
    const cases = Array.from({ length: 40 }, () => {
      const requests = Array.from({ length: 40 }, () => makeRequest(random))
      return findDifferences(makeRules(random), requests)
    })
    expect((await Promise.all(cases)).flat().slice(0, 5)).toEqual([])
  })

  it('compiles random patterns as path-to-regexp 1 does', () => {
    const random = createRandom(`patterns ${seed}`)
    const differences: object[] = []
    for (let count = 0; count < 20_000; count++) {
      const pattern = Array.from({ length: random.int(1, 8) }, () => random.pick(parts)).join('')
      const keys: { name: string | number }[] = []
      const { source } = pathToRegExp(pattern, keys)
      const { expression, groups } = compileExpressPattern(pattern)
      const names = keys.map(({ name }, at) => [String(name), at + 1] as const)
      const theirs = { source, groups: [...new Map(names)] }
      const ours = { source: expression.source, groups: [...groups] }
      if (!isDeepStrictEqual(ours, theirs)) differences.push({ pattern, ours, theirs })
    }
    expect(differences.slice(0, 5)).toEqual([])
  })

  it('rewrites the examples of json-server', async () => {
    const routes = {
      '/api/*': '/$1',
      '/:resource/:id/show': '/:resource/:id',
      '/posts/:category': '/posts?category=:category',
      '/articles?id=:id': '/posts/:id',
    }
    const requests = ['/api/posts', '/api/posts/1', '/posts/1/show', '/posts/css', '/articles?id=1']
    const asked = requests.map((path) => ({ method: 'GET', path }))
    expect(await findDifferences(routes, asked)).toEqual([])
  })
})
