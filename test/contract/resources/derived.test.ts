import { describe, expect, it } from 'vitest'

import { documentsOf } from '../../../src/core/documents/documents.ts'
import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import { auth, type AuthOptions } from '../../../src/behaviours.ts'
import { jsonServer0, rest } from '../../../src/dialects.ts'
import {
  createManualClock,
  createMock,
  type MockConfig,
  type MockOptions,
} from '../../../src/index.ts'
import type { ComputedContext } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

const fixtures = {
  teams: [{ id: 1, name: 'Engines' }],
  users: [
    { id: 1, username: 'ada', password: 'x', teamId: 1, managerId: 2 },
    { id: 2, username: 'bob', password: 'x', managerId: 1 },
  ],
  articles: [
    {
      id: 1,
      title: 'One',
      authorId: 1,
      tags: ['a', 'b'],
      favoritedBy: [2],
      createdAt: '2024-01-01',
    },
    { id: 2, title: 'Two', authorId: 2, tags: [], favoritedBy: [1, 2], createdAt: '2024-01-02' },
    { id: 3, title: 'Three', authorId: 1, favoritedBy: [], createdAt: '2024-01-02' },
  ],
  comments: [
    { id: 1, articleId: 1, userId: 2, stars: 5, price: 0.1 },
    { id: 2, articleId: 1, userId: 1, stars: 3, price: 0.2 },
    { id: 3, articleId: 2, userId: 1, stars: 4, price: 0.3 },
  ],
}

const relations = { articles: { authorId: 'users' }, users: { managerId: 'users' } }

type Resources = NonNullable<MockConfig['resources']>

const mockOf =
  (resources: Resources, more: Partial<MockConfig> = {}) =>
  (): MockOptions<Record<string, unknown>> => ({ fixtures, relations, resources, ...more })

const login: AuthOptions = {
  protect: [],
  scheme: 'basic',
  users: 'users',
  by: ['username'],
  password: 'password',
}
const as = (name: string): Record<string, string> => ({
  Authorization: `Basic ${btoa(`${name}:x`)}`,
})
const has = (part: object): unknown => expect.objectContaining(part)

const computed: Resources = {
  articles: {
    computed: {
      favoritesCount: { count: 'favoritedBy' },
      favorited: { includes: 'favoritedBy', viewer: true },
      own: { exists: 'comments', viewer: true },
      comments: { count: 'comments' },
      good: { count: 'comments', where: { stars: { gte: 4 } } },
      sum: { sum: 'comments.price' },
      best: { max: 'comments', field: 'stars' },
      worst: { min: 'comments.stars' },
      newest: { last: 'comments' },
      firstTag: { first: 'tags' },
      tagged: { includes: 'tags', value: 'b' },
      shout: ({ record, user }) => JSON.stringify([record['title'], user?.['username']]),
      twice: ({ record }) => Number(record['favoritesCount']) * 2,
      nothing: () => undefined,
    },
  },
}

const withLogin = mockOf(computed, { use: [auth(login)] })

