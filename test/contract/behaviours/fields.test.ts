import { describe, expect, it, onTestFinished, vi } from 'vitest'

import {
  auth,
  type Behaviour,
  fields,
  type FieldOptions,
  schema,
  states,
} from '../../../src/behaviours.ts'
import type { JsonRecord } from '../../../src/core/json/json.ts'
import { createManualClock, createMock, type MockOptions } from '../../../src/index.ts'
import { contract } from '../../faces.ts'

const now = '2026-01-01T00:00:00.000Z'
const before = '2025-05-05T05:05:05.000Z'

const users = [
  {
    id: 1,
    email: 'ada@x.org',
    org: 'a',
    slug: 'ada',
    role: 'admin',
    createdAt: before,
    updatedAt: before,
  },
  {
    id: 2,
    email: 'bob@x.org',
    org: 'a',
    slug: 'bob',
    role: 'user',
    createdAt: before,
    updatedAt: before,
  },
]

function mockWith(options: FieldOptions): () => MockOptions<Record<string, unknown>> {
  return () => ({
    fixtures: { users, profile: { name: 'Ada' } },
    clock: createManualClock(),
    use: [fields({ users: options, profile: options })],
  })
}

contract('required fields that a fixture lacks', mockWith({ required: ['phone'] }), [
  [
    'do not refuse a patch of another field',
    { request: 'PATCH /users/1', body: { role: 'user' } },
    { status: 200, body: { ...users[0], role: 'user' } },
  ],
  [
    'refuse a PUT without them',
    { request: 'PUT /users/1', body: { role: 'user' } },
    { status: 422 },
  ],
])

contract('timestamps', mockWith({ timestamps: true }), [
  [
    'are set on a new record, whatever it contains',
    { request: 'POST /users', body: { email: 'c', createdAt: 'x', updatedAt: 'x' } },
    { status: 201, body: { id: 3, email: 'c', createdAt: now, updatedAt: now } },
  ],
  [
    'are kept and renewed by a PUT, whatever it contains',
    { request: 'PUT /users/1', body: { email: 'c', createdAt: 'x', updatedAt: 'x' } },
    { status: 200, body: { id: 1, email: 'c', createdAt: before, updatedAt: now } },
  ],
  [
    'are kept and renewed by a patch',
    { request: 'PATCH /users/1', body: { email: 'c' } },
    { status: 200, body: { ...users[0], email: 'c', updatedAt: now } },
  ],
  [
    'are set on singletons too',
    { request: 'PATCH /profile', body: { age: 36 } },
    { status: 200, body: { name: 'Ada', age: 36, updatedAt: now } },
  ],
  [
    'are set on every record of a list',
    { request: 'POST /users', body: [{ email: 'c' }, { email: 'd' }] },
    {
      status: 201,
      body: [
        { id: 3, email: 'c', createdAt: now, updatedAt: now },
        { id: 4, email: 'd', createdAt: now, updatedAt: now },
      ],
    },
  ],
])

contract(
  'timestamps with options',
  mockWith({ timestamps: { createdAt: 'created', updatedAt: false, as: 'seconds' } }),
  [
    [
      'have the names and the format of the options',
      { request: 'POST /users', body: { email: 'c' } },
      { status: 201, body: { id: 3, email: 'c', created: Date.parse(now) / 1000 } },
    ],
    [
      'are set by no request; the default names are ordinary fields',
      { request: 'PATCH /users/2', body: { created: 1, createdAt: 'x', updatedAt: 'y' } },
      { status: 200, body: { ...users[1], createdAt: 'x', updatedAt: 'y' } },
    ],
  ],
)

contract('timestamps in milliseconds', mockWith({ timestamps: { as: 'milliseconds' } }), [
  [
    'are numbers',
    { request: 'POST /users', body: {} },
    { status: 201, body: { id: 3, createdAt: Date.parse(now), updatedAt: Date.parse(now) } },
  ],
])

