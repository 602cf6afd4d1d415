import { isRecord, isSame, type Json, type JsonRecord } from '../../json/json.ts'
import type { Collection } from '../records/collection.ts'
import { createIdHistory, idOf } from '../records/ids.ts'
import { hasSameId } from './alignment.ts'
import type { Resource } from '../records/resource.ts'
import { rewrite } from '../records/rewrite.ts'

/**
 * Makes the resource that a fixture's value stands for now from the one that it stood for; that one
 * where nothing has changed. Undefined where it has to be made anew.
 */
export function revise(before: Resource | undefined, value: Json): Resource | undefined {
  if (!before) return undefined
  if (before.kind !== 'collection' || !Array.isArray(value)) {
    return before.kind !== 'collection' && isSame(before.get(), value) ? before : undefined
  }
  const { idField } = before
  const old = before.records()
  const next: JsonRecord[] = []
  let isInStep = old.length === value.length
  let changes = isInStep ? 0 : 1
  for (const [at, record] of value.entries()) {
    if (record === old[at]) {
      next.push(record)
      continue
    }
    const id = isRecord(record) ? idOf(record, idField) : undefined
    if (id === undefined || !isRecord(record)) return undefined
    const same = hasSameId(old[at], record, idField)
    const held = same ? old[at] : before.get(id)
    // Where so many have changed, looking for the others is not worth it.
    const kept = changes < 256 && held && isSame(held, record) ? held : record
    isInStep &&= same
    if (kept !== old[at]) changes++
    next.push(kept)
  }
  if (changes === 0) return before
  const isUnique = isInStep || new Set(next.map((one) => idOf(one, idField))).size === next.length
  return isUnique ? remake(before, next) : undefined
}

/** A collection with other records that shares what it can, and has forgotten what it held before. */
function remake(before: Collection, next: readonly JsonRecord[]): Collection {
  const old = before.records()
  return before.derive(next, (state) => {
    const anew = { ...state, keys: undefined, paths: new Set<string>() }
    return rewrite(anew, old, next, before.idField, createIdHistory())
  })
}
