import { expect } from 'vitest'

import { auth, schema } from '../../../src/behaviours.ts'
import { rest, strapi } from '../../../src/dialects.ts'
import type { MockOptions } from '../../../src/index.ts'
import { contract, type Row } from '../../faces.ts'

/** The origin of the requests: the module that has it needs Node. */
const origin = 'http://mock.test'

const people = [
  { id: 1, name: 'Ada', cityId: 1 },
  { id: 2, name: 'Bob', cityId: 2 },
]
const cities = [
  { id: 1, name: 'Rome' },
  { id: 2, name: 'Oslo' },
]
const articles = [
  { id: 1, title: 'One', views: 3, personId: 1 },
  { id: 2, title: 'Two', views: 9, personId: 2 },
  { id: 3, title: 'Three', views: 5, personId: 2 },
]
const comments = [
  { id: 1, text: 'a', articleId: 1 },
  { id: 2, text: 'b', articleId: 2 },
]
const users = [{ id: 1, username: 'ada', email: 'ada@example.org', password: 'x' }]

const mock = (): MockOptions<Record<string, unknown>> => ({
  dialect: strapi,
  fixtures: { articles, people, cities, comments, users, homepage: { title: 'Hi' } },
  use: [
    auth({ protect: ['POST people'], known: { ada: 1 } }),
    schema({ comments: { required: ['text'] } }),
  ],
})

/** An entry as responses have it. */
function entry({ id, ...fields }: { id: number }): object {
  return { id, documentId: String(id), ...fields }
}
const [one, two, three] = articles.map((article) => entry(article))
const [ada, bob] = people.map((person) => entry(person))
const [rome, oslo] = cities.map((city) => entry(city))
const [first] = comments.map((comment) => entry(comment))
const user = { id: 1, documentId: '1', username: 'ada', email: 'ada@example.org' }

function page(data: unknown[], pagination: object = {}): object {
  const { length: total } = data
  return {
    data,
    meta: { pagination: { page: 1, pageSize: 25, pageCount: 1, total, ...pagination } },
  }
}

function failure(status: number, name: string, message: unknown, details: object = {}): object {
  return { data: null, error: { status, name, message, details } }
}

/** A list request, and the page that answers it. */
function lists(title: string, query: string, ...entries: unknown[]): Row {
  return [title, `GET /api/articles?${query}`, { status: 200, body: page(entries) }]
}

