import { define, type Json, type JsonRecord } from '../../json/json.ts'
import { baseName, keyStem, parentNamed } from '../../text/foreign-keys.ts'
import { singularOf } from '../../text/plurals.ts'
import { isId, toId } from '../recognize/ids.ts'
import type { Observation } from './survey.ts'

/** Adds the foreign keys that nested paths imply, except for records of several parents. */
export function linkParents(
  child: string,
  records: readonly ChildRecord[],
  idOf: (parent: string, id: string) => Json | undefined,
): LearnedKey[] {
  const parents = new Set(
    records.flatMap(({ observations }) =>
      observations.flatMap(({ parent }) => parent?.collection ?? []),
    ),
  )
  return [...parents].toSorted().flatMap((parent): LearnedKey[] => {
    const pairs = records.flatMap(({ record, observations }) => {
      const ids = new Set(
        observations.flatMap((seen) => (seen.parent?.collection === parent ? seen.parent.id : [])),
      )
      return [...ids].map((id) => ({ record, id, isOnly: ids.size === 1 }))
    })
    const count = pairs.length
    const existing = findKey(child, parent, pairs, records)
    if (existing) return [{ parent, key: existing.key, by: existing.by, count }]
    if (!pairs.every(({ isOnly }) => isOnly)) return []
    const key = keyFor(parent, records)
    for (const { record, id } of pairs) define(record, key, idOf(parent, id) ?? toId(id))
    return [{ parent, key, by: 'path', count }]
  })
}

/** A record with its observations, which name the parents in nested paths: user 1 of `/users/1/posts`. */
export interface ChildRecord {
  record: JsonRecord
  observations: readonly Observation[]
}

/** The foreign key that the records of a nested collection have. */
export interface LearnedKey {
  parent: string
  key: string
  /** How the key was found: by the name of the parent, by its values, by linkage of JSON:API, or added because the records lack a key or embed records. */
  by: 'name' | 'values' | 'linkage' | 'path' | 'embedded'
  count: number
}

type Pair = { record: JsonRecord; id: string }

function findKey(
  child: string,
  parent: string,
  pairs: readonly Pair[],
  records: readonly ChildRecord[],
): Pick<LearnedKey, 'key' | 'by'> | undefined {
  const [first] = pairs
  if (!first) return undefined
  const keys = Object.keys(first.record).filter((key) =>
    pairs.every(({ record, id }) => refersTo(record[key], id)),
  )
  const named = keys.find((key) => parentNamed(key, child, [parent]) === parent)
  if (named !== undefined) return { key: named, by: 'name' }
  // A single parent is no evidence for any field, as many may have the value 1, but for the name of a foreign key.
  const hasEvidence = new Set(pairs.map(({ id }) => id)).size > 1
  const candidates = keys.filter((key) => hasEvidence || keyStem(key) !== undefined)
  const known = new Set(pairs.map(({ record }) => record))
  const strangers = (key: string): number =>
    records.filter(
      ({ record }) => !known.has(record) && pairs.some(({ id }) => refersTo(record[key], id)),
    ).length
  // Of two keys that fit, the one that fewer other records have names the parent.
  const [key] = candidates.toSorted((a, b) => strangers(a) - strangers(b))
  return key === undefined ? undefined : { key, by: 'values' }
}

function refersTo(value: Json | undefined, id: string): boolean {
  return [value].flat().some((item) => isId(item) && String(item) === id)
}

function keyFor(parent: string, records: readonly ChildRecord[]): string {
  return singularOf(baseName(parent)) + keySuffix(records.map(({ record }) => record))
}

/** Returns the end of a new foreign key in the style of the other names: `Id` or `_id`. */
export function keySuffix(records: readonly JsonRecord[]): string {
  const keys = records.flatMap(Object.keys)
  const isSnake =
    keys.some((key) => /[a-z]_[a-z]/.test(key)) && !keys.some((key) => /[a-z][A-Z]/.test(key))
  return isSnake ? '_id' : 'Id'
}
