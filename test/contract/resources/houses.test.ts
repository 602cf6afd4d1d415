import { describe, expect, it } from 'vitest'

import { documentsOf } from '../../../src/core/documents/documents.ts'
import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import { auth, type AuthOptions, fields } from '../../../src/behaviours.ts'
import { laravel, rest } from '../../../src/dialects.ts'
import {
  createManualClock,
  createMock,
  type MockConfig,
  type MockOptions,
} from '../../../src/index.ts'
import { contract, type Row, type TableRequest } from '../../faces.ts'

const fixtures = {
  users: [
    { id: 1, username: 'ada', password: 'x', role: 'admin' },
    { id: 2, username: 'bob', password: 'x' },
  ],
  articles: [
    { slug: 'one', title: 'One', authorId: 1, tagList: ['a', 'b'], favoritedBy: [2], views: 1 },
    { slug: 'two', title: 'Two', authorId: 2, tagList: ['b'], favoritedBy: [1, 2] },
    { slug: 'three', title: 'Three', authorId: 1, tagList: [], favoritedBy: [] },
  ],
  comments: [
    { id: 1, articleSlug: 'one', body: 'x' },
    { id: 2, articleSlug: 'two', body: 'y' },
  ],
  links: [{ id: 1, articleSlugs: ['one', 'two'] }],
}

const shared: MockConfig = {
  id: { articles: 'slug' },
  relations: {
    articles: { authorId: 'users', favoritedBy: 'users' },
    comments: { articleSlug: 'articles' },
    links: { articleSlugs: 'articles' },
  },
}

type Resources = NonNullable<MockConfig['resources']>

const mockOf =
  (resources: Resources, more: Partial<MockOptions<Record<string, unknown>>> = {}) =>
  (): MockOptions<Record<string, unknown>> => ({ fixtures, ...shared, resources, ...more })

const as = (name: string): Record<string, string> => ({
  Authorization: `Basic ${btoa(`${name}:x`)}`,
})
const login: AuthOptions = {
  scheme: 'basic',
  users: 'users',
  by: ['username'],
  password: 'password',
}
const startOf2026 = Date.UTC(2026, 0) / 1000
const has = (part: object): unknown => expect.objectContaining(part)

const filters: Resources = {
  articles: {
    filters: {
      tag: 'tagList',
      author: 'author.username',
      favorited: 'favoritedBy.username',
      popular: 'likes',
    },
    computed: { likes: { count: 'favoritedBy' } },
  },
}
contract(
  'names of filters for computed fields of related records',
  mockOf({
    users: { computed: { written: { count: 'articles' }, read: { sum: 'articles.likes' } } },
    articles: {
      computed: { likes: { count: 'favoritedBy' }, loop: { sum: 'author.read' } },
      filters: { writers: 'author.written' },
    },
  }),
  [
    [
      'are read',
      'GET /articles?writers=2&_fields=slug',
      {
        status: 200,
        body: [{ slug: 'one' }, { slug: 'three' }],
      },
    ],
    [
      'are read by other computed fields',
      'GET /users/2',
      {
        status: 200,
        body: has({ written: 1, read: 2 }),
      },
    ],
    ['end', 'GET /articles/one?_fields=loop', { status: 200, body: { loop: 1 } }],
  ],
)

const slugs = (...names: string[]): Row[2] => ({
  status: 200,
  body: names.map((slug) => ({ slug })),
})

contract('names of filters', mockOf(filters), [
  ['read a list', 'GET /articles?tag=b&_fields=slug', slugs('one', 'two')],
  ['read a parent', 'GET /articles?author=bob&_fields=slug', slugs('two')],
  ['read many-to-many relations', 'GET /articles?favorited=bob&_fields=slug', slugs('one', 'two')],
  ['read computed fields', 'GET /articles?popular:gt=1&_fields=slug', slugs('two')],
  ['take operators', 'GET /articles?author:ne=bob&_fields=slug', slugs('one', 'three')],
  [
    'take operators after an underscore',
    'GET /articles?author_in=bob,eve&_fields=slug',
    slugs('two'),
  ],
  ['take `exists`', 'GET /articles?favorited:exists=false&_fields=slug', slugs('three')],
  ['are used together', 'GET /articles?author=ada&tag=a&_fields=slug', slugs('one')],
  ['leave fields usable', 'GET /articles?tagList=b&authorId=2&_fields=slug', slugs('two')],
  [
    'stand in trees',
    `GET /articles?_where=${encodeURIComponent('{"or":[{"author":"bob"},{"tag":{"eq":"a"}}]}')}&_fields=slug`,
    slugs('one', 'two'),
  ],
  [
    'stand in a QUERY',
    { request: 'QUERY /articles', body: { where: { not: { favorited: 'ada' } }, fields: 'slug' } },
    slugs('one', 'three'),
  ],
  ['find nothing', 'GET /articles?author=eve', { status: 200, body: [] }],
  [
    'count pages',
    'GET /articles?tag=b&_page=1&_limit=1&_fields=slug',
    { status: 200, headers: { 'X-Total-Count': '2' }, body: [{ slug: 'one' }] },
  ],
])

