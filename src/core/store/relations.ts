import { MockError } from '../errors/mock-error.ts'
import { type JsonRecord, ownValue } from '../json/json.ts'
import { baseName, folderOf, keyStem } from '../text/foreign-keys.ts'
import { isPluralOf, pluralOf, singularOf } from '../text/plurals.ts'
import { suggest } from '../errors/nearest.ts'
import { findForeignKeys, type ForeignKey } from '../fixtures/foreign-keys.ts'
import type { RelationOptions } from '../fixtures/relation-options.ts'
import { type Collection, keyOf } from './records/collection.ts'
import { isSameList } from './merge.ts'
import type { Store } from './store.ts'
import { idValues, isId } from './records/ids.ts'
import { recordsByValues } from '../structures/indexes.ts'

/** The relations between collections, which nested paths and embedding follow. */
export interface Links {
  /** The relation of that name. `parameter` names the query parameter. @throws MockError 400 for an unknown one */
  follow(collection: string, name: string, parameter: string): RelatedRecords
  /** The relation of that name, or undefined. */
  find(collection: string, name: string): RelatedRecords | undefined
  /** The relation to children of that name, or undefined. */
  children(collection: string, name: string): RelatedRecords | undefined
  /** The names of the relations to children. */
  childNames(collection: string): string[]
  /** The names of all relations of a collection or a singleton. */
  names(collection: string): string[]
  relations(): Relations
}

/** A relation of a collection: the related collection, and a function that finds the related records. */
export interface RelatedRecords {
  collection: string
  /** The foreign key of the related records; undefined if they have none. */
  relation?: Relation
  /** The foreign key of the record itself. */
  ownKey?: Relation
  /** The keys of the records that join both sides. */
  join?: { near: Relation; far: Relation }
  /** The related records of each record: a list, or a parent, which is null if missing. */
  follow(records: readonly JsonRecord[]): (JsonRecord[] | JsonRecord | null)[]
}

