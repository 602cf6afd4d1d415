import type { Data, LinkedResource } from '../../dialects/contract/dialect.ts'
import { type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { select } from '../../query/select.ts'
import { sortPage } from '../../query/sort.ts'
import type { Collection } from '../../store/records/collection.ts'
import { content, type Singleton } from '../../store/records/resource.ts'
import type { Exchange } from '../contract/exchange.ts'
import { sourceOf } from '../routing/named-resources.ts'
import { toLinkedResource } from './linked-resource.ts'
import { runQuery } from './list.ts'
import { viewOf, visibleLinks, visibleMember, visibleRecords } from './record-view.ts'

/** Creates the data as a request sees it, for the functions of a dialect. */
export function toData(exchange: Exchange): Data {
  const { service } = exchange
  const { store, random, clock, relations, foreignKeySuffix, rules, base } = service
  const links = new Map<string, ReturnType<ReturnType<typeof visibleLinks>>>()
  const known = new Map<string, readonly LinkedResource[]>()
  const lookup = visibleLinks(exchange)
  const collection = (name: string): Collection | undefined => {
    const resource = service.resources.get(name)
    return resource?.kind === 'collection' ? resource : undefined
  }
  const toUrl = (path: string): string =>
    exchange.origin + (exchange.toClientUrl?.(base + path) ?? base + path)
  return {
    names: () => [...store.resources.keys()],
    kindOf: (name) => service.resources.get(name)?.kind,
    read(name) {
      const resource = store.resources.get(name)
      if (resource?.kind === 'collection') {
        const sort = ownValue(rules, name)?.sort
        const records = visibleRecords(exchange, resource)
        return sort ? sortPage(records, [...sort]).slice(0, records.length) : records
      }
      if (resource?.kind === 'singleton') return viewOf(exchange, name).present(resource.get())
      return resource && content(resource)
    },
    idField: (name) => collection(name)?.idField ?? 'id',
    relations,
    foreignKeySuffix,
    find(name, id) {
      const found = collection(name)
      return found?.get(id) && visibleMember(exchange, found, id)
    },
    shown: (name, record) => viewOf(exchange, name).present(record),
    editable(name, id) {
      const resource = store.resources.get(name)
      const stored =
        resource?.kind === 'singleton'
          ? resource.get()
          : visibleMember(exchange, store.collection(name), id ?? '')
      return viewOf(exchange, name).presentForPatch(stored)
    },
    relationsOf(name) {
      const before = known.get(name)
      if (before) return before
      const found = service.links
        .names(sourceOf(rules, name))
        .flatMap((one) => toLinkedResource(exchange, name, one) ?? [])
      known.set(name, found)
      return found
    },
    relation: (name, relation) => toLinkedResource(exchange, name, relation),
    related(name, record, relation) {
      const key = `${name}\0${relation}`
      const link = links.get(key) ?? lookup(name, relation, relation)
      links.set(key, link)
      const [related = null] = link.follow([record])
      return related === null ? [] : Array.isArray(related) ? related : [related]
    },
    newId: (name, isTaken) => store.collection(name).newId(random, isTaken),
    sourceOf: (name) => sourceOf(rules, name),
    url: exchange.origin + (exchange.rewritten ?? exchange.path + exchange.request.search),
    toUrl,
    toPath(url) {
      const [path = ''] = url.replace(exchange.origin, '').split(/[?#]/)
      return path.startsWith(`${base}/`) ? path.slice(base.length) : undefined
    },
    run(name, query) {
      const resource = store.resources.get(name)
      if (resource?.kind === 'collection') return runQuery(exchange, resource, query)
      const records =
        resource?.kind === 'singleton' ? [viewOf(exchange, name).present(resource.get())] : []
      const found = select({ records: () => records }, query)
      const { start = 0, end = found.length } = query.slice ?? {}
      return { records: found.slice(start, end), total: found.length }
    },
    foreignKeys: () => service.links.relations().all,
    described: service.described,
    fields(name) {
      const resource = store.resources.get(name)
      if (!resource || resource.kind === 'document') return []
      const view = viewOf(exchange, name)
      const hidden = ownValue(rules, name)?.hidden ?? []
      const stored = resource.kind === 'collection' ? resource.keys() : Object.keys(resource.get())
      const isShown = (field: string): boolean => {
        if (hidden.includes(field) || view.isIdentity) return !hidden.includes(field)
        const one = firstWith(resource, (record) => Object.hasOwn(record, field))
        return !one || Object.hasOwn(view.present(one), view.fieldName(field))
      }
      const shown = [...stored].filter(isShown).map(view.fieldName)
      return [...new Set([...shown, ...(view.derived?.names ?? [])])]
    },
    sample(name, field) {
      const resource = store.resources.get(name)
      if (!resource || resource.kind === 'document') return undefined
      const { present } = viewOf(exchange, name)
      const valueIn = (record: JsonRecord): Json => ownValue(present(record), field) ?? null
      const found = firstWith(resource, (record) => valueIn(record) !== null)
      return found && valueIn(found)
    },
    random,
    now: () => clock.now(),
  }
}

/** Returns the first of the first records that passes a test. */
function firstWith(
  resource: Collection | Singleton,
  test: (record: JsonRecord) => boolean,
): JsonRecord | undefined {
  if (resource.kind === 'singleton') return test(resource.get()) ? resource.get() : undefined
  for (let slot = 0; slot < Math.min(resource.length, 1000); slot++) {
    const record = resource.at(slot)
    if (record && test(record)) return record
  }
  return undefined
}
