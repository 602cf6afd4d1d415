import type { LinkedResource } from '../../dialects/contract/dialect.ts'
import { ownValue } from '../../json/json.ts'
import type { RelatedRecords, Relation } from '../../store/relations.ts'
import { baseName } from '../../text/foreign-keys.ts'
import type { Exchange } from '../contract/exchange.ts'
import { viewOf } from './record-view.ts'

/** Describes the relation of a resource for a dialect; undefined if there is none of that name. */
export function toLinkedResource(
  exchange: Exchange,
  resource: string,
  name: string,
): LinkedResource | undefined {
  const found: RelatedRecords | undefined = exchange.service.links.find(resource, name)
  if (!found) return undefined
  const { collection, relation, ownKey, join } = found
  // Records with a content of their own, such as comments with a body, do not join their parents.
  if (join && !isJoinOnly(exchange, join)) return undefined
  const rows = join && toLinkedResource(exchange, resource, baseName(join.near.child))
  const { fieldName } = viewOf(exchange, resource)
  return {
    name,
    collection,
    isMany: ownKey ? isList(exchange, resource, ownKey) : Boolean(relation ?? join),
    keys: ownKey?.keys.map(fieldName),
    foreignKey: relation && { keys: relation.keys, isList: relation.many },
    join: rows && join && { relation: rows, near: join.near.key, far: join.far.key },
  }
}

/** Whether records have nothing but an id and the keys of both sides. */
function isJoinOnly(
  { service }: Exchange,
  { near, far }: { near: Relation; far: Relation },
): boolean {
  const { idField, keys } = service.store.collection(near.child)
  const expected = new Set([idField, ...near.keys, ...far.keys])
  return !near.many && !far.many && [...keys()].every((key) => expected.has(key))
}

/** Whether a key holds lists: a configured key need not be named like a list. */
function isList({ service }: Exchange, resource: string, { key, many }: Relation): boolean {
  const own = service.resources.get(resource)
  if (many || !own || own.kind === 'document') return many
  const records = own.kind === 'collection' ? own.records().slice(0, 100) : [own.get()]
  return Array.isArray(records.map((one) => ownValue(one, key)).find((one) => one != null))
}
