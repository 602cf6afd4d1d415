import type { JsonRecord } from '../json.ts'
import type { Path } from '../path.ts'
import { createIdMap, type IdMap } from './id-map.ts'
import { createIdHistory, type IdHistory } from './ids.ts'
import { createSlots, type Slots } from './slots.ts'

/** What a collection keeps. */
export interface CollectionState {
  slots: Slots<JsonRecord>
  ids: IdMap
  history: IdHistory
  /** Filled when it is first asked for, and kept up from then on. */
  keys?: Set<string> | undefined
  /** What leads to values in records that are gone, and in those of the version that is noted. */
  paths: Set<string>
  noted?: number
  version: number
  size: number
}

/** The state of a collection that holds nothing and never has. */
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

/** Takes the keys of a record into account, where they have been asked for. */
export function noteKeys({ keys }: CollectionState, record: JsonRecord): void {
  if (keys) for (const key of Object.keys(record)) keys.add(key)
}

/** The keys that any record has ever had. */
export function keysOf(state: CollectionState): Set<string> {
  if (!state.keys) {
    state.keys = new Set([...state.paths].map((path) => path.split('\0')[1] ?? ''))
    state.slots.each((record) => noteKeys(state, record))
  }
  return state.keys
}

/** Whether any record has ever had a value at that path; an index leads where the array does. */
export function hasPath(state: CollectionState, path: Path): boolean {
  if (path.length === 1) return keysOf(state).has(path[0] ?? '')
  const key = ['', ...path.filter((one) => /\D/.test(one))].join('\0')
  if (!state.paths.has(key) && state.noted !== state.version) {
    state.noted = state.version
    state.slots.each((record) => notePaths(state.paths, record))
  }
  return state.paths.has(key)
}

/** Notes what leads to the values inside of a record that goes, so that it is known from then on. */
export function notePaths(paths: Set<string>, value: unknown, at = ''): void {
  if (typeof value !== 'object' || value === null) return
  for (const [key, inner] of Object.entries(value)) {
    const path = Array.isArray(value) ? at : `${at}\0${key}`
    paths.add(path)
    notePaths(paths, inner, path)
  }
}
