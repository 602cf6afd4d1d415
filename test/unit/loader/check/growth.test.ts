import { growthOf, linear } from '../../../steps.ts'

import { expect, it } from 'vitest'

import type { Json } from '../../../../src/core/json/json.ts'
import { createFolder } from '../folder.ts'
import { loadFixtures } from '../../../../src/loader/load.ts'

const rows: [title: string, record: Json, problems: number][] = [
  ['the same id', { id: 1 }, 199],
  ['no valid ids', { id: {} }, 200],
]

it.each(rows)('finds records with %s in linear steps', async (_title, record, problems) => {
  const load = async (size: number): Promise<number> => {
    const cwd = createFolder({ 'f/posts.json': Array<Json>(size).fill(record) })
    const { diagnostics } = await loadFixtures(['f'], { cwd })
    return diagnostics.length
  }
  expect(await load(200)).toBe(problems)
  expect(await growthOf(200, (size) => () => load(size))).toBeLessThan(linear)
})
