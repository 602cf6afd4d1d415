import { describe, expect, it } from 'vitest'

import { createManualClock } from '../../../src/index.ts'
import { isRecord, type Json, type JsonRecord } from '../../../src/core/json/json.ts'
import { recorded } from '../../../src/core/learn/recorded/recorded.ts'
import { createMock, type Mock } from '../../../src/faces/fetch/create-mock.ts'
import { toMockConfig } from '../../../src/load/config/check-config.ts'
import { prove, toConfigObject } from '../../../src/record/prove/prove.ts'
import { dataOf, learn, origin, type Short } from '../core/learn/exchanges.ts'

const tasks = [1, 2, 3].map((id) => ({
  id,
  title: `Task ${id}`,
  status: id === 3 ? 'done' : 'open',
  doneAt: id === 3 ? '2026-01-01T00:00:00.000Z' : null,
  votes: 2,
  watchers: [4],
  createdAt: '2026-01-01T00:00:00.000Z',
}))

const [first = {}, second = {}]: JsonRecord[] = tasks

/** The time of the exchange with a number, as the API has it. */
const time = (at: number): string => new Date(at * 1000 + 20).toISOString()

const reads: Short[] = [
  ['GET /tasks', tasks],
  ['GET /tasks/1', first],
]

interface Proven {
  config: JsonRecord
  ask: (request: string, sent?: Json) => Promise<[status: number, body: unknown]>
}

/** A mock of a recording, as its files make it; its time is noon. */
async function record(...exchanges: Short[]): Promise<Proven> {
  const learned = learn(exchanges)
  const fixtures = dataOf(learned)
  const { options, dialect, answers } = await prove(learned, {
    values: fixtures,
    edited: new Set(),
  })
  const config = toConfigObject(options, dialect.value)
  const clock = createManualClock('2026-06-01T12:00:00Z')
  const mock: Mock = createMock({
    ...(await toMockConfig(config)),
    clock,
    fixtures,
    use: [recorded({ answers })],
  })
  return {
    config,
    async ask(request, sent) {
      const [method = '', path = ''] = request.split(' ')
      const init = sent === undefined ? {} : { body: JSON.stringify(sent), headers: json }
      const response = await mock.fetch(origin + path, { method, ...init })
      const text = await response.text()
      return [response.status, text === '' ? undefined : JSON.parse(text)]
    },
  }
}

const json = { 'Content-Type': 'application/json' }

const resourceOf = ({ config }: Proven, name = 'tasks'): unknown =>
  isRecord(config['resources']) ? config['resources'][name] : undefined

describe('a new record', () => {
  it('gets the fields that the API adds', async () => {
    const added = { status: 'open', doneAt: null, votes: 0, watchers: [], createdAt: time(2) }
    const proven = await record(...reads, [
      'POST /tasks',
      { id: 4, title: 'New', ...added },
      { status: 201, sent: { title: 'New' } },
    ])
    expect(await proven.ask('POST /tasks', { title: 'Other', votes: 7 })).toEqual([
      201,
      { id: 5, title: 'Other', ...added, votes: 7, createdAt: '2026-06-01T12:00:00.000Z' },
    ])
  })

  it('gets no field whose value belongs to the recorded record', async () => {
    const proven = await record(...reads, [
      'POST /tasks',
      { id: 4, title: 'New', status: 'open', number: 'T-4', url: '/tasks/4' },
      { status: 201, sent: { title: 'New' } },
    ])
    expect(resourceOf(proven)).toEqual({ fields: { defaults: { status: 'open' } } })
  })

  it('gets a slug of its title', async () => {
    const posts = [{ id: 'first-one', title: 'First one' }]
    const proven = await record(
      ['GET /posts', posts],
      [
        'POST /posts',
        { id: 'my-title', title: 'My title' },
        { status: 201, sent: { title: 'My title' } },
      ],
      ['GET /posts/my-title', { id: 'my-title', title: 'My title' }],
    )
    expect(resourceOf(proven, 'posts')).toEqual({ slug: { from: 'title', field: 'id' } })
  })
})

