import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { idOf, isId } from '../recognize/ids.ts'
import { keySuffix } from './link-parents.ts'
import type { RelatedKey } from './related.ts'
import type { SurveyedCollection } from './survey.ts'

/**
 * Replaces the records of other collections that responses embed by foreign keys, `author: { username: 'ada', … }` by
 * `authorId: 'ada'`, and adds them to their collections.
 */
export function extractRecords(
  collections: ReadonlyMap<string, SurveyedCollection>,
): EmbeddedRecords {
  const found = [...collections].flatMap(([child, { observations }]): EmbeddedKey[] => {
    // Related records that a request asks for are no part of the record.
    const all = [...observations.values()]
      .flat()
      .flatMap(({ record, isExpanded }) => (isExpanded ? [] : [record]))
    const names = new Set(
      all.flatMap((record) => Object.keys(record).filter((key) => isRecord(record[key]))),
    )
    return [...names].flatMap((field): EmbeddedKey[] => {
      const key = field + keySuffix(all)
      const values = all.flatMap((record) => record[field] ?? [])
      const parent = [...collections.values()].find((one) => isParentOf(one, values))
      const isNew = all.every((record) => !Object.hasOwn(record, key))
      return parent && isNew
        ? [{ child, parent: parent.path, key, field, by: 'embedded', count: values.length }]
        : []
    })
  })
  const toStored: EmbeddedRecords['toStored'] = (path, record) =>
    found.reduce((stored, { child, field, key, parent }) => {
      if (child !== path || !Object.hasOwn(stored, field)) return stored
      const idField = collections.get(parent)?.idField.name ?? ''
      const entries = Object.entries(stored).map(([name, value]): [string, Json] =>
        name === field ? [key, isRecord(value) ? (value[idField] ?? null) : value] : [name, value],
      )
      return Object.fromEntries(entries)
    }, record)
  for (const { child, parent, field } of found) {
    const { observations, idField } = collections.get(parent) ?? {}
    for (const seen of [...(collections.get(child)?.observations.values() ?? [])].flat()) {
      const record = seen.record[field]
      const id = isRecord(record) ? record[idField?.name ?? ''] : undefined
      if (!observations || !isRecord(record) || !isId(id)) continue
      addToMultimap(observations, String(id), {
        ...seen,
        record,
        source: `${child} ${field}`,
        parent: undefined,
      })
    }
  }
  for (const { child } of found) {
    for (const seen of [...(collections.get(child)?.observations.values() ?? [])].flat()) {
      seen.record = toStored(child, seen.record)
    }
  }
  return { keys: found, toStored }
}

/** The foreign keys in place of embedded records. */
export interface EmbeddedRecords {
  keys: readonly EmbeddedKey[]
  /** Returns a record of a collection with these keys. */
  toStored(path: string, record: JsonRecord): JsonRecord
}

/** A foreign key in place of the embedded records of a field. */
interface EmbeddedKey extends RelatedKey {
  field: string
}

/** Whether values are records of a collection as its own responses show them: with the same fields and known ids. */
function isParentOf(
  { idField, fields, observations }: SurveyedCollection,
  values: readonly Json[],
): boolean {
  const isKnown = values.some(
    (one) => isRecord(one) && observations.has(idOf(one, idField.name) ?? ''),
  )
  return (
    isKnown &&
    fields.size > 1 &&
    values.every((one) => {
      const keys = isRecord(one) ? Object.keys(one) : []
      return keys.length === fields.size && keys.every((name) => fields.has(name))
    })
  )
}