contract(
  'timestamps as dates',
  mockWith({ timestamps: { updatedAt: 'changedOn', createdAt: false, as: 'date' } }),
  [
    [
      'have no time',
      { request: 'PATCH /users/1', body: {} },
      { status: 200, body: { ...users[0], changedOn: '2026-01-01' } },
    ],
  ],
)

contract('timestamps in whole seconds', mockWith({ timestamps: { as: 'iso-seconds' } }), [
  [
    'have no fractions',
    { request: 'POST /users', body: {} },
    {
      status: 201,
      body: { id: 3, createdAt: '2026-01-01T00:00:00Z', updatedAt: '2026-01-01T00:00:00Z' },
    },
  ],
])

contract('counters', mockWith({ counters: { slug: 'U-0007', id: 30 }, required: ['org', 'id'] }), [
  [
    'go on from the last number given',
    { request: 'POST /users', body: { org: 'a' } },
    { status: 201, body: { org: 'a', slug: 'U-0008', id: 31 } },
  ],
  [
    'give a refused record no number',
    [
      { request: 'POST /users', body: { org: '' } },
      { request: 'POST /users', body: {} },
      { request: 'POST /users', body: { org: 'a' } },
    ],
    { status: 201, body: { org: 'a', slug: 'U-0009', id: 32 } },
  ],
  [
    'keep a sent number, and go on from the greatest',
    [
      { request: 'POST /users', body: { org: 'a', slug: 'U-0099', id: 40 } },
      { request: 'POST /users', body: { org: 'a', slug: 'another' } },
      { request: 'POST /users', body: { org: 'a' } },
    ],
    { status: 201, body: { org: 'a', slug: 'U-0100', id: 42 } },
  ],
  [
    'number each record of a batch',
    { request: 'POST /users', body: [{ org: 'a' }, { org: 'a' }] },
    {
      status: 201,
      body: [
        { org: 'a', slug: 'U-0008', id: 31 },
        { org: 'a', slug: 'U-0009', id: 32 },
      ],
    },
  ],
  [
    'give no number twice',
    [
      { request: 'POST /users', body: { org: 'a' } },
      'DELETE /users/31',
      { request: 'POST /users', body: { org: 'a' } },
    ],
    { status: 201, body: { org: 'a', slug: 'U-0009', id: 32 } },
  ],
])

contract('a version', mockWith({ version: 'revision' }), [
  [
    'is 1 in a new record, whatever the request has',
    { request: 'POST /users', body: { email: 'c', revision: 7 } },
    { status: 201, body: { id: 3, email: 'c', revision: 1 } },
  ],
  [
    'grows with each PATCH',
    [
      { request: 'POST /users', body: { email: 'c' } },
      { request: 'PATCH /users/3', body: { email: 'd' } },
      { request: 'PATCH /users/3', body: { revision: 9 } },
    ],
    { status: 200, body: { id: 3, email: 'd', revision: 3 } },
  ],
  [
    'grows with a PUT',
    [
      { request: 'POST /users', body: { email: 'c' } },
      { request: 'PUT /users/3', body: { email: 'd' } },
    ],
    { status: 200, body: { id: 3, email: 'd', revision: 2 } },
  ],
  [
    'stays without a write',
    [{ request: 'POST /users', body: { email: 'c' } }, 'GET /users/3'],
    { status: 200, body: { id: 3, email: 'c', revision: 1 } },
  ],
])

contract(
  'defaults',
  mockWith({ defaults: { role: 'user', tags: [], slug: ({ email }) => email ?? null } }),
  [
    [
      'fill missing fields of a new record',
      { request: 'POST /users', body: { email: 'c', role: null } },
      { status: 201, body: { id: 3, email: 'c', role: null, tags: [], slug: 'c' } },
    ],
    [
      'fill missing fields of a PUT',
      { request: 'PUT /users/1', body: { email: 'c' } },
      { status: 200, body: { id: 1, email: 'c', role: 'user', tags: [], slug: 'c' } },
    ],
    [
      'leave a PATCH unchanged',
      { request: 'PATCH /users/1', body: { email: 'c' } },
      { status: 200, body: { ...users[0], email: 'c' } },
    ],
  ],
)

