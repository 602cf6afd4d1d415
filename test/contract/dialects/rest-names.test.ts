import { expect } from 'vitest'

import { schema } from '../../../src/behaviours.ts'
import { djangoRestFramework, laravel, rest, type RestNames } from '../../../src/dialects.ts'
import type { MockOptions } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

const posts = Array.from({ length: 5 }, (_, at) => ({
  id: at + 1,
  title: `Post ${at + 1}`,
  viewCount: at * 10,
  postAuthor: { fullName: at < 3 ? 'Ada' : 'Bob', homeURLs: ['x'] },
  userId: (at % 2) + 1,
}))
const users = [
  { id: 1, firstName: 'Ada' },
  { id: 2, firstName: 'Bob' },
]

function mockOf(options: RestNames): () => MockOptions<Record<string, unknown>> {
  return () => ({
    dialect: rest(options),
    base: '/api',
    fixtures: { posts, users, profile: { darkMode: true }, words: ['a', 'b'] },
  })
}

const ids = (...some: number[]): unknown => some.map((id) => expect.objectContaining({ id }))

contract(
  'rest with other names of parameters',
  mockOf({
    parameters: {
      q: 'search',
      sort: 'ordering',
      page: 'page[number]',
      limit: 'page[size]',
      embed: 'include',
      fields: 'only',
      dependent: 'with',
      start: false,
      end: false,
    },
  }),
  [
    [
      'pages, with the names in the links',
      'GET /api/posts?page[number]=2&page[size]=2&ordering=-id',
      {
        status: 200,
        headers: {
          'x-total-count': '5',
          'content-range': 'posts 2-3/5',
          link: [
            ['1', 'first'],
            ['1', 'prev'],
            ['3', 'next'],
            ['3', 'last'],
          ]
            .map(
              ([page, relation]) =>
                `<http://mock.test/api/posts?page%5Bnumber%5D=${page}&page%5Bsize%5D=2&ordering=-id>; rel="${relation}"`,
            )
            .join(', '),
        },
        body: ids(3, 2),
      },
    ],
    [
      'names an invalid parameter as the request does',
      'GET /api/posts?page[number]=0',
      {
        status: 400,
        body: expect.objectContaining({
          detail: 'Failed to read "page[number]": it has to be a whole number of at least 1.',
          errors: { 'page[number]': 'has to be a whole number of at least 1' },
        }),
      },
    ],
    ['searches', 'GET /api/posts?search=POST%204', { status: 200, body: ids(4) }],
    [
      'embeds and picks fields, also of a record',
      'GET /api/posts/1?include=user&only=title',
      { status: 200, body: { title: 'Post 1' } },
    ],
    [
      'names an unknown relation as the request does',
      'GET /api/posts?include=foo',
      { status: 400, body: expect.objectContaining({ errors: { include: expect.any(String) } }) },
    ],
    [
      'ignores the names of rest, and names them',
      'GET /api/posts?_sort=-id&_start=1&foo=1',
      {
        status: 200,
        headers: { 'x-mock-ignored': '_sort, _start, foo' },
        body: ids(1, 2, 3, 4, 5),
      },
    ],
    [
      'keeps the filters of rest',
      'GET /api/posts?viewCount:gte=20&viewCount_lt=40',
      { status: 200, body: ids(3, 4) },
    ],
    [
      'keeps the tree of filters',
      'GET /api/posts?_where={"or":[{"id":1},{"viewCount":{"gt":30}}]}',
      { status: 200, body: ids(1, 5) },
    ],
    [
      'keeps cursors',
      'GET /api/posts?_cursor=&page[size]=2',
      {
        status: 200,
        headers: { link: /^<[^>]+\?_cursor=&page%5Bsize%5D=2>; rel="first", <[^>]+>; rel="next"$/ },
        body: ids(1, 2),
      },
    ],
    [
      'removes dependent records',
      ['DELETE /api/users/1?with=posts', 'GET /api/posts'],
      { status: 200, body: ids(2, 4) },
    ],
    [
      'names parameters without effect on a record',
      'GET /api/posts/1?ordering=id',
      { status: 200, headers: { 'x-mock-ignored': 'ordering' } },
    ],
  ],
)

