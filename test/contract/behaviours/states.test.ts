import { describe, expect, it } from 'vitest'

import { internalsOf } from '../../../src/core/http/contract/internals.ts'
import { reloadAll } from '../../../src/core/store/reload.ts'
import { fields, type StateOptions, states } from '../../../src/behaviours.ts'
import {
  createManualClock,
  createMock,
  type ManualClock,
  type MockOptions,
} from '../../../src/index.ts'
import { bodyOf, contract, faces, type TableRequest } from '../../faces.ts'

interface Order {
  id: number
  userId: number
  status?: string
}

const orders: Order[] = [
  { id: 1, userId: 1, status: 'placed' },
  { id: 2, userId: 1, status: 'paid' },
  { id: 3, userId: 1, status: 'shipped' },
  { id: 4, userId: 1 },
]

const fixtures = {
  users: [{ id: 1, name: 'Ada' }],
  orders,
}

const options: StateOptions = {
  initial: 'placed',
  transitions: { placed: ['paid', 'cancelled'], paid: ['shipped'] },
  actions: {
    pay: 'paid',
    ship: { to: 'shipped', set: { by: 'post' }, fields: ['tracking'] },
    cancel: { to: 'cancelled', takes: '5s' },
  },
}

function mockWith(own: StateOptions): () => MockOptions<Record<string, unknown>> {
  return () => ({
    fixtures,
    base: '/api',
    clock: createManualClock(),
    use: [states({ orders: own })],
  })
}

const conflict = (allowed: string[], way: string): unknown =>
  expect.objectContaining({ status: 409, allowed, errors: { status: `cannot ${way}` } })

contract(
  'states that are numbers or booleans',
  () => ({
    fixtures: {
      tickets: [
        { id: 1, level: 0 },
        { id: 2, level: 2 },
        { id: 3, level: '0' },
      ],
      drafts: [{ id: 1, isPublic: false }],
    },
    clock: createManualClock(),
    use: [
      states({
        tickets: {
          field: 'level',
          initial: 0,
          transitions: { 0: [1], 1: [2] },
          actions: { raise: 1, close: { to: 2 } },
        },
        drafts: { field: 'isPublic', transitions: { false: [true] }, actions: { publish: true } },
      }),
    ],
  }),
  [
    [
      'start with the initial state',
      { request: 'POST /tickets', body: {} },
      { status: 201, body: { id: 4, level: 0 } },
    ],
    [
      'change as transitions allow',
      { request: 'PATCH /tickets/1', body: { level: 1 } },
      { status: 200, body: { id: 1, level: 1 } },
    ],
    [
      'refuse other changes and list the allowed states',
      { request: 'PATCH /tickets/1', body: { level: 2 } },
      {
        status: 409,
        body: expect.objectContaining({
          allowed: [1],
          errors: { level: 'cannot go from 0 to 2' },
        }),
      },
    ],
    [
      'keep their type',
      { request: 'PATCH /tickets/1', body: { level: '1' } },
      { status: 409, body: expect.objectContaining({ allowed: [1] }) },
    ],
    ['change by an action', 'POST /tickets/1/raise', { status: 200, body: { id: 1, level: 1 } }],
    [
      'refuse an action that the state does not allow',
      'POST /tickets/1/close',
      { status: 409, body: expect.objectContaining({ allowed: [1] }) },
    ],
    [
      'end',
      { request: 'PATCH /tickets/2', body: { level: 0 } },
      { status: 409, body: expect.objectContaining({ allowed: [] }) },
    ],
    ['can be booleans', 'POST /drafts/1/publish', { status: 200, body: { id: 1, isPublic: true } }],
    [
      'start with any state that has transitions, without an initial state',
      { request: 'POST /drafts', body: { isPublic: false } },
      { status: 201, body: { id: 2, isPublic: false } },
    ],
    [
      'do not start with a final state',
      { request: 'POST /drafts', body: { isPublic: true } },
      { status: 409 },
    ],
  ],
)

