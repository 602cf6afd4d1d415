import { describe, expect, it } from 'vitest'

import { auth, events, fields, schema, type StandardSchema } from '../../../src/behaviours.ts'
import { rest } from '../../../src/dialects.ts'
import { createMock, type MockConfig, type MockOptions } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

const fixtures = {
  users: [
    { id: 1, name: 'ada', email: 'a@x', password: 'x', teamId: 1 },
    { id: 2, name: 'bob', email: 'b@x', password: 'x', teamId: 1 },
  ],
  teams: [{ id: 1, name: 'Engines', secret: 's' }],
  posts: [
    { key: 'a', title: 'A', writer: 1, rank: 2 },
    { key: 'b', title: 'B', writer: 2, rank: 1 },
  ],
}

type Resources = NonNullable<MockConfig['resources']>

const mockOf =
  (resources: Resources, more: Partial<MockConfig> = {}) =>
  (): MockOptions<Record<string, unknown>> => ({ fixtures, resources, ...more })

const has = (part: object): unknown => expect.objectContaining(part)
const as = (name: string): Record<string, string> => ({
  Authorization: `Basic ${btoa(`${name}:x`)}`,
})

const notEmpty: StandardSchema = {
  '~standard': {
    version: 1,
    validate: (value) => {
      const { title } = value as { title?: unknown }
      return title === '' ? { issues: [{ message: 'is empty', path: ['title'] }] } : {}
    },
  },
}

contract(
  'options of the mock in one place',
  mockOf({
    posts: {
      id: 'key',
      relations: { writer: 'users' },
      cacheControl: 'max-age=60',
      preconditions: true,
      fields: { defaults: { rank: 0 }, required: ['title'] },
      schema: notEmpty,
    },
  }),
  [
    ['name the id', 'GET /posts/a', { status: 200, headers: { 'Cache-Control': 'max-age=60' } }],
    ['leave others', 'GET /users/1', { status: 200, headers: { 'Cache-Control': 'no-cache' } }],
    ['name relations', 'GET /users/1/posts', { status: 200, body: [fixtures.posts[0]] }],
    ['require preconditions', { request: 'PATCH /posts/a', body: {} }, { status: 428 }],
    [
      'complete fields',
      { request: 'POST /posts', body: { key: 'c', title: 'C' } },
      { status: 201, body: { key: 'c', title: 'C', rank: 0 } },
    ],
    [
      'require fields',
      { request: 'POST /posts', body: {} },
      { status: 422, body: has({ errors: { title: 'is required' } }) },
    ],
    [
      'validate records',
      { request: 'POST /posts', body: { title: '' } },
      { status: 422, body: has({ errors: { title: 'is empty' } }) },
    ],
  ],
)

contract(
  'owners in one place',
  mockOf(
    {
      posts: { id: 'key', relations: { writer: 'users' }, owners: { key: 'writer', read: 'all' } },
    },
    { use: [auth({ scheme: 'basic', by: ['name'], password: 'password', protect: [] })] },
  ),
  [
    [
      'allow the owner',
      { request: 'PATCH /posts/a', headers: as('ada'), body: { title: 'X' } },
      { status: 200 },
    ],
    [
      'forbid others',
      { request: 'PATCH /posts/a', headers: as('bob'), body: { title: 'X' } },
      { status: 403 },
    ],
  ],
)

contract(
  'JSON Schemas in one place',
  mockOf(
    { posts: { id: 'key', schema: { required: ['title'] } } },
    { use: [schema({ users: { required: ['name'] } })] },
  ),
  [
    ['validate', { request: 'POST /posts', body: {} }, { status: 422 }],
    ['leave other schemas', { request: 'POST /users', body: {} }, { status: 422 }],
  ],
)

contract(
  'bodies in one place',
  mockOf(
    { posts: { id: 'key', list: { posts: '$items' }, record: { post: '$record' } } },
    { dialect: rest },
  ),
  [
    ['wrap lists', 'GET /posts?rank=1', { status: 200, body: { posts: [fixtures.posts[1]] } }],
    ['wrap records', 'GET /posts/a', { status: 200, body: { post: fixtures.posts[0] } }],
    ['leave others', 'GET /teams/1', { status: 200, body: fixtures.teams[0] }],
  ],
)

const hidden: Resources = {
  users: { hidden: ['email', 'password', 'teamId'] },
  teams: { hidden: ['secret'] },
  posts: {
    id: 'key',
    relations: { writer: { to: 'users', as: 'author' } },
    embed: ['author', 'author.team'],
    hidden: ['rank'],
    sort: 'rank',
    filters: { by: 'author.email' },
    actions: { 'POST raise': { increment: 'rank' } },
  },
}
const author = { id: 2, name: 'bob', team: { id: 1, name: 'Engines' } }
const shown = { key: 'b', title: 'B', writer: 2, author }