/** Creates the links of a store. Relations are cached until a resource or a key is added or removed. */
export function createLinks(store: Store, options: RelationOptions = {}, suffix?: string): Links {
  let cache: { all: Collection[]; shape: string; relations: Relations } | undefined

  function relations(): Relations {
    const all = collections()
    // A collection never loses keys, so the same number of keys are the same keys.
    const shape = String(all.map((one) => one.keys().size))
    if (cache?.shape !== shape || !isSameList(cache.all, all))
      cache = { all, shape, relations: findRelations(all, options, suffix) }
    return cache.relations
  }

  function collections(): Collection[] {
    return [...store.resources.values()].filter((one) => one.kind === 'collection')
  }

  /** The foreign keys of a collection or a singleton. */
  function parentsOf(name: string): Relation[] {
    const resource = store.resources.get(name)
    if (resource?.kind !== 'singleton') return relations().parentsOf(name)
    const keys = Object.keys(resource.get())
    const names = collections().map((one) => one.name)
    const found = findForeignKeys({ name, keys }, names, options, suffix)
    return found.map((key) => ({ child: name, ...key }))
  }

  function find(name: string | undefined): Collection | undefined {
    return collections().find((one) => one.name === name)
  }

  function children(collection: string, name: string): RelatedRecords | undefined {
    const own = find(collection)
    return (
      (own && (direct(own, name) ?? joined(own, name))) ??
      // A singleton has no children, but may hold a list of keys.
      keyed(collection, name, true) ??
      (own && expected(own, name))
    )
  }

  /** The records with a foreign key of this collection. */
  function direct(own: Collection, name: string): RelatedRecords | undefined {
    const all = relations().childrenOf(own.name)
    // A collection in the same folder is preferred.
    const relation =
      all.find(({ child }) => child === folderOf(own.name) + name) ??
      all.find(({ child }) => child === name || baseName(child) === name)
    return relation && { collection: relation.child, relation, follow: byKey(own, relation) }
  }

  /** Finds the children of each of some records of a collection by their foreign key. */
  function byKey(
    own: Collection,
    relation: Relation,
  ): (records: readonly JsonRecord[]) => JsonRecord[][] {
    const child = store.collection(relation.child)
    return (records) => {
      const ids = records.map((record) => keyOf(own, record))
      return childrenByKey(child, relation, ids)
    }
  }

  /** A relation to a collection without records, whose future records may have a key of this collection. */
  function expected({ name: parent }: Collection, name: string): RelatedRecords | undefined {
    const child = collections().find((one) => baseName(one.name) === name && hasNoKeys(one))?.name
    if (child === undefined) return undefined
    const alias = singularOf(baseName(parent))
    const key = alias + (suffix ?? 'Id')
    const relation = { child, key, keys: [key], parent, alias, many: false, dependent: false }
    return { collection: child, relation, follow: (records) => records.map(() => []) }
  }

  /** A relation by a foreign key: to one parent (`post.userId`), or by a list of keys (`product.tagIds`). */
  function keyed(own: string, name: string, many: boolean): RelatedRecords | undefined {
    const relation = parentsOf(own).find(
      (one) => one.many === many && (one.alias === name || (many && baseName(one.parent) === name)),
    )
    const target = find(relation?.parent)
    if (!relation || !target) return undefined
    return {
      collection: target.name,
      ownKey: relation,
      follow: (records) =>
        records.map((record) => {
          const found = pick(target, keysIn(record, relation))
          // A configured key need not be named like a list of keys.
          const isMany = many || Array.isArray(ownValue(record, relation.key))
          return isMany ? found : (found[0] ?? null)
        }),
    }
  }

  /** Many-to-many through a join collection, whose records have a key of each side. */
  function joined(own: Collection, name: string): RelatedRecords | undefined {
    for (const nearKey of relations().childrenOf(own.name)) {
      const farKey = farKeysOf(nearKey).find((one) => baseName(one.parent) === name)
      const target = find(farKey?.parent)
      if (!farKey || !target) continue
      const rows = byKey(own, nearKey)
      return {
        collection: target.name,
        join: { near: nearKey, far: farKey },
        follow: (records) =>
          rows(records).map((some) =>
            pick(
              target,
              some.flatMap((row) => keysIn(row, farKey)),
            ),
          ),
      }
    }
    return undefined
  }

  /** The foreign keys beside a foreign key that refer to other collections than that key does. */
  function farKeysOf({ child, parent }: Relation): Relation[] {
    return relations()
      .parentsOf(child)
      .filter((one) => one.parent !== parent)
  }

  /** A parent of a collection without records, whose future records may have its key. */
  function expectedParent(collection: string, name: string): RelatedRecords | undefined {
    const own = find(collection)
    if (!own || !hasNoKeys(own)) return undefined
    const target = collections().find((one) => isPluralOf(baseName(one.name), name))
    if (!target) return undefined
    const key = name + (suffix ?? 'Id')
    const settings = { alias: name, many: false, dependent: false }
    const ownKey = { child: collection, key, keys: [key], parent: target.name, ...settings }
    return { collection: target.name, ownKey, follow: (records) => records.map(() => null) }
  }

  /** The key of a relation whose collection does not exist, and the name of that collection. */
  function missingParent(own: string, name: string): [key: string, parent: string] | undefined {
    const configured = parentsOf(own).find((one) => one.alias === name)
    if (configured) return [configured.key, configured.parent]
    const resource = store.resources.get(own)
    const keys =
      resource?.kind === 'collection' ? resource.keys() : Object.keys(resource?.get() ?? {})
    const key = [...keys].find((one) => keyStem(one, suffix) === name)
    return key === undefined ? undefined : [key, pluralOf(name)]
  }

  function namesOf(collection: string): string[] {
    const near = relations().childrenOf(collection)
    const names = [
      ...parentsOf(collection).map((one) => (one.many ? baseName(one.parent) : one.alias)),
      ...near.map(({ child }) => baseName(child)),
      ...near.flatMap(farKeysOf).map(({ parent }) => baseName(parent)),
    ]
    return [...new Set(names)]
  }

  function related(collection: string, name: string): RelatedRecords | undefined {
    return (
      keyed(collection, name, false) ??
      expectedParent(collection, name) ??
      children(collection, name)
    )
  }

  return {
    relations,
    find: related,
    children,
    names: namesOf,
    childNames: (collection) => namesOf(collection).filter((name) => children(collection, name)),
    follow(collection, name, parameter) {
      const found = related(collection, name)
      if (found) return found
      const names = namesOf(collection)
      const [key, parent] = missingParent(collection, name) ?? []
      const reason =
        parent === undefined
          ? `"${collection}" has no such relation. ${suggest(name, names)}`
          : `"${parent}" is missing, the collection that "${key}" of "${collection}" references. Please add its fixture, or name another collection in the option "relations".`
      throw new MockError(`Failed to embed "${name}": ${reason}`, {
        status: 400,
        code: 'RELATION_UNKNOWN',
        errors: { [parameter]: `known: ${names.join(', ') || 'none'}` },
      })
    },
  }
}

/** Whether a collection has never held a record, so that its foreign keys are unknown. */
function hasNoKeys(collection: Collection): boolean {
  return collection.keys().size === 0
}

/** Returns the records with these ids, each once. */
function pick(collection: Collection, ids: string[]): JsonRecord[] {
  const found = new Set<JsonRecord>()
  for (const id of ids) {
    const record = collection.get(id)
    if (record) found.add(record)
  }
  return [...found]
}

/** Finds relations: foreign keys that the configuration names, or whose names say so (`userId`). */
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
    all,
    parentsOf: (collection) => all.filter((one) => one.child === collection),
    childrenOf: (collection) => all.filter((one) => one.parent === collection),
  }
}

/** The relations between collections. */
export interface Relations {
  readonly all: readonly Relation[]
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

/** The children of each of some parents, in insertion order, by an index of the foreign key that the first call builds. */
export function childrenByKey(
  { indexes }: Collection,
  { keys }: Relation,
  ids: readonly string[],
): JsonRecord[][] {
  return recordsByValues(
    indexes,
    keys.map((key) => [key]),
    ids.map(idValues),
  )
}
