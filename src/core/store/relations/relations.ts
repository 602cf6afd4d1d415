import { type JsonRecord, ownValue } from '../../json/json.ts'
import { findForeignKeys, type ForeignKey } from '../../fixtures/foreign-keys.ts'
import type { RelationOptions } from '../../fixtures/relation-options.ts'
import { isId } from '../records/ids.ts'
import type { Collection } from '../records/collection.ts'

/**
 * Finds the relations between collections: foreign keys that the configuration names, or whose names say so,
 * such as `userId`.
 */
export function findRelations(
  collections: readonly Collection[],
  options: RelationOptions,
  suffix?: string,
): Relations {
  const names = collections.map((one) => one.name)
  const all = collections.flatMap((one): Relation[] => {
    const { name, idField } = one
    const keys = findForeignKeys({ name, idField, keys: one.keys() }, names, options, suffix)
    return keys.map((key) => ({ child: name, ...key }))
  })
  return {
    parentsOf: (collection) => all.filter((one) => one.child === collection),
    childrenOf: (collection) => all.filter((one) => one.parent === collection),
  }
}

/** The relations between collections. */
export interface Relations {
  /** The foreign keys of a collection. */
  parentsOf(collection: string): Relation[]
  /** The foreign keys of other collections that hold ids of this collection. */
  childrenOf(collection: string): Relation[]
}

/** A foreign key of the collection `child`, which holds ids of another collection. */
export interface Relation extends ForeignKey {
  child: string
}

/** Returns the ids in a record's foreign key, as strings. */
export function keysIn(record: JsonRecord, { keys }: Relation): string[] {
  const found: string[] = []
  for (const key of keys) {
    for (const one of [ownValue(record, key)].flat()) if (isId(one)) found.push(String(one))
  }
  return found
}