for (const [title, more] of [
  ['hidden fields', {}],
  ['hidden fields with a dialect', { dialect: rest({ list: '$items' }) }],
] as const) {
  contract(title, mockOf(hidden, more), [
    ['are in no member, nor in embedded records', 'GET /posts/b', { status: 200, body: shown }],
    ['are in no list, and sort', 'GET /posts?_limit=1', { status: 200, body: [shown] }],
    ['are filters', 'GET /posts?rank=1', { status: 200, body: [shown] }],
    ['are filters through relations', 'GET /posts?by=b@x', { status: 200, body: [shown] }],
    [
      'are in no record that a request embeds',
      'GET /users/1?_embed=team',
      {
        status: 200,
        body: { id: 1, name: 'ada', team: { id: 1, name: 'Engines' } },
      },
    ],
    ['are in no answer of an action', 'POST /posts/b/raise', { status: 200, body: shown }],
    [
      'are in no answer of a POST',
      { request: 'POST /posts', body: { key: 'c', rank: 7 } },
      { status: 201, body: { key: 'c', author: null } },
    ],
    [
      'stay in a PUT of the record that was read',
      [{ request: 'PUT /posts/b', body: shown }, 'GET /posts?rank=1'],
      { status: 200, body: [shown] },
    ],
  ])
}

it('hides fields in the hidden settings of the dialect where records are embedded', async () => {
  const mock = createMock({
    fixtures,
    relations: { posts: { writer: { to: 'users', as: 'author' } } },
    id: { posts: 'key' },
    resources: { posts: { embed: 'author' } },
    dialect: rest({ resources: { users: { hidden: ['email', 'password', 'teamId'] } } }),
  })
  const body = await (await mock.fetch('http://x/posts/b')).json()
  expect(body).toMatchObject({ author: { id: 2, name: 'bob' } })
  expect(Object.keys((body as { author: object }).author)).toEqual(['id', 'name'])
})

it('streams computed fields without hidden fields', async () => {
  const resources: Resources = {
    users: {
      hidden: ['password', 'email'],
      computed: { shout: ({ record }) => `${record['id'] === 3}` },
    },
  }
  const mock = createMock({ fixtures, resources, use: [events()] })
  const response = await mock.fetch('http://x/users', { headers: { Accept: 'text/event-stream' } })
  const reader = (response.body ?? new ReadableStream<Uint8Array>()).getReader()
  await reader.read()
  mock.db.users.insert({ id: 3, name: 'eve', email: 'e@x' })
  const { value } = await reader.read()
  const text = new TextDecoder().decode(value)
  expect(text).toContain('"record":{"id":3,"name":"eve","shout":"true"}')
  await reader.cancel()
})

describe('an option in two places', () => {
  const wrong: [title: string, own: object, more: object, message: string][] = [
    [
      'is an id',
      { id: 'key' },
      { id: { posts: 'key' } },
      '"id" of "posts" stands in "resources" and in "id"',
    ],
    [
      'is a relation',
      { relations: {} },
      { relations: { posts: {} } },
      'stands in "resources" and in "relations"',
    ],
    [
      'is a cache control',
      { cacheControl: 'x' },
      { cacheControl: { posts: 'y' } },
      'in "cacheControl"',
    ],
    [
      'is a precondition',
      { preconditions: true },
      { preconditions: ['posts'] },
      'in "preconditions"',
    ],
    [
      'are fields',
      { fields: {} },
      { use: [fields({ posts: {} })] },
      '"fields" of "posts" stands in "resources" and in "use"',
    ],
    [
      'are unique fields',
      { unique: ['title'] },
      { use: [fields({ posts: {} })] },
      '"fields" of "posts"',
    ],
    [
      'is a schema',
      { schema: notEmpty },
      { use: [schema({ posts: true })] },
      '"schema" of "posts"',
    ],
    [
      'are owners',
      { owners: 'writer' },
      { use: [auth({ owners: { posts: 'writer' } })] },
      '"owners" of "posts"',
    ],
    [
      'are bodies',
      { list: '$items' },
      { dialect: rest({ resources: { posts: {} } }) },
      'Please keep one',
    ],
    ['needs auth', { owners: 'writer' }, {}, 'Please add auth() to "use"'],
    ['needs schema', { schema: { type: 'object' } }, {}, 'Please add schema() to "use"'],
    ['needs rest', { list: '$items' }, {}, 'Please add "dialect: rest"'],
    ['has wrong fields', { fields: { requird: [] } }, {}, 'Did you mean "required"?'],
  ]
  it.each(wrong)('%s', (_, own, more, message) => {
    const { users, posts } = fixtures
    const resources = { posts: { ...own } }
    expect(() =>
      createMock({
        fixtures: { users, posts: posts.map(({ key, ...one }) => ({ id: key, ...one })) },
        resources,
        ...more,
      }),
    ).toThrow(message)
  })
})
