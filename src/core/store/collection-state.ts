import type { JsonRecord } from '../json.ts'
import { createIdMap, type IdMap } from './id-map.ts'
import { createIdHistory, type IdHistory, idOf, isId, noteId } from './ids.ts'
import { createSlots, type Slots } from './slots.ts'
import { nextVersion } from './version.ts'

/** What a collection keeps. */
export interface CollectionState {
  slots: Slots<JsonRecord>
  ids: IdMap
  history: IdHistory
  /** Filled when it is first asked for, and kept up from then on. */
  keys: Set<string> | undefined
  paths: Set<string>
  version: number
  size: number
}

/** The state of a collection that holds nothing and never has. */
export function createState(): CollectionState {
  return {
    slots: createSlots(),
    ids: createIdMap(),
    history: createIdHistory(),
    keys: undefined,
    paths: new Set(),
    version: 0,
    size: 0,
  }
}

/** A state with the same content, whose changes this one does not see. */
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

/** Puts other records, all with ids, into a state; those that stay in order keep their slots. */
export function rewrite(
  state: CollectionState,
  before: readonly JsonRecord[],
  next: readonly JsonRecord[],
  idField: string,
): CollectionState {
  const wanted = new Map(next.map((record) => [idOf(record, idField) ?? '', record]))
  const kept = before.map((record) => idOf(record, idField) ?? '').filter((id) => wanted.has(id))
  const isInOrder = kept.every((id, index) => id === idOf(next[index] ?? {}, idField))
  const slots = isInOrder ? state.slots : createSlots<JsonRecord>()
  const ids = isInOrder ? state.ids : createIdMap()
  for (const record of isInOrder ? before : []) {
    const id = idOf(record, idField) ?? ''
    const now = wanted.get(id)
    if (now !== record) slots.set(ids.get(id) ?? 0, now)
    if (!now) ids.delete(id)
  }
  for (const [id, record] of [...wanted].slice(isInOrder ? kept.length : 0)) {
    ids.set(id, slots.push(record))
  }
  for (const record of next) {
    const id = record[idField]
    if (isId(id)) noteId(state.history, id)
    for (const key of Object.keys(record)) state.keys?.add(key)
  }
  return { ...state, slots, ids, size: next.length, version: nextVersion() }
}
