import { expect, it } from 'vitest'

import {
  auth,
  faults,
  fields,
  limit,
  schema,
  states,
  type VersionOptions,
  versions,
} from '../../../src/behaviours.ts'
import { jsonServer0 } from '../../../src/dialects.ts'
import { createMock, type MockOptions } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

const all: VersionOptions['versions'] = {
  v1: {
    deprecated: '2026-01-01T00:00:00Z',
    sunset: '2026-12-31T23:59:59Z',
    successor: 'v2',
    fields: { posts: { title: 'headline' } },
  },
  v2: {},
}
type Options = MockOptions<Record<string, unknown>>
const withVersions =
  (options: Partial<VersionOptions> = {}) =>
  (): Options => ({
    fixtures: {
      posts: [
        { id: 1, title: 'One' },
        { id: 2, title: 'Two' },
      ],
      comments: [{ id: 1, postId: 1 }],
    },
    base: '/api',
    use: [versions({ versions: all, ...options })],
  })

const odd = (): Options => ({
  fixtures: { constructor: [{ id: 1, name: 'One' }] },
  base: '/api',
  use: [versions({ versions: { v1: { fields: {} }, v2: {} } })],
})

contract('a resource with the name of an object member', odd, [
  ['keeps its fields', 'GET /api/v1/constructor/1', { status: 200, body: { id: 1, name: 'One' } }],
])

contract('a version in the path', withVersions(), [
  [
    'has deprecation headers',
    'GET /api/v1/posts/1',
    {
      status: 200,
      headers: {
        deprecation: '@1767225600',
        sunset: 'Thu, 31 Dec 2026 23:59:59 GMT',
        link: '<http://mock.test/api/v2/posts/1>; rel="successor-version"',
      },
      body: { id: 1, headline: 'One' },
    },
  ],
  [
    'links to its successor beside the pages of a list',
    'GET /api/v1/posts?_page=1&_limit=1',
    {
      status: 200,
      headers: {
        link: /^<http:\/\/mock\.test\/api\/v1\/posts\?_page=1&_limit=1>; rel="first", .*, <http:\/\/mock\.test\/api\/v2\/posts>; rel="successor-version"$/,
      },
    },
  ],
  [
    'is the last version by default',
    'GET /api/posts/1',
    { status: 200, headers: { deprecation: null }, body: { id: 1, title: 'One' } },
  ],
  [
    'renames fields in lists',
    'GET /api/v1/posts?headline=Two',
    { status: 200, body: [{ id: 2, headline: 'Two' }] },
  ],
  [
    'does not know a field by its fixture name',
    'GET /api/v1/posts?title=One&_sort=-title',
    {
      status: 200,
      headers: { 'x-mock-ignored': 'title, _sort', 'x-total-count': '2' },
    },
  ],
  [
    'renames fields in operators',
    'GET /api/v1/posts?headline:startsWith=tw',
    { status: 200, body: [{ id: 2, headline: 'Two' }] },
  ],
  [
    'renames fields in sort orders',
    'GET /api/v1/posts?_sort=-headline&_fields=headline',
    {
      status: 200,
      headers: { 'x-mock-ignored': null },
      body: [{ headline: 'Two' }, { headline: 'One' }],
    },
  ],
  [
    'stores under the names of the fixtures',
    [{ request: 'POST /api/v1/posts', body: { headline: 'New' } }, 'GET /api/v2/posts/3'],
    { status: 200, body: { id: 3, title: 'New' } },
  ],
  [
    'sends a Location in the same version',
    { request: 'POST /api/v1/posts', body: { headline: 'New' } },
    {
      status: 201,
      headers: { location: 'http://mock.test/api/v1/posts/3' },
      body: { id: 3, headline: 'New' },
    },
  ],
  [
    'patches under its own names',
    [{ request: 'PATCH /api/v1/posts/1', body: { headline: 'New' } }, 'GET /api/posts/1'],
    { status: 200, body: { id: 1, title: 'New' } },
  ],
  [
    'takes a merge patch under its own names',
    {
      request: 'PATCH /api/v1/posts/1',
      headers: { 'content-type': 'application/merge-patch+json' },
      body: '{"headline":null,"old":"One"}',
    },
    { status: 200, body: { id: 1, old: 'One' } },
  ],
  [
    'takes a JSON Patch under its own names',
    {
      request: 'PATCH /api/v1/posts/1',
      headers: { 'content-type': 'application/json-patch+json' },
      body: '[{"op":"test","path":"/headline","value":"One"},{"op":"replace","path":"/headline","value":"New"}]',
    },
    { status: 200, body: { id: 1, headline: 'New' } },
  ],
  [
    'links to pages of the same version',
    'GET /api/v2/posts?_page=1&_limit=1',
    {
      status: 200,
      headers: { link: /<http:\/\/mock\.test\/api\/v2\/posts\?_page=2&_limit=1>; rel="next"/ },
    },
  ],
  ['is an error if unknown', 'GET /api/v3/posts', { status: 404 }],
])

