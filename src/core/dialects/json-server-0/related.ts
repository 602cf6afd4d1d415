import pluralize from 'pluralize'

import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { define, isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import type { Data } from '../contract/dialect.ts'
import {
  type ConfiguredKey,
  configuredKeys,
  configuredKeyTo,
  maxNameLength,
  usualSuffix,
} from '../shared/configured-keys.ts'
import { isNil, textOf } from '../shared/js-values.ts'
import { firstNames } from '../shared/name-limit.ts'
import { ownProperty, readPath } from './path.ts'
import type { Value } from './query-string.ts'

/** Adds related records to copies of records: `_embed` adds children, `_expand` adds parents. */
export function relate(
  records: readonly Json[],
  collection: string,
  { _embed, _expand }: { _embed?: Value; _expand?: Value },
  data: Data,
): readonly Json[] {
  const idField = data.idField(collection)
  const children = namesIn(_embed).map((name) => {
    const key = configuredKeyTo(collection, name, data) ?? keyNamedAfter(collection, data)
    return { name, find: indexBy(itemsOf(name, data), key) }
  })
  const parents = namesIn(_expand).flatMap((name) => {
    const { key, parent } = expandedKey(name, collection, data)
    const items = itemsOf(parent, data)
    return items ? [{ name, key, find: indexById(items, data.idField(parent)) }] : []
  })
  if (children.length + parents.length === 0) return records
  return records.map((record) => {
    if (!isRecord(record)) return record
    const copy = { ...record }
    for (const { name, find } of children) define(copy, name, find(ownProperty(copy, idField)))
    for (const { name, key, find } of parents) {
      const id = ownProperty(copy, key)
      define(copy, name, isNil(id) ? undefined : find(textOf(id)))
    }
    return copy
  })
}

/** The records that are deleted with a record: those whose foreign key references it. Records without an id stay. */
export function dependentsOf(
  collection: string,
  id: string,
  data: Data,
): { name: string; id: string }[] {
  return data.names().flatMap((name) => {
    if (data.kindOf(name) !== 'collection') return []
    const idField = data.idField(name)
    const configured = configuredKeys(name, data)
    const parentIs = (key: string): boolean => {
      const found = configured.find((one) => one.key === key)
      return found ? found.parent === collection : isNamedAfter(key, collection, data)
    }
    return (data.read(name) as readonly JsonRecord[]).flatMap((record) => {
      const key = ownProperty(record, idField)
      const isDependent =
        !isArrayLike(record) &&
        Object.entries(record).some(
          ([key, value]) => value !== null && textOf(value) === id && parentIs(key),
        )
      return isDependent && key !== undefined ? [{ name, id: textOf(key) }] : []
    })
  })
}

/** Returns the foreign key that is named after a collection: `postId` for `posts`. */
export function keyNamedAfter(
  collection: string,
  { foreignKeySuffix = usualSuffix }: Data,
): string {
  const isLong = collection.length > maxNameLength
  return (isLong ? collection : pluralize.singular(collection)) + foreignKeySuffix
}

/** Returns the foreign key and the collection of the parent that `_expand` names. */
function expandedKey(
  name: string,
  collection: string,
  data: Data,
): Pick<ConfiguredKey, 'key' | 'parent'> {
  const configured = configuredKeys(collection, data).find(({ alias }) => alias === name)
  if (configured) return configured
  const parent = name.length > maxNameLength ? name : pluralize(name)
  return { key: name + (data.foreignKeySuffix ?? usualSuffix), parent }
}

/** Whether lodash, which json-server uses, treats a record as an array, because of a `length` field. */
export function isArrayLike(record: JsonRecord): boolean {
  const length = ownProperty(record, 'length')
  return Number.isSafeInteger(length) && Number(length) >= 0
}

function isNamedAfter(
  key: string,
  collection: string,
  { foreignKeySuffix = usualSuffix }: Data,
): boolean {
  if (!key.endsWith(foreignKeySuffix) || key.length > maxNameLength) return false
  return pluralize.plural(key.slice(0, -foreignKeySuffix.length)) === collection
}

/** Returns the distinct names in a parameter that can be repeated. */
function namesIn(value: Value | undefined): string[] {
  return value ? firstNames([value].flat().map(textOf)) : []
}

/** Returns the items of a resource, or of the value at a path into a resource; undefined if there is no value. */
function itemsOf(name: string, data: Data): readonly unknown[] | undefined {
  const [first = ''] = name.split(/[.[]/, 1)
  const resource = data.read(name)
  const found = resource === undefined ? readPath({ [first]: data.read(first) }, name) : resource
  if (!found) return undefined
  if (Array.isArray(found)) return found
  return isRecord(found) ? Object.values(found) : []
}

function indexBy(
  items: readonly unknown[] | undefined,
  key: string,
): (value: unknown) => JsonRecord[] {
  const groups = new Map<unknown, JsonRecord[]>()
  for (const item of items ?? []) {
    const value = ownProperty(item, key)
    if (value !== undefined && isRecord(item)) addToMultimap(groups, value, item)
  }
  return (value) => groups.get(value) ?? []
}

/** Indexes items by id, compared as text; the first item with an id wins. */
function indexById(
  items: readonly unknown[],
  idField: string,
): (id: string) => JsonRecord | undefined {
  const found = new Map<string, JsonRecord>()
  for (const item of items) {
    const id = ownProperty(item, idField)
    if (isNil(id) || !isRecord(item) || found.has(textOf(id))) continue
    found.set(textOf(id), item)
  }
  return (id) => found.get(id)
}
