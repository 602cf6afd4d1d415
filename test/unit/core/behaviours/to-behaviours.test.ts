import { expect, it } from 'vitest'

import * as factories from '../../../../src/behaviours.ts'
import { toBehaviours } from '../../../../src/core/behaviours/to-behaviours.ts'

it('makes the behaviours that are named, in their order', () => {
  const settings = {
    delay: '200-800',
    idempotency: true,
    auth: { scheme: 'basic' },
    sessions: false,
    states: { orders: { softDelete: true } },
  }
  const made = toBehaviours(JSON.parse(JSON.stringify(settings)) as Record<string, unknown>)
  expect(made.map(({ name }) => name)).toEqual(['delay', 'idempotency', 'auth', 'states'])
})

it('knows every behaviour that takes no function', () => {
  const isOther = (name: string): boolean =>
    ['createRequestState', 'onLeave', 'stages', 'routes'].includes(name)
  for (const name of Object.keys(factories).filter((one) => !isOther(one))) {
    expect(toBehaviours({ [name]: false })).toEqual([])
  }
})

const wrong: [title: string, settings: Record<string, unknown>, message: string][] = [
  [
    'a name that there is not',
    { dealy: 1 },
    'Failed to use "dealy": there is no such behaviour. Did you mean "delay"?',
  ],
  ['a name that only looks like one', { constructor: {} }, 'Failed to use "constructor"'],
  ['options that are wrong', { auth: { user: 'x' } }, 'there is no "user". Did you mean "users"?'],
  [
    'options where there have to be some',
    { states: true },
    'it cannot be undefined. Please give an object.',
  ],
]

it.each(wrong)('refuses %s', (_, settings, message) => {
  expect(() => toBehaviours(settings)).toThrow(message)
})
