import type { JsonRecord } from '../json.ts'
import { createIdMap, type IdMap } from './id-map.ts'
import { createIdHistory, type IdHistory } from './ids.ts'
import { createSlots, type Slots } from './slots.ts'

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

/** Takes the keys of a record into account, where they have been asked for. */
export function noteKeys({ keys }: CollectionState, record: JsonRecord): void {
  if (keys) for (const key of Object.keys(record)) keys.add(key)
}
