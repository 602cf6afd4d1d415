import { isRecord, type JsonRecord } from '../../json/json.ts'
import { createIdMap, type IdMap } from './id-map.ts'
import { createIdHistory, type IdHistory, idOf } from './ids.ts'
import { createSlots, type Slots } from './slots.ts'

/**
 * The mutable data of a collection: its records by slot (index in the list of records), the slots by id,
 * and the ids, keys and paths that the records have had.
 */
export interface CollectionState {
  slots: Slots<JsonRecord>
  ids: IdMap
  history: IdHistory
  /** The keys that any record has ever had; undefined until the first query for them. */
  keys?: Set<string> | undefined
  /** Paths seen in removed records, and in other records once looked up. */
  paths: Set<string>
  /** The version at which `paths` had the paths of every record. */
  scannedVersion?: number
  version: number
  size: number
}

/** Creates the state of a collection that has never held a record. */
export function createState(): CollectionState {
  return {
    slots: createSlots(),
    ids: createIdMap(),
    history: createIdHistory(),
    paths: new Set(),
    version: 0,
    size: 0,
  }
}

/** Copies a state for a fork, whose changes the original does not see. */
export function forkState(state: CollectionState): CollectionState {
  return {
    ...state,
    slots: state.slots.fork(),
    ids: state.ids.fork(),
    history: { ...state.history },
    keys: state.keys && new Set(state.keys),
    paths: new Set(state.paths),
  }
}

/** A list with up to this many empty slots is fast, however few records it has. */
const MAX_EMPTY = 1024

/**
 * Renumbers the slots once most of them are empty, so that memory and the time of a scan depend on the existing
 * records, not on removed records. Returns whether the slots were renumbered, which invalidates indexes.
 */
export function compact(state: CollectionState, idField: string): boolean {
  const { slots, size } = state
  if (slots.length <= 2 * size + MAX_EMPTY) return false
  slots.compact()
  const ids = createIdMap()
  slots.each((record, slot) => ids.set(idOf(record, idField) ?? '', slot))
  state.ids = ids
  return true
}

/** Adds the keys of a record, if the keys of the collection were queried before. */
export function addKeys({ keys }: CollectionState, record: JsonRecord): void {
  if (keys) for (const key of Object.keys(record)) keys.add(key)
}

/**
 * Adds the paths of all values in a record to `paths`, and returns `paths`. Skips values that the replacement of the
 * record, `next`, has too.
 */
export function addPaths(
  paths: Set<string>,
  value: unknown,
  at = '',
  next: Readonly<JsonRecord> = {},
): Set<string> {
  // Array indexes are no part of a path.
  if (Array.isArray(value)) for (const inner of value) addPaths(paths, inner, at)
  else if (isRecord(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (inner === next[key]) continue
      const path = pathTo(at, key)
      addPaths(paths.add(path), inner, path)
    }
  }
  return paths
}

/** Appends a key to a path of `paths`. Skips array indexes, because an array can have any. */
export function pathTo(at: string, key: string): string {
  return at && /^\d+$/.test(key) ? at : `${at}\0${key}`
}
