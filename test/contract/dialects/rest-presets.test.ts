import { expect } from 'vitest'

import { schema } from '../../../src/behaviours.ts'
import {
  type Dialect,
  djangoRestFramework,
  laravel,
  nestjsxCrud,
  rest,
  springDataRest,
} from '../../../src/dialects.ts'
import type { MockOptions } from '../../../src/index.ts'
import { contract, type Row } from '../../faces.ts'

/** A schema with the limits that frameworks word, and a record that keeps to none of them. */
const limited = {
  type: 'object',
  required: ['id', 'name'],
  properties: {
    title: { minLength: 3 },
    slug: { maxLength: 3 },
    tags: { minItems: 2 },
    links: { maxItems: 1 },
    age: { minimum: 18 },
    rank: { maximum: 5 },
    price: { exclusiveMinimum: 0 },
    step: { multipleOf: 5 },
    code: { pattern: '^[A-Z]+$' },
    kind: { enum: ['a', 'b'] },
    active: { type: 'boolean' },
    site: { format: 'uri' },
    note: { type: ['string', 'null'] },
  },
}
const wrongLimits = {
  title: 'x',
  slug: 'long',
  tags: [1],
  links: [1, 2],
  age: 3,
  rank: 9,
  price: 0,
  step: 3,
  code: 'x',
  kind: 'c',
  active: 1,
  site: 'x',
  note: 1,
}

/** A mock of some fixtures in a dialect, with schemas that writes have to match. */
function mockOf(
  dialect: Dialect,
  fixtures: Record<string, unknown>,
  schemas: Parameters<typeof schema>[0] = {},
): () => MockOptions<Record<string, unknown>> {
  return () => ({ dialect, fixtures, use: [schema(schemas)] })
}

const none = { 'x-total-count': null, 'content-range': null, link: null }
const json = { 'content-type': 'application/json; charset=utf-8', ...none }
const noBody = { status: 204, headers: { 'content-type': null }, body: '' }

// The examples of https://laravel.com/docs/13.x/eloquent-resources and /validation: the users of "Data Wrapping"
// and "Pagination", ten of them for the totals that the page shows.
const users = [
  { id: 1, name: 'Eladio Schroeder Sr.', email: 'therese28@example.com' },
  { id: 2, name: 'Liliana Mayert', email: 'evandervort@example.com' },
  ...Array.from({ length: 8 }, (_, at) => ({
    id: at + 3,
    name: `User ${at}`,
    email: `u${at}@example.com`,
  })),
]

/** The links of a paginator, which the framework sends and its page on resources leaves out. */
function paginator(path: string, current: number, last: number): object[] {
  const url = (page: number): string | null =>
    page < 1 || page > last ? null : `${path}${path.includes('?') ? '&' : '?'}page=${page}`
  const link = (label: string, page: number, active = false): object => ({
    url: url(page),
    label,
    page: url(page) === null ? null : page,
    active,
  })
  return [
    link('&laquo; Previous', current - 1),
    ...Array.from({ length: last }, (_, at) => link(String(at + 1), at + 1, at + 1 === current)),
    link('Next &raquo;', current + 1),
  ]
}

const team = {
  type: 'object',
  required: ['team_name'],
  properties: {
    team_name: { type: 'string' },
    authorization: {
      type: 'object',
      properties: { role: { enum: ['admin', 'member'] } },
    },
    users: {
      type: 'array',
      items: {
        type: 'object',
        required: ['email'],
        properties: { email: { type: 'string', format: 'email' } },
      },
    },
  },
}