contract('states', mockWith(options), [
  [
    'start with the initial state',
    { request: 'POST /api/orders', body: { userId: 1 } },
    { status: 201, body: { id: 5, userId: 1, status: 'placed' } },
  ],
  [
    'do not start with another state',
    { request: 'POST /api/orders', body: { status: 'paid' } },
    { status: 409, body: conflict(['placed'], 'start as "paid"') },
  ],
  [
    'start with the initial state below a parent',
    { request: 'POST /api/users/1/orders', body: {} },
    { status: 201, body: { id: 5, userId: 1, status: 'placed' } },
  ],
  [
    'refuse a whole list for one record',
    [{ request: 'POST /api/orders', body: [{}, { status: 'paid' }] }, 'GET /api/orders'],
    { status: 200, headers: { 'x-total-count': '4' } },
  ],
  [
    'change as transitions allow',
    { request: 'PATCH /api/orders/1', body: { status: 'paid' } },
    { status: 200, body: { id: 1, userId: 1, status: 'paid' } },
  ],
  [
    'refuse other changes and list the allowed states',
    { request: 'PATCH /api/orders/1', body: { status: 'shipped' } },
    {
      status: 409,
      headers: { 'content-type': 'application/problem+json; charset=utf-8' },
      body: {
        type: 'about:blank',
        title: 'Conflict',
        status: 409,
        detail:
          'Failed to change "status": a record cannot go from "placed" to "shipped". Please use paid or cancelled.',
        message:
          'Failed to change "status": a record cannot go from "placed" to "shipped". Please use paid or cancelled.',
        errors: { status: 'cannot go from "placed" to "shipped"' },
        issues: [{ pointer: '#/status', detail: 'cannot go from "placed" to "shipped"' }],
        allowed: ['paid', 'cancelled'],
      },
    },
  ],
  [
    'end',
    { request: 'PATCH /api/orders/3', body: { status: 'paid' } },
    { status: 409, body: conflict([], 'go from "shipped" to "paid"') },
  ],
  [
    'refuse an object',
    { request: 'PATCH /api/orders/1', body: { status: { a: 1 } } },
    { status: 409, body: conflict(['paid', 'cancelled'], 'go from "placed" to {"a":1}') },
  ],
  [
    'start with the initial state for null',
    { request: 'POST /api/orders', body: { status: null } },
    { status: 201, body: { id: 5, status: 'placed' } },
  ],
  [
    'do not change to null',
    { request: 'PATCH /api/orders/1', body: { status: null } },
    { status: 409, body: conflict(['paid', 'cancelled'], 'go from "placed" to null') },
  ],
  [
    'can stay null without a state',
    { request: 'PUT /api/orders/4', body: { status: null } },
    { status: 200, body: { id: 4, status: null } },
  ],
  [
    'stay',
    { request: 'PUT /api/orders/2', body: { userId: 1, status: 'paid', note: 'x' } },
    { status: 200, body: { id: 2, userId: 1, status: 'paid', note: 'x' } },
  ],
  [
    'stay when a PUT leaves them out',
    { request: 'PUT /api/orders/2', body: { userId: 1 } },
    { status: 200, body: { id: 2, userId: 1, status: 'paid' } },
  ],
  [
    'are the initial state for a record without the field',
    { request: 'PATCH /api/orders/4', body: { status: 'paid' } },
    { status: 200, body: { id: 4, userId: 1, status: 'paid' } },
  ],
])

contract(
  'states without an initial state',
  mockWith({ field: 'state', transitions: { on: ['off'], off: ['on'] } }),
  [
    [
      'start with any state',
      { request: 'POST /api/orders', body: { state: 'off' } },
      { status: 201, body: { id: 5, state: 'off' } },
    ],
    [
      'do not start with an unknown state',
      { request: 'POST /api/orders', body: { state: 'of' } },
      { status: 409, body: expect.objectContaining({ allowed: ['on', 'off'] }) },
    ],
    [
      'can be missing',
      { request: 'POST /api/orders', body: { status: 'any' } },
      { status: 201, body: { id: 5, status: 'any' } },
    ],
  ],
)

