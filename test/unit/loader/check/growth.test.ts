import { growthOf, linear } from '../../../steps.ts'

import { expect, it } from 'vitest'

import type { Json } from '../../../../src/core/json/json.ts'
import { createFolder } from '../folder.ts'
import { loadFixtures } from '../../../../src/loader/load.ts'

const rows: [title: string, record: Json, last: string][] = [
  ['the same id', { id: 1 }, 'the id "1" is used twice, first at 3:11 (and 189 more).'],
  ['no valid ids', { id: {} }, 'but "id" holds an object (and 190 more).'],
]

it.each(rows)('finds records with %s in linear steps', async (_title, record, last) => {
  const load = async (size: number): Promise<string | undefined> => {
    const cwd = createFolder({ 'f/posts.json': Array<Json>(size).fill(record) })
    const { diagnostics } = await loadFixtures(['f'], { cwd })
    return diagnostics[9]?.message
  }
  expect(await load(200)).toContain(last)
  expect(await growthOf(200, (size) => () => load(size))).toBeLessThan(linear)
})
