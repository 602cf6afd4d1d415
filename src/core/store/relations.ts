import { isRecord, type JsonRecord, ownValue } from '../json.ts'
import { isKeyList, keyStem, parentNamed } from '../naming.ts'
import { type RelationOptions, toRelation } from '../relation-options.ts'
import type { Collection } from './collection.ts'
import type { Resource } from './resource.ts'

/** A key in the records of one collection that holds the ids of another's. */
export interface Relation {
  child: string
  key: string
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
  const all = collections.flatMap((one) => relationsOf(one, names, options[one.name] ?? {}))
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
  return [...new Set([...Object.keys(configured), ...collection.keys()])].flatMap((key) => {
    const choice = configured[key]
    const options = choice === undefined ? undefined : toRelation(choice)
    const parent = options?.to ?? parentNamed(key, child, names)
    if (parent === undefined || key === collection.idField) return []
    const many = isKeyList(key)
    const alias = options?.as ?? keyStem(key) ?? key
    return [{ child, key, parent, many, alias, dependent: options?.dependent ?? false }]
  })
}

/** The ids that a record's key holds, as texts. */
export function keysIn(record: JsonRecord, relation: Relation): string[] {
  const value = ownValue(record, relation.key)
  if (Array.isArray(value)) return value.filter((one) => one !== null && !isRecord(one)).map(String)
  return value === undefined || value === null || isRecord(value) ? [] : [String(value)]
}
