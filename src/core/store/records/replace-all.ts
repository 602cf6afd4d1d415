import type { JsonRecord } from '../../json/json.ts'
import { nextVersion } from '../version.ts'
import { addKeys, type CollectionState } from './collection-state.ts'
import { createIdMap } from './id-map.ts'
import { addId, type IdHistory, idOf, isId } from './ids.ts'
import { createSlots } from './slots.ts'

/**
 * Replaces all records of a collection, as when its fixture is reloaded: changes `state` in place and returns
 * its successor. All records of `next` have ids; `before` has the current records, in the order of their slots
 * (indexes in the list of records). Records that keep their order keep their slots. If the ids or their order
 * changed, all ids are added to `history`.
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
