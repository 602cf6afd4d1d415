import { describe, expect, it } from 'vitest'

import { auth, fields } from '../../../src/behaviours.ts'
import { jsonServer0, rest } from '../../../src/dialects.ts'
import { createMock, type MockConfig, type MockOptions } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

type Resources = NonNullable<MockConfig['resources']>

const fixtures = {
  users: [
    { id: 1, name: 'ada', email: 'a@x', password: 'x', followers: [2] },
    { id: 2, name: 'bob', email: 'b@x', password: 'x', followers: [] },
    { id: 3, name: '01', email: 'c@x', password: 'x', followers: [] },
  ],
  tickets: [
    { id: 1, title: 'A', state: 'open', tags: ['ui', 'api'], userId: 1 },
    { id: 2, title: 'B', state: 'closed', tags: ['api'], userId: 2, place: { city: 'Bern' } },
    { id: 3, title: 'C', state: 'open', tags: ['docs', null], userId: 2, place: { city: 'Rome' } },
  ],
}
const resources: Resources = {
  users: {
    hidden: ['id', 'email', 'password', 'followers'],
    computed: { followed: { includes: 'followers', viewer: true } },
  },
  profiles: {
    view: 'users',
    id: 'name',
    cacheControl: 'max-age=60',
    actions: { follow: 'followers', 'POST rename': { set: { name: 'eve' }, owner: true } },
  },
  tickets: { sort: '-id', filters: { by: 'user.name' }, unlisted: ['tags', 'userId'] },
  'tickets/open': { view: 'tickets', where: { state: 'open' }, sort: 'id' },
  followed: { view: 'tickets', where: { 'user.followed': true } },
  tags: { distinct: 'tickets.tags' },
  cities: { distinct: 'tickets.place.city' },
}
const login = auth({ scheme: 'basic', by: ['name'], password: 'password', protect: [] })
const as = (name: string): Record<string, string> => ({
  Authorization: `Basic ${btoa(`${name}:x`)}`,
})
const create = (): MockOptions<Record<string, unknown>> => ({
  fixtures,
  resources: { ...resources, users: { ...resources['users'], owners: { key: 'id', read: 'all' } } },
  use: [login],
  dialect: rest({ list: { $resource: '$items' } }),
})

const [a, b, c] = fixtures.tickets.map(({ tags: _tags, userId: _userId, ...one }) => one)
const profile = (name: string, followed = false): object => ({ name, followed })

contract('a view of a collection', create, [
  [
    'is a list without the hidden fields of the collection',
    'GET /profiles',
    {
      status: 200,
      headers: { 'Cache-Control': 'max-age=60' },
      body: { profiles: [profile('ada'), profile('bob'), profile('01')] },
    },
  ],
  [
    'has members by its own key, as the user sees them',
    { request: 'GET /profiles/ada', headers: as('bob') },
    { status: 200, body: profile('ada', true) },
  ],
  ['compares keys as exact texts', 'GET /profiles/1', { status: 404 }],
  ['has members whose key looks like a number', 'GET /profiles/01', { status: 200 }],
  ['has no members by the id', 'GET /profiles/2', { status: 404 }],
  ['answers HEAD', 'HEAD /profiles/ada', { status: 200 }],
  [
    'takes no writes',
    { request: 'PUT /profiles/ada', headers: as('ada'), body: {} },
    { status: 405, headers: { Allow: 'GET, HEAD, OPTIONS' } },
  ],
  ['takes no new records', { request: 'POST /profiles', body: {} }, { status: 405 }],
  [
    'follows writes of the collection',
    [{ request: 'PATCH /users/2', headers: as('bob'), body: { name: 'eve' } }, 'GET /profiles/eve'],
    { status: 200, body: profile('eve') },
  ],
  [
    'loses removed records',
    [{ request: 'DELETE /users/2', headers: as('bob') }, 'GET /profiles/bob'],
    { status: 404 },
  ],
  ['filters', 'GET /profiles?name=bob', { status: 200, body: { profiles: [profile('bob')] } }],
  [
    'pages',
    'GET /profiles?_limit=1&_page=2',
    { status: 200, body: { profiles: [profile('bob')] } },
  ],
  [
    'embeds what its collection embeds',
    'GET /profiles/ada?_embed=tickets&_fields=name,tickets.title',
    { status: 200, body: { name: 'ada', tickets: [{ title: 'A' }] } },
  ],
  ['has no nested paths', 'GET /profiles/ada/tickets', { status: 404 }],
])