contract(
  'rest with envelopes',
  mockOf({
    list: {
      data: '$items',
      meta: { total: '$total', page: '$page', 'next?': '$nextPage', hasMore: '$hasNext' },
      text: '$count of $total for 1 $$',
    },
    item: { '...': '$record', url: '$url', 'missing?': '$location' },
    record: { data: '$record', kind: '$singular' },
    removed: { removed: '$id' },
    error: { error: { code: '$status', text: '$detail' } },
    messages: { 404: 'No $missing with the id $id' },
    headers: { 'X-Total': '$total', Location: '$location' },
    pages: { size: 2, max: 3, always: true },
  }),
  [
    [
      'wraps a list',
      'GET /api/posts',
      {
        status: 200,
        headers: { 'x-total': '5', 'x-total-count': null, link: null },
        body: {
          data: [
            { ...posts[0], url: 'http://mock.test/api/posts/1' },
            { ...posts[1], url: 'http://mock.test/api/posts/2' },
          ],
          meta: { total: 5, page: 1, next: 2, hasMore: true },
          text: '2 of 5 for 1 $',
        },
      },
    ],
    [
      'leaves out what the last page lacks',
      'GET /api/posts?_page=2&_limit=99',
      {
        status: 200,
        body: expect.objectContaining({ meta: { total: 5, page: 2, hasMore: false } }),
      },
    ],
    [
      'wraps a nested list, with the URLs of its records',
      'GET /api/users/1/posts?_page=2',
      {
        status: 200,
        body: expect.objectContaining({
          data: [{ ...posts[4], url: 'http://mock.test/api/posts/5' }],
        }),
      },
    ],
    [
      'wraps a record',
      'GET /api/posts/1',
      {
        status: 200,
        headers: { 'x-total': null },
        body: { data: { ...posts[0], url: 'http://mock.test/api/posts/1' }, kind: 'post' },
      },
    ],
    [
      'wraps a new record, without the members that the template adds',
      { request: 'POST /api/users', body: { id: 3, url: 'x' } },
      {
        status: 201,
        headers: { location: 'http://mock.test/api/users/3' },
        body: { data: { id: 3, url: 'http://mock.test/api/users/3' }, kind: 'user' },
      },
    ],
    [
      'wraps several new records as a list',
      { request: 'POST /api/users', body: [{ id: 3 }] },
      {
        status: 201,
        body: expect.objectContaining({ data: [{ id: 3, url: 'http://mock.test/api/users/3' }] }),
      },
    ],
    ['wraps a removed record', 'DELETE /api/users/1', { status: 200, body: { removed: 1 } }],
    [
      'wraps a singleton',
      'GET /api/profile',
      {
        status: 200,
        body: { data: { darkMode: true, url: 'http://mock.test/api/profile' }, kind: 'profile' },
      },
    ],
    ['sends a document as it is', 'GET /api/words', { status: 200, body: ['a', 'b'] }],
    [
      'wraps an error with its own text',
      'GET /api/posts/9',
      {
        status: 404,
        headers: { 'content-type': 'application/json; charset=utf-8' },
        body: { error: { code: 404, text: 'No post with the id 9' } },
      },
    ],
    [
      'names the missing record of a nested list',
      'GET /api/users/9/posts',
      { status: 404, body: { error: { code: 404, text: 'No user with the id 9' } } },
    ],
    [
      'wraps an error with the text of the mock',
      'GET /api/posts?_page=x',
      {
        status: 400,
        body: {
          error: {
            code: 400,
            text: 'Failed to read "_page": it has to be a whole number of at least 1.',
          },
        },
      },
    ],
  ],
)

const snaked = {
  id: 1,
  title: 'Post 1',
  view_count: 0,
  post_author: { full_name: 'Ada', home_urls: ['x'] },
  user_id: 1,
}

