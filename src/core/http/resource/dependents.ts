import { MockError } from '../../errors/mock-error.ts'
import type { JsonRecord } from '../../json/json.ts'
import { suggest } from '../../errors/nearest.ts'
import { type Collection, keyOf } from '../../store/records/collection.ts'
import { findByKeys, type Relation } from '../../store/relations.ts'
import type { Service } from '../contract/service.ts'
import type { Write } from '../contract/exchange.ts'

/**
 * Creates the writes that delete the dependents of a record: its children whose relation is dependent or whose
 * collection is named, and their dependents in turn; the deepest come first.
 * @throws MockError 400 that suggests the nearest collection for an unknown name
 */
export function dependentsOf(
  { store, links }: Service,
  { resource, id }: DeletedRecord,
  own: JsonRecord,
  named: readonly string[],
): Write[] {
  const known = [...store.resources.keys()]
  const unknown = named.find((name) => !known.some((one) => hasName(one, name)))
  if (unknown !== undefined) throw wrongDependent(unknown, known)
  const isDeletedToo = ({ dependent, child }: Relation): boolean =>
    dependent || named.some((name) => hasName(child, name))
  const writes = new Map<JsonRecord, Write>()
  let level = new Map([[resource, new Set([id])]])
  while (level.size > 0) {
    const next = new Map<Collection, Set<string>>()
    for (const [parent, ids] of level) {
      for (const relation of links.relations().childrenOf(parent.name).filter(isDeletedToo)) {
        const child = store.collection(relation.child)
        for (const record of findByKeys(child, relation, ids)) {
          if (record === own || writes.has(record)) continue
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

/** Creates the write that deletes a record. */
export function removal(resource: Collection, id: string, previous: JsonRecord): Write {
  return { action: 'remove', resource, id, previous, record: undefined }
}

interface DeletedRecord {
  resource: Collection
  id: string
}

/** Whether a name, with or without the folder, is that of a collection. */
function hasName(collection: string, name: string): boolean {
  return collection === name || collection.endsWith(`/${name}`)
}

function wrongDependent(name: string, known: readonly string[]): MockError {
  return new MockError(
    `Failed to delete dependents in "${name}": there is no such collection. ${suggest(name, known)}`,
    { status: 400, code: 'QUERY_INVALID', errors: { _dependent: `known: ${known.join(', ')}` } },
  )
}