contract(
  'default functions',
  mockWith({ defaults: { nick: ({ email }) => email, at: (() => new Date(0)) as () => never } }),
  [
    [
      'leave a field out for undefined',
      [
        { request: 'POST /users', body: {} },
        { request: 'POST /users', body: { email: 'c' } },
        'GET /users?nick:exists=true&_fields=id,nick',
      ],
      { status: 200, body: [{ id: 4, nick: 'c' }] },
    ],
    [
      'are stored as JSON',
      [{ request: 'POST /users', body: {} }, 'GET /users?at=1970-01-01T00:00:00.000Z'],
      { status: 200, body: [{ id: 3, at: '1970-01-01T00:00:00.000Z' }] },
    ],
  ],
)

const lower = ({ email }: JsonRecord): string => (email as string).toLowerCase()

contract(
  'default functions of records with required fields',
  mockWith({ required: ['email', 'slug', 'org'], defaults: { slug: lower, org: 'a' } }),
  [
    [
      'run after `required` is checked',
      { request: 'POST /users', body: { name: 'Eve' } },
      { status: 422, body: expect.objectContaining({ errors: { email: 'is required' } }) },
    ],
    [
      'fill a required field',
      { request: 'POST /users', body: { email: 'EVE@x.org' } },
      { status: 201, body: { id: 3, email: 'EVE@x.org', org: 'a', slug: 'eve@x.org' } },
    ],
  ],
)

contract(
  'default functions, after other behaviours',
  () => ({
    fixtures: { users },
    use: [
      fields({
        users: { required: ['email', 'org'], defaults: { slug: lower }, unique: ['slug'] },
      }),
      {
        name: 'own',
        create: () => ({
          write(write) {
            write.record = { org: 'b', ...write.record }
          },
        }),
      },
    ],
  }),
  [
    [
      'run once the required fields are filled',
      { request: 'POST /users', body: { email: 'EVE' } },
      { status: 201, body: { id: 3, email: 'EVE', org: 'b', slug: 'eve' } },
    ],
    [
      'run for all records of a list before these are compared',
      { request: 'POST /users', body: [{ email: 'EVE' }, { email: 'Mal' }] },
      {
        status: 201,
        body: [
          { id: 3, email: 'EVE', org: 'b', slug: 'eve' },
          { id: 4, email: 'Mal', org: 'b', slug: 'mal' },
        ],
      },
    ],
    [
      'may give records of a list the same value',
      { request: 'POST /users', body: [{ email: 'EVE' }, { email: 'Eve' }] },
      { status: 422 },
    ],
  ],
)

contract(
  'default functions, before a schema',
  () => ({
    fixtures: { users },
    use: [
      schema({ users: { type: 'object', required: ['email'] } }),
      fields({ users: { defaults: { slug: lower } } }),
    ],
  }),
  [
    [
      'leave a field that is missing to the schema',
      { request: 'POST /users', body: { name: 'Eve' } },
      { status: 422, body: expect.objectContaining({ errors: { email: 'is required' } }) },
    ],
  ],
)

contract(
  'default functions with data, user and clock',
  () => ({
    fixtures: { users: [{ id: 7, name: 'Ada' }], posts: [{ id: 1, title: 'First' }] },
    clock: createManualClock(),
    use: [
      auth({ known: { ada: 7 } }),
      fields({
        posts: {
          defaults: {
            place: (_, { db }) => db['posts']?.count(),
            author: (_, { user }) => user?.['name'],
            year: (_, { clock }) => new Date(clock.now()).getUTCFullYear(),
          },
        },
      }),
    ],
  }),
  [
    [
      'get these beside the record',
      {
        request: 'POST /posts',
        headers: { authorization: 'Bearer ada' },
        body: { title: 'Second' },
      },
      { status: 201, body: { id: 2, title: 'Second', place: 1, author: 'Ada', year: 2026 } },
    ],
  ],
)