const people = { id: 1, first: 'Ada', name: 'Ada Lovelace', status: 'new', nr: 7 }
const shifted: VersionOptions['versions'] = {
  v1: {
    fields: { people: { first: 'name', name: 'full', nr: 'number' }, tags: { id: '_id' } },
  },
  v2: {},
}
contract(
  'new names that another field has',
  () => ({
    fixtures: { people: [people], tags: [] },
    use: [
      states({
        people: {
          transitions: { new: ['old'] },
          actions: { age: { to: 'old', fields: ['nr'] } },
          softDelete: true,
        },
      }),
      versions({ versions: shifted }),
    ],
  }),
  [
    [
      'stay distinct in a patch',
      [{ request: 'PATCH /v1/people/1', body: { name: 'Eve' } }, 'GET /people/1'],
      { status: 200, body: { ...people, first: 'Eve' } },
    ],
    [
      'can include the id',
      { request: 'POST /v1/tags', body: { _id: 7, word: 'x' } },
      {
        status: 201,
        headers: { location: 'http://mock.test/v1/tags/7' },
        body: { _id: 7, word: 'x' },
      },
    ],
    [
      'stay distinct in an action, whose fields have the names of the version',
      [{ request: 'POST /v1/people/1/age', body: { number: 8 } }, 'GET /people/1'],
      { status: 200, body: { ...people, status: 'old', nr: 8 } },
    ],
    [
      'stay distinct in a soft delete',
      'DELETE /v1/people/1',
      {
        status: 200,
        body: expect.objectContaining({ name: 'Ada', full: 'Ada Lovelace', number: 7 }),
      },
    ],
  ],
)

const related: VersionOptions['versions'] = {
  v1: { fields: { posts: { title: 'headline', userId: 'author' }, users: { id: 'key' } } },
  v2: {},
}
contract(
  'relations with renamed keys',
  () => ({
    fixtures: {
      users: [{ id: 1 }, { id: 2 }, { id: 3 }],
      posts: [{ id: 1, title: 'One', userId: 2 }],
    },
    strict: true,
    use: [versions({ versions: related })],
  }),
  [
    [
      'embed the parent of a record',
      'GET /v1/posts/1?_embed=user',
      { status: 200, body: { id: 1, headline: 'One', author: 2, user: { key: 2 } } },
    ],
    [
      'embed children and their relations',
      'GET /v1/users?key=2&_embed=posts.user',
      {
        status: 200,
        body: [{ key: 2, posts: [{ id: 1, headline: 'One', author: 2, user: { key: 2 } }] }],
      },
    ],
    [
      'know the fields of children for a parent without children',
      'GET /v1/users/1/posts?headline=One',
      { status: 200, headers: { 'x-mock-ignored': null }, body: [] },
    ],
  ],
)

it('pages by cursor through records with renamed ids', async () => {
  const users = [{ id: 1 }, { id: 2 }, { id: 3 }]
  const mock = createMock({
    fixtures: { users },
    use: [versions({ versions: { v1: { fields: { users: { id: 'key' } } } } })],
  })
  const first = await mock.fetch('/v1/users?_cursor=&_limit=2')
  expect(await first.json()).toEqual([{ key: 1 }, { key: 2 }])
  const [, next = ''] = /<([^>]+)>; rel="next"/.exec(first.headers.get('Link') ?? '') ?? []
  expect(await (await mock.fetch(next)).json()).toEqual([{ key: 3 }])
})

