import { type JsonRecord, ownValue } from '../../json/json.ts'
import type { Exchange } from '../contract/exchange.ts'
import type { ResourceRules } from '../contract/service.ts'
import type { View, RecordView } from '../contract/record-view.ts'
import type { Lookup } from '../../query/embed.ts'
import type { Collection } from '../../store/records/collection.ts'
import { recordsWithStaleTimestamp } from '../response/last-modified.ts'
import { sourceOf } from '../routing/named-resources.ts'
import { childrenOf, findMember, notFound, type Parent } from '../routing/target.ts'
import type { CollectionView } from '../../dialects/contract/dialect.ts'
import { addPaths, pathTo } from '../../store/records/collection-state.ts'
import type { Singleton } from '../../store/records/resource.ts'

/** The view of a request on a resource, kept until a behaviour sets another user or API version. */
export function viewOf(exchange: Exchange, name: string): RecordView {
  const { views } = exchange.records
  if (views.length === 0) return identity
  const { user, version } = exchange
  const known = exchange.views?.get(name)
  if (known && known.user === user && known.version === version) return known.view
  const collection = sourceOf(exchange.service.rules, name)
  const own = views.flatMap((view): View | View[] => view(collection, exchange, name) ?? [])
  const view = own.length === 0 ? identity : compose(own)
  exchange.views ??= new Map()
  exchange.views.set(name, { user, version, view })
  return view
}

const identity: RecordView = {
  isIdentity: true,
  refusal: () => undefined,
  visible: (record) => record,
  present: (record) => record,
  presentForPatch: (record) => record,
  toStored: (record) => record,
  storedOf: (record) => record,
  fieldName: (field) => field,
}

function compose(given: readonly View[]): RecordView {
  // Views that rename fields run last: the others know the fields by their stored names.
  const views = given.toSorted((a, b) => Number(!b.fieldName) - Number(!a.fieldName))
  const reversible = views.filter((view) => view.toStored)
  const stored = new WeakMap<JsonRecord, JsonRecord>()
  const derived = toDerived(views)

  function through(some: readonly View[], record: JsonRecord): JsonRecord {
    const presented = some.reduce<JsonRecord>((last, view) => view.present?.(last) ?? last, record)
    if (presented !== record) stored.set(presented, record)
    if (derived) recordsWithStaleTimestamp.add(presented)
    return presented
  }

  const isVisible = (record: JsonRecord): boolean =>
    views.every((view) => view.includes?.(record) ?? true)
  return {
    isIdentity: views.every((one) => !one.present && !one.includes && !one.fieldName),
    derived,
    refusal(record) {
      const hiding = views.find((view) => !(view.includes?.(record) ?? true))
      return hiding && (hiding.refuse?.(record) ?? null)
    },
    visible: (record) => (isVisible(record) ? through(views, record) : undefined),
    present: (record) => through(views, record),
    presentForPatch: (record) => through(reversible, record),
    toStored: (record, previous) =>
      views.reduceRight((sent, view) => view.toStored?.(sent, previous) ?? sent, record),
    storedOf: (record) => stored.get(record) ?? derived?.without.storedOf(record) ?? record,
    fieldName: (field) => views.reduce((name, view) => view.fieldName?.(name) ?? name, field),
  }
}

function toDerived(views: readonly View[]): RecordView['derived'] {
  const names = views.flatMap((view) => view.derives ?? [])
  if (names.length === 0) return undefined
  const others = views.flatMap((view): View | View[] => {
    if (!view.derives) return view
    return view.includes ? { includes: view.includes } : []
  })
  const without = others.length === 0 ? identity : compose(others)
  return { names: new Set(names.map(without.fieldName)), without }
}

/** The records of a collection or a parent as the request sees them. @throws MockError 404, or that of a behaviour */
export function visibleRecords(
  exchange: Exchange,
  collection: Collection,
  parent?: Parent,
  view: RecordView = viewOf(exchange, collection.name),
): readonly JsonRecord[] {
  if (parent) visibleMember(exchange, parent.collection, parent.id)
  const records = parent ? childrenOf(parent) : collection.records()
  return visibleOf(view, records)
}

/** The stored record of a member that the request sees. @throws MockError 404, or the error of what hides it */
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
  throw refusal ?? notFound(`Failed to find "${id}" in "${collection.name}".`, collection.name)
}

/** The fields that the option `hidden` of a resource leaves out of responses, as the request names them. */
function hiddenFields(exchange: Exchange, resource: string): readonly string[] {
  const hidden = ownValue(exchange.service.rules, resource)?.hidden ?? []
  return hidden.length === 0 ? hidden : hidden.map(viewOf(exchange, resource).fieldName)
}

/** Returns a presented record without hidden fields, for a response. */
export function withoutHidden(
  exchange: Exchange,
  resource: string,
  record: JsonRecord,
): JsonRecord {
  return omit(record, hiddenFields(exchange, resource))
}