contract('actions', mockWith(options), [
  [
    'change the state',
    ['POST /api/orders/1/pay', 'GET /api/orders/1'],
    { status: 200, body: { id: 1, userId: 1, status: 'paid' } },
  ],
  [
    'respond with the record',
    'POST /api/orders/1/pay',
    { status: 200, body: { id: 1, userId: 1, status: 'paid' } },
  ],
  [
    'set fields and copy their fields from the body',
    { request: 'POST /api/orders/2/ship', body: { tracking: 'T1', status: 'placed', userId: 9 } },
    { status: 200, body: { id: 2, userId: 1, status: 'shipped', by: 'post', tracking: 'T1' } },
  ],
  [
    'need no body',
    'POST /api/orders/2/ship/',
    { status: 200, body: { id: 2, userId: 1, status: 'shipped', by: 'post' } },
  ],
  ['refuse a malformed body', { request: 'POST /api/orders/2/ship', body: '{' }, { status: 400 }],
  [
    'are refused if the state does not allow them',
    'POST /api/orders/1/ship',
    { status: 409, body: conflict(['paid', 'cancelled'], 'go from "placed" to "shipped"') },
  ],
  [
    'are refused the second time',
    ['POST /api/orders/1/pay', 'POST /api/orders/1/pay'],
    { status: 409, body: conflict(['shipped'], 'go from "paid" to "paid"') },
  ],
  ['are 404 for a missing record', 'POST /api/orders/9/pay', { status: 404 }],
  ['are 404 for an unknown name', 'POST /api/orders/1/fly', { status: 404 }],
  [
    'accept only POST',
    'GET /api/orders/1/pay',
    { status: 405, headers: { allow: 'POST, OPTIONS' } },
  ],
  [
    'list their methods for OPTIONS',
    'OPTIONS /api/orders/1/pay',
    { status: 204, headers: { allow: 'POST, OPTIONS' } },
  ],
  [
    'list their methods for a missing record, as members do',
    'OPTIONS /api/orders/9/pay',
    { status: 204, headers: { allow: 'POST, OPTIONS' } },
  ],
  [
    'with takes are 202',
    'POST /api/orders/1/cancel',
    {
      status: 202,
      headers: { location: 'http://mock.test/api/orders/1/cancel/1', 'retry-after': '5' },
      body: { id: '1', status: 'running', startedAt: '2026-01-01T00:00:00.000Z' },
    },
  ],
  [
    'with takes leave the record unchanged until they finish',
    ['POST /api/orders/1/cancel', 'GET /api/orders/1'],
    { status: 200, body: orders[0] },
  ],
  [
    'with takes report their progress',
    ['POST /api/orders/1/cancel', 'GET /api/orders/1/cancel/1'],
    {
      status: 200,
      headers: { 'retry-after': '5', 'cache-control': 'no-store' },
      body: { id: '1', status: 'running', startedAt: '2026-01-01T00:00:00.000Z' },
    },
  ],
  [
    'with takes do not start twice',
    ['POST /api/orders/1/cancel', 'POST /api/orders/1/cancel'],
    {
      status: 409,
      body: expect.objectContaining({
        detail:
          'Failed to start "/api/orders/1/cancel": the action is already running. Please wait for "/api/orders/1/cancel/1".',
      }),
    },
  ],
  [
    'with takes are refused at once',
    'POST /api/orders/2/cancel',
    { status: 409, body: conflict(['shipped'], 'go from "paid" to "cancelled"') },
  ],
  ['that never started have no progress', 'GET /api/orders/1/cancel/7', { status: 404 }],
  ['without takes have no progress', 'GET /api/orders/1/pay/1', { status: 404 }],
])

const tagOf = async (path: string): Promise<string> => {
  const mock = createMock(mockWith(options)())
  return (await mock.fetch(new Request(`http://mock.test${path}`))).headers.get('etag') ?? ''
}
const paid = await tagOf('/api/orders/1')

contract(
  'actions that can be repeated',
  mockWith({ transitions: { placed: ['placed'] }, actions: { place: 'placed' } }),
  [['stay in the state', 'POST /api/orders/1/place', { status: 200, body: orders[0] }]],
)