contract('computed fields', withLogin, [
  [
    'are in a member',
    'GET /articles/1',
    {
      status: 200,
      body: {
        ...fixtures.articles[0],
        favoritesCount: 1,
        favorited: false,
        own: false,
        comments: 2,
        good: 1,
        sum: 0.3,
        best: 5,
        worst: 3,
        newest: fixtures.comments[1],
        firstTag: 'a',
        tagged: true,
        shout: '["One",null]',
        twice: 2,
      },
    },
  ],
  [
    'depend on the user who asks',
    { request: 'GET /articles/1', headers: as('bob') },
    { status: 200, body: has({ favorited: true, own: true, shout: '["One","bob"]' }) },
  ],
  [
    'are 0, false or null where there is nothing',
    'GET /articles/3',
    {
      status: 200,
      body: has({
        comments: 0,
        sum: 0,
        best: null,
        worst: null,
        newest: null,
        firstTag: null,
        tagged: false,
      }),
    },
  ],
  [
    'are filters',
    'GET /articles?favoritesCount:gte=1&comments=2&_fields=id,comments',
    { status: 200, body: [{ id: 1, comments: 2 }] },
  ],
  [
    'are filters by the user who asks',
    { request: 'GET /articles?favorited=true&_fields=id', headers: as('ada') },
    { status: 200, body: [{ id: 2 }] },
  ],
  [
    'sort',
    'GET /articles?_sort=-favoritesCount&_fields=id,favoritesCount',
    {
      status: 200,
      body: [
        { id: 2, favoritesCount: 2 },
        { id: 1, favoritesCount: 1 },
        { id: 3, favoritesCount: 0 },
      ],
    },
  ],
  [
    'are in the answer of a POST and never stored',
    { request: 'POST /articles', body: { title: 'New', favoritesCount: 9, twice: 1 } },
    { status: 201, body: has({ id: 4, title: 'New', favoritesCount: 0, twice: 0 }) },
  ],
  [
    'are ignored by a PATCH that names them',
    [
      { request: 'PATCH /articles/1', body: { favoritesCount: 9, title: 'X' } },
      'GET /articles?_fields=title,favoritesCount&id=1',
    ],
    { status: 200, body: [{ title: 'X', favoritesCount: 1 }] },
  ],
])