contract(
  'names of filters with operators and defaults',
  mockOf({
    articles: {
      filters: {
        tags: 'tagList:all',
        tag: 'tagList:in',
        after: 'slug:gt',
        name: 'slug',
        text: ['slug:contains', 'author.username:contains'],
        writer: { field: 'author.username', default: 'ada', all: 'any' },
      },
    },
  }),
  [
    ['have a default', 'GET /articles?_fields=slug', slugs('one', 'three')],
    ['have a value for all', 'GET /articles?writer=any&_fields=slug', slugs('one', 'two', 'three')],
    ['replace the default', 'GET /articles?writer=bob&_fields=slug', slugs('two')],
    ['compare', 'GET /articles?after=one&writer=any&_fields=slug', slugs('two', 'three')],
    ['leave operators to requests', 'GET /articles?after:lt=p&_fields=slug', slugs('one')],
    ['take any of a list', 'GET /articles?tag=a,b&writer=any&_fields=slug', slugs('one', 'two')],
    ['take each of a list', 'GET /articles?tags=a,b&writer=any&_fields=slug', slugs('one')],
    ['search in several paths', 'GET /articles?text=bo&writer=any&_fields=slug', slugs('two')],
    [
      'name fields of sort orders',
      'GET /articles?_sort=-name&writer=any&_fields=slug',
      slugs('two', 'three', 'one'),
    ],
  ],
)

const priced = ['9.50', '12.00', '12', '', '100'].map((price, at) => ({ id: at + 1, price }))
const pricedIds = (...all: number[]): Row[2] => ({ status: 200, body: all.map((id) => ({ id })) })
contract(
  'texts that sort as numbers',
  () => ({
    fixtures: { items: priced },
    resources: {
      items: { sort: 'price', filters: { price: 'price:number', cost: 'price:number' } },
    },
  }),
  [
    [
      'are in the order of the numbers',
      'GET /items?_sort=price&_fields=id',
      pricedIds(1, 2, 3, 5, 4),
    ],
    ['are in the opposite order', 'GET /items?_sort=-cost&_fields=id', pricedIds(4, 5, 2, 3, 1)],
    ['are the order of a list', 'GET /items?_fields=id', pricedIds(1, 2, 3, 5, 4)],
    ['are filtered', 'GET /items?price:ne=&_sort=price&_fields=id', pricedIds(1, 2, 3, 5)],
    ['have pages', 'GET /items?_sort=price&_page=2&_limit=2&_fields=id', pricedIds(3, 5)],
    ['have cursors', 'GET /items?_sort=price&_cursor=&_limit=4&_fields=id', pricedIds(1, 2, 3, 5)],
    ['are found by other operators', 'GET /items?cost=12&_fields=id', pricedIds(3)],
  ],
)

contract('names of filters in a strict mock', mockOf(filters, { strict: true }), [
  ['are known', 'GET /articles?favorited=ada&_fields=slug', slugs('two')],
  [
    'are suggested',
    'GET /articles?favorite=ada',
    { status: 400, body: has({ detail: expect.stringContaining('Did you mean "favorited"?') }) },
  ],
])

contract(
  'names of filters in other spellings',
  mockOf(filters, {
    dialect: rest({
      filters: ['filter[$field]', 'filter[$field][$op]'],
      operators: { '': 'eq', not: 'ne' },
    }),
  }),
  [
    ['are plain', 'GET /articles?filter[author]=bob&_fields=slug', slugs('two')],
    ['have operators', 'GET /articles?filter[author][not]=bob&_fields=slug', slugs('one', 'three')],
  ],
)

