import { pluralize, singularize } from 'inflection'

import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { define, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Data } from '../contract/dialect.ts'
import { configuredKeys, configuredKeyTo } from '../shared/configured-keys.ts'

/**
 * Creates the function that embeds a relation of `_embed` in a record: a singular name embeds the parent, a
 * plural name the children. For an unknown name, the function returns the record unchanged.
 */
export function toRelate(name: string, collection: string, data: Data): Relate {
  if (name.length > maxNameLength) return (record) => record
  const configured = configuredKeys(collection, data).find(({ alias }) => alias === name)
  const isParent = configured !== undefined || toSingular(name) === name
  const parent = configured?.parent ?? pluralize(name)
  const others = recordsOf(isParent ? parent : name, data)
  if (!others) return (record) => record
  if (!isParent) {
    const groups = groupBy(others, keyTo(collection, name, data))
    return (record) =>
      withField(record, name, groups.get(ownValue(record, data.idField(collection))) ?? [])
  }
  const key = configured?.key ?? name + (data.foreignKeySuffix ?? usualSuffix)
  const idField = data.idField(parent)
  const byId = new Map(others.map((other) => [ownValue(other, idField), other]))
  return (record) => withField(record, name, byId.get(ownValue(record, key)))
}

/** Returns a copy of a record with the related parent record, or the list of child records, in a field. */
export type Relate = (record: JsonRecord) => JsonRecord

/** Returns the field of `child` that holds ids of `parent`: `postId` for `posts`. */
export function keyTo(parent: string, child: string, data: Data): string {
  const { foreignKeySuffix = usualSuffix } = data
  return configuredKeyTo(parent, child, data) ?? toSingular(parent) + foreignKeySuffix
}

/** Longer names are never converted between singular and plural, to bound the time of the regular expressions. */
const maxNameLength = 200

/** The suffix of foreign keys, unless another suffix is configured. */
const usualSuffix = 'Id'

/** Returns the records of a collection; undefined for any other resource. */
export function recordsOf(name: string, data: Data): readonly JsonRecord[] | undefined {
  return data.kindOf(name) === 'collection' ? (data.read(name) as readonly JsonRecord[]) : undefined
}

function toSingular(name: string): string {
  return name.length > maxNameLength ? name : singularize(name)
}

function groupBy(records: readonly JsonRecord[], key: string): Map<unknown, JsonRecord[]> {
  const groups = new Map<unknown, JsonRecord[]>()
  for (const record of records) addToMultimap(groups, ownValue(record, key), record)
  return groups
}

function withField(record: JsonRecord, name: string, value: unknown): JsonRecord {
  const copy = { ...record }
  define(copy, name, value)
  return copy
}