describe('a computed field', () => {
  const create = (more: Partial<MockConfig> = {}) =>
    createMock({ ...withLogin(), ...more } as MockOptions<typeof fixtures>)
  const json = { 'Content-Type': 'application/json' }

  it('is not stored by a PUT of the record that was read, and the log says so', async () => {
    const mock = create()
    const read = await (await mock.fetch('http://x/articles/1')).json()
    const body = JSON.stringify(read)
    const put = await mock.fetch('http://x/articles/1', { method: 'PUT', headers: json, body })
    expect(put.status).toBe(200)
    expect(await put.json()).toEqual(read)
    expect(mock.db.articles.get(1)).toEqual(fixtures.articles[0])
    expect(mock.log.at(-1)?.reason).toContain('ignored favoritesCount, favorited, own')
  })

  it('is 422 in a strict mock, but not where a PATCH does not name it', async () => {
    const mock = create({ strict: true })
    const send = (method: string, path: string, body: object): Promise<Response> =>
      mock.fetch(`http://x${path}`, { method, headers: json, body: JSON.stringify(body) })
    expect((await send('PATCH', '/articles/1', { title: 'X' })).status).toBe(200)
    for (const [method, path] of [
      ['PATCH', '/articles/1'],
      ['PUT', '/articles/1'],
      ['POST', '/articles'],
    ] as const) {
      const response = await send(method, path, { title: 'X', favoritesCount: 1 })
      expect(response.status, method).toBe(422)
      expect(await response.json()).toMatchObject({ errors: { favoritesCount: 'is computed' } })
    }
  })

  it('has no Last-Modified, and an entity tag for each user', async () => {
    const [first = fixtures.articles[0]] = fixtures.articles
    const articles = [{ ...first, updatedAt: '2024-01-01T00:00:00Z' }]
    const mock = createMock({ ...withLogin(), fixtures: { ...fixtures, articles } })
    const get = (headers: Record<string, string>): Promise<Response> =>
      mock.fetch('http://x/articles/1', { headers })
    const ada = await get(as('ada'))
    expect(ada.headers.get('Last-Modified')).toBeNull()
    const tag = ada.headers.get('ETag') ?? ''
    expect((await get({ ...as('ada'), 'If-None-Match': tag })).status).toBe(304)
    expect((await get({ ...as('bob'), 'If-None-Match': tag })).status).toBe(200)
  })

  it('is seen by each fork and after a reset', async () => {
    const mock = create()
    const count = async (one: typeof mock): Promise<unknown> => {
      const body = (await (await one.fetch('http://x/articles/1')).json()) as JsonBody
      return body['comments']
    }
    const fork = mock.fork()
    fork.db.comments.insert({ articleId: 1 })
    expect([await count(mock), await count(fork)]).toEqual([2, 3])
    fork.reset()
    expect(await count(fork)).toBe(2)
  })

  it('that throws is a 500, whose file and line are in the log alone', async () => {
    const broken = {
      articles: {
        computed: {
          bad: () => {
            throw new TypeError('no such thing')
          },
        },
      },
    }
    const mock = createMock({ fixtures, relations, resources: broken })
    const response = await mock.fetch('http://x/articles')
    expect(response.status).toBe(500)
    expect(await response.text()).not.toMatch(/no such thing|derived/)
    expect(mock.log.at(-1)?.reason).toMatch(
      /Failed to compute "bad" of "articles": no such thing \(.*derived\.test\.ts:\d+:\d+\)/,
    )
  })

  it('that throws stores nothing', async () => {
    const toText = (value: unknown): string => {
      if (typeof value !== 'string') throw new TypeError('no text')
      return value.toUpperCase()
    }
    const refuse = {
      articles: { computed: { upper: ({ record }: ComputedContext) => toText(record['title']) } },
    }
    const mock = createMock({ fixtures, relations, resources: refuse })
    const body = '{"title":1}'
    const response = await mock.fetch('http://x/articles', { method: 'POST', headers: json, body })
    expect(response.status).toBe(500)
    expect(mock.db.articles.count()).toBe(3)
    expect((await mock.fetch('http://x/articles')).status).toBe(200)
  })

  it('is ignored in the spelling of the wire', async () => {
    const mock = createMock({
      fixtures: { posts: [{ id: 1 }] },
      resources: { posts: { computed: { likeCount: { count: 'id' } } } },
      dialect: rest({ key: 'snake_case' }),
    })
    const body = '{"like_count":9}'
    const put = await mock.fetch('http://x/posts/1', { method: 'PUT', headers: json, body })
    expect(await put.json()).toEqual({ id: 1, like_count: 1 })
    expect(mock.db.posts.get(1)).toEqual({ id: 1 })
    const list = await mock.fetch('http://x/posts?like_count=1&_sort=like_count')
    expect(await list.json()).toEqual([{ id: 1, like_count: 1 }])
  })

  it('is in the lists of json-server, in the order of the option', async () => {
    const mock = createMock({
      ...withLogin(),
      resources: { articles: { ...computed['articles'], sort: '-createdAt' } },
      dialect: jsonServer0,
    })
    const list = (await (await mock.fetch('http://x/articles')).json()) as JsonBody[]
    expect(list.map((one) => [one['id'], one['favoritesCount']])).toEqual([
      [3, 0],
      [2, 2],
      [1, 1],
    ])
  })

  it('is counted by the clock of the mock', async () => {
    const clock = createManualClock()
    const mock = createMock({
      fixtures,
      clock,
      resources: { users: { computed: { now: (context) => context.clock.now() } } },
    })
    const now = async (): Promise<unknown> =>
      ((await (await mock.fetch('http://x/users/1')).json()) as JsonBody)['now']
    const before = await now()
    mock.clock.advance('5s')
    expect(await now()).toBe(Number(before) + 5000)
  })
})

type JsonBody = Record<string, unknown>

