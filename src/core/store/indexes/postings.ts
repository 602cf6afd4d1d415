import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { keyOfValue } from '../../json/equality.ts'
import type { JsonRecord } from '../../json/json.ts'
import { lowerBound } from '../../structures/lower-bound.ts'
import { type Path, someAt } from '../../json/path.ts'
import type { Index, IndexedRecords } from './indexed.ts'

/**
 * The index for equality: maps each value at a path, encoded by `keyOfValue`, to the slots (indexes in
 * insertion order) of the records with that value, in ascending order.
 */
export type Postings = Map<string, number[]>

/** Builds the postings of a path. */
export function buildPostings(records: IndexedRecords, path: Path): Index<Postings> {
  const entries: Postings = new Map()
  records.each((record, slot) => {
    for (const key of keysAt(record, path)) addToMultimap(entries, key, slot)
  })
  return {
    entries,
    update(before) {
      for (const [slot, held] of before) {
        const now = records.at(slot)
        for (const key of held ? keysAt(held, path) : []) {
          const slots = entries.get(key) ?? []
          slots.splice(lowerBound(slots, slot), 1)
          if (slots.length === 0) entries.delete(key)
        }
        for (const key of now ? keysAt(now, path) : []) {
          const slots = entries.get(key) ?? []
          entries.set(key, slots)
          slots.splice(lowerBound(slots, slot), 0, slot)
        }
      }
    },
  }
}

/** The union of ascending lists of slots, ascending. */
export function mergeAscending(lists: readonly (readonly number[])[]): readonly number[] {
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