contract(
  'the preset laravel',
  mockOf(laravel, { users, teams: [{ id: 1, team_name: 'A' }] }, { teams: team }),
  [
    [
      'answers a page of a resource collection',
      'GET /users',
      {
        status: 200,
        headers: json,
        body: {
          data: users,
          links: {
            first: 'http://mock.test/users?page=1',
            last: 'http://mock.test/users?page=1',
            prev: null,
            next: null,
          },
          meta: {
            current_page: 1,
            from: 1,
            last_page: 1,
            links: paginator('http://mock.test/users', 1, 1),
            path: 'http://mock.test/users',
            per_page: 15,
            to: 10,
            total: 10,
          },
        },
      },
    ],
    [
      'links the pages around a page, with the other parameters',
      'GET /users?per_page=2&page=2',
      {
        status: 200,
        body: {
          data: users.slice(2, 4),
          links: {
            first: 'http://mock.test/users?per_page=2&page=1',
            last: 'http://mock.test/users?per_page=2&page=5',
            prev: 'http://mock.test/users?per_page=2&page=1',
            next: 'http://mock.test/users?per_page=2&page=3',
          },
          meta: {
            current_page: 2,
            from: 3,
            last_page: 5,
            links: paginator('http://mock.test/users?per_page=2', 2, 5),
            path: 'http://mock.test/users',
            per_page: 2,
            to: 4,
            total: 10,
          },
        },
      },
    ],
    [
      'answers a page past the end without records',
      'GET /users?page=9',
      {
        status: 200,
        body: expect.objectContaining({
          data: [],
          meta: expect.objectContaining({ current_page: 9, from: null, to: null, total: 10 }),
        }),
      },
    ],
    [
      'answers the first page for an invalid number',
      'GET /users?page=abc',
      { status: 200, body: expect.objectContaining({ data: users }) },
    ],
    [
      'pages by cursor',
      'GET /users?cursor=&per_page=2&sort=-id',
      {
        status: 200,
        body: {
          data: [users[9], users[8]],
          links: {
            first: null,
            last: null,
            prev: null,
            next: expect.stringMatching(
              /^http:\/\/mock\.test\/users\?cursor=[^&]+&per_page=2&sort=-id$/,
            ),
          },
          meta: {
            path: 'http://mock.test/users',
            per_page: 2,
            next_cursor: expect.any(String),
            prev_cursor: null,
          },
        },
      },
    ],
    [
      'answers a resource',
      'GET /users/1',
      { status: 200, headers: json, body: { data: users[0] } },
    ],
    [
      'answers a new resource with 201',
      { request: 'POST /users', body: { name: 'Ada' } },
      {
        status: 201,
        headers: { ...json, location: null },
        body: { data: { id: 11, name: 'Ada' } },
      },
    ],
    [
      'answers a changed resource',
      { request: 'PUT /users/1', body: { name: 'Ada' } },
      { status: 200, headers: json, body: { data: { id: 1, name: 'Ada' } } },
    ],
    ['answers a removed resource with 204', 'DELETE /users/1', noBody],
    [
      'answers invalid fields with 422',
      {
        request: 'POST /teams',
        body: { team_name: 1, authorization: { role: 'x' }, users: [{}, { email: 'x' }] },
      },
      {
        status: 422,
        headers: json,
        body: {
          message: 'The team name field must be a string. (and 3 more errors)',
          errors: {
            team_name: ['The team name field must be a string.'],
            'authorization.role': ['The selected authorization.role is invalid.'],
            'users.0.email': ['The users.0.email field is required.'],
            'users.1.email': ['The users.1.email field must be a valid email address.'],
          },
        },
      },
    ],
    [
      'answers one invalid field with its message alone',
      { request: 'POST /teams', body: {} },
      {
        status: 422,
        body: {
          message: 'The team name field is required.',
          errors: { team_name: ['The team name field is required.'] },
        },
      },
    ],
    [
      'answers a missing model with 404',
      'GET /users/99',
      {
        status: 404,
        headers: json,
        body: { message: String.raw`No query results for model [App\Models\User] 99` },
      },
    ],
    [
      'answers another method with 405',
      'DELETE /users',
      {
        status: 405,
        headers: { allow: /GET/ },
        body: {
          message:
            'The DELETE method is not supported for route users. Supported methods: GET, HEAD, POST, OPTIONS.',
        },
      },
    ],
    [
      'filters as spatie/laravel-query-builder does',
      'GET /users?filter[name]=Liliana%20Mayert,User%207&sort=-name&fields[users]=id',
      { status: 200, body: expect.objectContaining({ data: [{ id: 10 }, { id: 2 }] }) },
    ],
  ],
)

