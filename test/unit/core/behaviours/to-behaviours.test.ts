import { expect, it } from 'vitest'

import * as factories from '../../../../src/behaviours.ts'
import { toBehaviours } from '../../../../src/core/behaviours/to-behaviours.ts'

it('creates the named behaviours in their order', () => {
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

it('knows every behaviour with JSON options', () => {
  const isOther = (name: string): boolean =>
    [
      'acceptSocket',
      'createRequestState',
      'onLeave',
      'pause',
      'readJsonBody',
      'stages',
      'routes',
    ].includes(name)
  for (const name of Object.keys(factories).filter((one) => !isOther(one))) {
    expect(toBehaviours({ [name]: false })).toEqual([])
  }
})

const wrong: [title: string, settings: Record<string, unknown>, message: string][] = [
  [
    'an unknown name',
    { dealy: 1 },
    'Failed to use "dealy": there is no such behaviour. Did you mean "delay"?',
  ],
  ['a name of Object.prototype', { constructor: {} }, 'Failed to use "constructor"'],
  ['wrong options', { auth: { user: 'x' } }, 'there is no "user". Did you mean "users"?'],
  ['missing options', { states: true }, 'it cannot be undefined. Please give an object.'],
]

it.each(wrong)('refuses %s', (_, settings, message) => {
  expect(() => toBehaviours(settings)).toThrow(message)
})
