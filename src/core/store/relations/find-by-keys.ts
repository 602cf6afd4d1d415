import { keysOfOperand } from '../../json/equality.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { Collection } from '../records/collection.ts'
import { keysIn, type Relation } from './relations.ts'
import { eachSlot, unite } from '../../structures/slot-set.ts'

/**
 * Finds the children of some parents: the records of a collection whose foreign key contains one of the ids,
 * in insertion order. It uses an index of the foreign key, which the first call builds.
 */
export function findByKeys(
  child: Collection,
  relation: Relation,
  ids: ReadonlySet<string>,
): JsonRecord[] {
  const { indexes } = child
  const wanted = [...ids].flatMap(keysOfOperand)
  const slots = unite(relation.keys.flatMap((key) => indexes.equal([key], wanted, true) ?? []))
  const found: JsonRecord[] = []
  eachSlot(slots, (slot) => {
    const record = indexes.at(slot)
    // Ids compare as exact strings, but the index finds `1` for `01`.
    if (record && keysIn(record, relation).some((key) => ids.has(key))) found.push(record)
  })
  return found
}
