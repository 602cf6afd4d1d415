import { keysOfOperand } from '../../json/equality.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { Collection } from '../records/collection.ts'
import { keysIn, type Relation } from './relations.ts'
import { mergeRising } from '../indexes/postings.ts'

/** The records of a collection that name any of these ids, in order, without a look at all others. */
export function findByKeys(
  child: Collection,
  relation: Relation,
  ids: ReadonlySet<string>,
): JsonRecord[] {
  const { at, indexes } = child.shortcuts
  const wanted = [...ids].flatMap(keysOfOperand)
  const slots = mergeRising(relation.keys.map((key) => indexes.equal([key], wanted, true) ?? []))
  const found: JsonRecord[] = []
  for (const slot of slots) {
    const record = at(slot)
    // Ids are exact texts: `01` is not `1`.
    if (record && keysIn(record, relation).some((key) => ids.has(key))) found.push(record)
  }
  return found
}