contract(
  'the preset laravel with related records',
  mockOf(laravel, {
    users: [{ id: 1, name: 'Ada', role: 'admin' }],
    posts: [{ id: 1, title: 'Hello', body: 'World', user_id: 1 }],
    comments: [{ id: 1, post_id: 1, text: 'Nice', user_id: 1 }],
  }),
  [
    [
      'includes related records beside selected fields',
      'GET /posts/1?include=user,comments&fields[posts]=title',
      {
        status: 200,
        body: {
          data: {
            title: 'Hello',
            user: { id: 1, name: 'Ada', role: 'admin' },
            comments: [{ id: 1, post_id: 1, text: 'Nice', user_id: 1 }],
          },
        },
      },
    ],
    [
      'selects fields of included records by their resource, at any depth',
      'GET /posts/1?include=comments.user&fields[posts]=id&fields[comments]=text&fields[users]=name',
      {
        status: 200,
        body: { data: { id: 1, comments: [{ text: 'Nice', user: { name: 'Ada' } }] } },
      },
    ],
    [
      'selects fields of included records alone',
      'GET /posts/1?include=user&fields[users]=name',
      {
        status: 200,
        body: {
          data: { id: 1, title: 'Hello', body: 'World', user_id: 1, user: { name: 'Ada' } },
        },
      },
    ],
    [
      'filters by a field of a related record',
      'GET /posts?filter[user.name]=Ada&fields[posts]=id',
      { status: 200, body: expect.objectContaining({ data: [{ id: 1 }] }) },
    ],
    [
      'does not select by fields of resources that are not included',
      'GET /posts/1?fields[users]=name',
      {
        status: 200,
        body: { data: { id: 1, title: 'Hello', body: 'World', user_id: 1 } },
      },
    ],
  ],
)

// The examples of https://www.django-rest-framework.org: "Pagination", "Exceptions", "Serializers" and the tutorial.
const accounts = Array.from({ length: 1023 }, (_, at) => ({ id: at + 1, amount: at }))
const snippets = [
  {
    id: 1,
    title: '',
    code: 'foo = "bar"\n',
    linenos: false,
    language: 'python',
    style: 'friendly',
  },
  {
    id: 2,
    title: '',
    code: 'print("hello, world")\n',
    linenos: false,
    language: 'python',
    style: 'friendly',
  },
]
const comment = {
  type: 'object',
  required: ['created'],
  properties: {
    email: { type: 'string', format: 'email' },
    user: { type: 'object', properties: { email: { type: 'string', format: 'email' } } },
    amount: { type: 'integer' },
  },
}

