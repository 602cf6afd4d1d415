import { setFlagsFromString } from 'node:v8'
import { runInNewContext } from 'node:vm'

import { describe, expect, it } from 'vitest'

import { createVersionedCache } from '../../../../src/core/structures/versioned-cache.ts'

describe('a cache of results', () => {
  const rows: [title: string, keys: string[], version: () => number, computed: number][] = [
    ['computes a result once', ['a', 'b', 'a', 'b'], () => 1, 2],
    ['computes a result again for another version', ['a', 'a'], () => versions++, 2],
    ['keeps the last 64 results', ['a', ...many(63), 'a', 'further', 'a', '0'], () => 1, 65],
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

  it('keeps results that are asked for, and discards others', () => {
    const cache = createVersionedCache(() => 1)
    cache.get('rare', () => ['first'])
    for (let at = 0; at < 500; at++) {
      cache.get(`other ${at}`, () => [at])
      expect(cache.get('frequent', () => [at])).toEqual([0])
    }
    expect(cache.get('rare', () => ['second'])).toEqual(['second'])
  })

  it('leaves the results of earlier versions to the collection of young objects', () => {
    setFlagsFromString('--expose-gc')
    const collect = runInNewContext('gc') as (options: { type: 'minor' }) => void
    const size = 2 ** 16
    let version = 0
    const cache = createVersionedCache(() => version)
    cache.get('a', () => new Uint8Array(size))
    // Objects that survive a few collections are old.
    for (let time = 0; time < 4; time++) collect({ type: 'minor' })
    const before = process.memoryUsage().arrayBuffers
    for (version = 1; version < 100; version++) {
      cache.get('a', () => new Uint8Array(size))
      collect({ type: 'minor' })
    }
    expect(process.memoryUsage().arrayBuffers - before).toBeLessThan(size * 25)
  })
})

function many(count: number): string[] {
  return Array.from({ length: count }, (_, at) => String(at))
}