describe('a changed record', () => {
  it('has the time of the change in its form, and counts its changes', async () => {
    const posts = [{ id: 1, title: 'a', version: 1, changed: '2026-01-01T00:00:00Z' }]
    const changed = time(1).replace(/\.\d+/, '')
    const proven = await record(
      ['GET /posts', posts],
      ['PATCH /posts/1', { id: 1, title: 'b', version: 2, changed }, { sent: { title: 'b' } }],
    )
    expect(await proven.ask('PATCH /posts/1', { title: 'c' })).toEqual([
      200,
      { id: 1, title: 'c', version: 3, changed: '2026-06-01T12:00:00Z' },
    ])
  })

  it('keeps the fields that a PUT leaves out, if that is what the API does', async () => {
    const sent = { title: 'x' }
    const proven = await record(...reads, ['PUT /tasks/1', { ...first, ...sent }, { sent }])
    expect(await proven.ask('PUT /tasks/2', sent)).toEqual([200, { ...second, ...sent }])
  })
})

describe('an action', () => {
  const done = { status: 'done', doneAt: time(2) }
  const complete: Short = ['POST /tasks/1/complete', { ...first, ...done }]

  it('changes other records as it changed the recorded one', async () => {
    const { ask } = await record(...reads, complete)
    const changed = { ...second, status: 'done', doneAt: '2026-06-01T12:00:00.000Z' }
    expect(await ask('POST /tasks/2/complete')).toEqual([200, changed])
    expect(await ask('GET /tasks/2')).toEqual([200, changed])
  })

  it('is refused for records that the API refused', async () => {
    const refusal = { error: 'Already done' }
    const { ask } = await record(...reads, complete, [
      'POST /tasks/3/complete',
      refusal,
      { status: 409 },
    ])
    expect(await ask('POST /tasks/2/complete')).toEqual([200, expect.anything()])
    expect(await ask('POST /tasks/2/complete')).toEqual([409, refusal])
  })

  const rows: [title: string, expected: JsonRecord, after: JsonRecord, sent?: Json][] = [
    ['grow numbers', { increment: 'votes' }, { votes: 3 }],
    ['add to lists', { add: 'watchers', value: 7 }, { watchers: [4, 7] }],
    ['remove from lists', { remove: 'watchers', value: 4 }, { watchers: [] }],
    [
      'set fields of the request',
      { set: { status: '$body.state' } },
      { status: 'late' },
      { state: 'late' },
    ],
  ]

  it.each(rows)('can %s', async (_title, expected, after, sent) => {
    const more = sent === undefined ? {} : { sent }
    const proven = await record(...reads, ['POST /tasks/1/act', { ...first, ...after }, more])
    expect(resourceOf(proven)).toEqual({ actions: { 'POST act': expected } })
  })

  it('can respond with a message', async () => {
    const { ask } = await record(
      ...reads,
      ['POST /tasks/1/complete', { ok: true, message: 'Task 1 is done' }],
      ['GET /tasks/1', { ...first, status: 'done' }],
    )
    expect(await ask('POST /tasks/2/complete')).toEqual([
      200,
      { ok: true, message: 'Task 2 is done' },
    ])
    expect(await ask('GET /tasks/2')).toEqual([200, { ...second, status: 'done' }])
  })
})