contract(
  'the preset django-rest-framework',
  mockOf(
    djangoRestFramework,
    { accounts, snippets, comments: [{ id: 1, created: 'x', user: { email: 'a@example.com' } }] },
    { comments: comment },
  ),
  [
    [
      'answers a page by number',
      'GET /accounts/?page=4',
      {
        status: 200,
        headers: json,
        body: {
          count: 1023,
          next: 'http://mock.test/accounts/?page=5',
          previous: 'http://mock.test/accounts/?page=3',
          results: accounts.slice(300, 400),
        },
      },
    ],
    [
      'leaves the number of the first page out',
      'GET /accounts/?page=2',
      {
        status: 200,
        body: expect.objectContaining({ previous: 'http://mock.test/accounts/' }),
      },
    ],
    [
      'answers a page by limit and offset',
      'GET /accounts/?limit=100&offset=400',
      {
        status: 200,
        headers: json,
        body: {
          count: 1023,
          next: 'http://mock.test/accounts/?limit=100&offset=500',
          previous: 'http://mock.test/accounts/?limit=100&offset=300',
          results: accounts.slice(400, 500),
        },
      },
    ],
    [
      'answers the whole list in a page',
      'GET /snippets/',
      { status: 200, body: { count: 2, next: null, previous: null, results: snippets } },
    ],
    [
      'answers 404 for a page past the end',
      'GET /accounts/?page=99',
      { status: 404, headers: json, body: { detail: 'Invalid page.' } },
    ],
    [
      'answers 404 for a page that is no number',
      'GET /accounts/?page=x',
      { status: 404, body: { detail: 'Invalid page.' } },
    ],
    ['answers a record', 'GET /snippets/2/', { status: 200, headers: json, body: snippets[1] }],
    [
      'answers a new record with 201',
      { request: 'POST /snippets/', body: { title: '', code: 'print(456)' } },
      {
        status: 201,
        headers: { ...json, location: null },
        body: { id: 3, title: '', code: 'print(456)' },
      },
    ],
    ['answers a removed record with 204', 'DELETE /snippets/1/', noBody],
    [
      'answers invalid fields with 400',
      { request: 'POST /comments/', body: { email: 'foobar', content: 'baz' } },
      {
        status: 400,
        headers: json,
        body: { email: ['Enter a valid email address.'], created: ['This field is required.'] },
      },
    ],
    [
      'nests the errors of nested fields',
      { request: 'POST /comments/', body: { user: { email: 'foobar', username: 'doe' } } },
      {
        status: 400,
        body: {
          user: { email: ['Enter a valid email address.'] },
          created: ['This field is required.'],
        },
      },
    ],
    [
      'answers a number that is none with 400',
      { request: 'POST /comments/', body: { created: 'x', amount: 'x' } },
      { status: 400, body: { amount: ['A valid integer is required.'] } },
    ],
    [
      'answers another method with 405',
      'DELETE /snippets/',
      { status: 405, headers: { allow: /GET/ }, body: { detail: 'Method "DELETE" not allowed.' } },
    ],
    [
      'answers a missing record with 404',
      'GET /snippets/9/',
      { status: 404, headers: json, body: { detail: 'No Snippet matches the given query.' } },
    ],
    [
      'answers another media type with 415',
      { request: 'POST /snippets/', headers: { 'content-type': 'text/csv' }, body: 'x' },
      { status: 415, body: { detail: 'Unsupported media type "text/csv" in request.' } },
    ],
    [
      'orders by several fields',
      'GET /snippets/?ordering=language,-id',
      { status: 200, body: expect.objectContaining({ results: [snippets[1], snippets[0]] }) },
    ],
    [
      'searches',
      'GET /snippets/?search=HELLO',
      { status: 200, body: expect.objectContaining({ results: [snippets[1]] }) },
    ],
    [
      'filters by lookups, also of nested fields',
      'GET /comments/?user__email__icontains=A@EXAMPLE&id__in=1,2&id__range=0,1',
      { status: 200, body: expect.objectContaining({ count: 1 }) },
    ],
    [
      'compares a text without its case',
      'GET /comments/?user__email__iexact=A@EXAMPLE.com&created__isnull=false',
      { status: 200, body: expect.objectContaining({ count: 1 }) },
    ],
  ],
)

// The examples of https://spring.io/guides/gs/accessing-data-rest and of "Paging and Sorting" in the reference of
// Spring Data REST. Its links are those of version 4, which are no URI templates and have more relations.
const frodo = { firstName: 'Frodo', lastName: 'Baggins' }
const hal = { 'content-type': 'application/hal+json', ...none }

/** A person with its links. */
function person(id: number, fields: object): object {
  const href = `http://mock.test/people/${id}`
  return { ...fields, _links: { self: { href }, person: { href } } }
}

const persons = Array.from({ length: 50 }, (_, at) => ({ id: at + 1, name: `P${at}` }))