contract(
  'embedded relations',
  mockOf(
    {
      articles: { embed: ['author.team', 'comments'] },
      users: { embed: 'manager', computed: { articles: { count: 'articles' } } },
      comments: { embed: 'article' },
    },
    { use: [auth(login)] },
  ),
  [
    [
      'are in every answer, as the related resource says, and end',
      'GET /articles/2',
      {
        status: 200,
        body: {
          ...fixtures.articles[1],
          author: {
            id: 2,
            username: 'bob',
            managerId: 1,
            articles: 1,
            manager: { id: 1, username: 'ada', teamId: 1, managerId: 2, articles: 2 },
            team: null,
          },
          comments: [{ ...fixtures.comments[2], article: { ...fixtures.articles[1] } }],
        },
      },
    ],
    [
      'are filters, and never stored',
      [
        {
          request: 'PATCH /articles/2',
          body: { title: 'X', author: { username: 'eve' } },
        },
        'GET /articles?author.username=bob&_fields=title,author.username',
      ],
      { status: 200, body: [{ title: 'X', author: { username: 'bob' } }] },
    ],
    [
      'are in the answer of a POST',
      { request: 'POST /articles', body: { title: 'New', authorId: 1 } },
      {
        status: 201,
        body: has({ author: has({ username: 'ada', team: { id: 1, name: 'Engines' } }) }),
      },
    ],
  ],
)

const sorted = { articles: { sort: '-createdAt' } }

for (const [title, create] of [
  ['an order', mockOf(sorted)],
  ['an order of computed records', mockOf({ articles: { ...sorted.articles, embed: 'author' } })],
] as const) {
  contract(title, create, [
    [
      'is that of a request without one, with later records first',
      'GET /articles?_fields=id',
      { status: 200, body: [{ id: 3 }, { id: 2 }, { id: 1 }] },
    ],
    [
      'puts a new record of the same time first',
      [
        { request: 'POST /articles', body: { createdAt: '2024-01-02' } },
        'GET /articles?_fields=id&_page=1&_limit=2',
      ],
      { status: 200, body: [{ id: 4 }, { id: 3 }] },
    ],
    [
      'is that of pages',
      'GET /articles?_fields=id&_page=2&_limit=2',
      { status: 200, body: [{ id: 1 }] },
    ],
    [
      'gives way to that of the request',
      'GET /articles?_fields=id&_sort=createdAt',
      { status: 200, body: [{ id: 1 }, { id: 2 }, { id: 3 }] },
    ],
    [
      'is that of QUERY',
      { request: 'QUERY /articles', body: { fields: 'id' } },
      { status: 200, body: [{ id: 3 }, { id: 2 }, { id: 1 }] },
    ],
    [
      'is that of filtered and nested lists',
      'GET /users/1/articles?favoritedBy:exists=true&_fields=id',
      { status: 200, body: [{ id: 3 }, { id: 1 }] },
    ],
  ])

  it(`${title} is that of cursors, also while records are added`, async () => {
    const mock = createMock(create())
    const ids: unknown[] = []
    let url: string | undefined = 'http://x/articles?_cursor=&_limit=1'
    while (url !== undefined) {
      const response: Response = await mock.fetch(url)
      expect(response.status).toBe(200)
      ids.push(...((await response.json()) as { id: number }[]).map(({ id }) => id))
      url = /<([^>]*)>; rel="next"/.exec(response.headers.get('Link') ?? '')?.[1]
      const headers = { 'Content-Type': 'application/json' }
      const body = '{"createdAt":"2024-01-02"}'
      await mock.fetch('http://x/articles', { method: 'POST', headers, body })
    }
    expect(ids).toEqual([3, 2, 1])
  })
}

contract('an order in snake case', mockOf(sorted, { dialect: rest({ key: 'snake_case' }) }), [
  [
    'is by the stored field',
    'GET /articles?_fields=id',
    { status: 200, body: [{ id: 3 }, { id: 2 }, { id: 1 }] },
  ],
])

