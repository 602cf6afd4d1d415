import { expect, it } from 'vitest'

import { createHeap } from '../../../../src/core/structures/heap.ts'
import { fc } from '../../../fast-check.ts'

it('returns items in the order of their keys, and equal keys in the order of insertion', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 9 })), fc.nat(20), (keys, popped) => {
      const heap = createHeap<[key: number, order: number]>()
      const items = keys.map((key, order): [number, number] => [key, order])
      const sorted = (list: typeof items) => list.toSorted((a, b) => a[0] - b[0] || a[1] - b[1])
      const first = items.slice(0, popped)
      for (const item of first) heap.push(item[0], item)
      const taken = first.slice(0, popped >> 1).map(() => heap.pop())
      expect(taken).toEqual(sorted(first).slice(0, popped >> 1))
      for (const item of items.slice(popped)) heap.push(item[0], item)
      const rest = sorted(items.filter((item) => !taken.includes(item)))
      expect(rest.map(() => [heap.lowest(), heap.pop()])).toEqual(rest.map((one) => [one[0], one]))
      expect([heap.lowest(), heap.pop()]).toEqual([Infinity, undefined])
    }),
  )
})
