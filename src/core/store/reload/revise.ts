import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import type { Collection } from '../records/collection.ts'
import { createIdHistory, idOf } from '../records/ids.ts'
import type { Resource } from '../records/resource.ts'
import { replaceAll } from '../records/replace-all.ts'

/**
 * Creates the resource of a changed fixture from the resource of the previous fixture, and reuses its unchanged records.
 * Returns `before` if nothing has changed, and undefined if the resource must be created from scratch.
 */
export function revise(before: Resource | undefined, value: Json): Resource | undefined {
  if (before?.kind !== 'collection') {
    return before && isSame(before.get(), value) ? before : undefined
  }
  if (!Array.isArray(value)) return undefined
  const { idField } = before
  const old = before.records()
  const next: JsonRecord[] = []
  let isAligned = old.length === value.length
  let changes = isAligned ? 0 : 1
  for (const [at, record] of value.entries()) {
    if (record === old[at]) {
      next.push(record)
      continue
    }
    const id = isRecord(record) ? idOf(record, idField) : undefined
    if (id === undefined || !isRecord(record)) return undefined
    const held = before.get(id)
    const revised = changes < maxCompared && held && isSame(held, record) ? held : record
    isAligned &&= held === old[at]
    if (revised !== old[at]) changes++
    next.push(revised)
  }
  if (changes === 0) return before
  const isUnique = isAligned || new Set(next.map((one) => idOf(one, idField))).size === next.length
  return isUnique ? withRecords(before, next) : undefined
}

/** Returns the collection with other records, but without the history of ids, keys and paths. */
function withRecords(before: Collection, next: readonly JsonRecord[]): Collection {
  const old = before.records()
  return before.derive(next, (state) => {
    const forgetful = { ...state, keys: undefined, paths: new Set<string>() }
    return replaceAll(forgetful, old, next, before.idField, createIdHistory())
  })
}

/**
 * The maximum number of changed records in a reloaded fixture that are compared with their previous versions, to reuse
 * equal records. Further records are not compared.
 */
const maxCompared = 256