contract(
  'an invalid record in a version',
  () => ({
    ...withVersions()(),
    use: [
      versions({ versions: all }),
      fields({ posts: { required: ['title'] } }),
      schema({ posts: { properties: { title: { minLength: 2 } } } }),
      states({ posts: { field: 'title', initial: 'New', transitions: { New: ['One'] } } }),
    ],
  }),
  [
    [
      'is reported by schema under the names of the version',
      { request: 'POST /api/v1/posts', body: [{ headline: 'New' }, { headline: 'N' }] },
      {
        status: 422,
        body: expect.objectContaining({
          detail: 'Failed to write to "posts": 1.headline has to have 2 or more characters.',
          errors: { '1.headline': 'has to have 2 or more characters' },
          issues: [{ pointer: '#/1/headline', detail: 'has to have 2 or more characters' }],
        }),
      },
    ],
    [
      'is reported by fields under the names of the version',
      { request: 'PATCH /api/v1/posts/1', body: { headline: null } },
      { status: 422, body: expect.objectContaining({ errors: { headline: 'is required' } }) },
    ],
    [
      'is reported by states under the names of the version',
      { request: 'PATCH /api/v1/posts/1', body: { headline: 'Two' } },
      {
        status: 409,
        body: expect.objectContaining({
          errors: { headline: 'cannot go from "One" to "Two"' },
        }),
      },
    ],
    [
      'is reported under the names of the fixtures in a version without renamed fields',
      { request: 'PATCH /api/v2/posts/1', body: { title: null } },
      { status: 422, body: expect.objectContaining({ errors: { title: 'is required' } }) },
    ],
  ],
)

contract('a version in absolute URLs', () => ({ ...withVersions()(), dialect: jsonServer0 }), [
  [
    'appears once in Location',
    { request: 'POST /api/v1/posts', body: { headline: 'New' } },
    { status: 201, headers: { location: 'http://mock.test/api/v1/posts/3' } },
  ],
  [
    'appears once in links',
    'GET /api/v1/posts?_page=1&_limit=1',
    {
      status: 200,
      headers: { link: /<http:\/\/mock\.test\/api\/v1\/posts\?_page=2&_limit=1>; rel="next"/ },
    },
  ],
])

const tagOf = async (path: string): Promise<string> =>
  (await createMock(withVersions()()).fetch(path)).headers.get('ETag') ?? ''
const tag = await tagOf('/api/v1/posts/1')

contract('a record in a version', withVersions(), [
  [
    'is written with its ETag in the same version',
    {
      request: 'PATCH /api/v1/posts/1',
      headers: { 'if-match': tag },
      body: { headline: 'New' },
    },
    { status: 200, body: { id: 1, headline: 'New' } },
  ],
  [
    'is 412 with its ETag of another version',
    {
      request: 'PATCH /api/v2/posts/1',
      headers: { 'if-match': tag },
      body: { title: 'New' },
    },
    { status: 412 },
  ],
])

contract(
  'a user in a version',
  () => ({
    fixtures: { users: [{ id: 1, email: 'ada@x.org', name: 'Ada' }] },
    use: [
      versions({ versions: { v1: { fields: { users: { name: 'label' } } }, v2: {} } }),
      auth({ known: { ada: 1 } }),
    ],
  }),
  [
    [
      'has the names of the version at /me',
      { request: 'GET /v1/me', headers: { authorization: 'Bearer ada' } },
      { status: 200, body: { id: 1, email: 'ada@x.org', label: 'Ada' } },
    ],
  ],
)

for (const isFirst of [true, false]) {
  contract(
    `secrets in a version that is ${isFirst ? 'before' : 'behind'} the logins`,
    () => {
      const v1 = { fields: { users: { password: 'pass_word', apiKey: 'api_key' } } }
      const use = [
        versions({ versions: { v1, v2: {} } }),
        auth({ scheme: ['bearer', 'apiKey'], protect: ['nothing'] }),
      ]
      const users = [{ id: 1, email: 'ada@x.org', password: 'pa', apiKey: 'key' }]
      return { fixtures: { users }, use: isFirst ? use : use.toReversed() }
    },
    [
      ['are hidden', 'GET /v1/users', { status: 200, body: [{ id: 1, email: 'ada@x.org' }] }],
      [
        'cannot be used as filters',
        'GET /v1/users?pass_word=no&api_key:like=no',
        { status: 200, body: [{ id: 1, email: 'ada@x.org' }] },
      ],
      [
        'cannot be copied',
        {
          request: 'PATCH /v1/users/1',
          headers: { 'content-type': 'application/json-patch+json' },
          body: [{ op: 'copy', from: '/pass_word', path: '/email' }],
        },
        { status: 409 },
      ],
      [
        'stay when a PUT leaves them out',
        [
          { request: 'PUT /v1/users/1', body: { email: 'new@x.org' } },
          { request: 'POST /v2/login', body: { email: 'new@x.org', password: 'pa' } },
        ],
        { status: 200 },
      ],
      [
        'are set under the names of the version',
        [
          { request: 'PATCH /v1/users/1', body: { pass_word: 'new' } },
          { request: 'POST /v2/login', body: { email: 'ada@x.org', password: 'new' } },
        ],
        { status: 200 },
      ],
    ],
  )
}

