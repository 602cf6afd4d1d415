import { MockError } from '../../errors/mock-error.ts'
import type { NamedDependent } from '../../dialects/contract/dialect.ts'
import type { JsonRecord } from '../../json/json.ts'
import { suggest } from '../../errors/nearest.ts'
import { type Collection, keyOf } from '../../store/records/collection.ts'
import { findByKeys, type Relation } from '../../store/relations.ts'
import type { Service } from '../contract/service.ts'
import type { Write } from '../contract/exchange.ts'

/**
 * Creates the writes by which a DELETE of the record `deleted` also deletes its dependents: the records that reference
 * it by a relation with `dependent: true`, or in a collection that the request names, and their dependents in turn.
 * The writes of the deepest level come first.
 * @throws MockError 400 that suggests the nearest collection for an unknown name
 */
export function dependentsOf(
  { store, links }: Service,
  { resource, id }: DeletedRecord,
  deleted: JsonRecord,
  named: readonly NamedDependent[],
): Write[] {
  const known = [...store.resources.keys()]
  const unknown = named.find(({ name }) => !known.some((one) => hasName(one, name)))
  if (unknown !== undefined) throw wrongDependent(unknown, known)
  const isDeletedToo = ({ dependent, child }: Relation): boolean =>
    dependent || named.some(({ name }) => hasName(child, name))
  const writes = new Map<JsonRecord, Write>()
  let level = new Map([[resource, new Set([id])]])
  while (level.size > 0) {
    const next = new Map<Collection, Set<string>>()
    for (const [parent, ids] of level) {
      for (const relation of links.relations().childrenOf(parent.name).filter(isDeletedToo)) {
        const child = store.collection(relation.child)
        for (const record of findByKeys(child, relation, ids)) {
          if (record === deleted || writes.has(record)) continue
          const key = keyOf(child, record)
          writes.set(record, removal(child, key, record))
          next.set(child, (next.get(child) ?? new Set()).add(key))
        }
      }
    }
    level = next
  }
  return [...writes.values()].toReversed()
}

/** Creates the write that deletes `previous`, the stored record with this id. */
export function removal(resource: Collection, id: string, previous: JsonRecord): Write {
  return { action: 'remove', resource, id, previous, record: undefined }
}

interface DeletedRecord {
  resource: Collection
  id: string
}

/** Whether a collection has a name, which may lack the folder: `v1/posts` has the name `posts` too. */
function hasName(collection: string, name: string): boolean {
  return collection === name || collection.endsWith(`/${name}`)
}

function wrongDependent({ name, parameter }: NamedDependent, known: readonly string[]): MockError {
  return new MockError(
    `Failed to delete dependents in "${name}": there is no such collection. ${suggest(name, known)}`,
    { status: 400, code: 'QUERY_INVALID', errors: { [parameter]: `known: ${known.join(', ')}` } },
  )
}
