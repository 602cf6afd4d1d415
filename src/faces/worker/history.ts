import { define, isRecord, type Json, type JsonRecord, ownValue } from '../../core/json/json.ts'
import { type Collection, keyOf } from '../../core/store/records/collection.ts'
import type { Store } from '../../core/store/store.ts'

/** The stored ids of removed and replaced records, for the next id, and their field names, as filters count them. */
export interface History {
  /** The last id of a removed record by kind: `integer` (the highest), `number`, `uuid` and `text`. */
  ids: Record<string, string | number>
  /** Every field of removed and replaced records, with null in place of values. */
  shape: JsonRecord
}

/** Returns the history after a record was removed or replaced; undefined if the history is unchanged. */
export function extendHistory(
  history: History = { ids: {}, shape: {} },
  previous: JsonRecord,
  id: Json | undefined,
): History | undefined {
  const ids = id === undefined ? history.ids : withId(history.ids, id as string | number)
  const shape = merge(history.shape, previous) as JsonRecord
  const next = { ids, shape }
  return JSON.stringify(next) === JSON.stringify(history) ? undefined : next
}

/** Restores a collection's history: inserts and removes a record an id, and replaces one twice for the fields. */
export function applyHistory(store: Store, collection: Collection, history: History): void {
  const { name, idField } = collection
  const [first] = collection.records()
  for (const id of Object.values(history.ids)) {
    if (collection.get(String(id))) continue
    store.insert(name, { ...history.shape, [idField]: id })
    store.remove(name, String(id))
  }
  if (!first) return
  // The store remembers the fields of replaced records.
  const id = keyOf(collection, first)
  store.replace(name, id, { ...history.shape, [idField]: first[idField] ?? null })
  store.replace(name, id, first)
}

const uuid = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/i

function withId(ids: History['ids'], id: string | number): History['ids'] {
  if (typeof id === 'string') return { ...ids, [uuid.test(id) ? 'uuid' : 'text']: id }
  if (!Number.isSafeInteger(id)) return { ...ids, number: id }
  return { ...ids, integer: Math.max(id, Number(ids['integer'] ?? id)) }
}

function merge(shape: Json | undefined, value: Json): Json {
  if (Array.isArray(value)) {
    const [before] = Array.isArray(shape) ? shape : []
    const merged = value.reduce<Json | undefined>((sum, inner) => merge(sum, inner), before)
    return merged === undefined ? [] : [merged]
  }
  if (!isRecord(value)) return shape ?? null
  const merged: JsonRecord = isRecord(shape) ? { ...shape } : {}
  for (const [key, inner] of Object.entries(value)) {
    define(merged, key, merge(ownValue(merged, key), inner))
  }
  return merged
}