contract(
  'rest with keys in snake_case',
  () => ({
    ...mockOf({ key: 'snake_case' })(),
    use: [
      schema({
        posts: {
          type: 'object',
          required: ['viewCount'],
          properties: {
            viewCount: { type: 'integer' },
            postAuthor: { type: 'object', properties: { fullName: { type: 'string' } } },
          },
        },
      }),
    ],
  }),
  [
    ['sends a record', 'GET /api/posts/1', { status: 200, body: snaked }],
    [
      'filters, sorts and picks fields',
      'GET /api/posts?view_count:gte=10&post_author.full_name=Ada&_sort=-view_count&_fields=id,post_author.full_name',
      {
        status: 200,
        headers: { 'x-mock-ignored': null },
        body: [
          { id: 3, post_author: { full_name: 'Ada' } },
          { id: 2, post_author: { full_name: 'Ada' } },
        ],
      },
    ],
    [
      'does not know the names in the fixtures',
      'GET /api/posts?viewCount=10',
      { status: 200, headers: { 'x-mock-ignored': 'viewCount' } },
    ],
    [
      'embeds records',
      'GET /api/posts/1?_embed=user',
      { status: 200, body: { ...snaked, user: { id: 1, first_name: 'Ada' } } },
    ],
    [
      'reads a new record',
      {
        request: 'POST /api/posts',
        body: { view_count: 7, post_author: { full_name: 'X' }, new_field: 1 },
      },
      {
        status: 201,
        body: { id: 6, view_count: 7, post_author: { full_name: 'X' }, new_field: 1 },
      },
    ],
    [
      'sets the key of a parent',
      { request: 'POST /api/users/2/posts', body: { view_count: 1 } },
      { status: 201, body: { id: 6, view_count: 1, user_id: 2 } },
    ],
    [
      'merges a patch',
      [
        {
          request: 'PATCH /api/posts/1',
          headers: { 'content-type': 'application/merge-patch+json' },
          body: { post_author: { full_name: 'Z', home_urls: null }, view_count: 3 },
        },
        'GET /api/posts/1',
      ],
      { status: 200, body: { ...snaked, view_count: 3, post_author: { full_name: 'Z' } } },
    ],
    [
      'applies a JSON Patch',
      {
        request: 'PATCH /api/posts/1',
        headers: { 'content-type': 'application/json-patch+json' },
        body: [{ op: 'replace', path: '/post_author/full_name', value: 'Z' }],
      },
      { status: 200, body: { ...snaked, post_author: { full_name: 'Z', home_urls: ['x'] } } },
    ],
    [
      'replaces a singleton',
      { request: 'PUT /api/profile', body: { dark_mode: false } },
      { status: 200, body: { dark_mode: false } },
    ],
    [
      'names invalid fields as the request does',
      { request: 'POST /api/posts', body: { post_author: { full_name: 1 } } },
      {
        status: 422,
        body: expect.objectContaining({
          detail:
            'Failed to write to "posts": view_count is required, post_author.full_name has to be a string.',
          errors: {
            view_count: 'is required',
            'post_author.full_name': 'has to be a string',
          },
          issues: [
            { pointer: '#/view_count', detail: 'is required' },
            { pointer: '#/post_author/full_name', detail: 'has to be a string' },
          ],
        }),
      },
    ],
  ],
)

contract(
  'a preset with other options',
  () => ({
    dialect: rest({
      preset: laravel,
      parameters: { perPage: 'size', sort: 'order[$field]=$order' },
      pages: { size: 2 },
      key: 'camelCase',
    }),
    fixtures: { posts: [1, 2, 3].map((id) => ({ id, view_count: id })) },
  }),
  [
    [
      'keeps the other options of the preset',
      'GET /posts?order[viewCount]=desc&page=1',
      {
        status: 200,
        body: expect.objectContaining({
          data: [
            { id: 3, viewCount: 3 },
            { id: 2, viewCount: 2 },
          ],
          links: expect.objectContaining({
            next: 'http://mock.test/posts?order%5BviewCount%5D=desc&page=2',
          }),
        }),
      },
    ],
    [
      'replaces the name of a parameter',
      'GET /posts?size=1&per_page=3',
      {
        status: 200,
        headers: { 'x-mock-ignored': 'per_page' },
        body: expect.objectContaining({ data: [{ id: 1, viewCount: 1 }] }),
      },
    ],
  ],
)

contract(
  'names that begin with a dollar sign',
  () => ({
    dialect: rest({
      parameters: {
        limit: '$$top',
        start: '$$skip',
        sort: '$$orderby=$field $order',
        count: '$$count',
      },
      list: { '@context': '$$metadata#$resource', '@count?': '$counted', value: '$items' },
    }),
    fixtures: { posts: [1, 2, 3].map((id) => ({ id })) },
  }),
  [
    [
      'read parameters',
      'GET /posts?$top=1&$skip=1&$orderby=id%20desc',
      {
        status: 200,
        headers: { link: /%24skip=2/ },
        body: { '@context': '$metadata#posts', value: [{ id: 2 }] },
      },
    ],
    [
      'name the parameter that is wrong',
      'GET /posts?$top=0',
      { status: 400, body: expect.objectContaining({ errors: { $top: expect.anything() } }) },
    ],
    [
      'count the records if a request asks for it',
      'GET /posts?$top=1&$count=true',
      {
        status: 200,
        body: { '@context': '$metadata#posts', '@count': 3, value: [{ id: 1 }] },
      },
    ],
    [
      'leave out the number if a request does not want it',
      'GET /posts?$top=1&$count=false',
      { status: 200, body: { '@context': '$metadata#posts', value: [{ id: 1 }] } },
    ],
  ],
)

