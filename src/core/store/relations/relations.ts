import { type JsonRecord, ownValue } from '../../json/json.ts'
import { isKeyList, keyStem, parentNamed } from '../../text/foreign-keys.ts'
import { type RelationOptions, toRelation } from '../../fixtures/relation-options.ts'
import type { Collection } from '../records/collection.ts'
import { isId } from '../records/ids.ts'
import type { Resource } from '../records/resource.ts'

/** A key in the records of one collection that holds the ids of another's. */
export interface Relation {
  child: string
  key: string
  /** All keys that say the same, as records may have either: `postId` and `post_id`. */
  keys: string[]
  parent: string
  /** Whether the key holds a list of ids. */
  many: boolean
  /** What an embedded parent is called: `post` for `postId`. */
  alias: string
  /** Whether the children go when the parent is deleted. */
  dependent: boolean
}

/** How collections hang together. */
export interface Relations {
  /** The relations by which the records of a collection name their parents. */
  parentsOf(collection: string): Relation[]
  /** The relations by which other collections' records name those of this one. */
  childrenOf(collection: string): Relation[]
}

/** Finds the relations in the data: keys named after a collection, and those that are configured. */
export function findRelations(
  resources: ReadonlyMap<string, Resource>,
  options: RelationOptions,
): Relations {
  const collections = [...resources.values()].filter((one) => one.kind === 'collection')
  const names = collections.map((one) => one.name)
  const all = collections.flatMap((one) =>
    relationsOf(one, names, ownValue(options, one.name) ?? {}),
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
): Relation[] {
  const child = collection.name
  const found: Relation[] = []
  for (const key of new Set([...Object.keys(configured), ...collection.keys()])) {
    const said = toRelation(configured[key] ?? '')
    const parent = said.to || parentNamed(key, child, names)
    if (parent === undefined || key === collection.idField) continue
    const many = isKeyList(key)
    const { as: alias = keyStem(key) ?? key, dependent = false } = said
    const same = found.find(
      (one) => one.parent === parent && one.alias === alias && one.many === many,
    )
    if (same) same.keys.push(key)
    else found.push({ child, key, keys: [key], parent, many, alias, dependent })
  }
  return found
}

/** The ids that a record's key holds, as texts. */
export function keysIn(record: JsonRecord, { keys }: Relation): string[] {
  const found: string[] = []
  for (const key of keys) {
    for (const one of [ownValue(record, key)].flat()) if (isId(one)) found.push(String(one))
  }
  return found
}
