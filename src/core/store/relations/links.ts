import { MockError } from '../../errors/mock-error.ts'
import type { JsonRecord } from '../../json/json.ts'
import { baseName, folderOf } from '../../text/foreign-keys.ts'
import { isPluralOf, singularOf } from '../../text/plurals.ts'
import { suggest } from '../../errors/nearest.ts'
import { findForeignKeys } from '../../fixtures/foreign-keys.ts'
import type { RelationOptions } from '../../fixtures/relation-options.ts'
import { type Collection, keyOf } from '../records/collection.ts'
import { findByKeys } from './find-by-keys.ts'
import { isSameList } from '../reload/alignment.ts'
import { findRelations, keysIn, type Relation, type Relations } from './relations.ts'
import type { Store } from '../store.ts'

/**
 * A relation of a collection, such as from `posts` to `comments`: the name of the related collection, and a
 * function that finds the records related to one record.
 */
export interface RelatedRecords {
  /** The name of the related collection. */
  collection: string
  /** The foreign key of the related records; undefined if they have none. */
  relation?: Relation
  /** The related records: a list, or a parent, which is null if missing. */
  follow(record: JsonRecord): JsonRecord[] | JsonRecord | null
}

/** The relations between the collections of a store. */
export interface Links {
  /**
   * The relation of that name. `parameter` is the name of the query parameter, for the error.
   * @throws MockError 400 that lists the known relations
   */
  follow(collection: string, name: string, parameter: string): RelatedRecords
  /** The relation to children of that name, or undefined. */
  children(collection: string, name: string): RelatedRecords | undefined
  /** The names of the relations to children. */
  childNames(collection: string): string[]
  relations(): Relations
}

/** Creates the links of a store. Relations are cached until a resource or a key is added or removed. */
export function createLinks(store: Store, options: RelationOptions = {}, suffix?: string): Links {
  let cache: { all: Collection[]; shape: string; relations: Relations } | undefined

  function relations(): Relations {
    const all = collections()
    // A collection never loses keys, so the same number of keys are the same keys.
    const shape = String(all.map((one) => one.keys().size))
    if (cache?.shape !== shape || !isSameList(cache.all, all))
      cache = { all, shape, relations: findRelations(store.resources, options, suffix) }
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

  function find(name: string): Collection | undefined {
    return collections().find((one) => one.name === name)
  }

  function children(collection: string, name: string): RelatedRecords | undefined {
    const own = find(collection)
    if (!own) return undefined
    const all = relations().childrenOf(collection)
    // A collection in the same folder is preferred.
    const relation =
      all.find(({ child }) => child === folderOf(collection) + name) ??
      all.find(({ child }) => child === name || baseName(child) === name)
    const child = relation && find(relation.child)
    if (child) return { collection: child.name, relation, follow: byKey(own, child, relation) }
    return joined(own, name) ?? listed(collection, name) ?? expected(own, name)
  }

  /** A relation to a collection without records, whose future records may have a key of this collection. */
  function expected(own: Collection, name: string): RelatedRecords | undefined {
    const child = collections().find((one) => baseName(one.name) === name && hasNoKeys(one))
    if (!child) return undefined
    const alias = singularOf(baseName(own.name))
    const key = alias + (suffix ?? 'Id')
    const relation = {
      child: child.name,
      key,
      keys: [key],
      parent: own.name,
      alias,
      many: false,
      dependent: false,
    }
    return { collection: child.name, relation, follow: () => [] }
  }

  /** Many-to-many by a list of keys: `product.tagIds` relates to `tags`. */
  function listed(own: string, name: string): RelatedRecords | undefined {
    const relation = parentsOf(own).find(
      (one) => one.many && (baseName(one.parent) === name || one.alias === name),
    )
    const parent = relation && find(relation.parent)
    if (!parent) return undefined
    return {
      collection: parent.name,
      follow: (record) => pick(parent, keysIn(record, relation)),
    }
  }

  /** Many-to-many through a join collection, whose records have a key of each side. */
  function joined(own: Collection, name: string): RelatedRecords | undefined {
    for (const nearKey of relations().childrenOf(own.name)) {
      const farKey = relations()
        .parentsOf(nearKey.child)
        .find((one) => one !== nearKey && baseName(one.parent) === name && one.parent !== own.name)
      const join = find(nearKey.child)
      const target = farKey && find(farKey.parent)
      if (!join || !target) continue
      const rows = byKey(own, join, nearKey)
      return {
        collection: target.name,
        follow: (record) =>
          pick(
            target,
            rows(record).flatMap((row) => keysIn(row, farKey)),
          ),
      }
    }
    return undefined
  }

  function parent(collection: string, name: string): RelatedRecords | undefined {
    const relation = parentsOf(collection).find((one) => !one.many && one.alias === name)
    const target = relation && find(relation.parent)
    if (!target) return expectedParent(collection, name)
    return {
      collection: target.name,
      follow: (record) => pick(target, keysIn(record, relation))[0] ?? null,
    }
  }

  /** A parent of a collection without records, whose future records may have its key. */
  function expectedParent(collection: string, name: string): RelatedRecords | undefined {
    const own = find(collection)
    if (!own || !hasNoKeys(own)) return undefined
    const target = collections().find((one) => isPluralOf(baseName(one.name), name))
    return target && { collection: target.name, follow: () => null }
  }

  return {
    relations,
    children,
    childNames: (collection) =>
      namesOf(collection, relations()).filter((name) => children(collection, name)),
    follow(collection, name, parameter) {
      // A singleton has no children, but may hold a list of keys.
      const found =
        parent(collection, name) ?? children(collection, name) ?? listed(collection, name)
      if (found) return found
      const names = namesOf(collection, relations(), parentsOf(collection))
      throw new MockError(
        `Failed to embed "${name}": "${collection}" has no such relation. ${suggest(name, names)}`,
        {
          status: 400,
          code: 'RELATION_UNKNOWN',
          errors: { [parameter]: `known: ${names.join(', ') || 'none'}` },
        },
      )
    },
  }
}

/** Whether a collection has never held a record, so that its foreign keys are unknown. */
function hasNoKeys(collection: Collection): boolean {
  return collection.keys().size === 0
}

/** The records with these ids, each once. */
function pick(collection: Collection, ids: string[]): JsonRecord[] {
  const found = new Set<JsonRecord>()
  for (const id of ids) {
    const record = collection.get(id)
    if (record) found.add(record)
  }
  return [...found]
}

/** Finds the children of a parent by their foreign key. */
function byKey(
  parent: Collection,
  child: Collection,
  relation: Relation,
): (record: JsonRecord) => JsonRecord[] {
  return (record) => findByKeys(child, relation, new Set([keyOf(parent, record)]))
}

function namesOf(
  collection: string,
  relations: Relations,
  parents: readonly Relation[] = relations.parentsOf(collection),
): string[] {
  const children = relations.childrenOf(collection)
  const joined = children.flatMap(({ child }) =>
    relations
      .parentsOf(child)
      .filter(({ parent }) => parent !== collection)
      .map(({ parent }) => baseName(parent)),
  )
  const direct = parents.map((one) => (one.many ? baseName(one.parent) : one.alias))
  return [...new Set([...direct, ...children.map(({ child }) => baseName(child)), ...joined])]
}
