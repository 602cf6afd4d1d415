import { describe, expect, it } from 'vitest'

import type { JsonRecord } from '../../../../../src/core/json/json.ts'
import { createIndexes } from '../../../../../src/core/store/indexes/indexes.ts'

/** Indexes of a hundred records, and the number of scans. */
function open() {
  const records: JsonRecord[] = Array.from({ length: 100 }, (_, a) => ({ a, b: -a }))
  let builds = 0
  const indexes = createIndexes({
    version: 0,
    size: records.length,
    length: records.length,
    at: (slot) => records[slot],
    snapshot() {
      builds++
      const copy = records.slice()
      return { length: copy.length, at: (slot) => copy[slot] }
    },
  })
  return {
    indexes,
    records,
    builds: () => builds,
    write(slot: number, record: JsonRecord) {
      const before = records[slot]
      records[slot] = record
      indexes.noteWrite(slot, before)
    },
  }
}

describe('indexes', () => {
  it('are updated after any number of writes between queries, and rebuilt if not queried for long', () => {
    const { indexes, records, builds, write } = open()
    const inOrder = (field: string) =>
      records
        .map((_, slot) => slot)
        .toSorted((a, b) => Number(records[a]?.[field]) - Number(records[b]?.[field]) || a - b)
    const orderOf = (field: string) =>
      indexes.lists([], [], [{ path: [field], descending: false }])?.[0]?.list
    for (const field of ['a', 'a', 'b', 'b']) orderOf(field)
    expect(builds()).toBe(2)
    for (let at = 0; at < 5000; at++) {
      write((at * 7) % 100, { a: (at * 31) % 100, b: at })
      if (at % 50 === 0) expect(orderOf('a')).toEqual(inOrder('a'))
    }
    expect(builds()).toBe(2)
    expect(orderOf('b')).toEqual(inOrder('b'))
    expect(builds()).toBe(3)
  })

  it('go when none of 100,000 questions has used them', () => {
    const { indexes, builds } = open()
    const use = (field: string) => indexes.lists([[field]], [[1]], [], 'whole')
    use('a')
    for (let at = 0; at < 99_999; at++) use('b')
    use('a')
    expect(builds()).toBe(2)
    for (let at = 0; at < 101_024; at++) use('b')
    use('a')
    expect(builds()).toBe(3)
  })

  it('are at most 64: a further index replaces the index that was used least recently', () => {
    const { indexes, builds } = open()
    const use = (field: string) => indexes.lists([[field]], [[1]], [], 'whole')
    for (let at = 0; at < 64; at++) use(`f${at}`)
    use('f0')
    use('further')
    expect(builds()).toBe(65)
    use('f0')
    expect(builds()).toBe(65)
    use('f1')
    expect(builds()).toBe(66)
  })

  it('are all rebuilt after very many writes without a query', () => {
    const { indexes, builds, write } = open()
    for (let times = 0; times < 2; times++) indexes.lists([['a']], [[]])
    for (let at = 0; at < 5000; at++) write(at % 100, { a: at })
    expect(indexes.lists([['a']], [[4901]])).toEqual([{ size: 1, list: [1] }])
    expect(builds()).toBe(2)
  })
})
