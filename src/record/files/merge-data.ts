import { addToMultimap } from '../../core/structures/add-to-multimap.ts'
import { isSame, type Json, type JsonRecord } from '../../core/json/json.ts'
import { digestOf } from '../../core/learn/recorded/stored-answer.ts'
import type { LearnedResource } from '../../core/learn/learned.ts'
import { isRecords } from '../../core/learn/recognize/envelope.ts'
import { unite } from '../../core/learn/records/merge.ts'

/** Edits, additions and removals by hand since the last recording stay; learned values replace those of earlier ones. */
export function mergeResource(
  learned: LearnedResource,
  existing: Json | undefined,
  digests: Readonly<Record<string, string>> = {},
): MergedResource {
  if (learned.kind !== 'collection' || !isRecords(existing))
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

/** The result of {@link mergeResource}. */
export interface MergedResource {
  value: Json
  /** Digests of the records that a recording has written, by id; the next recording recognizes edits by them. */
  digests: Record<string, string>
  /** Whether the value has edits by hand. */
  isEdited: boolean
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
  const records: Iterable<[string, Json]> =
    kind === 'collection' ? toMap(value as JsonRecord[], idField) : [['', value]]
  const isOwn =
    existing === undefined ||
    isSame(existing, value) ||
    (kind !== 'collection' && digests[''] === digestOf(existing))
  if (!isOwn) return { value: existing, digests: { ...digests }, isEdited: true }
  const written = Array.from(records, ([id, record]) => [id, digestOf(record)])
  return { value, digests: Object.fromEntries(written), isEdited: false }
}

/** Returns records by id as text; a record without an id has its index as the key: `#3`. */
function toMap(records: readonly JsonRecord[], idField: string): Map<string, JsonRecord> {
  return new Map(
    records.map((record, at) => {
      const id = record[idField]
      const hasId = typeof id === 'string' || typeof id === 'number'
      return [hasId ? String(id) : `#${at}`, record]
    }),
  )
}