contract(
  'a version in a pattern',
  () => ({
    ...withVersions()(),
    use: [
      versions({ versions: all }),
      faults({ rules: [{ on: '/v1/posts/2', status: 503 }] }),
      limit({ requests: 1, per: '1m', only: ['GET /v1/posts'] }),
    ],
  }),
  [
    ['is matched by faults', 'GET /api/v1/posts/2', { status: 503 }],
    ['does not match other versions', 'GET /api/v2/posts/2', { status: 200 }],
    [
      'is matched by limits',
      ['GET /api/v1/posts', 'GET /api/v2/posts', 'GET /api/v1/posts'],
      { status: 429 },
    ],
  ],
)

it('matches the path of a rule with and without a version', async () => {
  const mock = createMock(withVersions()())
  const get = async (version: string): Promise<number> =>
    (await mock.fetch(`/api/${version}/posts/1`)).status
  mock.on('GET', '/v1/posts/:id').fail(500)
  expect([await get('v1'), await get('v2')]).toEqual([500, 200])
  mock.on('GET', '/posts/:id').fail(503)
  expect([await get('v1'), await get('v2')]).toEqual([503, 503])
})

contract('a version in a header', withVersions({ by: 'header' }), [
  [
    'is found',
    { request: 'GET /api/posts/1', headers: { 'x-api-version': '1' } },
    {
      status: 200,
      headers: {
        link: '<http://mock.test/api/posts/1>; rel="successor-version"',
        vary: /(^|, )X-API-Version(,|$)/,
      },
      body: { id: 1, headline: 'One' },
    },
  ],
  [
    'is in Vary, also without the header',
    'GET /api/posts',
    { status: 200, headers: { link: null, vary: /(^|, )X-API-Version(,|$)/ } },
  ],
  [
    'is an error if unknown',
    { request: 'GET /api/posts/1', headers: { 'x-api-version': '7' } },
    { status: 400 },
  ],
])

contract('a version in the media type', withVersions({ by: 'media', default: 'v1' }), [
  [
    'is found',
    { request: 'GET /api/posts/1', headers: { accept: 'application/vnd.shop.v2+json' } },
    { status: 200, body: { id: 1, title: 'One' } },
  ],
  [
    'is the default version without a media type',
    'GET /api/posts/1',
    { status: 200, body: { id: 1, headline: 'One' } },
  ],
  [
    'is an error if unknown',
    { request: 'GET /api/posts/1', headers: { accept: 'application/vnd.shop.v9+json' } },
    { status: 406 },
  ],
])

it.each([
  [{ versions: { v1: { deprecated: 'soon' } } }, '"deprecated" cannot be "soon"'],
  [{ versions: { v1: { successor: 'v2' } } }, '"successor" cannot be "v2"'],
  [{ versions: { v1: { sunset: 3e9 } } }, '"sunset" cannot be 3000000000. Please give a date'],
  [{ versions: { 'v 1': {} } }, '"v 1" cannot name a version. Please use letters, digits'],
  [{ versions: { '..': {} } }, '".." cannot name a version.'],
  [{ versions: { v1: {} }, header: 'X\r\n' }, '"header" cannot be "X\\r\\n".'],
  [{ versions: null }, '"versions" cannot be null.'],
  [{ version: {} }, 'Did you mean "versions"?'],
  [null, 'Failed to read the options of "versions": it cannot be null. Please give an object.'],
  [undefined, 'it cannot be undefined.'],
])('refuses the options %j', (options, message) => {
  expect(() => versions(options as never)).toThrow(message)
})