contract(
  'the preset spring-data-rest',
  mockOf(
    springDataRest,
    { people: [{ id: 1, ...frodo }], persons, orders: [] },
    { people: { type: 'object', required: ['lastName'] } },
  ),
  [
    [
      'answers a page of a collection resource',
      'GET /people',
      {
        status: 200,
        headers: hal,
        body: {
          _embedded: { people: [person(1, frodo)] },
          _links: { self: { href: 'http://mock.test/people?page=0&size=20' } },
          page: { size: 20, totalElements: 1, totalPages: 1, number: 0 },
        },
      },
    ],
    [
      'answers an empty collection resource',
      'GET /orders',
      {
        status: 200,
        headers: hal,
        body: {
          _embedded: { orders: [] },
          _links: { self: { href: 'http://mock.test/orders?page=0&size=20' } },
          page: { size: 20, totalElements: 0, totalPages: 0, number: 0 },
        },
      },
    ],
    [
      'links the next page, and no previous page from the first',
      'GET /persons?size=5',
      {
        status: 200,
        body: {
          _embedded: { persons: expect.any(Array) },
          _links: {
            first: { href: 'http://mock.test/persons?size=5&page=0' },
            self: { href: 'http://mock.test/persons?size=5&page=0' },
            next: { href: 'http://mock.test/persons?size=5&page=1' },
            last: { href: 'http://mock.test/persons?size=5&page=9' },
          },
          page: { size: 5, totalElements: 50, totalPages: 10, number: 0 },
        },
      },
    ],
    [
      'links the pages around the second page',
      'GET /persons?page=1&size=5',
      {
        status: 200,
        body: expect.objectContaining({
          _links: {
            first: { href: 'http://mock.test/persons?page=0&size=5' },
            prev: { href: 'http://mock.test/persons?page=0&size=5' },
            self: { href: 'http://mock.test/persons?page=1&size=5' },
            next: { href: 'http://mock.test/persons?page=2&size=5' },
            last: { href: 'http://mock.test/persons?page=9&size=5' },
          },
          page: { size: 5, totalElements: 50, totalPages: 10, number: 1 },
        }),
      },
    ],
    [
      'sorts by the fields of each parameter',
      'GET /persons?sort=name,desc&sort=id&size=1',
      {
        status: 200,
        body: expect.objectContaining({
          _embedded: { persons: [expect.objectContaining({ name: 'P9' })] },
        }),
      },
    ],
    [
      'answers an item resource without its id',
      'GET /people/1',
      { status: 200, headers: hal, body: person(1, frodo) },
    ],
    [
      'answers a new item resource with 201 and its location',
      { request: 'POST /people', body: frodo },
      {
        status: 201,
        headers: { ...hal, location: 'http://mock.test/people/2' },
        body: person(2, frodo),
      },
    ],
    [
      'replaces an item resource, whose links a client sends back',
      [
        {
          request: 'PUT /people/1',
          body: { firstName: 'Bilbo', lastName: 'Baggins', _links: { self: { href: 'x' } } },
        },
        'GET /people/1',
      ],
      { status: 200, body: person(1, { firstName: 'Bilbo', lastName: 'Baggins' }) },
    ],
    [
      'updates an item resource',
      [{ request: 'PATCH /people/1', body: { firstName: 'Bilbo Jr.' } }, 'GET /people/1'],
      { status: 200, body: person(1, { firstName: 'Bilbo Jr.', lastName: 'Baggins' }) },
    ],
    ['answers a removed item resource with 204', 'DELETE /people/1', noBody],
    [
      'answers a missing item resource with 404 and no body',
      'GET /people/9',
      { status: 404, headers: { 'content-type': null }, body: '' },
    ],
    [
      'answers another method with 405 and no body',
      'DELETE /people',
      { status: 405, headers: { allow: /POST/ }, body: '' },
    ],
    [
      'answers violated constraints with 400',
      { request: 'POST /people', body: { firstName: 'Frodo' } },
      {
        status: 400,
        body: {
          errors: [
            { entity: 'Person', property: 'lastName', invalidValue: null, message: 'is required' },
          ],
        },
      },
    ],
    [
      'filters by equality',
      'GET /persons?name=P7',
      {
        status: 200,
        body: expect.objectContaining({
          page: { size: 20, totalElements: 1, totalPages: 1, number: 0 },
        }),
      },
    ],
  ],
)

// The wiki of https://github.com/nestjsx/crud: "Requests", "Controllers" and "Services".
const companies = [
  { id: 1, name: 'Acme', domain: 'acme.com', isActive: true, deletedAt: null },
  { id: 2, name: 'Globex', domain: 'globex.com', isActive: false, deletedAt: '2020-01-01' },
  { id: 3, name: 'Initech', domain: 'initech.com', isActive: true, deletedAt: null },
  { id: 4, name: 'Umbrella', domain: 'umbrella.com', isActive: false, deletedAt: null },
]
const staff = [
  { id: 1, name: 'Ada', companyId: 1 },
  { id: 2, name: 'Bob', companyId: 3 },
]