contract('methods', mockOf({ articles: { methods: ['GET', 'POST'] }, users: { methods: [] } }), [
  ['are allowed', 'GET /articles/1', { status: 200 }],
  ['of GET are HEAD', 'HEAD /articles/1', { status: 200 }],
  [
    'of GET are QUERY',
    { request: 'QUERY /articles', body: { fields: 'id', limit: 1 } },
    { status: 200, body: [{ id: 1 }] },
  ],
  [
    'that are not allowed are 405',
    'DELETE /articles/1',
    {
      status: 405,
      headers: { Allow: 'GET, HEAD, OPTIONS' },
      body: has({ detail: expect.stringContaining('"articles" does not allow it') }),
    },
  ],
  [
    'that are not allowed are 405 in a nested path',
    { request: 'PATCH /users/1/articles/1', body: {} },
    { status: 405, headers: { Allow: 'GET, HEAD, OPTIONS' } },
  ],
  ['can be none', 'GET /users', { status: 405, headers: { Allow: 'OPTIONS' } }],
  [
    'are those of OPTIONS',
    'OPTIONS /articles',
    { status: 204, headers: { Allow: 'GET, HEAD, QUERY, POST, OPTIONS' } },
  ],
])

it('lists the allowed methods in the route table', () => {
  const mock = createMock(mockOf({ articles: { methods: ['GET'] } })())
  const methods = mock.routes.filter(({ resource }) => resource === 'articles')
  expect(new Set(methods.flatMap((route) => route.methods))).toEqual(
    new Set(['GET', 'HEAD', 'QUERY', 'OPTIONS']),
  )
})

describe('a wrong option', () => {
  const wrong: [title: string, resources: object, message: string][] = [
    [
      'names an unknown resource',
      { artikles: {} },
      'there is no resource "artikles". Did you mean "articles"?',
    ],
    [
      'is unknown',
      { articles: { compute: {} } },
      'there is no "compute". Did you mean "computed"?',
    ],
    ['has an unknown method', { articles: { methods: ['GETT'] } }, '"methods" cannot be ["GETT"]'],
    ['has an unknown relation', { articles: { embed: 'autor' } }, 'Did you mean "author"?'],
    [
      'has an unknown nested relation',
      { articles: { embed: 'author.teem' } },
      'Did you mean "team"?',
    ],
    [
      'names no kind of value',
      { articles: { computed: { a: { cuont: 'x' } } } },
      'Did you mean "count"?',
    ],
    [
      'names two kinds',
      { articles: { computed: { a: { count: 'x', sum: 'y' } } } },
      'it has count and sum',
    ],
    [
      'names an unknown path',
      { articles: { computed: { a: { count: 'favoritdBy' } } } },
      'Did you mean "favoritedBy"?',
    ],
    [
      'names an unknown field in a path',
      { articles: { computed: { a: { sum: 'comments.prize' } } } },
      'Did you mean "price"?',
    ],
    [
      'sorts by an unknown field',
      { articles: { sort: '-createdAtt' } },
      'Did you mean "createdAt"?',
    ],
  ]
  it.each(wrong)('%s', (_, resources, message) => {
    expect(() => createMock({ fixtures, relations, resources: resources as Resources })).toThrow(
      message,
    )
  })
})

describe('the OpenAPI document and the types', () => {
  // Created in a test, as the tables of this file also run where `createMock` is another.
  const describeMock = (): ReturnType<typeof documentsOf> =>
    documentsOf(
      internalsOf(
        createMock(
          mockOf({
            articles: { ...computed['articles'], embed: 'author', methods: ['GET', 'POST'] },
          })(),
        ),
      ),
    )

  it('have computed fields and embedded records, which are read-only', () => {
    const { components, paths } = describeMock().openApi()
    expect(components.schemas).toMatchObject({
      Article: {
        properties: {
          favoritesCount: { type: 'integer', minimum: 0, readOnly: true },
          favorited: { type: 'boolean', readOnly: true },
          sum: { type: 'number', readOnly: true },
          best: { readOnly: true, type: ['integer', 'null'] },
          newest: { readOnly: true, type: ['object', 'null'] },
          author: { readOnly: true, type: ['object', 'null'] },
        },
      },
    })
    expect(components.schemas?.['ArticleInput']).not.toHaveProperty('properties.favoritesCount')
    expect(Object.keys(paths['/articles'] ?? {})).toEqual(['get', 'head', 'post', 'options'])
  })
})
