import type { JsonRecord } from '../json/json.ts'
import { type Bits, countWord, hasBit } from '../structures/bits.ts'
import { type SlotSet, toBits } from '../structures/slot-set.ts'
import { filterSlots } from './filter-slots.ts'
import type { Predicate } from './predicate.ts'
import type { Shortcuts } from './shortcuts.ts'
import { sortRecords } from './sort.ts'
import type { Query, SortKey } from './tree.ts'
import { compileWhere, partsOf } from './where.ts'

/**
 * Finds and sorts the records that match a query, before the query is cut to a page. If the collection has
 * indexes (`shortcuts`), the result is cached for further pages of the same query.
 */
export function select(
  source: Pick<QuerySource, 'records' | 'shortcuts'>,
  query: SelectQuery,
): Selection {
  const { where, search, sort } = query
  const { shortcuts } = source
  if (!where && !search && !sort) return source.records()
  if (!shortcuts) return scan(source.records(), query)
  const filterKey = JSON.stringify([where, search])
  return shortcuts.results.get(filterKey + JSON.stringify(sort), () => {
    const set = shortcuts.results.get(filterKey, () => filterSlots(query, shortcuts))
    return sort?.length ? inOrder(set, sort, shortcuts) : inSlotOrder(set, shortcuts)
  })
}

/** The records that a query finds, in order, before slicing. */
export interface Selection {
  readonly length: number
  slice(start: number, end: number): readonly JsonRecord[]
}

/** The collection that a query runs on: its records in insertion order, and its indexes if there are any. */
export interface QuerySource {
  readonly name: string
  records(): readonly JsonRecord[]
  /** The ordinal of a record, which orders equal records and stays the same until the record is removed. */
  ordinalOf(record: JsonRecord): number
  /** Indexes of the records, if there are any. */
  shortcuts?: Shortcuts
}

type SelectQuery = Pick<Query, 'where' | 'search' | 'sort'>

/** Tests and sorts the records themselves. */
function scan(records: readonly JsonRecord[], query: SelectQuery): readonly JsonRecord[] {
  const found = records.filter(toPredicate(query))
  return query.sort?.length ? sortRecords(found, query.sort) : found
}

/** Returns the predicate of the filter and the search of a query. */
export function toPredicate(query: Pick<Query, 'where' | 'search'>): Predicate {
  return compileWhere({ and: partsOf(query) })
}

/**
 * Returns the records of a set in the order of a sort. A page is found by reading the order from its nearer
 * end; once the pages have read more than the whole order, the slots of the set are put in order. A short list
 * is sorted instead.
 */
function inOrder(set: SlotSet, sort: readonly SortKey[], shortcuts: Shortcuts): Selection {
  const { size } = set
  const order = shortcuts.indexes.order(sort, size * 4 > shortcuts.length)
  // A short list is sorted faster than found in the order of all.
  if (!order || size ** 2 * 8 < shortcuts.length) {
    const whole = inSlotOrder(set, shortcuts)
    return sortRecords(whole.slice(0, size), sort)
  }
  const { at } = shortcuts
  let ordered = size === order.length ? order : undefined
  let read = 0
  const bits = toBits(set, shortcuts.length)
  return {
    length: size,
    slice(start, end) {
      const stop = Math.min(end, size)
      read += Math.min(stop, size - start)
      if (read > size) ordered ??= pick(order, bits, 0, size, 1)
      if (ordered) return toRecords(ordered.subarray(start, end), at)
      if (stop <= size - start) return toRecords(pick(order, bits, start, stop, 1), at)
      return toRecords(pick(order, bits, size - stop, size - start, -1), at).reverse()
    },
  }
}

/**
 * Returns the slots of a set from the `start`th up to the `stop`th, counted from the first or the last of an
 * order. The loop writes each slot and adds its bit, in place of a test of the bit, which a processor cannot
 * predict.
 */
function pick(
  order: Uint32Array,
  bits: Bits,
  start: number,
  stop: number,
  step: 1 | -1,
): Uint32Array {
  const picked = new Uint32Array(Math.max(0, stop - start))
  let seen = 0
  for (let at = step > 0 ? 0 : order.length - 1; seen < stop; at += step) {
    const slot = order[at]
    if (slot === undefined) break
    if (seen >= start) picked[seen - start] = slot
    seen += ((bits[slot >>> 5] ?? 0) >>> slot) & 1
  }
  return picked
}

/** Returns the records of a set in insertion order; words before the page are skipped by their number of bits. */
function inSlotOrder(set: SlotSet, { at }: Shortcuts): Selection {
  const { size, list, bits } = set
  return {
    length: size,
    slice(start, end) {
      if (list) return toRecords(list.slice(start, end), at)
      const slots: number[] = []
      let seen = 0
      for (let word = 0; word < bits.length && seen < end; word++) {
        const count = countWord(bits[word] ?? 0)
        if (seen + count > start) {
          for (let slot = word * 32; slot < word * 32 + 32 && seen < end; slot++) {
            if (hasBit(bits, slot) && seen++ >= start) slots.push(slot)
          }
        } else seen += count
      }
      return toRecords(slots, at)
    },
  }
}

/** Returns the records in some slots. `Array.from` with a function takes ten times as long as the loop. */
function toRecords(slots: readonly number[] | Uint32Array, at: Shortcuts['at']): JsonRecord[] {
  const records: JsonRecord[] = []
  for (const slot of slots) {
    const record = at(slot)
    if (record) records.push(record)
  }
  return records
}