describe('an action of a house', () => {
  it('counts a second like no second time', async () => {
    const liked = { ...first, liked: true, votes: 3 }
    const proven = await record(
      ['GET /tasks', tasks.map((one) => ({ ...one, liked: false }))],
      ['GET /tasks/1', { ...first, liked: false }],
      ['POST /tasks/1/like', liked],
      ['POST /tasks/1/like', liked],
    )
    const like = { increment: 'votes', set: { liked: true }, once: true }
    expect(resourceOf(proven)).toEqual({ actions: { 'POST like': like } })
    await proven.ask('POST /tasks/2/like')
    expect(await proven.ask('POST /tasks/2/like')).toEqual([
      200,
      { ...second, liked: true, votes: 3 },
    ])
  })

  it('refuses a record in its own words, with the fields of the record', async () => {
    const { ask } = await record(
      ...reads,
      ['POST /tasks/1/complete', { ...first, status: 'done' }],
      ['POST /tasks/3/complete', { error: { message: 'Task 3 is done' } }, { status: 409 }],
      ['POST /tasks/1/reopen', { ...first, status: 'open' }],
      ['POST /tasks/2/reopen', { error: { message: 'Not closed yet' } }, { status: 409 }],
    )
    expect(await ask('POST /tasks/2/reopen')).toEqual([
      409,
      { error: { message: 'Not closed yet' } },
    ])
    await ask('POST /tasks/2/complete')
    expect(await ask('POST /tasks/2/complete')).toEqual([
      409,
      { error: { message: 'Task 2 is done' } },
    ])
  })

  const bills = [5, 6].map((id) => ({ id, number: `B-00${id}`, taskId: 3, note: 'x', sum: 2 }))
  const bill = { id: 7, number: 'B-007', taskId: 1, note: 'Rain', sum: 2 }
  const again = { id: 8, number: 'B-008', taskId: 2, note: 'Snow', sum: 9 }
  const withBills: Short[] = [
    ['GET /tasks', tasks.map((one) => (one.id === 2 ? { ...one, votes: 9 } : one))],
    ['GET /bills', bills],
    ['POST /tasks/1/bill', bill, { status: 201, sent: { why: 'Rain' } }],
    ['POST /tasks/2/bill', again, { status: 201, sent: { why: 'Snow' } }],
    ['GET /bills', [...bills, bill, again]],
  ]

  it('makes records of another collection, which are numbered on', async () => {
    const proven = await record(...withBills)
    expect(resourceOf(proven)).toEqual({
      actions: {
        'POST bill': {
          create: {
            in: 'bills',
            fields: { taskId: '$id', note: '$body.why', sum: '$record.votes' },
          },
        },
      },
    })
    expect(await proven.ask('POST /tasks/3/bill', { why: 'Hail' })).toEqual([
      201,
      { id: 9, number: 'B-009', taskId: 3, note: 'Hail', sum: 2 },
    ])
    expect(await proven.ask('GET /bills/9')).toEqual([200, expect.anything()])
  })

  it('makes no collection of its own', async () => {
    const { config } = await record(...withBills)
    expect(Object.keys(config['resources'] ?? {}).toSorted()).toEqual(['bills', 'tasks'])
  })

  it('counts on where the API was, if removed records had greater ids', async () => {
    const proven = await record(
      ...reads,
      ['POST /tasks', { id: 9, title: 'New' }, { status: 201, sent: { title: 'New' } }],
      ['DELETE /tasks/9', undefined, { status: 204 }],
    )
    expect(await proven.ask('POST /tasks', { title: 'Next' })).toEqual([
      201,
      { id: 10, title: 'Next' },
    ])
  })
})

describe('a removed record', () => {
  it('is removed as recorded again, but not where it is there', async () => {
    const { ask } = await record(
      ...reads,
      ['DELETE /tasks/2', undefined, { status: 204 }],
      ['GET /tasks/2', { error: 'No task' }, { status: 404 }],
    )
    expect(await ask('DELETE /tasks/2')).toEqual([204, undefined])
    expect(await ask('DELETE /tasks/1')).toEqual([204, undefined])
    expect(await ask('GET /tasks/1')).toEqual([404, { error: 'No task' }])
  })
})

describe('a login', () => {
  const account = { email: 'ann@example.com' }
  const login = (password: string): { sent: Json } => ({ sent: { ...account, password } })
  const exchanges: Short[] = [
    ['POST /login', { error: 'Wrong' }, { status: 401, ...login('wrong') }],
    ['POST /login', { token: 'abc-123-def', user: account }, login('right-1')],
  ]

  it('accepts the recorded password alone, if the API refused another', async () => {
    const { ask } = await record(...exchanges)
    const statuses = ['right-1', 'wrong', 'other'].map(async (password) => {
      const [status] = await ask('POST /login', { ...account, password })
      return status
    })
    expect(await Promise.all(statuses)).toEqual([200, 401, 401])
  })
})
