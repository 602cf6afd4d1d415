// The steps are counted in modules that this import comes before.
import { growthOf, linear } from '../../../steps.ts'

import { expect, it } from 'vitest'

import type { Json } from '../../../../src/core/json/json.ts'

const { createShapes } = await import('../../../../src/core/shape/shapes.ts')
const { toSources } = await import('../../../../src/core/shape/sources.ts')

const rows: [title: string, create: (at: number) => Json][] = [
  [
    'records',
    (at) => ({ id: at, title: `post ${at}`, at: '2024-02-29T12:30:00Z', tags: ['a', at] }),
  ],
  ['records with different keys', (at) => ({ id: at, [`key${at}`]: at })],
  [
    'maps with different keys',
    (at) => ({ id: at, map: { [`key${at}`]: { [`key${at * 2}`]: at } } }),
  ],
  ['numbers that grow', (at) => ({ id: at, value: at / 3 })],
]

it.each(rows)('takes time in proportion to the number of %s', async (_title, create) => {
  const growth = await growthOf(4000, (size) => {
    const sources = toSources({ things: Array.from({ length: size }, (_, at) => create(at)) })
    return () => createShapes()(sources)
  })
  expect(growth).toBeLessThan(linear)
})

it('holds a bounded number of values and fields', () => {
  const create = (at: number): Json => ({
    id: at,
    [`key${at}`]: `value ${at}`,
    map: { [`key${at}`]: at },
  })
  const sizes = [2000, 4000].map((size) => {
    const [shape] = createShapes()(
      toSources({ things: Array.from({ length: size }, (_, at) => create(at)) }),
    )
    return JSON.stringify(shape?.statistics.objects?.values).replaceAll(/\d/g, '').length
  })
  expect(sizes[1]).toBeLessThan((sizes[0] ?? 0) * 1.1)
})
