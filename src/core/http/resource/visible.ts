import type { JsonRecord } from '../../json/json.ts'
import type { Lookup } from '../../query/embed.ts'
import type { Collection } from '../../store/records/collection.ts'
import type { Exchange } from '../contract/exchange.ts'
import { childrenOf, findMember, notFound, type Parent } from '../routing/target.ts'
import type { RecordView } from '../contract/record-view.ts'
import { viewOf } from './record-view.ts'

/**
 * Returns the records of a collection, or only the children of a parent, as the request sees them:
 * without the records that behaviours hide, and with the fields that behaviours change.
 * @throws MockError 404 for a parent that does not exist, or the error of the behaviour that hides the
 * parent
 */
export function visibleRecords(
  exchange: Exchange,
  collection: Collection,
  parent?: Parent,
): readonly JsonRecord[] {
  if (parent) visibleMember(exchange, parent.collection, parent.id)
  const records = parent ? childrenOf(parent) : collection.records()
  return visibleOf(viewOf(exchange, collection.name), records)
}

/**
 * Returns the stored record of a member that the request sees.
 * @throws MockError 404, or the error of the behaviour that hides the record
 */
export function visibleMember(
  exchange: Exchange,
  collection: Collection,
  id: string,
  parent?: Parent,
): JsonRecord {
  if (parent) visibleMember(exchange, parent.collection, parent.id)
  const record = findMember(collection, id, parent)
  const refusal = viewOf(exchange, collection.name).refusal(record)
  if (refusal === undefined) return record
  throw refusal ?? notFound(`Failed to find "${id}" in "${collection.name}".`)
}

/** Returns the relations of a request, which lead to related records as the request sees them. */
export function visibleLinks(exchange: Exchange): Lookup {
  return (collection, name, parameter) => {
    const link = exchange.service.links.follow(collection, name, parameter)
    const from = viewOf(exchange, collection)
    const to = viewOf(exchange, link.collection)
    return {
      ...link,
      follow(record) {
        const found = link.follow(from.storedOf(record))
        if (Array.isArray(found)) return visibleOf(to, found)
        return found && (to.visible(found) ?? null)
      },
    }
  }
}

function visibleOf(view: RecordView, records: readonly JsonRecord[]): readonly JsonRecord[] {
  if (view.isIdentity) return records
  return records.map(view.visible).filter((record) => record !== undefined)
}
