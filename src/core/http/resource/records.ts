import type { JsonRecord } from '../../json/json.ts'
import type { Lookup } from '../../query/embed.ts'
import type { Collection } from '../../store/records/collection.ts'
import type { Store } from '../../store/store.ts'
import type { Exchange, View, Write } from '../contract/exchange.ts'
import type { MaybePromise } from '../contract/messages.ts'
import { childrenOf, findMember, notFound, type Parent } from '../routing/target.ts'

/** The records of a collection, or of a parent, as the request sees them; undefined for all as they are. */
export function seenRecords(
  exchange: Exchange,
  collection: Collection,
  parent: Parent | undefined,
): readonly JsonRecord[] | undefined {
  if (parent) seenMember(exchange, parent.collection, parent.id)
  const views = viewsOf(exchange, collection.name)
  if (!parent && views.length === 0) return undefined
  return filter(views, parent ? childrenOf(parent) : collection.records())
}

/**
 * The stored record of a member.
 * @throws MockError 404, or what a behaviour answers for a record that the request does not see
 */
export function seenMember(
  exchange: Exchange,
  collection: Collection,
  id: string,
  parent?: Parent,
): JsonRecord {
  if (parent) seenMember(exchange, parent.collection, parent.id)
  const record = findMember(collection, id, parent)
  for (const view of viewsOf(exchange, collection.name)) {
    if (view.includes?.(record) ?? true) continue
    throw view.refuse?.(record) ?? notFound(`Failed to find "${id}" in "${collection.name}".`)
  }
  return record
}

/** The record as the request sees it. */
export function shown(exchange: Exchange, resource: string, record: JsonRecord): JsonRecord {
  return show(viewsOf(exchange, resource), record)
}

/** The record as the request sees it, or undefined where it does not. */
export function seenRecord(
  exchange: Exchange,
  resource: string,
  record: JsonRecord,
): JsonRecord | undefined {
  return filter(viewsOf(exchange, resource), [record])[0]
}

/** What is stored, by what is shown of it. */
const storedBy = new WeakMap<JsonRecord, JsonRecord>()

/** The stored record of one that is shown, whose id and keys may be called otherwise there. */
export function storedOf(record: JsonRecord): JsonRecord {
  return storedBy.get(record) ?? record
}

/** Hands out relations whose records are as the request sees them. */
export function seenLinks(exchange: Exchange): Lookup {
  return (collection, name, parameter) => {
    const link = exchange.service.links.follow(collection, name, parameter)
    const views = viewsOf(exchange, link.collection)
    return {
      ...link,
      follow(record) {
        const found = link.follow(storedOf(record))
        if (Array.isArray(found)) return filter(views, found)
        return found && (filter(views, [found])[0] ?? null)
      },
    }
  }
}

/** The record as the request is taken to know it where it changes parts of it: as it is shown, as far as that leads back. */
export function known(exchange: Exchange, resource: string, record: JsonRecord): JsonRecord {
  return show(
    viewsOf(exchange, resource).filter((view) => view.toStored),
    record,
  )
}

/** The record to be stored of one that a request sends, which may take the place of another. */
export function taken(
  exchange: Exchange,
  resource: string,
  record: JsonRecord,
  previous?: JsonRecord,
): JsonRecord {
  return viewsOf(exchange, resource).reduceRight(
    (sent, view) => view.toStored?.(sent, previous) ?? sent,
    record,
  )
}

/** What the request calls a field of the stored records. */
export function nameOf(exchange: Exchange, resource: string, field: string): string {
  return viewsOf(exchange, resource).reduce((name, view) => view.fieldName?.(name) ?? name, field)
}

/**
 * Stores what a request writes, all of it or nothing, once every behaviour has agreed. Where one of
 * them takes its time and the data changes meanwhile, the plan is made and looked at again.
 */
export function commit(exchange: Exchange, plan: () => Write[]): MaybePromise<JsonRecord[]> {
  const { store } = exchange.service
  exchange.check?.()
  const writes = plan()
  const { version } = store
  const agreed = agree(exchange, writes, 0)
  if (!(agreed instanceof Promise)) return apply(store, writes)
  return agreed.then(() =>
    store.version === version ? apply(store, writes) : commit(exchange, plan),
  )
}

function viewsOf(exchange: Exchange, resource: string): readonly View[] {
  // Names are given at last: what others hide has the name then by which they know it.
  return exchange.records.views
    .flatMap((view): View | View[] => view(resource, exchange) ?? [])
    .sort((one, other) => Number(!other.fieldName) - Number(!one.fieldName))
}

function filter(views: readonly View[], records: readonly JsonRecord[]): readonly JsonRecord[] {
  if (views.length === 0) return records
  return records
    .filter((record) => views.every((view) => view.includes?.(record) ?? true))
    .map((record) => show(views, record))
}

function show(views: readonly View[], record: JsonRecord): JsonRecord {
  const seen = views.reduce<JsonRecord>((seen, view) => view.present?.(seen) ?? seen, record)
  if (seen !== record) storedBy.set(seen, record)
  return seen
}

/** Asks every hook about every write: one hook after the other, so that checks see what is changed. */
function agree(exchange: Exchange, writes: readonly Write[], from: number): MaybePromise<void> {
  const hooks = exchange.records.writes
  for (let at = from; at < hooks.length * writes.length; at++) {
    const write = writes[at % writes.length]
    const asked = write && hooks[Math.floor(at / writes.length)]?.(write, exchange, writes)
    if (asked instanceof Promise) return asked.then(() => agree(exchange, writes, at + 1))
  }
}

function apply(store: Store, writes: readonly Write[]): JsonRecord[] {
  const [first] = writes
  if (first?.action === 'create') {
    return store.insertAll(
      first.resource.name,
      writes.map(({ record = {} }) => record),
    )
  }
  return writes.map(({ resource: { name }, id, record }) => {
    if (id === undefined) return store.replaceSingleton(name, record ?? {})
    return record ? store.replace(name, id, record) : store.remove(name, id)
  })
}