contract('the preset strapi', mock, [
  [
    'answers a page of entries',
    'GET /api/articles',
    { status: 200, body: page([one, two, three]) },
  ],
  [
    'pages by number',
    'GET /api/articles?pagination[page]=2&pagination[pageSize]=2',
    { status: 200, body: page([three], { page: 2, pageSize: 2, pageCount: 2, total: 3 }) },
  ],
  [
    'pages by index',
    'GET /api/articles?pagination[start]=1&pagination[limit]=1',
    { status: 200, body: { data: [two], meta: { pagination: { start: 1, limit: 1, total: 3 } } } },
  ],
  lists('sorts', 'sort=views:desc,title:asc', two, three, one),
  lists('sorts by a list', 'sort[0]=personId:desc&sort[1]=title', three, two, one),
  lists('sorts by a field of a related entry', 'sort=person.name:desc', two, three, one),
  lists('filters', 'filters[title][$containsi]=t', two, three),
  lists('filters by equality', 'filters[views]=5', three),
  lists('filters by a text of any case', 'filters[title][$eqi]=ONE', one),
  lists(
    'joins conditions',
    'filters[$or][0][views][$gt]=8&filters[$or][1][title][$eq]=One',
    one,
    two,
  ),
  lists('negates', 'filters[$not][views][$gte]=5', one),
  lists('negates an operator', 'filters[title][$not][$eq]=One', two, three),
  lists('compares with a list', 'filters[id][$in][0]=1&filters[id][$in][1]=3', one, three),
  lists('reads a list without indexes', 'filters[id][$notIn][]=1&filters[id][$notIn][]=3', two),
  lists(
    'compares with a range',
    'filters[views][$between][0]=4&filters[views][$between][1]=6',
    three,
  ),
  lists(
    'compares with a missing value',
    'filters[views][$notNull]=true&filters[title][$eq]=One',
    one,
  ),
  lists('filters by documentId', 'filters[documentId][$eq]=2', two),
  lists(
    'filters by a related entry, at any depth',
    'filters[person][city][name][$eq]=Oslo',
    two,
    three,
  ),
  lists('filters by related lists', 'filters[comments][text][$eq]=b', two),
  lists('ignores the status and the locale', 'status=draft&locale=en', one, two, three),
  [
    'refuses an unknown operator',
    'GET /api/articles?filters[title][$foo]=x',
    { status: 400, body: failure(400, 'ValidationError', expect.stringContaining('"$foo"')) },
  ],
  [
    'refuses a filter that is too deep',
    `GET /api/articles?filters${'[a]'.repeat(40)}=x`,
    { status: 400, body: failure(400, 'ValidationError', expect.stringContaining('32 keys')) },
  ],
  [
    'populates a relation',
    'GET /api/articles/1?populate=person',
    { status: 200, body: { data: { ...one, person: ada }, meta: {} } },
  ],
  [
    'populates every relation',
    'GET /api/articles/1?populate=*',
    { status: 200, body: { data: { ...one, person: ada, comments: [first] }, meta: {} } },
  ],
  [
    'populates at any depth',
    'GET /api/articles/2?populate[person][populate][city]=true',
    { status: 200, body: { data: { ...two, person: { ...bob, city: oslo } }, meta: {} } },
  ],
  [
    'populates a list of paths',
    'GET /api/articles/1?populate[0]=person&populate[1]=person.city',
    { status: 200, body: { data: { ...one, person: { ...ada, city: rome } }, meta: {} } },
  ],
  [
    'selects the fields of a populated entry',
    'GET /api/articles/1?populate[person][fields][0]=name',
    {
      status: 200,
      body: { data: { ...one, person: { id: 1, documentId: '1', name: 'Ada' } }, meta: {} },
    },
  ],
  [
    'selects fields',
    'GET /api/articles/1?fields[0]=title&populate=person',
    {
      status: 200,
      body: { data: { id: 1, documentId: '1', title: 'One', person: ada }, meta: {} },
    },
  ],
  [
    'refuses an unknown relation',
    'GET /api/articles?populate=nope',
    { status: 400, body: failure(400, 'ValidationError', expect.stringContaining('person')) },
  ],
  [
    'creates an entry',
    { request: 'POST /api/articles', body: { data: { id: 9, title: 'Four' } } },
    { status: 201, body: { data: { id: 4, documentId: '4', title: 'Four' }, meta: {} } },
  ],
  [
    'refuses an entry without data',
    { request: 'POST /api/articles', body: { title: 'Four' } },
    { status: 400, body: failure(400, 'ValidationError', expect.stringContaining('"data"')) },
  ],
  [
    'words the faults of an entry',
    { request: 'POST /api/comments', body: { data: {} } },
    {
      status: 400,
      body: failure(400, 'ValidationError', 'text must be defined.', {
        errors: [
          {
            path: ['text'],
            message: 'text must be defined.',
            name: 'ValidationError',
            value: null,
          },
        ],
      }),
    },
  ],
  [
    'updates the given fields of an entry',
    { request: 'PUT /api/articles/1', body: { data: { title: 'New' } } },
    { status: 200, body: { data: { ...one, title: 'New' }, meta: {} } },
  ],
  ['deletes an entry', 'DELETE /api/articles/1', { status: 204, body: '' }],
  [
    'answers a single type',
    'GET /api/homepage',
    { status: 200, body: { data: { title: 'Hi' }, meta: {} } },
  ],
  [
    'updates a single type',
    { request: 'PUT /api/homepage', body: { data: { title: 'Ho' } } },
    { status: 200, body: { data: { title: 'Ho' }, meta: {} } },
  ],
  ['answers users as plain records', 'GET /api/users', { status: 200, body: [user] }],
  [
    'misses an entry',
    'GET /api/articles/9',
    { status: 404, body: failure(404, 'NotFoundError', 'Not Found') },
  ],
  ['has no entries of an unknown type', 'GET /api/nope', { status: 404 }],
  [
    'has no other methods',
    'DELETE /api/articles',
    { status: 405, body: failure(405, 'MethodNotAllowedError', 'Method Not Allowed') },
  ],
  [
    'logs in by name',
    { request: 'POST /api/auth/local', body: { identifier: 'ada', password: 'x' } },
    { status: 200, body: { jwt: expect.any(String), user } },
  ],
  [
    'refuses a wrong password',
    { request: 'POST /api/auth/local', body: { identifier: 'ada@example.org', password: 'y' } },
    { status: 400, body: failure(400, 'ValidationError', 'Invalid identifier or password') },
  ],
  [
    'registers a user',
    {
      request: 'POST /api/auth/local/register',
      body: { username: 'bob', email: 'bob@example.org', password: 'y' },
    },
    { status: 200, body: { jwt: expect.any(String), user: expect.objectContaining({ id: 2 }) } },
  ],
  [
    'has no user without a login',
    'GET /api/users/me',
    { status: 401, body: failure(401, 'UnauthorizedError', 'Missing or invalid credentials') },
  ],
  [
    'knows a user by a token',
    { request: 'GET /api/users/me', headers: { authorization: 'Bearer ada' } },
    { status: 200, body: user },
  ],
  [
    'protects a resource by its name',
    { request: 'POST /api/people', body: { data: { name: 'Cy' } } },
    { status: 401 },
  ],
])

contract(
  'a dialect with paths of resources',
  () => ({
    dialect: rest({
      path: '/v2/$resource/records',
      list: { data: '$items', 'next?': '$next' },
      record: { data: '$record', self: '$url' },
      resources: { people: { path: '/staff' } },
      joins: true,
      embedIn: 'expand',
    }),
    fixtures: { articles, people, cities },
  }),
  [
    [
      'answers links with its paths',
      'GET /v2/articles/records?_page=2&_limit=1',
      {
        status: 200,
        body: { data: [articles[1]], next: `${origin}/v2/articles/records?_page=3&_limit=1` },
      },
    ],
    [
      'answers the path of a single resource',
      'GET /staff/1',
      { status: 200, body: { data: people[0], self: `${origin}/staff/1` } },
    ],
    [
      'names a new record by its path',
      { request: 'POST /v2/cities/records', body: { name: 'Lima' } },
      { status: 201, headers: { location: `${origin}/v2/cities/records/3` } },
    ],
    [
      'answers the children of a record',
      'GET /staff/2/articles?_sort=-views',
      { status: 200, body: { data: [articles[1], articles[2]] } },
    ],
    [
      'embeds records in a member of their own',
      'GET /v2/articles/records/1?_embed=person.city',
      {
        status: 200,
        body: expect.objectContaining({
          data: {
            ...articles[0],
            expand: { person: { ...people[0], expand: { city: cities[0] } } },
          },
        }),
      },
    ],
    [
      'lists the paths for an unknown one',
      'GET /v2/articles',
      {
        status: 404,
        body: expect.objectContaining({
          resources: ['/v2/articles/records', '/staff', '/v2/cities/records'],
        }),
      },
    ],
  ],
)
