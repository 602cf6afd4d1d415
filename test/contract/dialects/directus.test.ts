import { expect } from 'vitest'

import { auth, schema } from '../../../src/behaviours.ts'
import { directus } from '../../../src/dialects.ts'
import type { MockOptions } from '../../../src/index.ts'
import { contract, type Row } from '../../faces.ts'

const authors = [
  { id: 1, name: 'Ada', city: 1 },
  { id: 2, name: 'Bob', city: 2 },
]
const cities = [
  { id: 1, name: 'Rome' },
  { id: 2, name: 'Oslo' },
]
const articles = [
  { id: 1, title: 'One', views: 3, author: 1, tags: [1] },
  { id: 2, title: 'Two', views: 9, author: 2, tags: [] },
  { id: 3, title: 'Three', views: 5, author: 2, tags: [1, 2] },
]
const tags = [
  { id: 1, word: 'x' },
  { id: 2, word: 'y' },
]
const comments = [{ id: 1, text: 'a', article: 1 }]
const users = [{ id: 1, email: 'ada@example.org', password: 'x' }]
const [one, two, three] = articles

const mock = (): MockOptions<Record<string, unknown>> => ({
  dialect: directus,
  fixtures: { articles, authors, cities, tags, comments, users, settings: { name: 'Site' } },
  use: [
    auth({ protect: ['POST authors'], known: { ada: 1 } }),
    schema({ comments: { required: ['text'], properties: { text: { type: 'string' } } } }),
  ],
})

/** A list request, and its items. */
function lists(title: string, query: string, ...data: unknown[]): Row {
  return [title, `GET /items/articles?${query}`, { status: 200, body: { data } }]
}

function failure(code: string, message: unknown, more: object = {}): object {
  return { errors: [{ message, extensions: { code, ...more } }] }
}
const forbidden = failure('FORBIDDEN', "You don't have permission to access this.")
const json = (tree: unknown): string => `filter=${encodeURIComponent(JSON.stringify(tree))}`

