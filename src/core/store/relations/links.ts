import { MockError } from '../../errors/mock-error.ts'
import type { JsonRecord } from '../../json/json.ts'
import { baseName, folderOf } from '../../text/foreign-keys.ts'
import { isPluralOf, singularOf } from '../../text/plurals.ts'
import { suggest } from '../../errors/nearest.ts'
import type { RelationOptions } from '../../fixtures/relation-options.ts'
import { type Collection, keyOf } from '../records/collection.ts'
import { findByKeys } from './find-by-keys.ts'
import { isSameList } from '../reload/alignment.ts'
import { findRelations, keysIn, type Relation, type Relations } from './relations.ts'
import type { Store } from '../store.ts'

/** A relation of a collection, ready to be followed from its records. */
export interface RelatedRecords {
  /** The collection that it leads to. */
  collection: string
  /** How records there name those here, where they do so themselves. */
  relation?: Relation
  follow(record: JsonRecord): JsonRecord[] | JsonRecord | null
}

/** How the records of a store lead to one another. */
export interface Links {
  /** @throws MockError 400 that lists the known relations when there is none that the parameter names */
  follow(collection: string, name: string, parameter: string): RelatedRecords
  /** The relation to many others of that name, or undefined. */
  children(collection: string, name: string): RelatedRecords | undefined
  /** The names of the relations to many others. */
  childNames(collection: string): string[]
  relations(): Relations
}

/** Finds the links of a store; they are looked for again only when a key or a resource has come or gone. */
export function createLinks(store: Store, options: RelationOptions = {}): Links {
  let known: { all: Collection[]; shape: string; relations: Relations } | undefined

  function relations(): Relations {
    const all = collections()
    // A collection only ever gets more keys; one that has others is another.
    const shape = String(all.map((one) => one.keys().size))
    if (known?.shape !== shape || !isSameList(known.all, all))
      known = { all, shape, relations: findRelations(store.resources, options) }
    return known.relations
  }

  function collections(): Collection[] {
    return [...store.resources.values()].filter((one) => one.kind === 'collection')
  }

  function find(name: string): Collection | undefined {
    return collections().find((one) => one.name === name)
  }

  function children(collection: string, name: string): RelatedRecords | undefined {
    const own = find(collection)
    if (!own) return undefined
    const all = relations().childrenOf(collection)
    // Of two that are called so, the one in the same folder is meant.
    const relation =
      all.find(({ child }) => child === folderOf(collection) + name) ??
      all.find(({ child }) => child === name || baseName(child) === name)
    const child = relation && find(relation.child)
    if (child) return { collection: child.name, relation, follow: byKey(own, child, relation) }
    return joined(own, name) ?? listed(own, name) ?? awaited(own, name)
  }

  /** Children still to come, by the key that they would have. */
  function awaited(own: Collection, name: string): RelatedRecords | undefined {
    const child = collections().find((one) => baseName(one.name) === name && isOpen(one))
    if (!child) return undefined
    const alias = singularOf(baseName(own.name))
    const key = `${alias}Id`
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

  /** Many to many by a list of keys: `product.tagIds` leads to `tags`. */
  function listed(own: Collection, name: string): RelatedRecords | undefined {
    const relation = relations()
      .parentsOf(own.name)
      .find((one) => one.many && (baseName(one.parent) === name || one.alias === name))
    const parent = relation && find(relation.parent)
    if (!parent) return undefined
    return {
      collection: parent.name,
      follow: (record) => pick(parent, keysIn(record, relation)),
    }
  }

  /** Many to many through a collection whose records hold a key of each side. */
  function joined(own: Collection, name: string): RelatedRecords | undefined {
    for (const near of relations().childrenOf(own.name)) {
      const far = relations()
        .parentsOf(near.child)
        .find((one) => one !== near && baseName(one.parent) === name && one.parent !== own.name)
      const join = find(near.child)
      const target = far && find(far.parent)
      if (!join || !target) continue
      const rows = byKey(own, join, near)
      return {
        collection: target.name,
        follow: (record) =>
          pick(
            target,
            rows(record).flatMap((row) => keysIn(row, far)),
          ),
      }
    }
    return undefined
  }

  function parent(collection: string, name: string): RelatedRecords | undefined {
    const relation = relations()
      .parentsOf(collection)
      .find((one) => !one.many && one.alias === name)
    const target = relation && find(relation.parent)
    if (!target) return awaitedParent(collection, name)
    return {
      collection: target.name,
      follow: (record) => pick(target, keysIn(record, relation))[0] ?? null,
    }
  }

  /** The parent of records still to come. */
  function awaitedParent(collection: string, name: string): RelatedRecords | undefined {
    const own = find(collection)
    if (!own || !isOpen(own)) return undefined
    const target = collections().find((one) => isPluralOf(baseName(one.name), name))
    return target && { collection: target.name, follow: () => null }
  }

  return {
    relations,
    children,
    childNames: (collection) =>
      namesOf(collection, relations()).filter((name) => children(collection, name)),
    follow(collection, name, parameter) {
      const found = parent(collection, name) ?? children(collection, name)
      if (found) return found
      const names = namesOf(collection, relations())
      throw new MockError(
        `Failed to embed "${name}": "${collection}" has no such relation. ${suggest(name, names)}`,
        {
          status: 400,
          code: 'RELATION_UNKNOWN',
          errors: { [parameter]: [`known: ${names.join(', ')}`] },
        },
      )
    },
  }
}

/** Who has never held a record shows no keys, and may come to belong to any other. */
function isOpen(collection: Collection): boolean {
  return collection.keys().size === 0
}

/** The records that the ids name, each once. */
function pick(collection: Collection, ids: string[]): JsonRecord[] {
  const found = new Set<JsonRecord>()
  for (const id of ids) {
    const record = collection.get(id)
    if (record) found.add(record)
  }
  return [...found]
}

/** Follows a relation from parents to children. */
function byKey(
  parent: Collection,
  child: Collection,
  relation: Relation,
): (record: JsonRecord) => JsonRecord[] {
  return (record) => findByKeys(child, relation, new Set([keyOf(parent, record)]))
}

function namesOf(collection: string, relations: Relations): string[] {
  const parents = relations.parentsOf(collection)
  const children = relations.childrenOf(collection)
  const far = children.flatMap(({ child }) =>
    relations
      .parentsOf(child)
      .filter(({ parent }) => parent !== collection)
      .map(({ parent }) => baseName(parent)),
  )
  const near = parents.map((one) => (one.many ? baseName(one.parent) : one.alias))
  return [...new Set([...near, ...children.map(({ child }) => baseName(child)), ...far])]
}
