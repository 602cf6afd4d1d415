import { describe, expect, it } from 'vitest'

import { internalsOf } from '../../src/core/http/contract/internals.ts'
import { auth, fields, limit, scenarios, sessions, versions } from '../../src/behaviours.ts'
import { content } from '../../src/core/store/records/resource.ts'
import { jsonServer0, jsonServer1, simpleRest } from '../../src/dialects.ts'
import { createManualClock, createMock, type Mock, type MockOptions } from '../../src/index.ts'
import { type Connection, faces, type TableRequest, tables } from '../faces.ts'

const { core } = faces

// Every table that is imported below runs through this face alone.
for (const name of Object.keys(faces)) delete faces[name]
faces['beside other mocks'] = connectBeside

/** Sends every request to mocks with opposite options, too: before the mock of the table, and with it. */
async function connectBeside(mock: Mock): Promise<Connection> {
  if (!core) throw new Error('There is no face "core".')
  const connection = await core(mock)
  const others = await Promise.all(createOthers(mock).map((other) => core(other)))
  const sendOthers = async (request: TableRequest): Promise<unknown> =>
    Promise.allSettled(others.map((other) => other.send(request)))
  return {
    async send(request) {
      await sendOthers(request)
      const [, answer] = await Promise.all([sendOthers(request), connection.send(request)])
      return answer
    },
    async close() {
      // The tables below send no secret; to the other mocks every field is the name of one.
      expect(JSON.stringify(mock.log)).not.toContain('[redacted]')
      await connection.close()
    },
  }
}

/** Mocks with the very records of this one, and with other options. */
function createOthers(mock: Mock): Mock[] {
  const { store } = internalsOf(mock)
  const data = Object.fromEntries(
    Array.from(store.resources, ([name, resource]) => [name, content(resource)]),
  )
  const fixtures = { data, subscribe: () => () => undefined }
  const options: Omit<MockOptions<object>, 'fixtures'>[] = [
    { dialect: jsonServer0, seed: 'other', logSize: 1, maxDepth: 1, use: hide(data) },
    { dialect: jsonServer1, base: '/other', id: 'uid', preconditions: true },
    { dialect: simpleRest, strict: true, maxUrl: 64, maxParams: 1, maxBody: 1 },
    { readOnly: true, cacheControl: 'max-age=60', id: 'key', clock: createManualClock() },
    { seed: 7, use: [sessions({ header: 'accept' }), ...divert(data)] },
    { use: [limit({ requests: 1, per: '1h', page: 1 })] },
  ]
  return options.map((one) => createMock({ ...one, fixtures }))
}

/** Declares every field of a collection to be a secret, in a body, a query and a header. */
function hide(data: Record<string, unknown>): MockOptions<object>['use'] & object {
  return Object.entries(data).flatMap(([users, value]) =>
    fieldsOf(value).map((field) =>
      auth({
        users,
        by: [field],
        password: field,
        scheme: ['bearer', 'apiKey'],
        key: { header: 'Content-Type', query: field, field },
        paths: { login: '/', logout: false, refresh: false, me: false },
        protect: ['PUT *'],
      }),
    ),
  )
}

/** Shows, takes and replaces the records of every collection in another way. */
function divert(data: Record<string, unknown>): MockOptions<object>['use'] & object {
  const collections = Object.entries(data).filter(([, value]) => fieldsOf(value).length > 0)
  const all = <Value>(toValue: (names: string[]) => Value): Record<string, Value> =>
    Object.fromEntries(collections.map(([name, value]) => [name, toValue(fieldsOf(value))]))
  return [
    versions({
      by: 'header',
      versions: {
        v1: {
          fields: all((names) => Object.fromEntries(names.map((name) => [name, `my-${name}`]))),
        },
      },
    }),
    fields(all((names) => ({ readOnly: names, timestamps: true }))),
    scenarios({ sets: { empty: { fixtures: all(() => []) } }, active: 'empty' }),
  ]
}

function fieldsOf(value: unknown): string[] {
  const [first] = Array.isArray(value) ? (value as unknown[]) : []
  if (typeof first !== 'object' || first === null || Array.isArray(first)) return []
  return Object.keys(first).filter((name) => name !== 'id')
}

const users = [{ id: 1, email: 'ada@x.org', phrase: 'open sesame', apiKey: 'b' }]

describe('a mock', () => {
  it('shows in its log what is a secret to another mock alone', async () => {
    const first = createMock({ fixtures: { users } })
    const send = (mock: Pick<Mock, 'fetch'>): Promise<Response> =>
      mock.fetch('/users?phrase=a', {
        method: 'POST',
        headers: { 'Content-Type': 'application/json', 'X-Key': 'b' },
        body: JSON.stringify({ phrase: 'c' }),
      })
    await send(first)
    const isShown = { url: '/users?phrase=a', headers: { 'x-key': 'b' }, body: { phrase: 'c' } }
    expect(first.log).toMatchObject([isShown])

    const use = [
      auth({
        password: 'phrase',
        scheme: ['bearer', 'apiKey'],
        key: { header: 'X-Key', query: 'phrase' },
        protect: [],
      }),
    ]
    const second = createMock({ fixtures: { users }, use })
    await send(second)
    const hidden = '[redacted]'
    const isHidden = {
      url: `/users?phrase=${hidden}`,
      headers: { 'x-key': hidden },
      body: { phrase: hidden },
    }
    for (const one of [second, second.fork()]) {
      await send(one)
      expect(one.log.at(-1)).toMatchObject(isHidden)
    }
    expect(first.log).toMatchObject([isShown])
    await send(first)
    expect(first.log).toMatchObject([isShown, isShown])
  })

  it('is told what is wrong with a behaviour that another mock has too', () => {
    const use = [auth({ users: 'members', protect: ['orders'] })]
    createMock({ fixtures: { members: users, orders: [] }, use })
    expect(() => createMock({ fixtures: { users, orders: [] }, use })).toThrow(
      'there is no resource "members"',
    )
    expect(() => createMock({ fixtures: { members: users, order: [] }, use })).toThrow(
      '"orders" names no resource. Did you mean "order"?',
    )
  })
})

await import('./conditional.test.ts')
await import('./embeds.test.ts')
await import('./errors.test.ts')
await import('./filters.test.ts')
await import('./lists.test.ts')
await import('./methods.test.ts')
await import('./patch.test.ts')
await import('./query-body.test.ts')

it('runs the tables beside other mocks alone', () => {
  expect(tables.size).toBeGreaterThan(8)
  for (const title of tables) expect(title).toMatch(/ \(beside other mocks\)$/)
})