contract('the preset directus', mock, [
  [
    'changes several items by their keys',
    [
      { request: 'PATCH /items/articles', body: { keys: [1, '3'], data: { views: 0 } } },
      'GET /items/articles?fields=id,views',
    ],
    {
      status: 200,
      body: {
        data: [
          { id: 1, views: 0 },
          { id: 2, views: 9 },
          { id: 3, views: 0 },
        ],
      },
    },
  ],
  [
    'changes each item of an array',
    {
      request: 'PATCH /items/articles',
      body: [
        { id: 2, views: 1 },
        { id: 1, title: 'Uno' },
      ],
    },
    {
      status: 200,
      body: {
        data: [
          { ...two, views: 1 },
          { ...one, title: 'Uno' },
        ],
      },
    },
  ],
  [
    'changes no item if one does not exist',
    [
      { request: 'PATCH /items/articles', body: { keys: [1, 9], data: { views: 0 } } },
      'GET /items/articles/1',
    ],
    { status: 200, body: { data: one } },
  ],
  [
    'refuses a change of an item that does not exist',
    { request: 'PATCH /items/articles', body: { keys: [1, 9], data: { views: 0 } } },
    { status: 403, body: forbidden },
  ],
  [
    'refuses a change that names no items',
    { request: 'PATCH /items/articles', body: { data: { views: 0 } } },
    { status: 400, body: failure('INVALID_PAYLOAD', expect.stringContaining('"keys"')) },
  ],
  [
    'checks each of several items',
    { request: 'PATCH /items/comments', body: { keys: [1], data: { text: null } } },
    { status: 400, body: expect.anything() },
  ],
  [
    'removes several items',
    [{ request: 'DELETE /items/articles', body: [1, 3] }, 'GET /items/articles'],
    { status: 200, body: { data: [two] } },
  ],
  [
    'answers the removal of several items with 204',
    { request: 'DELETE /items/articles', body: { keys: [1, 3, 1] } },
    { status: 204, body: '' },
  ],
  lists('answers items', '', one, two, three),
  lists('pages by number', 'limit=2&page=2', three),
  lists('pages by index', 'limit=1&offset=1', two),
  lists('answers all items', 'limit=-1&sort=-views,title', two, three, one),
  lists('sorts by a field of a related item', 'sort=-author.name,id', two, three, one),
  lists('searches', 'search=thre', three),
  lists('filters by brackets', 'filter[title][_contains]=t&filter[views][_lt]=9', three),
  lists(
    'filters by JSON',
    json({ _or: [{ views: { _gt: 8 } }, { title: { _eq: 'One' } }] }),
    one,
    two,
  ),
  lists(
    'filters by a related item',
    json({ author: { city: { name: { _eq: 'Oslo' } } } }),
    two,
    three,
  ),
  lists(
    'filters by some of related items',
    json({ tags: { _some: { word: { _eq: 'y' } } } }),
    three,
  ),
  lists(
    'filters by none of related items',
    json({ comments: { _none: { text: { _eq: 'a' } } } }),
    two,
    three,
  ),
  lists('compares with a list', json({ id: { _nin: [1, 3] } }), two),
  lists('compares with a range', 'filter[views][_between]=4,6', three),
  lists('compares with nothing', 'filter[author][_null]=true'),
  lists('selects fields', 'fields=id,title&limit=1', { id: 1, title: 'One' }),
  lists('selects fields of a related item', 'fields[]=title&fields[]=author.name&limit=1', {
    title: 'One',
    author: { name: 'Ada' },
  }),
  lists('selects all fields and a related item', 'fields=*,author.city.*&filter[id]=1', {
    ...one,
    author: { city: cities[0] },
  }),
  lists('selects lists of related items', 'fields=id,tags.word,comments.*&filter[id][_eq]=1', {
    id: 1,
    tags: [{ word: 'x' }],
    comments,
  }),
  [
    'counts items',
    'GET /items/articles?filter[views][_gt]=4&meta=*&fields=id',
    {
      status: 200,
      body: { meta: { total_count: 3, filter_count: 2 }, data: [{ id: 2 }, { id: 3 }] },
    },
  ],
  [
    'answers an item',
    'GET /items/articles/2?fields=title',
    { status: 200, body: { data: { title: 'Two' } } },
  ],
  ['answers a singleton', 'GET /items/settings', { status: 200, body: { data: { name: 'Site' } } }],
  [
    'creates an item',
    { request: 'POST /items/articles', body: { title: 'Four' } },
    { status: 200, body: { data: { id: 4, title: 'Four' } } },
  ],
  [
    'creates items',
    { request: 'POST /items/tags', body: [{ word: 'z' }] },
    { status: 200, body: { data: [{ id: 3, word: 'z' }] } },
  ],
  [
    'updates an item',
    { request: 'PATCH /items/articles/1', body: { views: 4 } },
    { status: 200, body: { data: { ...one, views: 4 } } },
  ],
  ['deletes an item', 'DELETE /items/articles/1', { status: 204, body: '' }],
  ['hides whether an item exists', 'GET /items/articles/9', { status: 403, body: forbidden }],
  ['hides whether a collection exists', 'GET /items/nope', { status: 403, body: forbidden }],
  [
    'refuses an unknown operator',
    'GET /items/articles?filter[title][_foo]=x',
    {
      status: 400,
      body: failure('INVALID_QUERY', expect.stringMatching(/^Invalid query\. .*_foo/)),
    },
  ],
  [
    'words the faults of an item',
    { request: 'POST /items/comments', body: {} },
    {
      status: 400,
      body: failure('FAILED_VALIDATION', 'Validation failed for field "text". Value is required.', {
        field: 'text',
        type: 'required',
      }),
    },
  ],
  [
    'serves users outside of items',
    'GET /users?fields=email',
    { status: 200, body: { data: [{ email: 'ada@example.org' }] } },
  ],
  ['serves no users as items', 'GET /items/users', { status: 403 }],
  [
    'logs in',
    { request: 'POST /auth/login', body: { email: 'ada@example.org', password: 'x' } },
    {
      status: 200,
      body: {
        data: {
          access_token: expect.any(String),
          expires: 3_600_000,
          refresh_token: expect.any(String),
        },
      },
    },
  ],
  [
    'refuses a wrong password',
    { request: 'POST /auth/login', body: { email: 'ada@example.org', password: 'y' } },
    { status: 401, body: failure('INVALID_CREDENTIALS', 'Invalid user credentials.') },
  ],
  [
    'knows a user by a token',
    { request: 'GET /users/me', headers: { authorization: 'Bearer ada' } },
    { status: 200, body: { data: { id: 1, email: 'ada@example.org' } } },
  ],
  [
    'protects a collection by its name',
    { request: 'POST /items/authors', body: { name: 'Cy' } },
    { status: 401, body: failure('INVALID_CREDENTIALS', 'Invalid user credentials.') },
  ],
])