contract('an action on a view', create, [
  [
    'adds the user',
    { request: 'POST /profiles/bob/follow', headers: as('ada') },
    { status: 200, body: profile('bob', true) },
  ],
  [
    'is kept',
    [
      { request: 'POST /profiles/bob/follow', headers: as('ada') },
      { request: 'GET /profiles/bob', headers: as('ada') },
    ],
    { status: 200, body: profile('bob', true) },
  ],
  [
    'removes the user',
    { request: 'DELETE /profiles/ada/follow', headers: as('bob') },
    { status: 200, body: profile('ada') },
  ],
  ['needs a user', 'POST /profiles/bob/follow', { status: 401 }],
  [
    'needs the record',
    { request: 'POST /profiles/eve/follow', headers: as('ada') },
    { status: 404 },
  ],
  [
    'has methods',
    'OPTIONS /profiles/bob/follow',
    { status: 204, headers: { Allow: 'POST, DELETE, OPTIONS' } },
  ],
  [
    'is that of the owner',
    { request: 'POST /profiles/bob/rename', headers: as('ada') },
    { status: 403 },
  ],
  [
    'can change the key',
    { request: 'POST /profiles/bob/rename', headers: as('bob') },
    { status: 200, body: profile('eve') },
  ],
])

contract('a view of some records', create, [
  [
    'has these records, with the options of the collection and its own',
    'GET /tickets/open',
    { status: 200, body: { open: [a, c] } },
  ],
  ['leaves the collection whole', 'GET /tickets', { status: 200, body: { tickets: [c, b, a] } }],
  ['has their members', 'GET /tickets/open/3', { status: 200, body: fixtures.tickets[2] }],
  ['has no other members', 'GET /tickets/open/2', { status: 404 }],
  ['filters by names', 'GET /tickets/open?by=bob', { status: 200, body: { open: [c] } }],
  [
    'counts its records alone',
    'GET /tickets/open?_limit=1',
    { status: 200, headers: { 'X-Total-Count': '2' } },
  ],
  [
    'follows writes',
    [{ request: 'PATCH /tickets/1', body: { state: 'closed' } }, 'GET /tickets/open'],
    { status: 200, body: { open: [c] } },
  ],
  [
    'depends on the user through computed fields',
    { request: 'GET /followed', headers: as('bob') },
    { status: 200, body: { followed: [a] } },
  ],
  ['is empty without a user', 'GET /followed', { status: 200, body: { followed: [] } }],
])

contract(
  'a slug',
  () => ({
    fixtures: { pages: [{ path: 'a', title: 'A' }] },
    resources: {
      pages: { id: 'path', slug: 'title' },
      'pages/open': { view: 'pages', where: { title: 'A' } },
    },
  }),
  [
    [
      'is never the path of a view',
      { request: 'POST /pages', body: { title: 'Open' } },
      { status: 201, body: { title: 'Open', path: 'open-2' } },
    ],
  ],
)

contract(
  'an error of an action',
  () => ({
    ...create(),
    dialect: rest({ errors: { 403: { $singular: 'forbidden' }, 401: { missing: '$missing' } } }),
  }),
  [
    [
      'names the record',
      { request: 'POST /profiles/bob/rename', headers: as('ada') },
      { status: 403, body: { profile: 'forbidden' } },
    ],
    [
      'names it without a user',
      'POST /profiles/bob/follow',
      { status: 401, body: { missing: 'profile' } },
    ],
  ],
)

contract(
  'a view and the owners of its collection',
  () => ({
    fixtures,
    resources: { mine: { view: 'tickets' }, tags: { distinct: 'tickets.tags' } },
    use: [
      auth({
        scheme: 'basic',
        by: ['name'],
        password: 'password',
        protect: [],
        owners: { tickets: 'userId' },
      }),
    ],
  }),
  [
    [
      'shows own records',
      { request: 'GET /mine', headers: as('ada') },
      { status: 200, body: [fixtures.tickets[0]] },
    ],
    ['shows no others', { request: 'GET /mine/2', headers: as('ada') }, { status: 403 }],
    [
      'lists values of own records',
      { request: 'GET /tags', headers: as('ada') },
      { status: 200, body: ['ui', 'api'] },
    ],
  ],
)

contract('distinct values', create, [
  ['are a list', 'GET /tags', { status: 200, body: { tags: ['ui', 'api', 'docs'] } }],
  ['are at any depth', 'GET /cities', { status: 200, body: { cities: ['Bern', 'Rome'] } }],
  [
    'follow writes',
    [{ request: 'POST /tickets', body: { tags: ['new', 'ui'] } }, 'GET /tags'],
    { status: 200, body: { tags: ['ui', 'api', 'docs', 'new'] } },
  ],
  ['answer HEAD', 'HEAD /tags', { status: 200 }],
  [
    'take no writes',
    { request: 'POST /tags', body: {} },
    { status: 405, headers: { Allow: 'GET, HEAD, OPTIONS' } },
  ],
  ['have no members', 'GET /tags/ui', { status: 404 }],
])

