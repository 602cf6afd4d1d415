import { describe, expect, it } from 'vitest'

import { schema, sessions } from '../../../../src/behaviours.ts'
import { withControl } from '../../../../src/core/control/control.ts'
import type { AnyMock } from '../../../../src/core/http/contract/any-mock.ts'
import { internalsOf } from '../../../../src/core/http/contract/internals.ts'
import { createGenerator } from '../../../../src/generate.ts'
import { createMock } from '../../../../src/index.ts'

const fixtures = {
  users: [{ id: 1, name: 'Ada King' }],
  posts: [1, 2, 3].map((id) => ({ id, userId: 1, title: `Notes on looms ${id}`, views: id * 10 })),
  tags: [],
  profile: { theme: 'dark' },
}

interface Answered {
  status: number
  value: { records: Record<string, unknown>[]; learnedFrom: number; message: string; code: string }
}

/** Sends a body to `POST /__mock/generate` of a mock. */
async function generate(mock: AnyMock, body: unknown, headers = {}): Promise<Answered> {
  const request = {
    method: 'POST',
    path: '/__mock/generate',
    search: '',
    origin: 'http://localhost:3000',
    headers: { host: 'localhost:3000', ...headers },
    text: () => (typeof body === 'string' ? body : JSON.stringify(body)),
  }
  const response = await withControl(internalsOf(mock)).handle(request as never, {
    origins: () => false,
  })
  return {
    status: response.status,
    value: JSON.parse(response.body as string) as Answered['value'],
  }
}

describe('the control of generated records', () => {
  it('returns a preview, and stores nothing', async () => {
    const mock = createMock({ fixtures })
    const { status, value } = await generate(mock, { collection: 'posts', count: 2, preview: true })
    expect([status, value.learnedFrom]).toEqual([200, 3])
    const expected = createGenerator({ fixtures, seed: 1 }).generate({ posts: 5 })
    expect(value.records).toEqual(expected['posts']?.slice(3))
    expect(mock.db.posts.all()).toEqual(fixtures.posts)
  })

  it('stores the records of the preview, as created records', async () => {
    const mock = createMock({ fixtures })
    const changes: string[] = []
    internalsOf(mock).store.changes.subscribe((change) => changes.push(change.type))
    const wanted = { collection: 'posts', count: 4, seed: 7 }
    const preview = await generate(mock, { ...wanted, preview: true })
    const { status, value } = await generate(mock, wanted)
    expect([status, value]).toEqual([201, preview.value])
    expect(value.records.map(({ id }) => id)).toEqual([4, 5, 6, 7])
    expect(mock.db.posts.all().slice(3)).toEqual(value.records)
    expect(changes).toEqual(['created', 'created', 'created', 'created'])
    const other = await generate(createMock({ fixtures }), { collection: 'posts', count: 4 })
    expect(other.value.records).not.toEqual(value.records)
  })

  it('draws an empty collection from its schema', async () => {
    const tags = {
      type: 'object',
      properties: { id: { type: 'integer' }, label: { enum: ['red'] } },
      required: ['id', 'label'],
    } as const
    const mock = createMock({ fixtures, use: [schema({ tags })] })
    const { status, value } = await generate(mock, { collection: 'tags', count: 1 })
    expect([status, value.learnedFrom]).toEqual([201, 0])
    expect(value.records).toMatchObject([{ label: 'red' }])
  })

  it('uses the id fields of the mock', async () => {
    const items = ['a-1', 'a-2', 'a-3'].map((sku) => ({ sku, price: 5 }))
    const mock = createMock({ fixtures: { items }, id: 'sku' })
    const { value } = await generate(mock, { collection: 'items', count: 1 })
    expect(mock.db.items.all()).toHaveLength(4)
    expect(mock.db.items.get(String(value.records[0]?.['sku']))).toEqual(value.records[0])
  })

  it('adds to the session that a request names', async () => {
    const mock = createMock({ fixtures, use: [sessions()] })
    const wanted = { collection: 'posts', count: 1 }
    expect((await generate(mock, wanted, { 'x-mock-session': 'a' })).status).toBe(201)
    expect(mock.db.posts.all()).toHaveLength(3)
  })

  const errors: [body: unknown, status: number, message: string][] = [
    ['{', 400, 'it is not JSON'],
    ['', 400, 'the records to generate'],
    [[], 400, 'the records to generate'],
    [{ collection: 'posts' }, 400, '"count" is missing'],
    [{ count: 1 }, 400, '"collection" is missing'],
    [{ collection: 'posts', count: 0 }, 400, 'a whole number from 1 to 10000'],
    [{ collection: 'posts', count: 10_001 }, 400, 'a whole number from 1 to 10000'],
    [{ collection: 'posts', count: 1.5 }, 400, 'a whole number from 1 to 10000'],
    [{ collection: 'posts', count: '5' }, 400, 'a whole number from 1 to 10000'],
    [{ collection: 'posts', count: 1, seed: null }, 400, 'a number or a text'],
    [{ collection: 'posts', count: 1, preview: 'yes' }, 400, 'true or false'],
    [{ collection: 'posts', cuont: 1 }, 400, 'Did you mean "count"?'],
    [{ collection: 'post', count: 1 }, 404, 'Did you mean "posts"?'],
    [{ collection: 'constructor', count: 1 }, 404, 'Failed to find the collection "constructor"'],
    [{ collection: 'profile', count: 1 }, 404, 'profile'],
    [{ collection: 'tags', count: 1 }, 422, 'there is no example'],
  ]
  it.each(errors)('refuses %j with %i', async (body, status, message) => {
    const mock = createMock({ fixtures })
    const answered = await generate(mock, body)
    expect(answered.status).toBe(status)
    expect(answered.value.message).toContain(message)
    expect(mock.db.posts.all()).toHaveLength(3)
  })
})
