import { describe, expect, it, onTestFinished, vi } from 'vitest'

import { type Behaviour, type RouteHandler, routes } from '../../../../src/behaviours.ts'
import { createMock, type Mock, MockError } from '../../../../src/index.ts'
import type { JsonRecord } from '../../../../src/core/json/json.ts'

type Data = Record<string, JsonRecord[]>

const headers = { 'Content-Type': 'application/json' }
const fixtures = { posts: [{ id: 1, title: 'First' }] }

function spyOnErrors(): ReturnType<typeof vi.spyOn> {
  const spy = vi.spyOn(console, 'error').mockImplementation(() => undefined)
  onTestFinished(() => spy.mockRestore())
  return spy
}

async function expectMistake(mock: Mock, errors: unknown, reason: string): Promise<void> {
  const response = await mock.fetch('/posts', { method: 'POST', headers, body: '{}' })
  expect(response.status).toBe(500)
  expect(await response.text()).not.toContain(reason)
  const place = /handler-mistakes\.test\.ts:\d+:\d+/
  expect(mock.log[0]?.reason).toContain(reason)
  expect(mock.log[0]?.reason).toMatch(place)
  expect(errors).toHaveBeenCalledExactlyOnceWith(
    expect.stringMatching(/^Failed to answer POST "\/posts" \(.+\):$/),
    expect.objectContaining({
      message: expect.stringContaining(reason) as string,
      stack: expect.stringMatching(place) as string,
    }),
  )
}

const rows: [title: string, handler: RouteHandler<Data>, reason: string][] = [
  [
    'an unknown collection',
    (_, { db }) => db['pots']?.all(),
    'Failed to find the collection "pots". Did you mean "posts"?',
  ],
  [
    'an unknown field of find',
    (_, { db }) => db['posts']?.find({ where: { titel: 'x' } }),
    'no record has had the field "titel"',
  ],
  [
    'an unknown field of count',
    (_, { db }) => db['posts']?.count({ where: { titel: 'x' } }),
    'no record has had the field "titel"',
  ],
  [
    'an unknown field of sort',
    (_, { db }) => db['posts']?.find({ sort: '-titel' }),
    'no record has had the field "titel"',
  ],
  [
    'a filter without where',
    (_, { db }) => db['posts']?.find({ title: 'x' } as never),
    'there is no "title"',
  ],
  [
    'a filter of another shape',
    (_, { db }) => db['posts']?.find({ where: { title: { is: 'x' } } }),
    'it has the unknown operator "is"',
  ],
  [
    'an error of another kind',
    async () => {
      await Promise.resolve()
      throw new TypeError('x is not a function')
    },
    'x is not a function',
  ],
]

describe('a mistake in a handler is a 500 with its place', () => {
  it.each(rows)('for %s', async (_, handler, reason) => {
    const errors = spyOnErrors()
    const mock = createMock({ fixtures, use: [routes<Data>({ 'POST /posts': handler })] })
    await expectMistake(mock, errors, reason)
  })

  it.each(['at', 'write', 'view'] as const)('in the hook %s', async (name) => {
    const errors = spyOnErrors()
    const own: Behaviour = {
      name: 'own',
      create({ db }) {
        const fail = (): undefined => void db['pots']?.all()
        return { [name]: name === 'at' ? { entry: fail } : fail }
      },
    }
    const mock = createMock({ fixtures, use: [own] })
    await expectMistake(mock, errors, 'Failed to find the collection "pots".')
  })

  it('and calls outside of a request throw the error as it is', () => {
    const { db } = createMock({ fixtures })
    expect(() => Reflect.get(db, 'pots')).toThrow(expect.objectContaining({ status: 404 }))
  })
})

describe('an error that a handler means keeps its status', () => {
  const meant: [title: string, handler: RouteHandler<Data>, status: number][] = [
    ['an own MockError', () => Promise.reject(new MockError('No.', { status: 418 })), 418],
    ['a missing record', (_, { db, params }) => db['posts']?.update(params['id'] ?? '', {}), 404],
    ['a taken id', (_, { db }) => db['posts']?.insert({ id: 1 }), 409],
    ['no record', (_, { db }) => db['posts']?.insert([] as never), 400],
  ]

  it.each(meant)('for %s', async (_, handler, status) => {
    const mock = createMock({ fixtures, use: [routes<Data>({ 'POST /own/:id': handler })] })
    expect((await mock.fetch('/own/9', { method: 'POST' })).status).toBe(status)
  })
})
