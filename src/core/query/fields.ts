import { define, isRecord, type Json, type JsonRecord } from '../json.ts'
import type { Path } from './path.ts'

/** A copy of the record that holds only what is at the paths; through arrays, in each element. */
export function pickFields(record: JsonRecord, paths: readonly Path[]): JsonRecord {
  const picked: JsonRecord = {}
  for (const [key, rest] of byKey(paths)) {
    if (!Object.hasOwn(record, key)) continue
    const value = record[key] ?? null
    define(picked, key, rest.some((path) => path.length === 0) ? value : pickInside(value, rest))
  }
  return picked
}

function pickInside(value: Json, paths: readonly Path[]): Json {
  if (Array.isArray(value)) return value.map((item) => pickInside(item, paths))
  return isRecord(value) ? pickFields(value, paths) : value
}

function byKey(paths: readonly Path[]): Map<string, Path[]> {
  const groups = new Map<string, Path[]>()
  for (const [key = '', ...rest] of paths) groups.set(key, [...(groups.get(key) ?? []), rest])
  return groups
}
