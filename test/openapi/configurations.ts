import { readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'

import {
  auth,
  delay,
  events,
  faults,
  fields,
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
import * as dialects from '../../src/dialects.ts'
import type { Mock, MockOptions } from '../../src/index.ts'

const root = join(import.meta.dirname, '../..')

function readJson(path: string): unknown {
  return JSON.parse(readFileSync(path, 'utf8'))
}

function filesIn(folder: string): string[] {
  return readdirSync(folder)
    .filter((name) => name.endsWith('.json'))
    .map((name) => join(folder, name))
}

/** The databases by name: the fixtures of the repository, and three of other character. */
export const databases: Readonly<Record<string, Record<string, unknown>>> = {
  fixtures: Object.fromEntries(
    filesIn(join(root, 'fixtures')).map((path) => [basename(path, '.json'), readJson(path)]),
  ),
  ...Object.fromEntries(
    filesIn(join(import.meta.dirname, 'databases')).map((path) => [
      basename(path, '.json'),
      readJson(path) as Record<string, unknown>,
    ]),
  ),
}

/** A mock whose document is tested; `prepare` returns the headers of its requests. */
export type Configuration = readonly [
  title: string,
  config: () => MockOptions<Record<string, unknown>>,
  prepare?: (mock: Mock) => Promise<Record<string, string>>,
]

/** A part of the shop, as Prism needs seconds to read the document of all of it. */
const shop = Object.fromEntries(
  ['orders', 'posts', 'reviews', 'tags', 'users'].map((name) => [
    name,
    databases['fixtures']?.[name],
  ]),
)
const users = [
  { id: 1, name: 'Ada', email: 'ada@example.com', password: 'secret', role: 'admin', apiKey: 'k1' },
  { id: 2, name: 'Bo', email: 'bo@example.com', password: 'secret', role: 'user', apiKey: 'k2' },
]

/** Logs in, for the headers of further requests. */
async function logIn(mock: Mock): Promise<Record<string, string>> {
  const body = JSON.stringify({ email: 'ada@example.com', password: 'secret' })
  const headers = { 'Content-Type': 'application/json' }
  const response = await mock.fetch(`http://localhost${mock.base}/login`, {
    method: 'POST',
    headers,
    body,
  })
  const { access_token: token } = (await response.json()) as { access_token: string }
  return { Authorization: `Bearer ${token}` }
}

const states = {
  orders: {
    initial: 'placed',
    transitions: { placed: ['paid', 'cancelled'], paid: ['shipped'], shipped: ['delivered'] },
    actions: {
      pay: { to: 'paid', set: { note: 'Paid' } },
      ship: { to: 'shipped', fields: ['tracking'], takes: '1s' },
    },
    softDelete: true,
  },
}

/** The mocks with behaviours. */
const withBehaviours: readonly Configuration[] = [
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
    logIn,
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
  ['a mock with states', () => ({ fixtures: shop, seed: 1, use: [stateMachines(states)] })],
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
  ['a read-only mock', () => ({ fixtures: shop, seed: 1, readOnly: true })],
]

const { djangoRestFramework, laravel, nestjsxCrud, springDataRest, ...servers } = dialects

/** The presets of `rest`, and names and envelopes that no preset has. */
const named = {
  djangoRestFramework,
  laravel,
  nestjsxCrud,
  springDataRest,
  'other names': dialects.rest({
    parameters: { page: 'page[number]', limit: 'page[size]', sort: 'order[$field]=$order' },
    filters: ['$field', 'filter[$field][$op]'],
    list: { data: '$items', meta: { total: '$total', 'next?': '$nextPage' } },
    item: { '...': '$record', url: '$url' },
    record: { data: '$record' },
    key: 'snake_case',
  }),
}

/** Every mock whose document is tested. */
export const configurations: readonly Configuration[] = [
  ...Object.entries(named).map(([dialect, value]): Configuration => [
    `shop in ${dialect}`,
    () => ({ fixtures: shop, dialect: value, seed: 1 }),
  ]),
  ...Object.entries(databases).flatMap(([name, fixtures]) =>
    Object.entries(servers).map(([dialect, value]): Configuration => [
      `${name} in ${dialect}`,
      () => ({ fixtures, dialect: value, seed: 1 }),
    ]),
  ),
  ...withBehaviours,
]