contract(
  'slugs',
  mockOf(
    { articles: { slug: { from: 'title', follow: true } } },
    { use: [fields({ articles: { unique: ['title'] } })] },
  ),
  [
    [
      'are ids of new records, and unique',
      { request: 'POST /articles', body: { title: 'One!' } },
      { status: 201, headers: { Location: /\/articles\/one-2$/ }, body: has({ slug: 'one-2' }) },
    ],
    [
      'are unique in one request',
      { request: 'POST /articles', body: [{ title: 'Ôné?' }, { title: ' one ' }] },
      { status: 201, body: [has({ slug: 'one-2' }), has({ slug: 'one-3' })] },
    ],
    [
      'keep the letters of other scripts',
      { request: 'POST /articles', body: { title: 'Привет, мир! Straße ŁÓDŹ हिन्दी 日本' } },
      { status: 201, body: has({ slug: 'привет-мир-strasse-lodz-हिन्दी-日本' }) },
    ],
    [
      'are named after the resource without a letter',
      { request: 'POST /articles', body: { title: '🎉 ...' } },
      { status: 201, body: has({ slug: 'article' }) },
    ],
    [
      'are named after the resource without a title',
      [
        { request: 'POST /articles', body: {} },
        { request: 'POST /articles', body: { title: '' } },
      ],
      { status: 201, body: has({ slug: 'article-2' }) },
    ],
    [
      'follow another title',
      { request: 'PATCH /articles/one', body: { title: 'Uno' } },
      { status: 200, body: has({ slug: 'uno', title: 'Uno', views: 1 }) },
    ],
    [
      'follow another title of a PUT that has the slug before',
      { request: 'PUT /articles/one', body: { slug: 'one', title: 'Uno' } },
      { status: 200, body: { slug: 'uno', title: 'Uno' } },
    ],
    [
      'are followed by references',
      [{ request: 'PATCH /articles/one', body: { title: 'Uno' } }, 'GET /articles/uno/comments'],
      { status: 200, body: [{ id: 1, articleSlug: 'uno', body: 'x' }] },
    ],
    [
      'are followed by lists of references',
      [{ request: 'PATCH /articles/one', body: { title: 'Uno' } }, 'GET /links/1'],
      { status: 200, body: { id: 1, articleSlugs: ['uno', 'two'] } },
    ],
    [
      'leave no record behind',
      [{ request: 'PATCH /articles/one', body: { title: 'Uno' } }, 'GET /articles/one'],
      { status: 404 },
    ],
    [
      'stay with the title',
      { request: 'PATCH /articles/one', body: { views: 2 } },
      { status: 200, body: has({ slug: 'one', views: 2 }) },
    ],
    [
      'stay with a title of the same slug',
      { request: 'PATCH /articles/one', body: { title: 'one' } },
      { status: 200, body: has({ slug: 'one', title: 'one' }) },
    ],
    [
      'stay without the title of a refused write',
      [{ request: 'PATCH /articles/one', body: { title: 'Two' } }, 'GET /articles/one'],
      { status: 200, body: has({ title: 'One' }) },
    ],
  ],
)

contract('slugs that stay', mockOf({ articles: { slug: 'title' }, users: { slug: 'username' } }), [
  [
    'are those of the first title',
    { request: 'PATCH /articles/one', body: { title: 'Uno' } },
    { status: 200, body: has({ slug: 'one', title: 'Uno' }) },
  ],
  [
    'are a field beside an id',
    { request: 'POST /users', body: { username: 'Ada L.' } },
    { status: 201, body: { id: 3, username: 'Ada L.', slug: 'ada-l' } },
  ],
  [
    'stay in a PUT without them',
    [
      { request: 'POST /users', body: { username: 'Ada' } },
      { request: 'PUT /users/3', body: { username: 'Eve' } },
    ],
    { status: 200, body: { id: 3, username: 'Eve', slug: 'ada' } },
  ],
])

