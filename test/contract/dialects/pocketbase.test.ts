import { expect } from 'vitest'

import { auth, schema } from '../../../src/behaviours.ts'
import { pocketbase } from '../../../src/dialects.ts'
import type { MockOptions } from '../../../src/index.ts'
import { contract, type Row } from '../../faces.ts'

const posts = [
  { id: 'p1', title: "It's one", views: 3, author: 'u1', draft: false, tags: ['t1'] },
  { id: 'p2', title: 'Two', views: 9, author: 'u2', draft: true, tags: [] },
  { id: 'p3', title: 'Three', views: 5, author: 'u2', draft: false, tags: ['t1', 't2'] },
]
const authors = [
  { id: 'u1', name: 'Ada' },
  { id: 'u2', name: 'Bob' },
]
const tags = [
  { id: 't1', word: 'x' },
  { id: 't2', word: 'y' },
]
const users = [{ id: 'u1', email: 'ada@example.org', username: 'ada', password: 'x' }]

const mock = (): MockOptions<Record<string, unknown>> => ({
  dialect: pocketbase,
  fixtures: { posts, authors, tags, users },
  use: [
    auth({ protect: ['POST tags'], known: { ada: 'u1' } }),
    schema({ posts: { required: ['title'] } }),
  ],
})

/** A record as responses have it. */
const record = (collection: string, fields: object): object => ({
  collectionId: `pbc_${collection}`,
  collectionName: collection,
  ...fields,
})
const [one, two, three] = posts.map((post) => record('posts', post))
const [ada, bob] = authors.map((author) => record('authors', author))
const [x, y] = tags.map((tag) => record('tags', tag))
const user = record('users', { id: 'u1', email: 'ada@example.org', username: 'ada' })

function page(items: unknown[], more: object = {}): object {
  const { length: totalItems } = items
  return { page: 1, perPage: 30, totalItems, totalPages: 1, items, ...more }
}

const path = '/api/collections/posts/records'

/** A filtered list, and its records. */
function filters(filter: string, ...items: unknown[]): Row {
  const totalPages = items.length > 0 ? 1 : 0
  const request = `GET ${path}?filter=${encodeURIComponent(filter)}`
  return [`filters by ${filter}`, request, { status: 200, body: page(items, { totalPages }) }]
}

function refuses(filter: string, title: string): Row {
  const request = `GET ${path}?filter=${encodeURIComponent(filter)}`
  return [
    `refuses a filter ${title}`,
    request,
    { status: 400, body: failure(400, expect.stringContaining('Failed to read "filter"')) },
  ]
}

function failure(status: number, message: unknown, data: object = {}): object {
  return { status, message, data }
}

contract('the preset pocketbase', mock, [
  ['answers a page of records', `GET ${path}`, { status: 200, body: page([one, two, three]) }],
  [
    'pages',
    `GET ${path}?page=2&perPage=2&skipTotal=1`,
    { status: 200, body: page([three], { page: 2, perPage: 2, totalItems: 3, totalPages: 2 }) },
  ],
  [
    'sorts',
    `GET ${path}?sort=-author.name,%2Btitle`,
    { status: 200, body: page([three, two, one]) },
  ],
  filters("title ~ 't'", one, two, three),
  filters("title ~ 'tw%'", two),
  filters(String.raw`title = 'It\'s one'`, one),
  filters('title = "Two"', two),
  filters('views > 4 && views <= 5', three),
  filters('5 < views', two),
  filters("title = 'Two' || views = 3 && draft = false", one, two),
  filters("(title = 'Two' || views = 3) && draft = false", one),
  filters('draft != true', one, three),
  filters("title !~ 'o'", three),
  filters("author.name = 'Bob'", two, three),
  filters("tags.word ?= 'y'", three),
  filters('author = null'),
  filters('', one, two, three),
  refuses('title >', 'without a value'),
  refuses('(views > 1', 'with an open parenthesis'),
  refuses('views > 1 &&', 'that ends with an operator'),
  refuses('views views', 'without an operator'),
  refuses('views = title', 'that compares two fields'),
  refuses('('.repeat(100), 'that is too deep'),
  refuses("title = 'x", 'with an open text'),
  [
    'expands relations',
    `GET ${path}?expand=author,tags&filter=${encodeURIComponent("id = 'p3'")}`,
    {
      status: 200,
      body: page([record('posts', { ...posts[2], expand: { author: bob, tags: [x, y] } })]),
    },
  ],
  [
    'answers a record',
    `GET ${path}/p1?expand=author`,
    { status: 200, body: record('posts', { ...posts[0], expand: { author: ada } }) },
  ],
  [
    'selects fields',
    `GET ${path}/p1?expand=author&fields=title,expand.author.name`,
    {
      status: 200,
      body: record('posts', { title: "It's one", expand: { author: { name: 'Ada' } } }),
    },
  ],
  [
    'creates a record',
    { request: `POST ${path}`, body: { id: 'p4', title: 'Four' } },
    { status: 200, body: record('posts', { id: 'p4', title: 'Four' }) },
  ],
  [
    'words the faults of a record',
    { request: `POST ${path}`, body: {} },
    {
      status: 400,
      body: failure(400, 'Failed to create record.', {
        title: { code: 'validation_required', message: 'Cannot be blank.' },
      }),
    },
  ],
  [
    'updates a record',
    { request: `PATCH ${path}/p1`, body: { views: 4 } },
    { status: 200, body: record('posts', { ...posts[0], views: 4 }) },
  ],
  ['deletes a record', `DELETE ${path}/p1`, { status: 204, body: '' }],
  [
    'misses a record',
    `GET ${path}/p9`,
    { status: 404, body: failure(404, "The requested resource wasn't found.") },
  ],
  ['misses a collection', 'GET /api/collections/nope/records', { status: 404 }],
  [
    'logs in by name',
    {
      request: 'POST /api/collections/users/auth-with-password',
      body: { identity: 'ada', password: 'x' },
    },
    { status: 200, body: { token: expect.any(String), record: user } },
  ],
  [
    'refuses a wrong password',
    {
      request: 'POST /api/collections/users/auth-with-password',
      body: { identity: 'ada', password: 'y' },
    },
    { status: 400, body: failure(400, 'Failed to authenticate.') },
  ],
  [
    'renews a token, which stands alone in the header',
    { request: 'POST /api/collections/users/auth-refresh', headers: { authorization: 'ada' } },
    { status: 200, body: { token: expect.any(String), record: user } },
  ],
  [
    'renews no token of nobody',
    'POST /api/collections/users/auth-refresh',
    { status: 401, body: failure(401, 'The request requires valid record authorization token.') },
  ],
  [
    'protects a collection by its name',
    { request: 'POST /api/collections/tags/records', body: {} },
    { status: 401 },
  ],
])