contract('sorted lists', () => ({ fixtures, use: [fields({ tickets: { sorted: ['tags'] } })] }), [
  [
    'are stored in order',
    { request: 'POST /tickets', body: { id: 9, tags: ['ui', 10, 'api', 9] } },
    { status: 201, body: { id: 9, tags: [9, 10, 'api', 'ui'] } },
  ],
  [
    'are in order after a PATCH',
    { request: 'PATCH /tickets/2', body: { tags: ['b', 'a'] } },
    { status: 200, body: { ...fixtures.tickets[1], tags: ['a', 'b'] } },
  ],
  [
    'leave other values',
    { request: 'POST /tickets', body: { id: 9, tags: 'ui' } },
    { status: 201, body: { id: 9, tags: 'ui' } },
  ],
])

describe('a wrong view or resource', () => {
  const wrong: [title: string, own: Resources, message: string, more?: object][] = [
    [
      'with a filter of no operator',
      { all: { view: 'users', where: { id: { gtt: 1 } } } },
      'Failed to read "resources.all.where": it has the unknown operator "gtt"',
    ],
    [
      'with a filter of an unknown field in a tree',
      { all: { view: 'users', where: { or: [{ id: 1 }, { nam: 'x' }] } } },
      'Did you mean "name"?',
    ],
    [
      'with an unknown hidden field',
      { users: { hidden: ['pasword'] } },
      'Did you mean "password"?',
    ],
    [
      'with an unknown unique field',
      { users: { unique: { emial: 409 } } },
      'Did you mean "email"?',
    ],
    [
      'with an unknown unique field in a list',
      { users: { unique: ['emial'] } },
      'Did you mean "email"?',
    ],
    [
      'of no collection',
      { all: { view: 'user' } },
      'there is no collection "user". Did you mean "users"?',
    ],
    ['named like a fixture', { tickets: { view: 'users' } }, 'a fixture has the same name'],
    ['with fields', { all: { view: 'users', fields: {} } }, '"fields" has no effect beside "view"'],
    [
      'with methods',
      { all: { view: 'users', methods: ['PUT'] } },
      '"methods" has no effect beside "view"',
    ],
    [
      'by an unknown field',
      { all: { view: 'users', where: { nam: 'x' } } },
      '"where" of the option "resources" for "all"',
    ],
    ['without a collection', { all: { where: { name: 'x' } } }, '"where" needs a "view"'],
    [
      'of distinct values',
      { all: { view: 'users', distinct: 'users.name' } },
      'Please keep one of them',
    ],
    [
      'of values of no collection',
      { all: { distinct: 'user.name' } },
      'there is no collection "user"',
    ],
    ['of values of no field', { all: { distinct: 'users.nam' } }, 'Did you mean "name"?'],
    ['of values without a field', { all: { distinct: 'users' } }, 'a collection and a field'],
    [
      'of values with a sort',
      { all: { distinct: 'users.name', sort: 'x' } },
      '"sort" has no effect beside "distinct"',
    ],
    [
      'with another dialect',
      { all: { view: 'users' } },
      'the dialect "json-server-0" has no "view"',
      { dialect: jsonServer0 },
    ],
  ]
  it.each(wrong)('%s', (_, own, message, more) => {
    expect(() => createMock({ fixtures, resources: own, ...more })).toThrow(message)
  })
})

it('names views in the routes of a mock, and leaves its data alone', async () => {
  const mock = createMock(create())
  const paths = mock.routes.map(({ path }) => path)
  expect(paths).toEqual(
    expect.arrayContaining(['/profiles', '/profiles/:id', '/tickets/open', '/tags']),
  )
  const { resources: known } = (await (await mock.fetch('http://x/nope')).json()) as {
    resources: string[]
  }
  expect(known).toEqual(expect.arrayContaining(['/profiles', '/tickets/open', '/tags']))
  expect(Object.keys(mock.db)).toEqual(['users', 'tickets'])
  mock.db['users']?.insert({ id: 4, name: 'new' })
  mock.reset()
  expect(Object.keys(mock.fork().db)).toEqual(['users', 'tickets'])
})

contract(
  'a response that a cache may store, of a mock with users',
  () => ({
    fixtures,
    resources: { tickets: { cacheControl: 'max-age=60' } },
    use: [auth({ scheme: ['bearer', 'cookie', 'apiKey'], protect: [], key: { header: 'X-Key' } })],
  }),
  [
    [
      'depends on the credentials',
      'GET /tickets/1',
      { status: 200, headers: { Vary: /Authorization, Cookie, X-Key/ } },
    ],
    [
      'does not, if a cache has to ask again',
      'GET /users/1',
      { status: 200, headers: { Vary: 'Origin, Accept, Accept-Encoding, Prefer' } },
    ],
  ],
)