function omit(record: JsonRecord, hidden: readonly string[]): JsonRecord {
  if (!hidden.some((field) => Object.hasOwn(record, field))) return record
  const copy = { ...record }
  for (const field of hidden) delete copy[field]
  return copy
}

/** Returns the relations of a request, which lead to related records as the request sees them. */
export function visibleLinks(exchange: Exchange): Lookup {
  /** The presented records of those that were found without their hidden fields. */
  const whole = new WeakMap<JsonRecord, JsonRecord>()
  const { dialect } = exchange.service
  return (collection, name, parameter) => {
    const link = exchange.service.links.follow(collection, name, parameter)
    const from = viewOf(exchange, collection)
    const to = viewOf(exchange, link.collection)
    const hidden = hiddenFields(exchange, link.collection)
    const resource = exchange.service.store.collection(link.collection)
    const hide = (record: JsonRecord): JsonRecord => {
      const kept = omit(record, hidden)
      const shown = dialect.embedded?.(kept, resource) ?? kept
      if (shown !== record) whole.set(shown, record)
      return shown
    }
    return {
      ...link,
      follow(records) {
        const stored = records.map((record) => from.storedOf(whole.get(record) ?? record))
        return link.follow(stored).map((found) => {
          if (Array.isArray(found)) return visibleOf(to, found).map(hide)
          const visible = found && to.visible(found)
          return visible ? hide(visible) : null
        })
      },
    }
  }
}

function visibleOf(view: RecordView, records: readonly JsonRecord[]): readonly JsonRecord[] {
  if (view.isIdentity) return records
  return records.map(view.visible).filter((record) => record !== undefined)
}

/**
 * A collection as a request sees it, for parsing parameters: paths of presented records, without stored names
 * of renamed fields. A singleton is a collection of one record without an id.
 */
export function toCollectionView(
  exchange: Exchange,
  resource: Collection | Singleton,
  view: RecordView = viewOf(exchange, resource.name),
  { sort, filters }: ResourceRules = {},
): CollectionView {
  const seen = withRelated(
    resource.kind === 'singleton' ? ofSingleton(view, resource) : ofCollection(view, resource),
    exchange,
  )
  if (!sort && !filters) return seen
  return {
    ...seen,
    name: seen.name,
    idField: seen.idField,
    hasPath: (path) =>
      (path.length === 1 && filters?.includes(path[0] ?? '')) || seen.hasPath(path),
    keys: () => new Set([...seen.keys(), ...(filters ?? [])]),
    ...(sort && {
      sort: sort.map(({ path, descending }) => ({
        path: path.map((key, at) => (at === 0 ? view.fieldName(key) : key)),
        descending,
      })),
    }),
  }
}

/** Adds the relations of a collection, and the paths through them, if the dialect reads related records. */
function withRelated(seen: CollectionView, exchange: Exchange): CollectionView {
  const { dialect, links, store } = exchange.service
  if (!dialect.joins) return seen
  const { name, idField } = seen
  const related = (relation: string): CollectionView | undefined => {
    const link = links.find(name, relation)
    return link && toCollectionView(exchange, store.collection(link.collection))
  }
  return {
    name,
    idField,
    hasPath: (path) =>
      seen.hasPath(path) ||
      (path.length > 1 && (related(path[0] ?? '')?.hasPath(path.slice(1)) ?? false)),
    keys: () => seen.keys(),
    related,
    keyOf: (relation) =>
      links.find(name, relation)?.ownKey?.keys.find((key) => seen.hasPath([key])),
    relations: () => links.names(name),
  }
}

function ofCollection(view: RecordView, collection: Collection): CollectionView {
  const { name, idField } = collection
  if (view.isIdentity) return collection
  const hasOwnName = (field = ''): boolean => view.fieldName(field) === field
  const paths = new Set<string>()
  // The iterator goes on where the last call stopped, so that each record is presented once.
  const remaining = collection.records().values()
  const isPresented = (key: string): boolean => {
    if (paths.has(key)) return true
    for (const record of remaining) if (addPaths(paths, view.present(record)).has(key)) return true
    return false
  }
  return {
    name,
    idField,
    hasPath: (path) =>
      (hasOwnName(path[0]) && collection.hasPath(path)) || isPresented(path.reduce(pathTo, '')),
    keys: () => new Set(collection.records().flatMap((one) => Object.keys(view.present(one)))),
  }
}

function ofSingleton(view: RecordView, { name, get }: Singleton): CollectionView {
  const record = view.present(get())
  const paths = addPaths(new Set(), record)
  return {
    name,
    idField: '',
    hasPath: (path) => paths.has(path.reduce(pathTo, '')),
    keys: () => new Set(Object.keys(record)),
  }
}
