import { isRecord, isSame, type JsonRecord } from '../../json/json.ts'
import { keyStem, parentNamed } from '../../text/foreign-keys.ts'
import { isId } from '../recognize/ids.ts'
import type { LearnedKey } from './link-parents.ts'
import { type MergedCollection, toFixture } from './to-records.ts'

/** A foreign key with the path of its collection. */
export interface RelatedKey extends LearnedKey {
  child: string
}

/** Returns the records that the foreign keys of a record name, by the names of the relations. */
export type ParentsOf = (path: string, record: JsonRecord) => Record<string, JsonRecord>

/** Creates the function that finds the related records, by learned keys and by names of keys. */
export function createParents(
  collections: readonly MergedCollection[],
  keys: readonly RelatedKey[],
): ParentsOf {
  const paths = collections.map(({ path }) => path)
  const byPath = new Map(collections.map((one) => [one.path, one]))
  return (path, record) =>
    Object.fromEntries(
      Object.entries(record).flatMap(([key, value]): [string, JsonRecord][] => {
        const known = keys.find((one) => one.child === path && one.key === key)?.parent
        const parent = byPath.get(known ?? parentNamed(key, path, paths) ?? '')
        const found = isId(value) ? parent?.records.get(String(value))?.record : undefined
        return found ? [[keyStem(key) ?? key, found]] : []
      }),
    )
}

/** Removes the related records that responses embed from the records, and returns their names by collection. */
export function extractEmbedded(
  collections: readonly MergedCollection[],
  parentsOf: ParentsOf,
): Map<string, string[]> {
  const embedded = collections.map((collection): [string, string[]] => {
    const rows = toFixture(collection).map((record) => ({
      record,
      parents: parentsOf(collection.path, record),
    }))
    const names = new Set(rows.flatMap(({ parents }) => Object.keys(parents)))
    const found = [...names].filter((name) => {
      const shown = rows.filter(({ record }) => record[name] !== undefined)
      return (
        shown.some(({ record }) => isRecord(record[name])) &&
        shown.every(({ record, parents }) => isSame(record[name], parents[name] ?? null))
      )
    })
    for (const { record } of rows) for (const name of found) delete record[name]
    return [collection.path, found]
  })
  return new Map(embedded.filter(([, names]) => names.length > 0))
}