it('answers a default function that throws by 500, with its place in the log', async () => {
  const errors = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => errors.mockRestore())
  const mock = createMock(mockWith({ defaults: { slug: lower } })())
  const headers = { 'Content-Type': 'application/json' }
  const response = await mock.fetch('/users', { method: 'POST', headers, body: '{}' })
  expect([response.status, mock.db['users']?.count()]).toEqual([500, 2])
  expect(mock.log[0]?.reason).toMatch(/toLowerCase.* \(.*fields\.test\.ts:\d+:\d+\)/)
  expect(errors).toHaveBeenCalledExactlyOnceWith(expect.any(String), expect.any(TypeError))
})

contract('read-only fields', mockWith({ readOnly: ['role'], defaults: { role: 'user' } }), [
  [
    'are removed from a new record',
    { request: 'POST /users', body: { email: 'c', role: 'admin' } },
    { status: 201, body: { id: 3, email: 'c', role: 'user' } },
  ],
  [
    'are removed from a patch',
    { request: 'PATCH /users/2', body: { role: 'admin' } },
    { status: 200, body: users[1] },
  ],
  [
    'stay when a PUT leaves them out',
    { request: 'PUT /users/1', body: { email: 'c' } },
    { status: 200, body: { id: 1, email: 'c', role: 'admin' } },
  ],
])

contract('read-only fields that refuse', mockWith({ readOnly: ['role'], onReadOnly: 'refuse' }), [
  [
    'respond with 422 to a change',
    { request: 'PATCH /users/2', body: { role: 'admin' } },
    { status: 422, body: expect.objectContaining({ errors: { role: 'is read-only' } }) },
  ],
  [
    'accept an unchanged value',
    { request: 'PUT /users/2', body: { email: 'c', role: 'user' } },
    { status: 200, body: { id: 2, email: 'c', role: 'user' } },
  ],
])

contract(
  'required and unique fields',
  mockWith({ required: ['email'], unique: ['email', ['slug', 'org']] }),
  [
    [
      'refuse missing fields, with an entry and a pointer for each',
      { request: 'POST /users', body: { email: null, org: 'a', slug: 'ada' } },
      {
        status: 422,
        headers: { 'content-type': 'application/problem+json; charset=utf-8' },
        body: {
          type: 'about:blank',
          title: 'Unprocessable Content',
          status: 422,
          detail: 'Failed to write to "users": email is required, slug is taken with this org.',
          message: 'Failed to write to "users": email is required, slug is taken with this org.',
          errors: { email: 'is required', slug: 'is taken with this org' },
          issues: [
            { pointer: '#/email', detail: 'is required' },
            { pointer: '#/slug', detail: 'is taken with this org' },
          ],
        },
      },
    ],
    [
      'do not compare a group with a missing field or null',
      [
        { request: 'POST /users', body: { email: 'c', org: 'z' } },
        { request: 'POST /users', body: { email: 'd', org: 'z', slug: null } },
      ],
      { status: 201 },
    ],
    [
      'report each duplicate field',
      { request: 'POST /users', body: { email: 'bob@x.org', org: 'a', slug: 'ada' } },
      {
        status: 422,
        body: expect.objectContaining({
          errors: { email: 'is taken', slug: 'is taken with this org' },
        }),
      },
    ],
    ['allow a DELETE', 'DELETE /users/2', { status: 200 }],
    [
      'refuse a patch that removes a required field',
      { request: 'PATCH /users/1', body: { email: null } },
      { status: 422, body: expect.objectContaining({ errors: { email: 'is required' } }) },
    ],
    [
      'refuse a duplicate value',
      { request: 'PATCH /users/1', body: { email: 'bob@x.org' } },
      { status: 422, body: expect.objectContaining({ errors: { email: 'is taken' } }) },
    ],
    [
      'let a record keep its value',
      { request: 'PUT /users/1', body: { email: 'ada@x.org', org: 'a', slug: 'ada' } },
      { status: 200 },
    ],
    [
      'accept an equal value in another group',
      { request: 'POST /users', body: { email: 'c', org: 'b', slug: 'ada' } },
      { status: 201 },
    ],
    [
      'report the index of an invalid record, and store no record',
      [
        { request: 'POST /users', body: [{ email: 'c' }, { email: 'd' }, {}] },
        { request: 'POST /users', body: [{ email: 'c' }, { email: 'd' }, {}] },
      ],
      {
        status: 422,
        body: expect.objectContaining({
          errors: { '2.email': 'is required' },
          issues: [{ pointer: '#/2/email', detail: 'is required' }],
        }),
      },
    ],
    [
      'report the later of two duplicates in a list',
      { request: 'POST /users', body: [{ email: 'c' }, { email: 'd' }, { email: 'c' }] },
      { status: 422, body: expect.objectContaining({ errors: { '2.email': 'is taken' } }) },
    ],
    [
      'compare objects whatever the order of their keys',
      {
        request: 'POST /users',
        body: [
          { email: { a: 1, b: [2] } },
          { email: { a: 1, b: [3] } },
          { email: { b: [2], a: 1 } },
        ],
      },
      { status: 422, body: expect.objectContaining({ errors: { '2.email': 'is taken' } }) },
    ],
  ],
)

