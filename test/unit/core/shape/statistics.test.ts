import { expect, it } from 'vitest'

import type { Json } from '../../../../src/core/json/json.ts'
import { createShapes } from '../../../../src/core/shape/shapes.ts'
import { toSources } from '../../../../src/core/shape/sources.ts'
import type { Statistics } from '../../../../src/core/shape/statistics.ts'

function statisticsOf(value: Json): Statistics | undefined {
  return createShapes()(toSources({ things: value }))[0]?.statistics
}

function valuesOf<T>(...frequencies: [value: T, count: number][]) {
  const isUnique = frequencies.length > 1 && frequencies[0]?.[1] === 1
  return { distinct: frequencies.length, isUnique, isSample: false, frequencies }
}

it('counts the values of each field by kind', () => {
  const records = [
    { id: 1, price: 1.25, on: true, tags: ['a', 'b'], at: '2024-02-29', size: {} },
    { id: 2, price: 2, on: false, tags: [], at: '2023-01-01', size: null },
    { id: 4, price: -0.5, tags: ['a'], at: '2024-02-29', extra: 'longer' },
  ]
  const ids = { integers: 3, min: 1, max: 4, decimals: 0, values: valuesOf([1, 1], [2, 1], [4, 1]) }
  const prices = { integers: 1, min: -0.5, max: 2, decimals: 2 }
  const priceValues = valuesOf([-0.5, 1], [1.25, 1], [2, 1])
  const tags = { minLength: 1, maxLength: 1, meanLength: 1, values: valuesOf(['a', 2], ['b', 1]) }
  const dates = { minLength: 10, maxLength: 10, meanLength: 10, format: 'date' }
  const dateValues = valuesOf(['2024-02-29', 2], ['2023-01-01', 1])
  const extras = { minLength: 6, maxLength: 6, meanLength: 6, values: valuesOf(['longer', 1]) }
  const ofThree = { present: 3, count: 3, nulls: 0 }
  const fields = {
    id: { ...ofThree, numbers: { count: 3, ...ids } },
    price: { ...ofThree, numbers: { count: 3, ...prices, values: priceValues } },
    on: { present: 2, count: 2, nulls: 0, booleans: { true: 1, false: 1 } },
    tags: {
      ...ofThree,
      arrays: {
        count: 3,
        minItems: 0,
        maxItems: 2,
        meanItems: 1,
        items: { count: 3, nulls: 0, strings: { count: 3, ...tags } },
      },
    },
    at: {
      ...ofThree,
      strings: { count: 3, ...dates, min: '2023-01-01', max: '2024-02-29', values: dateValues },
    },
    size: {
      present: 2,
      count: 2,
      nulls: 1,
      objects: { count: 1, minProperties: 0, maxProperties: 0, meanProperties: 0, fields: {} },
    },
    extra: { present: 1, count: 1, nulls: 0, strings: { count: 1, ...extras } },
  }
  expect(statisticsOf(records)).toEqual({
    count: 3,
    nulls: 0,
    objects: { count: 3, minProperties: 5, maxProperties: 6, meanProperties: 17 / 3, fields },
  })
})

it('is plain data', () => {
  const [shape] = createShapes()(toSources({ things: [{ id: 1, a: [{ b: 'x' }], c: { 1: 2 } }] }))
  expect(JSON.parse(JSON.stringify(shape))).toEqual(shape)
})

it('knows a format before the schema claims it', () => {
  const [shape] = createShapes()(toSources({ things: [{ id: 1, zip: '01234' }] }))
  expect(shape?.statistics.objects?.fields?.['zip']?.strings?.format).toBe('numeric')
  expect(shape?.schema).toMatchObject({ properties: { zip: { type: 'string' } } })
})

it('samples the values of a field with many, with the count of each', () => {
  const records = Array.from({ length: 3000 }, (_, at) => ({
    id: at,
    parent: at % 1000,
    name: `n${at}`,
  }))
  const { parent, name } = statisticsOf(records)?.objects?.fields ?? {}
  const { values } = parent?.numbers ?? {}
  expect(values?.frequencies).toHaveLength(256)
  expect(values?.frequencies.every(([, count]) => count === 3)).toBe(true)
  expect(values).toMatchObject({ isUnique: false, isSample: true })
  expect(values?.distinct).toBeGreaterThan(800)
  expect(values?.distinct).toBeLessThan(1200)
  expect(name?.strings?.values).toMatchObject({ isUnique: true, isSample: true })
})

it('describes the values of a map as one', () => {
  expect(statisticsOf({ counts: { 10: 1, 20: 3 } })?.objects?.fields?.['counts']?.objects).toEqual({
    count: 1,
    minProperties: 2,
    maxProperties: 2,
    meanProperties: 2,
    values: expect.objectContaining({ count: 2, nulls: 0 }) as Statistics,
  })
})
