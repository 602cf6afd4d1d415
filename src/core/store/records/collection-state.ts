import { isRecord, type JsonRecord } from '../../json/json.ts'
import { createIdHistory, type IdHistory, idOf, addId, isId } from './ids.ts'
import { createSlots, type Slots } from './slots.ts'

/** The data of a collection: records by slot, slots by id, and the ids, keys and paths that it has had. */
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

/** Renumbers the slots once most are empty. Returns whether it did, which invalidates indexes. */
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

/** Adds the paths of all values in a record to `paths`, without those that `next`, its replacement, has too. */
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

/**
 * Replaces all records, as on a reload: changes `state` in place and returns its successor. Records of `next`
 * have ids; `before` is in the order of slots. Records that keep their order keep their slots. If ids or their
 * order changed, all ids are added to `history`.
 */
export function replaceAll(
  state: CollectionState,
  before: readonly JsonRecord[],
  next: readonly JsonRecord[],
  idField: string,
  history: IdHistory = state.history,
): CollectionState {
  const toId = (record: JsonRecord | undefined): string => (record && idOf(record, idField)) ?? ''
  const slotOf = (id: string): number => state.ids.get(id) ?? 0
  // Without empty slots, the position of a record is its slot.
  const isDense = state.slots.length === before.length
  let start = 0
  for (const record of next) {
    const old = before[start]
    if (old !== record) {
      if (old?.[idField] !== record[idField]) break
      state.slots.set(isDense ? start : slotOf(toId(record)), record)
      addKeys(state, record)
    }
    start++
  }
  const version = nextVersion()
  if (start === before.length && start === next.length) return { ...state, version }
  const wanted = new Map(next.slice(start).map((record) => [toId(record), record]))
  const oldIds = before.slice(start).map(toId)
  const keptIds = oldIds.filter((id) => wanted.has(id))
  const added = [...wanted]
  for (const id of oldIds) {
    state.slots.set(slotOf(id), wanted.get(id))
    if (!wanted.has(id)) state.ids.delete(id)
  }
  let { slots, ids } = state
  if (keptIds.every((id, at) => id === added[at]?.[0])) added.splice(0, keptIds.length)
  else {
    slots = createSlots()
    ids = createIdMap()
    for (const record of next.slice(0, start)) ids.set(toId(record), slots.push(record))
  }
  for (const [id, record] of added) ids.set(id, slots.push(record))
  for (const record of wanted.values()) addKeys(state, record)
  for (const { [idField]: id } of next) if (isId(id)) addId(history, id)
  return { ...state, slots, ids, history, size: next.length, version }
}

/** The slot of each record by id. A fork of the map does not copy its entries. */
interface IdMap {
  get(id: string): number | undefined
  set(id: string, slot: number): void
  delete(id: string): void
  /** Creates a map with the same content. A later change to either map takes memory only in that map. */
  fork(): IdMap
}

/** Marks an id in `changes` that was deleted from the base. */
const deleted = -1

function createIdMap(): IdMap {
  return open(new Map(), new Map(), true)
}

/** Forks share `base`, which is read-only from the first fork on, and put later changes in `changes`. */
function open(base: Map<string, number>, changes: Map<string, number>, ownsBase: boolean): IdMap {
  let ownsChanges = ownsBase
  function ownMap(): Map<string, number> {
    if (ownsBase) return base
    if (!ownsChanges) changes = new Map(changes)
    ownsChanges = true
    return changes
  }
  return {
    get(id) {
      const slot = changes.size > 0 ? (changes.get(id) ?? base.get(id)) : base.get(id)
      return slot === deleted ? undefined : slot
    },
    set(id, slot) {
      ownMap().set(id, slot)
    },
    delete(id) {
      if (ownsBase) base.delete(id)
      else ownMap().set(id, deleted)
    },
    fork() {
      ownsBase = false
      ownsChanges = false
      return open(base, changes, false)
    },
  }
}

let last = 0

/** A version number, unique in the process, for caches: a fork keeps it until its first write. */
export function nextVersion(): number {
  return ++last
}