contract(
  'unique fields',
  mockOf(
    {
      articles: { unique: { title: 409, 'authorId, views': { POST: 418, PATCH: 422 } } },
      users: { unique: ['username'] },
    },
    { use: [fields({ articles: { required: ['title'] } })] },
  ),
  [
    [
      'have a status',
      { request: 'POST /articles', body: { slug: 'x', title: 'One' } },
      {
        status: 409,
        body: has({
          errors: { title: 'is taken' },
          detail: 'Failed to write to "articles": title is taken.',
        }),
      },
    ],
    [
      'have a status by method',
      { request: 'POST /articles', body: { slug: 'x', title: 'X', authorId: 1, views: 1 } },
      { status: 418, body: has({ errors: { authorId: 'is taken with this views' } }) },
    ],
    [
      'have a status by method of a PATCH',
      { request: 'PATCH /articles/three', body: { views: 1 } },
      { status: 422 },
    ],
    [
      'are 422 without a status',
      { request: 'POST /users', body: { username: 'ada' } },
      { status: 422 },
    ],
    [
      'are checked after other fields',
      { request: 'POST /articles', body: [{ title: 'One' }, { views: 1 }] },
      { status: 422, body: has({ errors: { '1.title': 'is required' } }) },
    ],
    [
      'do not conflict with the record itself',
      { request: 'PATCH /articles/one', body: { title: 'One', views: 5 } },
      { status: 200 },
    ],
    [
      'are unique in one request',
      { request: 'POST /articles', body: [{ title: 'A' }, { title: 'A' }] },
      { status: 409, body: has({ errors: { '1.title': 'is taken' } }) },
    ],
  ],
)

const actions: Resources = {
  articles: {
    computed: {
      favorited: { includes: 'favoritedBy', viewer: true },
      favoritesCount: { count: 'favoritedBy' },
    },
    actions: {
      'POST favorite': { add: 'favoritedBy', viewer: true, touch: false },
      'DELETE favorite': { remove: 'favoritedBy', viewer: true },
      'POST star': { toggle: 'stars', viewer: true },
      'POST pin': { toggle: 'pinned' },
      'POST view': { increment: 'views' },
      'PUT publish': { set: { state: 'published' } },
      'POST archive': { set: { state: 'archived' }, owner: true },
      'POST claim': { set: 'claimedBy', viewer: true },
      'POST tag': { add: 'tagList', value: 'c' },
    },
  },
}
const withAuth = mockOf(actions, {
  use: [
    auth({
      ...login,
      protect: [],
      owners: { articles: { key: 'authorId', read: 'all' } },
      roles: { 'PUT /articles/:id/publish': 'admin' },
    }),
    fields({ articles: { readOnly: ['favoritedBy'], timestamps: true } }),
  ],
})
const post = (path: string, name?: string, method = 'POST'): TableRequest => ({
  request: `${method} /articles/${path}`,
  ...(name !== undefined && { headers: as(name) }),
})

