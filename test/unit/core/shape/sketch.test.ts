import { describe, expect, it } from 'vitest'
import {
  addValue,
  countDistinct,
  createSketch,
  hashNumber,
  hashText,
  mergeSketch,
  sampleSize,
  type Sketch,
} from '../../../../src/core/shape/observe/sketch.ts'
import { fc } from '../../../fast-check.ts'

function sketchOf(values: readonly number[], hashOf = hashNumber): Sketch<number> {
  const sketch = createSketch(hashOf)
  for (const value of values) addValue(sketch, value)
  return sketch
}

function contentOf({ entries, limit }: Sketch<number>): unknown {
  return [
    limit,
    Array.from(entries.values(), ({ value, count }) => `${value} × ${count}`).toSorted(),
  ]
}

/** Some values, many of them more than once. */
const values = fc.array(fc.nat(1000), { maxLength: 1000, size: 'max' })

describe('a sketch', () => {
  it('counts each value that it holds', () => {
    fc.assert(
      fc.property(values, (all) => {
        for (const { value, count } of sketchOf(all).entries.values()) {
          expect(count).toBe(all.filter((other) => other === value).length)
        }
      }),
      { numRuns: 20 },
    )
  })

  it('holds the same values in any order', () => {
    fc.assert(
      fc.property(values, (all) => {
        expect(contentOf(sketchOf(all.toReversed()))).toEqual(contentOf(sketchOf(all)))
      }),
    )
  })

  it('equals the sketch of two parts that are merged', () => {
    fc.assert(
      fc.property(values, values, (first, second) => {
        const merged = sketchOf(first)
        mergeSketch(merged, sketchOf(second))
        expect(contentOf(merged)).toEqual(contentOf(sketchOf([...first, ...second])))
      }),
    )
  })

  it('holds a bounded number of values whose hashes are equal', () => {
    const ascending = Array.from({ length: 1000 }, (_, at) => at)
    const sketch = sketchOf(ascending, () => 7)
    expect([...sketch.entries.keys()]).toEqual(ascending.slice(0, sampleSize))
    expect(contentOf(sketchOf(ascending.toReversed(), () => 7))).toEqual(contentOf(sketch))
  })

  it.each([10, 256, 257, 1000, 50_000])('estimates the number of %i values', (count) => {
    const ids = createSketch(hashText)
    for (let at = 0; at < count; at++) addValue(ids, `user-${at}`)
    const error = Math.abs(countDistinct(ids) - count) / count
    expect(error).toBeLessThan(count > sampleSize ? 0.2 : Number.MIN_VALUE)
    const numbers = countDistinct(sketchOf(Array.from({ length: count }, (_, at) => at / 4)))
    expect(Math.abs(numbers - count) / count).toBeLessThan(0.2)
  })
})
