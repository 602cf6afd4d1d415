import { define, isRecord, isSame, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Observation } from './survey.ts'

/**
 * Merges the versions of one record that exchanges show, oldest first, into the record of the fixture. The
 * latest value of a field replaces earlier values, unless the latest value is a part of an earlier value. A
 * field that a source usually contains is removed when it is missing there.
 */
export function mergeObservations(
  observations: readonly Observation[],
  fields: SourceFields,
): JsonRecord {
  const latest = latestOfEachSource(observations)
  const [only, other] = latest
  // Most records are shown once.
  if (only && !other) return { ...only.record }
  let merged: JsonRecord = {}
  for (const { record, source, isSent } of latest) {
    const earlier = isSent ? undefined : fields.get(source)
    const kept = Object.entries(merged).filter(
      ([key]) => Object.hasOwn(record, key) || earlier?.has(key) !== true,
    )
    merged = unite(Object.fromEntries(kept), record)
  }
  const fullest = latest.reduce(
    (best, { record }) => (sizeOf(record) >= sizeOf(best) ? record : best),
    {} as JsonRecord,
  )
  return inOrderOf(merged, Object.keys(fullest))
}

/** The fields of a collection's records by source, that is by kind of exchange (see {@link Observation}). */
export type SourceFields = ReadonlyMap<string, ReadonlySet<string>>

/** Collects the fields that each source of a collection shows. */
export function toSourceFields(all: Iterable<readonly Observation[]>): SourceFields {
  const fields = new Map<string, Set<string>>()
  for (const observations of all) {
    for (const { source, record, isSent } of observations) {
      if (isSent) continue
      const known = fields.get(source) ?? new Set()
      for (const key of Object.keys(record)) known.add(key)
      fields.set(source, known)
    }
  }
  return fields
}

function sizeOf(record: JsonRecord): number {
  return Object.keys(record).length
}

/** Keeps every request body too, because a body may have only a part of the record. */
function latestOfEachSource(observations: readonly Observation[]): Observation[] {
  const sent = observations.filter(({ isSent }) => isSent)
  const last = new Map<string, Observation>()
  for (const seen of observations) if (!seen.isSent) last.set(seen.source, seen)
  const rest = withoutExpansions([...last.values()])
  return [...sent, ...rest].toSorted((a, b) => a.at - b.at)
}

function withoutExpansions(observations: readonly Observation[]): readonly Observation[] {
  const plain = observations.filter(({ isExpanded }) => !isExpanded)
  if (plain.length === 0 || plain.length === observations.length) return observations
  const known = new Set(plain.flatMap(({ record }) => Object.keys(record)))
  return observations.map((one) => {
    if (!one.isExpanded) return one
    const own = Object.entries(one.record).filter(
      ([key, value]) => known.has(key) || typeof value !== 'object' || value === null,
    )
    return { ...one, record: Object.fromEntries(own) }
  })
}

/** Unites two records; the second wins, unless its values are parts of those of the first. */
export function unite(before: JsonRecord, after: JsonRecord): JsonRecord {
  const united: JsonRecord = { ...before }
  for (const [key, value] of Object.entries(after)) {
    const old = ownValue(before, key)
    define(united, key, old === undefined ? value : fuller(old, value))
  }
  return united
}

/** Returns the later of two values of one field, unless the later value is a part of the earlier value. */
function fuller(before: Json, after: Json): Json {
  if (isSame(before, after)) return before
  if (isRecord(before)) {
    if (isRecord(after)) return unite(before, after)
    return isReference(after, before) ? before : after
  }
  if (Array.isArray(before) && Array.isArray(after)) {
    if (before.length !== after.length) return after
    return after.map((value, at) => fuller(before[at] ?? null, value))
  }
  if (typeof before === 'string' && typeof after === 'string') {
    return isExcerpt(after, before) ? before : after
  }
  return after
}

function isReference(value: Json, record: JsonRecord): boolean {
  return value !== null && Object.values(record).includes(value)
}

function isExcerpt(text: string, whole: string): boolean {
  const start = text.replace(/\s*(?:\.{3}|…)$/, '')
  return start.length < text.length && start.length > 0 && whole.startsWith(start)
}

function inOrderOf(record: JsonRecord, keys: readonly string[]): JsonRecord {
  const ordered: JsonRecord = {}
  for (const key of [...keys, ...Object.keys(record)]) {
    if (Object.hasOwn(record, key)) define(ordered, key, record[key])
  }
  return ordered
}
