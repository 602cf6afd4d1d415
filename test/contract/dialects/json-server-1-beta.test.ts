import { expect, it } from 'vitest'

import { jsonServer1, jsonServer1Beta } from '../../../src/dialects.ts'
import { createMock } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

const one = { id: '1', title: 'a', views: 10, published: true, tags: ['x'] }
const two = { id: '2', title: 'b', views: 20, published: false, tags: ['y'] }
const three = { id: '3', title: 'c', views: 30, published: true, tags: [] }
const fixtures = {
  posts: [{ ...one, id: 1 }, { ...two, id: 2 }, three],
  comments: [
    { id: 'x', postId: '1' },
    { id: 'y', postId: '2' },
  ],
  profile: { name: 'Ada', age: 36 },
}
const options = () => ({ fixtures, dialect: jsonServer1Beta })

contract('the dialect json-server-1-beta', options, [
  ['limits', 'GET /posts?_limit=2', { status: 200, body: [one, two] }],
  ['cuts from _start to _end', 'GET /posts?_start=1&_end=2', { status: 200, body: [two] }],
  ['cuts _limit from _start', 'GET /posts?_start=1&_limit=5', { status: 200, body: [two, three] }],
  ['returns nothing for _start alone', 'GET /posts?_start=1', { status: 200, body: [] }],
  [
    'ignores a field that no record has',
    'GET /posts?nope=1',
    { status: 200, body: [one, two, three] },
  ],
  [
    'ignores operators of later versions',
    'GET /posts?title:contains=a',
    { status: 200, body: [one, two, three] },
  ],
  ['compares by suffix', 'GET /posts?views_gte=20&views_lt=30', { status: 200, body: [two] }],
  ['compares booleans', 'GET /posts?published=true&views_ne=10', { status: 200, body: [three] }],
  [
    'ignores a repeated filter',
    'GET /posts?title=a&title=b',
    { status: 200, body: [one, two, three] },
  ],
  [
    'reads the first of a repeated _limit',
    'GET /posts?_limit=1&_limit=2',
    { status: 200, body: [one] },
  ],
  [
    'pages',
    'GET /posts?_page=2&_per_page=2',
    {
      status: 200,
      body: { first: 1, prev: 1, next: null, last: 2, pages: 2, items: 3, data: [three] },
    },
  ],
  [
    'keeps the id of a body',
    { request: 'POST /posts', body: { id: 'new' } },
    { status: 201, body: { id: 'new' } },
  ],
  [
    'draws a hexadecimal id',
    { request: 'POST /posts', body: { title: 'New', id: null } },
    { status: 201, body: { id: expect.stringMatching(/^[\da-f]{4}$/) as string, title: 'New' } },
  ],
  ['refuses an id that exists', { request: 'POST /posts', body: { id: '1' } }, { status: 409 }],
  ['answers 404 as text', 'GET /posts/9', { status: 404, body: 'Not Found' }],
  [
    'refuses a body that is no object',
    { request: 'POST /posts', body: [] },
    { status: 404, body: 'Not Found' },
  ],
  [
    'merges a PATCH into a singleton',
    { request: 'PATCH /profile', body: { age: 37 } },
    { status: 200, body: { name: 'Ada', age: 37 } },
  ],
  ['does not delete by HEAD', ['HEAD /posts/1', 'GET /posts/1'], { status: 200, body: one }],
  [
    'clears keys to a deleted record',
    ['DELETE /posts/1', 'GET /comments/x'],
    { status: 200, body: { id: 'x', postId: null } },
  ],
  [
    'deletes dependents by the name of either version',
    ['DELETE /posts/1?dependent=comments', 'DELETE /posts/2?_dependent=comments', 'GET /comments'],
    { status: 200, body: [] },
  ],
])

it('draws an id that no record has', async () => {
  const taken = Array.from({ length: 5000 }, (_, index) => ({
    id: index.toString(16).padStart(4, '0'),
  }))
  const mock = createMock({ fixtures: { posts: taken }, dialect: jsonServer1Beta, seed: 1 })
  for (let count = 0; count < 200; count++) {
    expect((await mock.fetch('/posts', { method: 'POST', body: '{}' })).status).toBe(201)
  }
})

it.each([
  ['/posts?titel=a', 'no record of "posts" has the field "titel" of the filter'],
  ['/posts?author.nme=a', 'no record of "posts" has the field "author.nme" of the filter'],
  [
    '/posts?_where={"views":{"gt":1},"nope":{"eq":1}}',
    'no record of "posts" has the field "nope" of the filter',
  ],
  ['/posts?title=z', ''],
  ['/posts?title=a', ''],
])('json-server-1 logs for %s: %s', async (path, reason) => {
  const posts = [{ id: 1, title: 'a', views: 1, author: { name: 'Ann' } }]
  const mock = createMock({ fixtures: { posts }, dialect: jsonServer1 })
  await mock.fetch(path)
  expect(mock.log[0]).toMatchObject({ status: 200, reason })
})
