import { describe, expect, it } from 'vitest'

import { contract } from '../../faces.ts'
import { operations } from './json-api-atomic.ts'
import { atomicMusts, musts } from './json-api-musts.ts'
import { reads } from './json-api-reads.ts'
import { writes } from './json-api-writes.ts'

const tables = [...reads, ...writes, ...operations]

for (const table of tables) {
  contract(...table)
}

describe('the sentences of JSON:API 1.1 that bind servers', () => {
  const titles = new Set(tables.flatMap(([, , rows]) => rows.map(([title]) => title)))
  it.each([...musts, ...atomicMusts])('%s', (_, asked) => {
    const unknown = typeof asked === 'string' ? [] : asked.filter((title) => !titles.has(title))
    expect(unknown).toEqual([])
    expect(asked).not.toHaveLength(0)
  })
})
