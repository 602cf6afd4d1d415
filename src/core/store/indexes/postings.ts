import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { keyOfValue } from '../../json/equality.ts'
import type { JsonRecord } from '../../json/json.ts'
import { lowerBound } from '../../structures/lower-bound.ts'
import { type Path, someAt } from '../../json/path.ts'
import type { Index, IndexedRecords } from './indexed.ts'

/** For every value at a path the slots, rising, of the records that hold it. */
export type Postings = Map<string, number[]>

/** Builds the postings of a path. */
export function buildPostings(records: IndexedRecords, path: Path): Index<Postings> {
  const kept: Postings = new Map()
  records.each((record, slot) => {
    for (const key of keysAt(record, path)) addToMultimap(kept, key, slot)
  })
  return {
    kept,
    update(before) {
      for (const [slot, held] of before) {
        const now = records.at(slot)
        for (const key of held ? keysAt(held, path) : []) {
          const slots = kept.get(key) ?? []
          slots.splice(lowerBound(slots, slot), 1)
        }
        for (const key of now ? keysAt(now, path) : []) {
          const slots = kept.get(key) ?? []
          kept.set(key, slots)
          slots.splice(lowerBound(slots, slot), 0, slot)
        }
      }
    },
  }
}

/** The slots of several rising lists as one, each once. */
export function mergeRising(lists: readonly (readonly number[])[]): readonly number[] {
  const [only = [], ...others] = lists.filter(({ length }) => length > 0)
  if (others.length === 0) return only
  return [...new Set(lists.flat())].sort((a, b) => a - b)
}

function keysAt(record: JsonRecord, path: Path): Iterable<string> {
  const keys = new Set<string>()
  someAt(record, path, 0, (value) => {
    const key = keyOfValue(value)
    if (key !== undefined) keys.add(key)
    return false
  })
  return keys
}
