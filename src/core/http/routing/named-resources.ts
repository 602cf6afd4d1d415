import { type Json, type JsonRecord, ownValue, toJson } from '../../json/json.ts'
import { someAt } from '../../json/path.ts'
import { type Collection, keyOf } from '../../store/records/collection.ts'
import type { Document, Resource } from '../../store/records/resource.ts'
import { findByText } from '../../store/find-by-text.ts'
import type { Links } from '../../store/relations.ts'
import type { Store } from '../../store/store.ts'
import type { DistinctRule, NamedResources, ResourceRules } from '../contract/service.ts'

/** Adds the views and lists of values that rules name to the resources of a store. */
export function createNamedResources(store: Store, rules: Rules): NamedResources {
  const made = Object.keys(rules).filter((name) => rules[name]?.view ?? rules[name]?.distinct)
  const isMade = new Set(made)
  const known = new Map<string, { version: number; source: Collection; resource: Resource }>()

  function create(name: string): Resource | undefined {
    const { view, distinct } = ownValue<ResourceRules>(rules, name) ?? {}
    const source = store.resources.get(view?.of ?? distinct?.of ?? '')
    if (source?.kind !== 'collection') return undefined
    const before = known.get(name)
    const isCurrent = before?.source === source && (view || before.version === source.version)
    if (before && isCurrent) return before.resource
    const resource = distinct
      ? createValueList(name, source, distinct)
      : createView(name, source, view?.key ?? source.idField)
    known.set(name, { version: source.version, source, resource })
    return resource
  }

  return {
    get: (name) => store.resources.get(name) ?? (isMade.has(name) ? create(name) : undefined),
    names: () => [...store.resources.keys(), ...made.filter(create)],
    stored: (name) => store.collection(sourceOf(rules, name)),
  }
}

type Rules = Readonly<Record<string, ResourceRules>>

/** The name of the collection that a view shows; the name itself, if it is that of no view. */
export function sourceOf(rules: Rules, name: string): string {
  return ownValue<ResourceRules>(rules, name)?.view?.of ?? name
}

/** Adds the relations of views, which are those of the collections that the views show, without nested paths. */
export function withViewLinks(links: Links, rules: Rules): Links {
  const of = (name: string): string => sourceOf(rules, name)
  return {
    ...links,
    follow: (collection, name, parameter) => links.follow(of(collection), name, parameter),
    find: (collection, name) => links.find(of(collection), name),
  }
}

function createView(name: string, source: Collection, key: string): Collection {
  const get = (id: string): JsonRecord | undefined => findByText(source, key, id)[0]
  // The prototype has the records, the indexes and the version of the source, which change.
  return Object.assign(Object.create(source) as Collection, {
    name,
    idField: key,
    get,
    ordinalOf(id: string) {
      const record = get(id)
      return record && source.ordinalOf(keyOf(source, record))
    },
  })
}

/** A document with the distinct values of a field, as all records have them. */
function createValueList(name: string, source: Collection, rule: DistinctRule): Document {
  const document: Document = {
    kind: 'document',
    name,
    version: source.version,
    get: () => distinctValues(source.records(), rule),
    fork: () => document,
  }
  return document
}

/** Returns the distinct values at a path of records, through lists, in the order of the records; null is none. */
export function distinctValues(records: readonly JsonRecord[], { path }: DistinctRule): Json[] {
  const found = new Map<string, Json>()
  for (const record of records) {
    someAt(record, path, 0, (value) => {
      if (value !== null && value !== undefined) found.set(toJson(value), value as Json)
      return false
    })
  }
  return [...found.values()]
}
