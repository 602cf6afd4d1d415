import { expect, it } from 'vitest'

import { createIntegerLists } from '../../../../src/core/structures/integer-lists.ts'
import { fc } from '../../../fast-check.ts'

const integer = fc.oneof(
  fc.nat(300),
  fc.constantFrom(127, 128, 16_383, 16_384, 2 ** 21, 2 ** 28, 2 ** 31, 2 ** 32 - 1),
)
const step = fc.record({ list: fc.nat(3), integer, isRemoved: fc.boolean() })

it('has the integers of sets, in ascending order, after any additions and removals', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 200 }), fc.boolean(), (steps, isAscending) => {
      const lists = createIntegerLists()
      const sets = Array.from({ length: 4 }, () => new Set<number>())
      expect(sets.map(() => lists.create())).toEqual([0, 1, 2, 3])
      if (isAscending) steps.sort((one, other) => one.integer - other.integer)
      for (const { list, integer: one, isRemoved } of steps) {
        if (isRemoved) lists.remove(list, one)
        else lists.add(list, one)
        sets[list]?.[isRemoved ? 'delete' : 'add'](one)
      }
      const expected = sets.map((set) => [...set].sort((a, b) => a - b))
      expect([...lists.read([0, 1, 2, 3])]).toEqual(expected.flat())
      expect([...lists.read([2, 0])]).toEqual([expected[2], expected[0]].flat())
      for (const [list, set] of sets.entries())
        expect(lists.sizeOf(list) === 0).toBe(set.size === 0)
    }),
    { numRuns: 500 },
  )
})

it('holds very many and very long lists in little more than a byte for each integer', () => {
  const lists = createIntegerLists()
  for (let list = 0; list < 1000; list++) lists.create()
  for (let at = 0; at < 100_000; at++) lists.add(at % 10 === 0 ? 0 : at % 1000, at)
  expect(lists.read([0])).toHaveLength(10_000)
  expect(lists.sizeOf(0)).toBe(10_000)
  expect([...lists.read([7])]).toEqual(Array.from({ length: 100 }, (_, at) => at * 1000 + 7))
})
