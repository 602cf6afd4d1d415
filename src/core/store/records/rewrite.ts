import type { JsonRecord } from '../../json/json.ts'
import { type CollectionState, noteKeys } from './collection-state.ts'
import { createIdMap } from './id-map.ts'
import { type IdHistory, idOf, isId, noteId } from './ids.ts'
import { createSlots } from './slots.ts'
import { nextVersion } from '../version.ts'

/**
 * Puts other records, all with ids, into a state; those that stay in order keep their slots. Where every
 * id stays where it is, the records that stay cost nothing, else the history of ids goes on from `anew`.
 */
export function rewrite(
  state: CollectionState,
  before: readonly JsonRecord[],
  next: readonly JsonRecord[],
  idField: string,
  anew: IdHistory = state.history,
): CollectionState {
  const toId = (record: JsonRecord | undefined): string => (record && idOf(record, idField)) ?? ''
  const slotOf = (id: string): number => state.ids.get(id) ?? 0
  // Where no slot was ever left empty, a record's place is its slot.
  const isDense = state.slots.length === before.length
  let start = 0
  for (const record of next) {
    const old = before[start]
    if (old !== record) {
      if (old?.[idField] !== record[idField]) break
      state.slots.set(isDense ? start : slotOf(toId(record)), record)
      noteKeys(state, record)
    }
    start++
  }
  const version = nextVersion()
  if (start === before.length && start === next.length) return { ...state, version }
  const wanted = new Map(next.slice(start).map((record) => [toId(record), record]))
  const gone = before.slice(start).map(toId)
  const kept = gone.filter((id) => wanted.has(id))
  const added = [...wanted]
  for (const id of gone) {
    state.slots.set(slotOf(id), wanted.get(id))
    if (!wanted.has(id)) state.ids.delete(id)
  }
  let { slots, ids } = state
  if (kept.every((id, at) => id === added[at]?.[0])) added.splice(0, kept.length)
  else {
    slots = createSlots()
    ids = createIdMap()
    for (const record of next.slice(0, start)) ids.set(toId(record), slots.push(record))
  }
  for (const [id, record] of added) ids.set(id, slots.push(record))
  for (const record of wanted.values()) noteKeys(state, record)
  for (const { [idField]: id } of next) if (isId(id)) noteId(anew, id)
  return { ...state, slots, ids, history: anew, size: next.length, version }
}
