import { expect, it } from 'vitest'

import type { Json, JsonRecord } from '../../../../src/core/json/json.ts'
import { applyEdits, diff } from '../../../../src/loader/persist/edits.ts'
import { fc } from '../../../fast-check.ts'

const list = Array.from({ length: 30 }, (_, n) => ({ n }))

const rows: [title: string, before: JsonRecord, after: JsonRecord, edits: unknown][] = [
  ['nothing', { a: 1 }, { a: 1 }, []],
  ['a changed member', { a: 1, b: 2 }, { a: 1, b: 3 }, [{ at: ['b'], to: 3 }]],
  ['a new member', { a: 1 }, { a: 1, b: null }, [{ at: ['b'], to: null }]],
  ['a removed member', { a: 1, b: 2 }, { a: 1 }, [{ at: ['b'] }]],
  [
    'a member inside',
    { a: { b: { c: 1, d: 2 } } },
    { a: { b: { c: 1 } } },
    [{ at: ['a', 'b', 'd'] }],
  ],
  ['a member with an index as key', { a: 1, 5: 0 }, { 1: 1, 5: 0, a: 1 }, [{ at: ['1'], to: 1 }]],
  ['a value of another kind', { a: [1] }, { a: { b: 1 } }, [{ at: ['a'], to: { b: 1 } }]],
  [
    'elements of a list of the same length',
    { list },
    { list: list.map(({ n }) => ({ n: n === 3 || n === 9 ? -n : n })) },
    [
      { at: ['list', 3, 'n'], to: -3 },
      { at: ['list', 9, 'n'], to: -9 },
    ],
  ],
  [
    'an element inserted into a list',
    { list },
    { list: [...list.slice(0, 4), { n: -1 }, ...list.slice(4)] },
    [{ at: ['list'], from: 4, drop: 0, add: [{ n: -1 }] }],
  ],
  [
    'an element removed from a list',
    { list: [1, 2, 3] },
    { list: [1, 3] },
    [{ at: ['list'], from: 1, drop: 1, add: [] }],
  ],
  [
    'many elements of a list at once',
    { list: [0, ...list, 0] },
    { list: [0, ...list.map(({ n }) => n), 0] },
    [{ at: ['list'], from: 1, drop: 30, add: list.map(({ n }) => n) }],
  ],
  ['a new member before an old one, as a whole', { a: 1, b: 2 }, { a: 1, c: 3, b: 2 }, undefined],
]

it.each(rows)('the edits of a record have %s', (_title, before, after, edits) => {
  expect(diff(before, after)).toEqual(edits)
  if (edits !== undefined) expect(applyEdits(before, diff(before, after) ?? [])).toEqual(after)
})

const key = fc.constantFrom('a', 'b', 'c', '1', '__proto__')
const { record } = fc.letrec<{ value: Json; record: JsonRecord }>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4 },
    fc.constantFrom(0, 1, 'x', null),
    fc.array(tie('value'), { maxLength: 20 }),
    tie('record'),
  ),
  record: fc.dictionary(key, tie('value'), { maxKeys: 4, noNullPrototype: true }),
}))

it('edits turn any record into any other, in the order of its new members', () => {
  fc.assert(
    fc.property(record, record, (before, after) => {
      const text = JSON.stringify(before)
      const edits = diff(before, after)
      if (!edits) return
      const read = JSON.parse(JSON.stringify(edits)) as typeof edits
      const changed = applyEdits(before, read) as JsonRecord
      expect(changed).toEqual(after)
      const isNew = (name: string): boolean => !Object.hasOwn(before, name)
      expect(Object.keys(changed).filter(isNew)).toEqual(Object.keys(after).filter(isNew))
      expect(JSON.stringify(before)).toBe(text)
    }),
    { numRuns: 2000 },
  )
})

it.each([
  ['a missing member', [{ at: ['b'] }]],
  ['a member of a missing member', [{ at: ['b', 'c'], to: 1 }]],
  ['a member of a number', [{ at: ['a', 'c'], to: 1 }]],
  ['an element after the end', [{ at: ['list', 2], to: 1 }]],
  ['elements after the end', [{ at: ['list'], from: 1, drop: 2, add: [] }]],
  ['elements of an object', [{ at: [], from: 0, drop: 0, add: [] }]],
])('edits of %s do not apply', (_title, edits) => {
  expect(() => applyEdits({ a: 1, list: [1, 2] }, edits)).toThrow('there is no')
})
