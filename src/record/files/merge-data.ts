import { addToMultimap } from '../../core/structures/add-to-multimap.ts'
import { isRecord, isSame, type Json, type JsonRecord } from '../../core/json/json.ts'
import { digestOf } from '../../core/learn/recorded/digest.ts'
import type { LearnedResource } from '../../core/learn/learned.ts'
import { unite } from '../../core/learn/records/merge.ts'

/** The merged value of a resource, and what the next recording needs to know. */
export interface MergedResource {
  value: Json
  /** The digests of the records that a recording has written, by id. */
  digests: Record<string, string>
  /** Whether the value has edits by hand. */
  isEdited: boolean
}

/**
 * Merges what was learned into what a file has. A record that was edited, added or removed by hand since the
 * recording that wrote it stays so; of any other, the learned values win over those of an earlier recording.
 */
export function mergeResource(
  learned: LearnedResource,
  existing: Json | undefined,
  digests: Readonly<Record<string, string>> = {},
): MergedResource {
  if (learned.kind !== 'collection' || !isList(existing))
    return mergeSingle(learned, existing, digests)
  const idField = learned.idField ?? 'id'
  const fresh = toMap(learned.value as JsonRecord[], idField)
  const old = toMap(existing, idField)
  const removed = new Set(learned.removed)
  const merged = new Map<string, JsonRecord>()
  const written: Record<string, string> = {}
  let isEdited = false

  for (const [id, record] of old) {
    const found = fresh.get(id)
    const digest = digests[id]
    const isOwn =
      (digest !== undefined && digestOf(record) === digest) || (found && isSame(record, found))
    if (!isOwn) {
      isEdited = true
      merged.set(id, record)
      if (digest !== undefined) written[id] = digest
    } else if (!removed.has(id)) {
      const united = found ? unite(record, found) : record
      merged.set(id, united)
      written[id] = digestOf(united)
    }
  }
  for (const id of Object.keys(digests)) {
    if (old.has(id) || removed.has(id)) continue
    // Removed by hand.
    isEdited = true
    fresh.delete(id)
    written[id] = digests[id] ?? ''
  }
  for (const [id, record] of fresh) if (!old.has(id)) written[id] = digestOf(record)
  return { value: insertNew(merged, fresh), digests: written, isEdited }
}

/** Inserts the records that the file lacks, each behind the record that precedes it in the real API. */
function insertNew(
  merged: ReadonlyMap<string, JsonRecord>,
  fresh: ReadonlyMap<string, JsonRecord>,
): JsonRecord[] {
  const followers = new Map<string, JsonRecord[]>()
  let before = ''
  for (const [id, record] of fresh) {
    if (merged.has(id)) before = id
    else addToMultimap(followers, before, record)
  }
  return [
    ...(followers.get('') ?? []),
    ...[...merged].flatMap(([id, record]) => [record, ...(followers.get(id) ?? [])]),
  ]
}

function mergeSingle(
  { kind, value, idField = 'id' }: LearnedResource,
  existing: Json | undefined,
  digests: Readonly<Record<string, string>>,
): MergedResource {
  const fresh: Json = value
  const written =
    kind === 'collection'
      ? Object.fromEntries(
          [...toMap(fresh as JsonRecord[], idField)].map(([id, one]) => [id, digestOf(one)]),
        )
      : { '': digestOf(fresh) }
  if (existing === undefined || isSame(existing, fresh)) {
    return { value: fresh, digests: written, isEdited: false }
  }
  const isOwn = digests[''] !== undefined && digests[''] === digestOf(existing)
  return isOwn && kind !== 'collection'
    ? { value: fresh, digests: written, isEdited: false }
    : { value: existing, digests: { ...digests }, isEdited: true }
}

function isList(value: Json | undefined): value is JsonRecord[] {
  return Array.isArray(value) && value.every(isRecord)
}

/** Records by id as text; a record without an id is found by its place. */
function toMap(records: readonly JsonRecord[], idField: string): Map<string, JsonRecord> {
  return new Map(
    records.map((record, at) => {
      const id = record[idField]
      const isId = typeof id === 'string' || typeof id === 'number'
      return [isId ? String(id) : `#${at}`, record]
    }),
  )
}