contract('actions with preconditions', mockWith(options), [
  [
    'succeed if the preconditions hold',
    { request: 'POST /api/orders/1/pay', headers: { 'if-match': paid } },
    { status: 200, body: { ...orders[0], status: 'paid' } },
  ],
  [
    'succeed for any existing record with a star',
    { request: 'POST /api/orders/1/pay', headers: { 'if-match': '*' } },
    { status: 200 },
  ],
  [
    'are 412 if the preconditions fail',
    { request: 'POST /api/orders/1/pay', headers: { 'if-match': '"old"' } },
    { status: 412 },
  ],
  [
    'are 412 after a change of the record',
    [
      { request: 'PATCH /api/orders/1', body: { userId: 2 } },
      { request: 'POST /api/orders/1/pay', headers: { 'if-match': paid } },
    ],
    { status: 412 },
  ],
  [
    'leave the record unchanged on 412',
    [{ request: 'POST /api/orders/1/pay', headers: { 'if-match': '"old"' } }, 'GET /api/orders/1'],
    { status: 200, body: orders[0] },
  ],
  [
    'are 412 at once with takes',
    { request: 'POST /api/orders/1/cancel', headers: { 'if-match': '"old"' } },
    { status: 412 },
  ],
  [
    'are 202 with takes',
    { request: 'POST /api/orders/1/cancel', headers: { 'if-match': paid } },
    { status: 202 },
  ],
])

contract(
  'actions on a collection that requires preconditions',
  () => ({ ...mockWith(options)(), preconditions: ['orders'] }),
  [
    ['are 428 without a precondition', 'POST /api/orders/1/pay', { status: 428 }],
    ['are 404 for a missing record', 'POST /api/orders/9/pay', { status: 404 }],
    [
      'succeed with a precondition',
      { request: 'POST /api/orders/1/pay', headers: { 'if-match': paid } },
      { status: 200 },
    ],
  ],
)

contract('a soft delete', mockWith({ softDelete: true }), [
  [
    'responds with the record',
    'DELETE /api/orders/1',
    { status: 200, body: { ...orders[0], deletedAt: '2026-01-01T00:00:00.000Z' } },
  ],
  ['makes the member 410', ['DELETE /api/orders/1', 'GET /api/orders/1'], { status: 410 }],
  ['is 410 the second time', ['DELETE /api/orders/1', 'DELETE /api/orders/1'], { status: 410 }],
  [
    'makes a write 410',
    ['DELETE /api/orders/1', { request: 'PATCH /api/orders/1', body: { userId: 2 } }],
    { status: 410 },
  ],
  [
    'removes the record from lists',
    ['DELETE /api/orders/1', 'GET /api/orders?_fields=id'],
    { status: 200, headers: { 'x-total-count': '3' }, body: [{ id: 2 }, { id: 3 }, { id: 4 }] },
  ],
  [
    'removes the record from embedded lists',
    [
      'DELETE /api/orders/1',
      'DELETE /api/orders/2',
      'DELETE /api/orders/3',
      'GET /api/users/1?_embed=orders',
    ],
    { status: 200, body: { ...fixtures.users[0], orders: [orders[3]] } },
  ],
  [
    'keeps the id in use',
    ['DELETE /api/orders/1', { request: 'POST /api/orders', body: { id: 1 } }],
    { status: 409 },
  ],
  [
    'keeps the record when its parent removes it again',
    ['DELETE /api/orders/1', 'DELETE /api/users/1?_dependent=orders', 'GET /api/orders'],
    { status: 200, body: [] },
  ],
  [
    'leaves other fields unchecked',
    { request: 'PATCH /api/orders/3', body: { status: 'anything' } },
    { status: 200 },
  ],
])

