import { describe, expect, it } from 'vitest'

import { auth, type Behaviour, delay } from '../../../../src/behaviours.ts'
import { laravel, rest } from '../../../../src/dialects.ts'
import { createManualClock, createMock } from '../../../../src/index.ts'

describe('createMock names a frequent mistake', () => {
  const rows: [title: string, options: object, expected: string][] = [
    ['a behaviour', { use: [delay(1), auth] }, 'use[1] is a function. Please call it: auth().'],
    [
      'a behaviour without a name',
      { use: [() => undefined] },
      'use[0] is a function. Please call it.',
    ],
    ['the one behaviour', { use: delay }, 'use is a function. Please call it: delay().'],
    [
      'a clock',
      { clock: createManualClock },
      'clock is a function. Please call it: createManualClock().',
    ],
    ['a dialect', { dialect: () => rest }, 'dialect is a function. Please call it: dialect().'],
    ['a promise', { use: [Promise.resolve(delay(1))] }, 'use[0] is a promise. Please await it.'],
    ['no list', { use: auth() }, 'use is a behaviour. Please put it into a list: [auth()].'],
    [
      'a list in the list',
      { use: [delay(1), [auth()]] },
      'use[1] is a list. Please write its behaviours into "use" itself.',
    ],
    ['a condition', { use: [false, auth()] }, 'use[0] is false. Please leave it out.'],
    ['a gap', { use: [auth(), undefined] }, 'use[1] is undefined. Please leave it out.'],
    [
      'settings',
      { use: [{ delay: 200 }] },
      '"use" cannot be [{"delay":200}]. Please give a list of (behaviours from "fixtura/behaviours", such as auth()).',
    ],
  ]

  it.each(rows)('with %s', (_title, options, expected) => {
    const create = (): unknown => createMock({ fixtures: {}, ...(options as { use: Behaviour[] }) })
    expect(create).toThrow(
      expect.objectContaining({ message: `Failed to read the configuration: ${expected}` }),
    )
  })

  it.each([
    ['rest', rest],
    ['laravel', laravel],
  ])('and takes the dialect %s as it is, and as its result', (_title, dialect) => {
    expect(() => createMock({ fixtures: {}, dialect })).not.toThrow()
  })
})
