import { expect } from 'vitest'

import { contract, type Row } from '../faces.ts'

const fixtures = {
  posts: [
    { id: 1, title: 'a', views: 3 },
    { id: 2, title: 'b', views: 2 },
    { id: 3, title: 'a', views: 1 },
  ],
  empty: [],
}
const errors = (names: Record<string, unknown>): object =>
  expect.objectContaining({ errors: names })
const said = (message: string): object => expect.objectContaining({ message })

contract('the body of QUERY', () => ({ fixtures }), [
  [
    'is said by the links in parameters, so that GET follows them',
    { request: 'QUERY /posts', body: { where: { title: 'a' }, sort: '-id', page: 1, limit: 1 } },
    {
      status: 200,
      headers: {
        link: /<http:\/\/mock\.test\/posts\?_where=%7B%22title%22:%22a%22%7D&_sort=-id&_page=2&_limit=1>/,
      },
      body: [fixtures.posts[2]],
    },
  ],
  [
    'goes with the parameters of the URL',
    { request: 'QUERY /posts?title=a&_sort=-id&_limit=9', body: { limit: 1 } },
    { status: 200, headers: { 'x-total-count': '2' }, body: [fixtures.posts[2]] },
  ],
  [
    'goes before the parameters of the URL',
    { request: 'QUERY /posts?q=b&_sort=views', body: { q: 'a', sort: '-id' } },
    { status: 200, body: [fixtures.posts[2], fixtures.posts[0]] },
  ],
  [
    'is 422 with a relation that there is not',
    { request: 'QUERY /posts', body: { embed: 'likes' } },
    { status: 422, body: errors({ embed: expect.any(String) }) },
  ],
  [
    'names the parameter of a relation that there is not',
    { request: 'QUERY /posts?_expand=likes', body: {} },
    { status: 422, body: errors({ _expand: expect.any(String) }) },
  ],
  [
    'names its own members in errors',
    { request: 'QUERY /posts', body: { page: 0 } },
    {
      status: 422,
      body: expect.objectContaining({
        message: 'Failed to read "page": it has to be a whole number of at least 1.',
        errors: { page: 'has to be a whole number of at least 1' },
      }),
    },
  ],
  [
    'ends its suggestion with one mark',
    { request: 'QUERY /posts', body: { whre: {} } },
    {
      status: 422,
      body: said(
        'Failed to read the query: "whre" is not a member of a query. Did you mean "where"?',
      ),
    },
  ],
  ...[null, [], 'x'].map((body): Row => [
    `is 422 where it is ${JSON.stringify(body)}`,
    { request: 'QUERY /posts', body: JSON.stringify(body) },
    { status: 422, body: errors({ body: 'has to be an object' }) },
  ]),
  ...[{}, { or: [] }, { views: { gt: [] } }].map((branch): Row => [
    `is 422 with 1001 times ${JSON.stringify(branch)} in a tree`,
    { request: 'QUERY /posts', body: { where: { or: Array<object>(1001).fill(branch) } } },
    { status: 422, body: errors({ where: expect.stringContaining('more than 1000 values') }) },
  ]),
  [
    'is 422 with a member that is no text',
    { request: 'QUERY /posts', body: { embed: true } },
    { status: 422, body: errors({ embed: expect.any(String) }) },
  ],
  [
    'is 422 with half of a character',
    { request: 'QUERY /posts', body: { sort: '\ud800', page: 1 } },
    { status: 422, body: errors({ sort: expect.any(String) }) },
  ],
])

contract('a list', () => ({ fixtures }), [
  [
    'pairs orders with fields by place, also where one is empty',
    'GET /posts?_sort=title,views&_order=,desc',
    { status: 200, body: [fixtures.posts[0], fixtures.posts[2], fixtures.posts[1]] },
  ],
  [
    'holds to every wish of those whether a field is there',
    'GET /posts?views:exists=true&views:exists=false',
    { status: 200, body: [] },
  ],
  [
    'names the parameter whose escape is broken',
    'GET /posts?title=%zz',
    { status: 400, body: errors({ title: 'has a broken escape' }) },
  ],
  [
    'takes the texts of a tree as they are',
    `GET /posts?_where=${encodeURIComponent('{"title":{"in":["a,b"]}}')}`,
    { status: 200, body: [] },
  ],
])

const unknownOperator = (name: string): string =>
  `has the unknown operator "${name}"; known: eq, ne, lt, lte, gt, gte, in, nin, contains, startsWith, endsWith, like, exists`

contract('an id', () => ({ fixtures: { ...fixtures, keys: [{ id: 'a,b' }, { id: 'c' }] } }), [
  ['is found with a comma inside', 'GET /keys?id=a,b', { status: 200, body: [{ id: 'a,b' }] }],
  [
    'is found among others with commas between',
    'GET /keys?id=c,d',
    { status: 200, body: [{ id: 'c' }] },
  ],
  [
    'compares by no word that only objects know',
    'GET /keys?id:toString=1',
    { status: 400, body: errors({ 'id:toString': unknownOperator('toString') }) },
  ],
  [
    'compares by no such word in a tree either',
    `GET /keys?_where=${encodeURIComponent('{"id":{"constructor":1}}')}`,
    { status: 400, body: errors({ _where: unknownOperator('constructor') }) },
  ],
  [
    'is a field that every collection knows',
    'GET /empty?id=1',
    { status: 200, headers: { 'x-mock-ignored': null }, body: [] },
  ],
])

contract('like', () => ({ fixtures: { posts: [{ id: 1, title: '🎉 party' }] } }), [
  [
    'counts a character beyond the first plane as one',
    'GET /posts?title:like=_%20party',
    { status: 200, body: [{ id: 1, title: '🎉 party' }] },
  ],
  [
    'matches such a character literally',
    'GET /posts?title:like=%F0%9F%8E%89%25',
    { status: 200, body: [{ id: 1, title: '🎉 party' }] },
  ],
  ['takes no character twice', 'GET /posts?title:like=%25art%25rty', { status: 200, body: [] }],
])