describe('the rows of actions', () => {
  const rows: Row[] = [
    [
      'add the user who asks, to the record of another',
      post('three/favorite', 'bob'),
      {
        status: 200,
        body: { ...fixtures.articles[2], favoritedBy: [2], favorited: true, favoritesCount: 1 },
      },
    ],
    [
      'add once',
      [post('two/favorite', 'ada'), post('two/favorite', 'ada')],
      { status: 200, body: has({ favoritedBy: [1, 2], favorited: true }) },
    ],
    [
      'remove',
      post('one/favorite', 'bob', 'DELETE'),
      { status: 200, body: has({ favoritedBy: [], favorited: false }) },
    ],
    [
      'remove nothing',
      post('one/favorite', 'ada', 'DELETE'),
      { status: 200, body: has({ favoritedBy: [2] }) },
    ],
    [
      'are 401 without a user',
      post('one/favorite'),
      { status: 401, headers: { 'WWW-Authenticate': /^Basic/ } },
    ],
    ['are 404 without a record', post('none/favorite', 'ada'), { status: 404 }],
    [
      'are 405 in another method',
      post('one/favorite', 'ada', 'GET'),
      { status: 405, headers: { Allow: 'POST, DELETE, OPTIONS' } },
    ],
    [
      'say their methods',
      post('one/favorite', undefined, 'OPTIONS'),
      { status: 204, headers: { Allow: 'POST, DELETE, OPTIONS' } },
    ],
    ['are 404 with another name', post('one/favourite', 'ada'), { status: 404 }],
    [
      'toggle the user',
      [post('one/star', 'ada'), post('one/star', 'bob'), post('one/star', 'ada')],
      { status: 200, body: has({ stars: [2] }) },
    ],
    [
      'toggle a flag',
      [post('one/pin', 'ada'), post('one/pin', 'ada')],
      { status: 200, body: has({ pinned: false }) },
    ],
    [
      'change times',
      post('one/view'),
      { status: 200, body: has({ updatedAt: expect.any(String) }) },
    ],
    [
      'keep times',
      post('one/favorite', 'ada'),
      { status: 200, body: expect.not.objectContaining({ updatedAt: expect.any(String) }) },
    ],
    ['increment', [post('one/view'), post('one/view')], { status: 200, body: has({ views: 3 }) }],
    ['set the user', post('one/claim', 'bob'), { status: 200, body: has({ claimedBy: 2 }) }],
    ['add a value', post('one/tag'), { status: 200, body: has({ tagList: ['a', 'b', 'c'] }) }],
    ['need the role', post('one/publish', 'bob', 'PUT'), { status: 403 }],
    [
      'have the role',
      post('two/publish', 'ada', 'PUT'),
      { status: 200, body: has({ state: 'published' }) },
    ],
    ['can be those of the owner', post('one/archive', 'bob'), { status: 403 }],
    [
      'are run by the owner',
      post('one/archive', 'ada'),
      { status: 200, body: has({ state: 'archived' }) },
    ],
    [
      'leave the record to its owner',
      { request: 'PATCH /articles/one', headers: as('bob'), body: { title: 'X' } },
      { status: 403 },
    ],
    [
      'check preconditions',
      { request: 'POST /articles/one/view', headers: { 'If-Match': '"x"' } },
      { status: 412 },
    ],
  ]
  contract('actions', withAuth, rows)
})

const close: TableRequest = { request: 'POST /articles/one/close', body: { note: 'Done.' } }

contract(
  'conditions, values and answers of actions',
  mockOf(
    {
      articles: {
        fields: { timestamps: { createdAt: false, updatedAt: 'changedAt', as: 'seconds' } },
        actions: {
          'POST close': {
            set: { state: 'closed', closedAt: '$now', closedOn: '$today', note: '$body.note' },
            when: { state: ['open', null] },
          },
          'POST reopen': {
            set: { state: 'open' },
            when: { state: 'closed' },
            refused: '$record.title is $record.state',
            answer: null,
          },
          'POST like': { set: { liked: true }, increment: 'views', once: true },
          'POST refund': {
            set: { state: 'refunded' },
            create: {
              in: 'refunds',
              fields: { article: '$id', was: '$record.state', why: '$body.why' },
            },
          },
          'POST copy': {
            create: { in: 'refunds', fields: { at: '$today' } },
            answer: { copy: '$id' },
          },
          'POST queue': {
            increment: 'views',
            touch: false,
            answer: { job: { article: '$id', views: '$record.views' } },
            status: 202,
          },
        },
      },
    },
    {
      clock: createManualClock(),
      dialect: rest({}),
      fixtures: { ...fixtures, refunds: [{ id: 7, article: 'two' }] },
    },
  ),
  [
    [
      'set the time, the date and a field of the request',
      close,
      {
        status: 200,
        body: has({
          state: 'closed',
          closedAt: startOf2026,
          changedAt: startOf2026,
          closedOn: '2026-01-01',
          note: 'Done.',
        }),
      },
    ],
    [
      'refuse a record in another state',
      [close, close],
      { status: 409, body: has({ detail: expect.stringContaining('"state" is "closed"') }) },
    ],
    [
      'take a request without a body as one without fields',
      'POST /articles/one/close',
      { status: 200, body: expect.not.objectContaining({ note: expect.anything() }) },
    ],
    [
      'refuse a record with the text of the action',
      [{ request: 'PATCH /articles/one', body: { state: 'new' } }, 'POST /articles/one/reopen'],
      { status: 409, body: has({ detail: 'One is new' }) },
    ],
    [
      'change a record once',
      ['POST /articles/one/like', 'POST /articles/one/like'],
      { status: 200, body: has({ liked: true, views: 2 }) },
    ],
    [
      'create a record of another collection',
      [
        { request: 'PATCH /articles/one', body: { state: 'new' } },
        { request: 'POST /articles/one/refund', body: { why: 'Torn.' } },
      ],
      {
        status: 201,
        headers: { location: /\/refunds\/8$/ },
        body: { id: 8, article: 'one', was: 'new', why: 'Torn.' },
      },
    ],
    [
      'change a record that they create another for',
      ['POST /articles/one/refund', 'GET /articles/one'],
      { status: 200, body: has({ state: 'refunded' }) },
    ],
    [
      'answer a template about the new record',
      'POST /articles/one/copy',
      { status: 201, body: { copy: 8 } },
    ],
    ['refuse a record without the value', 'POST /articles/one/reopen', { status: 409 }],
    ['answer null as 204', [close, 'POST /articles/one/reopen'], { status: 204 }],
    [
      'answer a template with a status',
      'POST /articles/one/queue',
      { status: 202, body: { job: { article: 'one', views: 2 } } },
    ],
    [
      'keep the time of the last write',
      ['POST /articles/one/queue', 'GET /articles/one'],
      { status: 200, body: expect.not.objectContaining({ changedAt: startOf2026 }) },
    ],
  ],
)