describe('fields', () => {
  it('logs ignored fields', async () => {
    const mock = createMock(mockWith({ readOnly: ['role'] })())
    const headers = { 'content-type': 'application/json' }
    const body = '{"role":"x"}'
    await mock.fetch(new Request('http://x/users/1', { method: 'PATCH', headers, body }))
    expect(mock.log.at(-1)?.reason).toBe('ignored role: read-only')
  })

  const wrong: [title: string, options: Record<string, unknown>, message: string][] = [
    [
      'an unknown option',
      { users: { uniqe: ['email'] } },
      'Failed to read the options of "fields" for "users": there is no "uniqe". Did you mean "unique"?',
    ],
    [
      'an option of the wrong kind',
      { users: { required: 'email' } },
      'Failed to read the options of "fields" for "users": "required" cannot be "email". Please give a list of (a text that is not empty).',
    ],
    [
      'an unknown option of timestamps',
      { users: { timestamps: { createAt: 'x' } } },
      'Failed to read the options of "timestamps": there is no "createAt". Did you mean "createdAt"?',
    ],
    [
      'an unknown resource',
      { user: {} },
      'Failed to read the options of "fields": there is no resource "user". Did you mean "users"?',
    ],
    [
      'a value that is no object',
      { users: true },
      'Failed to read the options of "fields" for "users": it cannot be true. Please give an object.',
    ],
  ]

  it.each(wrong)('refuses %s', (_, options, message) => {
    const use = (): unknown =>
      createMock({ fixtures: { users }, use: [fields(options as Record<string, FieldOptions>)] })
    expect(use).toThrow(message)
  })
})

it.each([
  ['free', 'other', 201],
  ['a duplicate', 'new', 422],
])('checks a unique value again when data changes meanwhile: %s', async (_, inserted, status) => {
  let resolve = (): void => {}
  let checks = 0
  const slow: Behaviour = {
    name: 'slow',
    create: () => ({
      check: () => (checks++ === 0 ? new Promise((done) => (resolve = done)) : undefined),
    }),
  }
  const mock = createMock({
    fixtures: { users },
    use: [fields({ users: { unique: ['email'] } }), slow],
  })
  const headers = { 'content-type': 'application/json' }
  const response = mock.fetch('/users', { method: 'POST', headers, body: '{"email":"new"}' })
  await expect.poll(() => checks).toBe(1)
  mock.db.users.insert({ ...users[0], id: 9, email: inserted })
  resolve()
  expect((await response).status).toBe(status)
})

