import { isRecord, type JsonRecord } from '../../json/json.ts'
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
  /** What leads to values in records that are gone, and in others as far as that was asked for. */
  paths: Set<string>
  /** The version of which every record has been looked through. */
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

/**
 * Notes what leads to the values inside of a record, which is known from then on, and returns all; not
 * to those that the next in its place has too.
 */
export function notePaths(
  paths: Set<string>,
  value: unknown,
  at = '',
  next: Readonly<JsonRecord> = {},
): Set<string> {
  // Numbers of elements add nothing.
  if (Array.isArray(value)) for (const inner of value) notePaths(paths, inner, at)
  else if (isRecord(value)) {
    for (const [key, inner] of Object.entries(value)) {
      if (inner === next[key]) continue
      const path = pathTo(at, key)
      notePaths(paths.add(path), inner, path)
    }
  }
  return paths
}

/** The text of a path that is noted; numbers inside of a record add nothing to it: lists may have any. */
export function pathTo(at: string, key: string): string {
  return at && /^\d+$/.test(key) ? at : `${at}\0${key}`
}
