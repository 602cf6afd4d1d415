import { type JsonRecord, ownValue } from '../../json/json.ts'
import { isKeyList, keyStem, parentNamed } from '../../text/foreign-keys.ts'
import { type RelationOptions, toRelation } from '../../fixtures/relation-options.ts'
import type { Collection } from '../records/collection.ts'
import { isId } from '../records/ids.ts'
import type { Resource } from '../records/resource.ts'

/**
 * A relation between two collections: the field `key` of the records of `child` is a foreign key, which
 * contains the id of a record of `parent` (or, if `many`, a list of ids).
 */
export interface Relation {
  child: string
  key: string
  /** All spellings of the key that records use: `postId` and `post_id`. */
  keys: string[]
  parent: string
  /** Whether the key holds a list of ids. */
  many: boolean
  /** The name of an embedded parent: `post` for `postId`. */
  alias: string
  /** Whether deleting the parent also deletes the children. */
  dependent: boolean
}

/** The relations between collections. */
export interface Relations {
  /** The foreign keys of a collection. */
  parentsOf(collection: string): Relation[]
  /** The foreign keys of other collections that hold ids of this one. */
  childrenOf(collection: string): Relation[]
}

/**
 * Finds relations: configured keys, and keys that are named after a collection and end in the suffix.
 */
export function findRelations(
  resources: ReadonlyMap<string, Resource>,
  options: RelationOptions,
  suffix?: string,
): Relations {
  const collections = [...resources.values()].filter((one) => one.kind === 'collection')
  const names = collections.map((one) => one.name)
  const all = collections.flatMap((one) =>
    relationsOf(one, names, ownValue(options, one.name) ?? {}, suffix),
  )
  return {
    parentsOf: (collection) => all.filter((one) => one.child === collection),
    childrenOf: (collection) => all.filter((one) => one.parent === collection),
  }
}

function relationsOf(
  collection: Collection,
  names: string[],
  configured: RelationOptions[string],
  suffix: string | undefined,
): Relation[] {
  const child = collection.name
  const found: Relation[] = []
  for (const key of new Set([...Object.keys(configured), ...collection.keys()])) {
    const given = toRelation(configured[key] ?? '')
    const parent = given.to || parentNamed(key, child, names, suffix)
    if (parent === undefined || key === collection.idField) continue
    const many = isKeyList(key, suffix)
    const { as: alias = keyStem(key, suffix) ?? key, dependent = false } = given
    const same = found.find(
      (one) => one.parent === parent && one.alias === alias && one.many === many,
    )
    if (same) same.keys.push(key)
    else found.push({ child, key, keys: [key], parent, many, alias, dependent })
  }
  return found
}

/** The ids in a record's foreign key, as strings. */
export function keysIn(record: JsonRecord, { keys }: Relation): string[] {
  const found: string[] = []
  for (const key of keys) {
    for (const one of [ownValue(record, key)].flat()) if (isId(one)) found.push(String(one))
  }
  return found
}