describe.each(Object.keys(faces))('time (%s)', (name) => {
  const run = async (
    own: StateOptions,
    act: (send: (request: TableRequest) => Promise<unknown>, clock: ManualClock) => Promise<void>,
  ): Promise<void> => {
    const clock = createManualClock()
    const stamps = fields({ orders: { timestamps: true } })
    const mock = createMock({ fixtures, clock, use: [states({ orders: own }), stamps] })
    const connection = await faces[name]?.(mock)
    if (!connection) throw new Error(`There is no face "${name}".`)
    try {
      await act(async (request) => bodyOf(await connection.send(request)), clock)
    } finally {
      await connection.close()
    }
  }

  it('finishes an action with takes as a write at that time', async () => {
    await run(options, async (send, clock) => {
      await send('POST /orders/1/cancel')
      clock.advance(5000)
      expect(await send('GET /orders/1/cancel/1')).toEqual({
        id: '1',
        status: 'succeeded',
        startedAt: '2026-01-01T00:00:00.000Z',
        finishedAt: '2026-01-01T00:00:05.000Z',
      })
      expect(await send('GET /orders/1')).toEqual({
        id: 1,
        userId: 1,
        status: 'cancelled',
        updatedAt: '2026-01-01T00:00:05.000Z',
      })
    })
  })

  it('checks preconditions when an action starts', async () => {
    await run(options, async (send, clock) => {
      await send({ request: 'POST /orders/1/cancel', headers: { 'if-match': paid } })
      await send({ request: 'PATCH /orders/1', body: { userId: 2 } })
      clock.advance(5000)
      expect(await send('GET /orders/1/cancel/1')).toMatchObject({ status: 'succeeded' })
    })
  })

  it('fails an action when the state has changed meanwhile', async () => {
    await run(options, async (send, clock) => {
      await send('POST /orders/1/cancel')
      await send('POST /orders/1/pay')
      clock.advance(5000)
      expect(await send('GET /orders/1/cancel/1')).toMatchObject({
        status: 'failed',
        error: { title: 'Conflict', status: 409 },
      })
    })
  })

  it('changes states after a time', async () => {
    const after = { placed: { to: 'paid', in: '1m' }, paid: { to: 'shipped', in: '1h' } }
    await run({ ...options, after }, async (send, clock) => {
      clock.advance(60_000)
      expect(await send('GET /orders?_fields=status')).toEqual([
        { status: 'paid' },
        { status: 'paid' },
        { status: 'shipped' },
        { status: 'paid' },
      ])
      clock.advance(3_600_000)
      expect(await send('GET /orders/1')).toMatchObject({ status: 'shipped' })
    })
  })
})

describe('states that change after a time', () => {
  const after = { placed: { to: 'paid', in: '1m' } }
  const open = (
    own: StateOptions = {},
  ): { clock: ManualClock; mock: ReturnType<typeof createMock<typeof fixtures>> } => {
    const clock = createManualClock()
    const use = [states({ orders: { ...options, after, ...own } })]
    return { clock, mock: createMock({ fixtures, clock, use }) }
  }

  it('count from the time when the record entered the state', () => {
    const { clock, mock } = open()
    clock.advance(30_000)
    mock.db.orders.insert({ userId: 1, status: 'placed' })
    clock.advance(30_000)
    expect([mock.db.orders.get(1)?.status, mock.db.orders.get(5)?.status]).toEqual([
      'paid',
      'placed',
    ])
    clock.advance(30_000)
    expect(mock.db.orders.get(5)?.status).toBe('paid')
  })

  it('do not change for a record that has left the state or is removed', () => {
    const { clock, mock } = open()
    mock.db.orders.update(1, { status: 'cancelled' })
    mock.db.orders.remove(4)
    clock.advance(60_000)
    expect(mock.db.orders.all().map(({ status }) => status)).toEqual([
      'cancelled',
      'paid',
      'shipped',
    ])
  })

  it('restart with a reset', () => {
    const { clock, mock } = open()
    clock.advance(59_999)
    mock.reset()
    clock.advance(59_999)
    expect(mock.db.orders.get(1)?.status).toBe('placed')
    clock.advance(1)
    expect(mock.db.orders.get(1)?.status).toBe('paid')
  })

  it('change for numbers too', () => {
    const clock = createManualClock()
    const levels = { transitions: { 0: [1] }, after: { 0: { to: 1, in: '1m' } } }
    const use = [states({ tickets: { field: 'level', ...levels } })]
    const mock = createMock({ fixtures: { tickets: [{ id: 1, level: 0 }] }, clock, use })
    clock.advance(60_000)
    expect(mock.db.tickets.get(1)?.level).toBe(1)
  })

  it('change separately in a fork', () => {
    const { clock, mock } = open()
    const other = mock.fork()
    other.db.orders.update(1, { status: 'cancelled' })
    clock.advance(60_000)
    expect([mock.db.orders.get(1)?.status, other.db.orders.get(1)?.status]).toEqual([
      'paid',
      'cancelled',
    ])
  })

  it('change for records of a reload', () => {
    const { clock, mock } = open()
    reloadAll(internalsOf(mock).store, { orders: [{ id: 7, userId: 1, status: 'placed' }] })
    clock.advance(60_000)
    expect(mock.db.orders.all()).toEqual([{ id: 7, userId: 1, status: 'paid' }])
  })

  it('notify subscribers', () => {
    const { clock, mock } = open()
    const heard: unknown[] = []
    mock.subscribe((change) => heard.push(change.type === 'updated' && change.record['status']))
    clock.advance(60_000)
    expect(heard).toEqual(['paid', 'paid'])
  })
})

