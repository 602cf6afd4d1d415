import { expect, it } from 'vitest'

import { compareValues } from '../../../../src/core/json/compare.ts'
import { sortSlots } from '../../../../src/core/store/indexes/order.ts'
import { createRandom } from '../../../../src/core/time/random.ts'
import { fc } from '../../../fast-check.ts'

/** Sorts by comparisons alone. */
function sortPlainly(values: readonly unknown[], descending: boolean): number[] {
  return [...values.keys()].sort((a, b) => compareValues(values[a], values[b], descending) || a - b)
}

function sort(values: readonly unknown[], descending: boolean): number[] {
  const steps = sortSlots([...values.keys()], (slot) => values[slot], descending)
  for (;;) {
    const { done, value: sorted } = steps.next()
    if (done) return [...sorted]
  }
}

const text = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 12 }),
  fc.string({ unit: fc.constantFrom('a', 'b', '\0', '\uffff'), maxLength: 12 }),
  fc.constantFrom('', '\0', '2026-01-01', '2026-01-02', 'aaaaaaaa', 'aaaaaaaa\0'),
)
const value = fc.oneof(
  text,
  fc.double({ noNaN: true }),
  fc.integer(),
  fc.constantFrom(
    0,
    -0,
    1,
    -1,
    Infinity,
    -Infinity,
    Number.MIN_VALUE,
    null,
    undefined,
    true,
    false,
  ),
  fc.constant([1]),
)

it('sorts values of any type as comparisons do', () => {
  fc.assert(
    fc.property(
      fc.oneof(
        fc.array(value, { maxLength: 400, size: 'max' }),
        fc.array(text, { minLength: 60, maxLength: 400, size: 'max' }),
      ),
      fc.boolean(),
      (values, descending) => {
        expect(sort(values, descending)).toEqual(sortPlainly(values, descending))
      },
    ),
    { numRuns: 300 },
  )
})

it('sorts many numbers, and many texts with a long common start, as comparisons do', () => {
  const random = createRandom('sort')
  const numbers = Array.from({ length: 20_000 }, () => Math.floor((random() - 0.5) * 1e6) / 100)
  const texts = numbers.map(
    (number) => `https://example.com/${number % 100}/${'x'.repeat(9)}${number}`,
  )
  for (const values of [numbers, texts]) {
    for (const descending of [false, true]) {
      expect(sort(values, descending)).toEqual(sortPlainly(values, descending))
    }
  }
})