/** A row that expects the companies with these ids. */
function finds(title: string, search: string, ids: number[]): Row {
  const body = ids.map((id) => companies[id - 1])
  return [title, `GET /companies?${search}`, { status: 200, headers: json, body }]
}

contract(
  'the preset nestjsx-crud',
  mockOf(
    nestjsxCrud,
    { companies, staff },
    {
      companies: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, domain: { type: 'string' } },
      },
    },
  ),
  [
    finds('answers a list', '', [1, 2, 3, 4]),
    finds('answers a plain list for a limit alone', 'limit=2', [1, 2]),
    [
      'answers a page',
      'GET /companies?limit=3&page=2',
      {
        status: 200,
        headers: json,
        body: { data: [companies[3]], count: 1, total: 4, page: 2, pageCount: 2 },
      },
    ],
    [
      'answers a page by offset',
      'GET /companies?per_page=2&offset=2',
      {
        status: 200,
        body: { data: companies.slice(2), count: 2, total: 4, page: 2, pageCount: 2 },
      },
    ],
    finds('filters by equality', 'filter=name||$eq||Acme', [1]),
    finds('filters by several conditions', 'filter=isActive||$eq||true&filter=id||$gt||1', [3]),
    finds('filters by the deprecated names of operators', 'filter=name||starts||Um', [4]),
    finds('filters by one condition or another', 'filter=id||$eq||1&or=id||$eq||4', [1, 4]),
    finds('filters by several alternatives', 'or=id||$eq||1&or=id||$eq||2', [1, 2]),
    finds(
      'filters by all conditions or all alternatives',
      'filter=isActive||$eq||true&filter=id||$lt||3&or=isActive||$eq||false&or=id||$gt||3',
      [1, 4],
    ),
    finds('filters by a list', 'filter=id||$in||1,3', [1, 3]),
    finds('filters by the complement of a list', 'filter=id||$notin||1,3', [2, 4]),
    finds('filters by a range', 'filter=id||$between||2,3', [2, 3]),
    finds('filters by null', 'filter=deletedAt||$isnull', [1, 3, 4]),
    finds('filters by values other than null', 'filter=deletedAt||$notnull', [2]),
    finds('filters by texts without a part', 'filter=name||$excl||l', [1, 3]),
    finds('filters without the case of letters', 'filter=name||$eqL||ACME', [1]),
    finds(
      'filters by a search condition',
      `s=${encodeURIComponent('{"isActive":true,"$or":[{"name":{"$cont":"cm"}},{"id":{"$gte":4}}]}')}`,
      [1],
    ),
    finds('sorts', 'sort=isActive,ASC&sort=name,DESC', [4, 2, 3, 1]),
    [
      'selects fields and joins relations',
      'GET /staff?fields=name,company&join=company||name&limit=1',
      { status: 200, body: [{ name: 'Ada', company: companies[0] }] },
    ],
    ['answers a record', 'GET /companies/1', { status: 200, headers: json, body: companies[0] }],
    [
      'answers a new record with 201',
      { request: 'POST /companies', body: { name: 'Hooli' } },
      { status: 201, headers: { ...json, location: null }, body: { id: 5, name: 'Hooli' } },
    ],
    [
      'merges the fields of a PUT',
      { request: 'PUT /companies/1', body: { name: 'Acme 2' } },
      { status: 200, body: { ...companies[0], name: 'Acme 2' } },
    ],
    [
      'answers a removed record with 200 and no body',
      'DELETE /companies/1',
      { status: 200, headers: { 'content-type': null }, body: '' },
    ],
    [
      'answers a missing record with 404',
      'GET /companies/9',
      {
        status: 404,
        headers: json,
        body: { statusCode: 404, message: 'Company not found', error: 'Not Found' },
      },
    ],
    [
      'answers invalid fields with 400',
      { request: 'POST /companies', body: { domain: 1 } },
      {
        status: 400,
        headers: json,
        body: {
          statusCode: 400,
          message: ['name should not be empty', 'domain must be a string'],
          error: 'Bad Request',
        },
      },
    ],
    [
      'answers an unknown operator with 400',
      'GET /companies?filter=id||$foo||1',
      {
        status: 400,
        body: {
          statusCode: 400,
          message: expect.stringMatching(/the unknown operator "\$foo"; known: eq, ne/),
          error: 'Bad Request',
        },
      },
    ],
    [
      'answers a route that does not exist with 404',
      'DELETE /companies',
      {
        status: 404,
        body: { statusCode: 404, message: 'Cannot DELETE /companies', error: 'Not Found' },
      },
    ],
  ],
)