describe('states', () => {
  it('add their routes to the mock', () => {
    const mock = createMock({ fixtures, use: [states({ orders: options })] })
    const own = mock.routes.filter(({ kind }) => kind === 'custom')
    expect(own.map(({ path, methods }) => `${methods.join()} ${path}`)).toEqual([
      'POST,OPTIONS /orders/:id/pay',
      'POST,OPTIONS /orders/:id/ship',
      'POST,OPTIONS /orders/:id/cancel',
      'GET,HEAD,OPTIONS /orders/:id/cancel/:operation',
    ])
  })

  it('cancel running actions with a reset', async () => {
    const clock = createManualClock()
    const mock = createMock({ fixtures, clock, use: [states({ orders: options })] })
    const cancel = (): Promise<Response> =>
      mock.fetch(new Request('http://x/orders/1/cancel', { method: 'POST' }))
    expect((await cancel()).headers.get('location')).toBe('http://x/orders/1/cancel/1')
    mock.reset()
    clock.advance(5000)
    expect(mock.db.orders.get(1)?.status).toBe('placed')
    expect((await cancel()).headers.get('location')).toBe('http://x/orders/1/cancel/1')
  })

  it('refuse actions in a read-only mock', async () => {
    const mock = createMock({ fixtures, readOnly: true, use: [states({ orders: options })] })
    const response = await mock.fetch(new Request('http://x/orders/1/pay', { method: 'POST' }))
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'OPTIONS'])
  })

  const wrong: [title: string, options: Record<string, unknown>, message: string][] = [
    [
      'an unknown option',
      { transition: {} },
      'Failed to read the options of "states" for "orders": there is no "transition". Did you mean "transitions"?',
    ],
    [
      'an unknown initial state',
      { transitions: { placed: ['paid'] }, initial: 'place' },
      'Failed to read the options of "states" for "orders": no transition names the state "place". Did you mean "placed"?',
    ],
    [
      'an action to an unknown state',
      { transitions: { placed: ['paid'] }, actions: { ship: 'shipped' } },
      'Failed to read the options of "states" for "orders": no transition names the state "shipped". Known: placed, paid.',
    ],
    [
      'an unknown option of an action',
      { transitions: { placed: ['paid'] }, actions: { pay: { too: 'paid' } } },
      'Failed to read the options of "states" for "orders", action "pay": there is no "too". Did you mean "to"?',
    ],
    [
      'a wrong duration',
      { transitions: { placed: ['paid'] }, after: { placed: { to: 'paid', in: 'soon' } } },
      'after "placed": "in" cannot be "soon".',
    ],
  ]

  it.each(wrong)('refuse %s', (_, own, message) => {
    expect(() => states({ orders: own })).toThrow(message)
  })
})