contract('actions in the envelopes of laravel', mockOf(actions, { dialect: laravel }), [
  [
    'answer as a GET of the record',
    'POST /articles/one/view',
    { status: 200, body: { data: has({ slug: 'one', views: 2 }) } },
  ],
])

it('has filters, statuses of unique fields and actions in the OpenAPI document', () => {
  const resources = {
    articles: { ...actions['articles'], ...filters['articles'], unique: { title: 409 } },
  }
  const { paths } = documentsOf(internalsOf(createMock(mockOf(resources)()))).openApi()
  const list = paths['/articles']?.get
  expect(list?.parameters).toContainEqual({ $ref: '#/components/parameters/Author' })
  expect(paths['/articles']?.post?.responses).toHaveProperty('409')
  expect(paths['/articles/{id}/favorite']).toHaveProperty('post.responses.401')
  expect(paths['/articles/{id}/favorite']).toHaveProperty('delete')
})

it('lists actions in the route table', () => {
  const mock = createMock(withAuth())
  const row = mock.routes.find(({ path }) => path === '/articles/:id/favorite')
  expect(row).toMatchObject({ methods: ['POST', 'DELETE', 'OPTIONS'], kind: 'custom' })
})

describe('a wrong option', () => {
  const wrong: [title: string, own: object, message: string][] = [
    [
      'is an action without a method',
      { actions: { favorite: { add: 'x', value: 1 } } },
      'Please write it as "POST favorite"',
    ],
    [
      'is an action that creates records of no collection',
      { actions: { 'POST x': { create: { in: 'comment', fields: {} } } } },
      'there is no collection "comment". Did you mean "comments"',
    ],
    ['is an action that does nothing', { actions: { 'POST x': {} } }, 'it does nothing'],
    [
      'is an action without a value',
      { actions: { 'POST x': { add: 'tagList' } } },
      'it has no value',
    ],
    ['is a status of a success', { unique: { title: 200 } }, '"unique" cannot be {"title":200}'],
    ['is a slug of an unknown field', { slug: 'titel' }, 'Did you mean "title"?'],
    [
      'is a filter of an unknown path',
      { filters: { a: 'author.usernam' } },
      'Did you mean "username"?',
    ],
  ]
  it.each(wrong)('%s', (_, own, message) => {
    expect(() => createMock({ fixtures, ...shared, resources: { articles: own } })).toThrow(message)
  })
})

it('finds a free slug among thousands of records with the same title', async () => {
  const posts = Array.from({ length: 8000 }, (_, at) => ({
    id: at + 1,
    title: 'Same',
    slug: at === 0 ? 'same' : `same-${at + 1}`,
  }))
  const mock = createMock({ fixtures: { posts }, resources: { posts: { slug: 'title' } } })
  const start = performance.now()
  const slugs: unknown[] = []
  for (let at = 0; at < 20; at++) {
    const headers = { 'Content-Type': 'application/json' }
    const init = { method: 'POST', headers, body: '{"title":"Same"}' }
    const response = await mock.fetch('http://x/posts', init)
    slugs.push(((await response.json()) as { slug: string }).slug)
  }
  expect(slugs).toEqual(Array.from({ length: 20 }, (_, at) => `same-${8001 + at}`))
  // One by one, the search took a second for each record.
  expect(performance.now() - start).toBeLessThan(5000)
})