const worded: [preset: Dialect, body: Record<string, unknown>][] = [
  [
    laravel,
    {
      message: 'The name field is required. (and 13 more errors)',
      errors: {
        name: ['The name field is required.'],
        title: ['The title field must be at least 3 characters.'],
        slug: ['The slug field must not be greater than 3 characters.'],
        tags: ['The tags field must have at least 2 items.'],
        links: ['The links field must not have more than 1 items.'],
        age: ['The age field must be at least 18.'],
        rank: ['The rank field must not be greater than 5.'],
        price: ['The price field must be greater than 0.'],
        step: ['The step field must be a multiple of 5.'],
        code: ['The code field format is invalid.'],
        kind: ['The selected kind is invalid.'],
        active: ['The active field must be true or false.'],
        site: ['The site field must be a valid URL.'],
        note: ['The note field must be a string or null.'],
      },
    },
  ],
  [
    djangoRestFramework,
    {
      name: ['This field is required.'],
      title: ['Ensure this field has at least 3 characters.'],
      slug: ['Ensure this field has no more than 3 characters.'],
      tags: ['Ensure this field has at least 2 elements.'],
      links: ['Ensure this field has no more than 1 elements.'],
      age: ['Ensure this value is greater than or equal to 18.'],
      rank: ['Ensure this value is less than or equal to 5.'],
      price: ['This field has to be above 0.'],
      step: ['Ensure this value is a multiple of step size 5.'],
      code: ['Enter a valid value.'],
      kind: ['Not a valid choice.'],
      active: ['Must be a valid boolean.'],
      site: ['Enter a valid URL.'],
      note: ['This field has to be a string or null.'],
    },
  ],
  [
    nestjsxCrud,
    {
      statusCode: 400,
      message: [
        'name should not be empty',
        'title must be longer than or equal to 3 characters',
        'slug must be shorter than or equal to 3 characters',
        'tags must contain at least 2 elements',
        'links must contain no more than 1 elements',
        'age must not be less than 18',
        'rank must not be greater than 5',
        'price must be above 0',
        'step must be divisible by 5',
        'code must match /^[A-Z]+$/ regular expression',
        'kind must be one of "a", "b"',
        'active must be a boolean value',
        'site must be a URL address',
        'note must be a string or null',
      ],
      error: 'Bad Request',
    },
  ],
]

for (const [preset, body] of worded) {
  contract(
    `the validation of ${preset.name}`,
    mockOf(preset, { posts: [{ id: 1, ...wrongLimits }] }, { posts: limited }),
    [
      [
        'words each limit as the framework does',
        { request: 'POST /posts', body: wrongLimits },
        { status: preset === laravel ? 422 : 400, body },
      ],
    ],
  )
}

contract(
  'reasons beside a preset',
  mockOf(
    rest({
      preset: laravel,
      reasons: { 'is required': 'Missing.', 'has to be one of *': 'Not of $wild.', '*': '$reason' },
    }),
    { posts: [{ id: 1 }] },
    { posts: limited },
  ),
  [
    [
      'go before those of the preset, except for the last',
      { request: 'POST /posts', body: { kind: 'c', title: 'x' } },
      {
        status: 422,
        body: {
          message: 'Missing. (and 2 more errors)',
          errors: {
            name: ['Missing.'],
            title: ['The title field must be at least 3 characters.'],
            kind: ['Not of "a", "b".'],
          },
        },
      },
    ],
  ],
)