const others: readonly Behaviour[] = [
  fields({ orders: { readOnly: ['status', 'userId', 'note'], onReadOnly: 'ignore' } }),
  states({
    orders: {
      initial: 'placed',
      transitions: { placed: ['paid'] },
      actions: { pay: { to: 'paid', set: { note: 'by mail' } } },
    },
  }),
  auth({ owners: { orders: 'userId' }, known: { ada: 1 } }),
]

for (const use of [others, others.toReversed()]) {
  contract(
    `read-only fields beside ${use.map(({ name }) => name).join(', ')}`,
    () => ({
      fixtures: { users: [{ id: 1 }], orders: [{ id: 1, userId: 1, status: 'placed' }] },
      use,
    }),
    [
      [
        'are set by an action',
        { request: 'POST /orders/1/pay', headers: { authorization: 'Bearer ada' } },
        { status: 200, body: { id: 1, userId: 1, status: 'paid', note: 'by mail' } },
      ],
      [
        'are set to the initial state and the owner',
        {
          request: 'POST /orders',
          headers: { authorization: 'Bearer ada' },
          body: { total: 1, status: 'paid', userId: 2, note: 'x' },
        },
        { status: 201, body: { id: 2, total: 1, status: 'placed', userId: 1 } },
      ],
      [
        'are set to the id of the parent',
        { request: 'POST /users/1/orders', headers: { authorization: 'Bearer ada' }, body: {} },
        { status: 201, body: { id: 2, status: 'placed', userId: 1 } },
      ],
      [
        'stay unchanged otherwise',
        {
          request: 'PATCH /orders/1',
          headers: { authorization: 'Bearer ada' },
          body: { status: 'paid', userId: 2 },
        },
        { status: 200, body: { id: 1, userId: 1, status: 'placed' } },
      ],
    ],
  )
}

contract(
  'a read-only key of a parent',
  () => ({
    fixtures: { users: [{ id: 1 }], orders: [{ id: 1, userId: 1 }] },
    use: [fields({ orders: { readOnly: ['userId'], onReadOnly: 'refuse' } })],
  }),
  [
    [
      'is set from the path',
      { request: 'POST /users/1/orders', body: {} },
      { status: 201, body: { id: 2, userId: 1 } },
    ],
  ],
)

it('finds duplicates in ten thousand records, lists and objects too', async () => {
  const mock = createMock(mockWith({ unique: ['email', ['org', 'slug']] })())
  const post = async (list: unknown[]): Promise<Response> =>
    mock.fetch('/users', {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: JSON.stringify(list),
    })
  const many = Array.from({ length: 9_998 }, (_, at) => ({ email: `e${at}`, org: 'o', slug: at }))
  expect((await post(many)).status).toBe(201)
  const twins = await post([...many.map((_, at) => ({ email: [at] })), { email: [7] }])
  expect(await twins.json()).toMatchObject({ status: 422, errors: { '9998.email': 'is taken' } })
})

contract('a required field', mockWith({ required: ['email'] }), [
  ['may be an empty text', { request: 'PATCH /users/1', body: { email: '' } }, { status: 200 }],
])

contract(
  'a required field that is not empty',
  mockWith({ required: ['email', 'org'], onEmpty: 'refuse' }),
  [
    [
      'is required where it is an empty text',
      { request: 'POST /users', body: { email: '', org: 'a' } },
      {
        status: 422,
        body: {
          type: 'about:blank',
          title: 'Unprocessable Content',
          status: 422,
          detail: 'Failed to write to "users": email is required.',
          message: 'Failed to write to "users": email is required.',
          errors: { email: 'is required' },
          issues: [{ pointer: '#/email', detail: 'is required' }],
        },
      },
    ],
    ['cannot be emptied', { request: 'PATCH /users/1', body: { org: '' } }, { status: 422 }],
    ['may be zero', { request: 'PATCH /users/1', body: { org: 0 } }, { status: 200 }],
    ['leaves others empty', { request: 'PATCH /users/1', body: { slug: '' } }, { status: 200 }],
  ],
)
