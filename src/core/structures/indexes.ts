import type { JsonRecord } from '../json/json.ts'
import type { Operand } from '../json/equality.ts'
import type { Path } from '../json/path.ts'
import { type Bits, eachSlot, type SlotList, type SlotSet, unite } from './slot-set.ts'
import type { VersionedCache } from './versioned-cache.ts'

/**
 * The indexes of a collection and its cached query results, by which queries avoid a scan of all records. A
 * slot is the index of a record in the collection; slots ascend in the order of the records. Each query that can
 * use an index builds a part of it, and gets undefined until the index is complete.
 */
export interface Indexes {
  /** One more than the highest slot in use. */
  readonly length: number
  at(slot: number): JsonRecord | undefined
  /** The slots of all records. */
  live(): Bits
  /**
   * The lists of the records that have at each of the paths one of its values: a list for each combination of
   * values, in the order of the fields. Without paths, the list of all records.
   */
  lists(
    paths: readonly Path[],
    values: readonly (readonly Operand[])[],
    order?: readonly OrderKey[],
    urgency?: Urgency,
  ): readonly SlotList[] | undefined
  /** The records that contain a text, which is in lower case, in a scalar at a path, or anywhere without a path. */
  texts(path: Path, text: string): TextMatches | undefined
  /** Query results that are valid until the next write. */
  readonly results: VersionedCache
}

/** When an index is built: by the second query that can use it, by the first, or whole by the first. @default 'second' */
export type Urgency = 'second' | 'first' | 'whole'

/** The records that contain a text: exactly these, or no others than these. */
export interface TextMatches {
  set: SlotSet
  isExact: boolean
}

/** A field to sort by, and the direction. The last key can have no path: the position of the records. */
export interface OrderKey {
  path: Path
  descending: boolean
  /** Whether texts such as `19.50` sort as the numbers that they hold; no index has this order. */
  isNumber?: boolean
}

/** Returns the records with one of the values of each group at any of the paths, by indexes that are built whole. */
export function recordsByValues(
  indexes: Indexes,
  paths: readonly Path[],
  groups: readonly (readonly Operand[])[],
): JsonRecord[][] {
  const values = groups.flat()
  const found = paths.map((path) => indexes.lists([path], [values], [], 'whole') ?? [])
  let at = 0
  return groups.map((group) => {
    const lists: SlotList[] = []
    for (const end = at + group.length; at < end; at++) {
      for (const all of found) {
        const list = all[at]
        if (list && list.size > 0) lists.push(list)
      }
    }
    const records: JsonRecord[] = []
    if (lists.length === 0) return records
    eachSlot(unite(lists, indexes.length), (slot) => {
      const record = indexes.at(slot)
      if (record) records.push(record)
    })
    return records
  })
}
