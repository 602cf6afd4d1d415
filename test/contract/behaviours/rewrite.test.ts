import { describe, expect, it } from 'vitest'

import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import { auth, limit, rewrite } from '../../../src/behaviours.ts'
import { jsonServer1, rest } from '../../../src/dialects.ts'
import { createMock } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

const fixtures = {
  posts: [
    { id: 1, title: 'One', category: 'js' },
    { id: 2, title: 'Zwei Wörter', category: 'css' },
  ],
  comments: [{ id: 1, postId: 1 }],
}
const [first, second] = fixtures.posts

const rules = {
  '/v1/*': '/$1',
  '/:resource/:id/show': '/:resource/:id',
  '/blog/:category': '/posts?category=:category',
  '/articles?id=:id': '/posts/:id',
  '/german': '/posts?title=Zwei Wörter',
  '/pages/:page': '/posts?_page=:page&_limit=1',
  'GET /newest': '/posts?_sort=-id&_limit=1',
  'PUT,DELETE /former/:id': '/posts/:id',
}

contract('rewrite', () => ({ fixtures, use: [rewrite(rules)] }), [
  ['replaces the path', 'GET /posts/1/show', { status: 200, body: first }],
  ['ignores case and a trailing slash', 'GET /V1/posts/2/SHOW/', { status: 200, body: second }],
  ['applies each rule in turn', 'GET /v1/posts/1/show', { status: 200, body: first }],
  ['keeps the query where the pattern does', 'GET /v1/posts?id=2', { status: 200, body: [second] }],
  ['adds a query', 'GET /blog/js', { status: 200, body: [first] }],
  ['matches a query', 'GET /articles?id=2', { status: 200, body: second }],
  ['encodes the target', 'GET /german', { status: 200, body: [second] }],
  [
    'links to the path that the client sent',
    'GET /v1/posts?_page=1&_limit=1',
    { status: 200, headers: { link: /\/v1\/posts\?_page=2&_limit=1>; rel="next"/ }, body: [first] },
  ],
  [
    'links to the target where no rule leads to it',
    'GET /pages/1',
    {
      status: 200,
      headers: { link: /\/\/[^/]+\/posts\?_page=2&_limit=1>; rel="next"/ },
      body: [first],
    },
  ],
  [
    'locates a new record below the path that the client sent',
    { request: 'POST /v1/posts', body: { title: 'New' } },
    { status: 201, headers: { location: /\/v1\/posts\/3$/ } },
  ],
  ['applies rules to the methods that they name', 'GET /newest', { status: 200, body: [second] }],
  ['leaves other methods', 'POST /newest', { status: 404 }],
  ['applies rules for several methods', 'DELETE /former/2', { status: 200, body: second }],
  [
    'rewrites writes',
    [{ request: 'POST /v1/posts', body: { title: 'New' } }, 'GET /posts/3'],
    { status: 200, body: { id: 3, title: 'New' } },
  ],
  ['leaves other paths as they are', 'GET /posts/1', { status: 200, body: first }],
  ['returns the rules', 'GET /__rules', { status: 200, body: rules }],
])

contract('rewrite below a base', () => ({ fixtures, base: '/api', use: [rewrite(rules)] }), [
  ['matches the path below the base', 'GET /api/posts/1/show', { status: 200, body: first }],
  [
    'links below the base',
    'GET /api/v1/posts?_page=1&_limit=1',
    { status: 200, headers: { link: /\/api\/v1\/posts\?_page=2/ } },
  ],
  ['returns the rules', 'GET /api/__rules', { status: 200, body: rules }],
])

contract(
  'rewrite with other behaviours',
  () => ({
    fixtures: { ...fixtures, users: [{ id: 1, name: 'Ada' }] },
    use: [rewrite({ '/open/*': '/posts/$1' }), auth({ scheme: 'basic', protect: ['posts'] })],
  }),
  [['protects the target', 'GET /open/1', { status: 401 }]],
)

contract(
  'rewrite with patterns for the path of the client',
  () => ({
    fixtures: { ...fixtures, users: [{ id: 1, name: 'Ada' }] },
    use: [
      rewrite({ '/staff/*': '/$1', '/shop/*': '/$1' }),
      auth({
        scheme: 'basic',
        protect: ['/staff/*', 'comments'],
        roles: { 'GET /shop/users': 'admin' },
      }),
      limit({ requests: 1, per: '1m', only: ['/shop/posts/:id', '/posts/2'] }),
    ],
  }),
  [
    ['protects the path of the client', 'GET /staff/posts/1', { status: 401 }],
    ['protects the target', 'GET /shop/comments', { status: 401 }],
    ['asks for roles', 'GET /shop/users', { status: 401 }],
    ['does not protect the target alone', 'GET /posts/1', { status: 200 }],
    ['limits the path of the client', ['GET /shop/posts/1', 'GET /shop/posts/1'], { status: 429 }],
    ['limits the target', ['GET /shop/posts/2', 'GET /posts/2'], { status: 429 }],
  ],
)

contract(
  'rewrite with templates',
  () => ({
    fixtures,
    dialect: rest({ list: { data: '$items', next: '$next', self: '$path' } }),
    use: [rewrite({ '/v1/*': '/$1' })],
  }),
  [
    [
      'links to the path of the client, also from the cache',
      [
        ...Array.from({ length: 3 }, () => 'GET /posts?_page=1&_limit=1'),
        'GET /v1/posts?_page=1&_limit=1',
      ],
      {
        status: 200,
        body: {
          data: [first],
          next: expect.stringMatching(/\/v1\/posts\?_page=2&_limit=1$/) as string,
          self: expect.stringMatching(/\/v1\/posts$/) as string,
        },
      },
    ],
  ],
)

contract(
  'rewrite in json-server-1',
  () => ({ fixtures, dialect: jsonServer1, use: [rewrite(rules)] }),
  [
    [
      'replaces the path and adds a query',
      'GET /blog/css',
      { status: 200, body: [{ ...second, id: '2' }] },
    ],
  ],
)

describe('rewrite', () => {
  it('owns the paths that it rewrites to resources', () => {
    const mock = createMock({ fixtures, use: [rewrite({ ...rules, '/old?p=:id': '/posts/:id' })] })
    const owned = [
      ['/posts/1/show'],
      ['/v1/posts'],
      ['/old', '?p=1'],
      ['/old', '?q=1'],
      ['/files/1/show'],
      ['/logo.png'],
    ].map(([path = '', search]) => internalsOf(mock).owns(path, search))
    expect(owned).toEqual([true, true, true, false, false, false])
  })

  it('gives the reason in the log', async () => {
    const mock = createMock({ fixtures, use: [rewrite(rules)] })
    await mock.fetch('/blog/js')
    expect(mock.log[0]).toMatchObject({
      url: '/blog/js',
      reason: 'rewritten to /posts?category=js',
    })
  })

  it('lists the patterns among the routes', () => {
    const mock = createMock({ fixtures, use: [rewrite({ '/v1/*': '/$1' })] })
    expect(mock.routes.at(-2)).toMatchObject({ path: '/v1/*', resource: 'rewrite' })
  })

  it('replaces its rules', async () => {
    const rewriting = rewrite(rules)
    const mock = createMock({ fixtures, use: [rewriting] })
    rewriting.replace({ '/new/*': '/$1' })
    const paths = ['/new/posts/1', '/v1/posts/1', '/__rules']
    const responses = await Promise.all(paths.map((path) => mock.fetch(path)))
    expect(responses.map(({ status }) => status)).toEqual([200, 404, 200])
    expect(await responses[2]?.json()).toEqual({ '/new/*': '/$1' })
  })
})
