import type { JsonRecord } from '../json.ts'
import type { CollectionState } from './collection-state.ts'
import { createIdMap } from './id-map.ts'
import { idOf, isId, noteId } from './ids.ts'
import { countInStep } from './in-step.ts'
import { createSlots } from './slots.ts'
import { nextVersion } from './version.ts'

/** Puts other records, all with ids, into a state; those that stay in order keep their slots. */
export function rewrite(
  state: CollectionState,
  before: readonly JsonRecord[],
  next: readonly JsonRecord[],
  idField: string,
): CollectionState {
  const start = countInStep([before, next], idField)
  const end = next.slice(start)
  const gone = before.slice(start)
  const wanted = new Map(end.map((record) => [idOf(record, idField) ?? '', record]))
  const kept = gone.map((record) => idOf(record, idField) ?? '').filter((id) => wanted.has(id))
  const isInOrder = kept.every((id, index) => id === idOf(end[index] ?? {}, idField))
  const slots = isInOrder ? state.slots : createSlots<JsonRecord>()
  const ids = isInOrder ? state.ids : createIdMap()
  // Where no slot was ever left empty, a record's place is its slot.
  const isDense = state.slots.length === before.length
  for (let at = 0; at < start; at++) {
    const record = next[at]
    if (!record || (isInOrder && record === before[at])) continue
    if (isInOrder && isDense) slots.set(at, record)
    else if (isInOrder) slots.set(ids.get(idOf(record, idField) ?? '') ?? 0, record)
    else ids.set(idOf(record, idField) ?? '', slots.push(record))
  }
  for (const record of isInOrder ? gone : []) {
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
  }
  if (state.keys) noteKeys(state.keys, before, next)
  return { ...state, slots, ids, size: next.length, version: nextVersion() }
}

/** Adds the keys of the records that are not at the same place as before, whose keys are known. */
function noteKeys(
  keys: Set<string>,
  before: readonly JsonRecord[],
  next: readonly JsonRecord[],
): void {
  for (const [at, record] of next.entries()) {
    if (record !== before[at]) for (const key of Object.keys(record)) keys.add(key)
  }
}