contract(
  'resources with bodies of their own',
  () => ({
    dialect: rest({
      parameters: { page: 'page', limit: 'size' },
      pages: { size: 2, always: true },
      list: { data: '$items', total: '$total' },
      record: { data: '$record' },
      created: { created: '$id' },
      key: 'snake_case',
      resources: {
        words: {
          list: '$items',
          pages: { always: false },
          record: '$record',
          statuses: { created: 202 },
        },
        posts: { unlisted: ['postBody'], hidden: ['wordId'] },
        profile: { record: { user: '$record' } },
        events: {
          list: { data: '$items', next: '$nextCursor' },
          pages: { by: 'cursor' },
        },
        notes: { list: { data: '$items', next: '$next' }, pages: { by: 'offset', size: 1 } },
        'words/:id/notes': { list: '$items', pages: { always: false } },
      },
    }),
    fixtures: {
      posts: [1, 2, 3].map((id) => ({ id, postBody: `text ${id}`, wordId: 'b' })),
      words: ['a', 'b', 'c'].map((id) => ({ id })),
      events: [1, 2, 3].map((id) => ({ id })),
      notes: [1, 2, 3].map((id) => ({ id, wordId: 'b' })),
      profile: { name: 'Ada' },
    },
  }),
  [
    [
      'have the list of all, without the fields that lists leave out',
      'GET /posts',
      { status: 200, body: { data: [{ id: 1 }, { id: 2 }], total: 3 } },
    ],
    [
      'have such fields in a list that asks for them',
      'GET /posts?page=2&_fields=post_body',
      { status: 200, body: { data: [{ post_body: 'text 3' }], total: 3 } },
    ],
    [
      'are filtered and sorted by such fields',
      'GET /posts?post_body=text%203',
      { status: 200, body: { data: [{ id: 3 }], total: 1 } },
    ],
    [
      'have such fields in a single record',
      'GET /posts/2',
      { status: 200, body: { data: { id: 2, post_body: 'text 2' } } },
    ],
    [
      'have such fields in records that one request creates',
      { request: 'POST /posts', body: [{ post_body: 'x' }] },
      { status: 201, body: { data: [{ id: 4, post_body: 'x' }], total: 1 } },
    ],
    [
      'have a list, pages and a record of their own',
      'GET /words',
      { status: 200, body: [{ id: 'a' }, { id: 'b' }, { id: 'c' }] },
    ],
    [
      'have nested lists of their own form',
      'GET /words/b/notes',
      { status: 200, body: [1, 2, 3].map((id) => ({ id, word_id: 'b' })) },
    ],
    [
      'have pages by cursor where no request names a page',
      'GET /events',
      {
        status: 200,
        headers: { link: /rel="next"/ },
        body: { data: [{ id: 1 }, { id: 2 }], next: expect.any(String) },
      },
    ],
    [
      'have links by offset where no request names a page',
      'GET /notes?id=1&id=2',
      {
        status: 200,
        body: {
          data: [{ id: 1, word_id: 'b' }],
          next: 'http://mock.test/notes?id=1&id=2&_start=1&size=1',
        },
      },
    ],
    [
      'have pages by cursor of the size that a request names',
      'GET /events?size=3',
      { status: 200, body: { data: [{ id: 1 }, { id: 2 }, { id: 3 }], next: null } },
    ],
    [
      'have pages that follow their list',
      'GET /words?page=2',
      { status: 200, body: [{ id: 'c' }] },
    ],
    [
      'have responses to writes that follow their record, with statuses of their own',
      { request: 'POST /words', body: { id: 'd' } },
      { status: 202, body: { id: 'd' } },
    ],
    [
      'have the responses to writes of all',
      { request: 'POST /posts', body: { post_body: 'x' } },
      { status: 201, body: { created: 4 } },
    ],
    [
      'know hidden fields by nested paths',
      'GET /words/b/posts?word_id=b',
      { status: 200, body: { data: [{ id: 1 }, { id: 2 }], total: 3 } },
    ],
    ['can be singletons', 'GET /profile', { status: 200, body: { user: { name: 'Ada' } } }],
  ],
)

contract(
  'a separator beside fields with a dot',
  () => ({
    dialect: rest({ preset: djangoRestFramework, list: '$items' }),
    fixtures: {
      posts: [
        { id: 1, author: { 'first.name': 'Bob', age: 1 } },
        { id: 2, author: { 'first.name': 'Ada', age: 2 } },
      ],
    },
  }),
  [
    [
      'sorts by a field inside of another',
      'GET /posts?ordering=author__first.name&fields=id',
      { status: 200, headers: { 'x-mock-ignored': null }, body: [{ id: 2 }, { id: 1 }] },
    ],
    [
      'picks a field inside of another',
      'GET /posts?fields=author__first.name',
      {
        status: 200,
        headers: { 'x-mock-ignored': null },
        body: [{ author: { 'first.name': 'Bob' } }, { author: { 'first.name': 'Ada' } }],
      },
    ],
    [
      'picks it of a single record',
      'GET /posts/1?fields=author__first.name',
      { status: 200, body: { author: { 'first.name': 'Bob' } } },
    ],
  ],
)
