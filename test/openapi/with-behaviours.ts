import {
  auth,
  delay,
  events,
  faults,
  fields,
  files,
  idempotency,
  limit,
  rewrite,
  routes,
  scenarios,
  schema,
  sessions,
  states as stateMachines,
  versions,
  webhooks,
} from '../../src/behaviours.ts'
import { rest } from '../../src/dialects.ts'
import { type Configuration, logInAs, orderStates } from './configuration.ts'
import { databases } from './databases.ts'

/** A part of the shop, as Prism needs seconds to read the document of all of it. */
export const shop = Object.fromEntries(
  ['orders', 'posts', 'reviews', 'tags', 'users'].map((name) => [
    name,
    databases['fixtures']?.[name],
  ]),
)
const users = [
  { id: 1, name: 'Ada', email: 'ada@example.com', password: 'secret', role: 'admin', apiKey: 'k1' },
  { id: 2, name: 'Bo', email: 'bo@example.com', password: 'secret', role: 'user', apiKey: 'k2' },
]

/** The mocks with behaviours. */
export const withBehaviours: readonly Configuration[] = [
  [
    'a mock with auth, logged in',
    () => ({
      fixtures: { ...shop, users },
      base: '/api',
      seed: 1,
      use: [
        auth({
          protect: ['POST *', 'orders', '/posts/1'],
          roles: { 'DELETE *': 'admin' },
          owners: { reviews: { key: 'userId', read: 'all' } },
        }),
      ],
    }),
    logInAs('ada@example.com'),
  ],
  [
    'a mock with accounts in other words',
    () => ({
      fixtures: { users, tags: shop['tags'] },
      seed: 1,
      dialect: rest({ record: { $singular: '$record' }, resources: { users: { hidden: ['id'] } } }),
      use: [
        auth({
          word: 'Token',
          tokens: 'opaque',
          known: { ada: 1 },
          register: 'users',
          me: 'user',
          answers: { login: { token: '$accessToken' }, register: { user: '$user' } },
        }),
      ],
    }),
    async () => ({ Authorization: 'Token ada' }),
  ],
  [
    'a mock with accounts and an answer',
    () => ({
      fixtures: { users, tags: shop['tags'] },
      seed: 1,
      use: [
        auth({
          scheme: ['bearer', 'cookie'],
          tokens: 'opaque',
          known: { ada: 1 },
          register: '/signup',
          me: '/user',
          answer: { email: '$user.email', 'token?': '$accessToken' },
        }),
      ],
    }),
    async () => ({ Authorization: 'Bearer ada' }),
  ],
  [
    'a mock with auth, anonymous',
    () => ({
      fixtures: { ...shop, users },
      seed: 1,
      use: [
        auth({
          scheme: ['bearer', 'cookie', 'apiKey', 'basic'],
          public: ['GET /posts'],
          owners: { orders: 'userId' },
        }),
      ],
    }),
  ],
  [
    'a mock with options of resources, and views',
    () => ({
      fixtures: { ...shop, users },
      seed: 1,
      dialect: rest({ list: { $resource: '$items' }, record: { $singular: '$record' } }),
      resources: {
        users: { hidden: ['password', 'email'], computed: { posted: { count: 'posts' } } },
        people: { view: 'users', id: 'name', actions: { like: 'likedBy' } },
        posts: { embed: 'user', sort: '-id', filters: { by: 'user.name' } },
        'posts/recent': { view: 'posts', where: { id: { gt: 1 } }, sort: 'id' },
        names: { distinct: 'tags.name' },
      },
      use: [auth({ protect: [], tokens: 'opaque', known: { ada: 1 } })],
    }),
    async () => ({ Authorization: 'Bearer ada' }),
  ],
  ['a mock with states', () => ({ fixtures: shop, seed: 1, use: [stateMachines(orderStates)] })],
  [
    'a mock with limits',
    () => ({
      fixtures: shop,
      seed: 1,
      use: [
        limit({ requests: 100, per: '1h', by: 'X-Client', page: 5 }),
        limit({ requests: 50, per: '1h', only: ['POST *'] }),
      ],
    }),
  ],
  [
    'a mock with versions by path',
    () => ({
      fixtures: shop,
      base: '/api',
      seed: 1,
      use: [
        versions({
          versions: {
            v1: {
              deprecated: '2026-01-01',
              sunset: '2027-01-01',
              successor: 'v2',
              fields: { posts: { title: 'headline' } },
            },
            v2: {},
          },
        }),
      ],
    }),
  ],
  [
    'a mock with versions by header',
    () => ({
      fixtures: shop,
      seed: 1,
      use: [
        versions({
          by: 'header',
          versions: { v1: { successor: 'v2', fields: { posts: { title: 'headline' } } }, v2: {} },
        }),
      ],
    }),
  ],
  [
    'a mock with schemas and fields',
    () => ({
      fixtures: shop,
      seed: 1,
      use: [
        schema({
          tags: {
            $schema: 'http://json-schema.org/draft-07/schema#',
            type: 'object',
            required: ['name'],
            properties: {
              name: { $ref: '#/definitions/name' },
              color: { type: 'string', pattern: '^#[0-9a-f]{6}$' },
            },
            definitions: { name: { type: 'string', minLength: 2, maxLength: 30 } },
          },
        }),
        fields({
          users: {
            timestamps: true,
            unique: ['email'],
            readOnly: ['role'],
            defaults: { newsletter: false },
          },
          posts: {
            timestamps: { updatedAt: 'updatedAt', createdAt: false },
            required: ['title'],
            onReadOnly: 'refuse',
            readOnly: ['views'],
          },
        }),
      ],
    }),
  ],
  [
    'a mock with the other behaviours',
    () => ({
      fixtures: shop,
      seed: 1,
      strict: true,
      preconditions: ['tags'],
      use: [
        idempotency({ on: ['POST *'] }),
        sessions(),
        events(),
        delay(0),
        scenarios({ sets: { empty: { fixtures: { posts: [] } } } }),
        faults({
          rules: [
            { on: 'GET /tags', probability: 0.3, status: 503, headers: { 'Retry-After': '1' } },
          ],
        }),
        rewrite({ '/blog/:id': '/posts/:id' }),
        webhooks({ endpoints: [] }),
        routes({
          'GET /hello': () => ({ hello: 'world' }),
          'POST /tags': () => new Response('custom'),
        }),
      ],
    }),
  ],
  [
    'a mock with files',
    () => ({
      fixtures: {
        users: [
          { id: 1, name: 'Ada', avatar: null, photos: [] },
          { id: 2, name: 'Bo', avatar: 'data:text/plain,hi', photos: ['data:text/plain,one'] },
        ],
        profile: { picture: 'data:image/png;base64,AAAA', motto: 'on' },
        tags: shop['tags'],
      },
      seed: 1,
      use: [
        files({
          users: { avatar: { types: ['image/*', 'text/plain'] }, photos: { list: true } },
          profile: { picture: { types: ['image/png'], maxSize: '1KB' } },
          uploads: { maxSize: '2KB' },
        }),
      ],
    }),
  ],
  ['a read-only mock', () => ({ fixtures: shop, seed: 1, readOnly: true })],
]
