import { describe, expect, it } from 'vitest'

import { createVersionedCache } from '../../../../src/core/structures/versioned-cache.ts'

describe('a cache of results', () => {
  const rows: [title: string, keys: string[], version: () => number, computed: number][] = [
    ['computes a result once', ['a', 'b', 'a', 'b'], () => 1, 2],
    ['computes a result again for another version', ['a', 'a'], () => versions++, 2],
    ['keeps the last 128 results', ['a', ...many(127), 'a', 'further', 'a', '0'], () => 1, 130],
    ['has no results with long keys', ['x'.repeat(20_000), 'x'.repeat(20_000)], () => 1, 2],
  ]
  let versions = 0

  it.each(rows)('%s', (_title, keys, version, computed) => {
    const cache = createVersionedCache(version)
    let count = 0
    for (const key of keys) {
      const result = cache.get(key, () => {
        count++
        return { key }
      })
      expect(result).toEqual({ key })
    }
    expect(count).toBe(computed)
  })
})

function many(count: number): string[] {
  return Array.from({ length: count }, (_, at) => String(at))
}
