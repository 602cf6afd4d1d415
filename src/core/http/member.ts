import type { Result } from '../dialects/dialect.ts'
import { MockError } from '../errors.ts'
import type { JsonRecord } from '../json.ts'
import { present } from '../query/run.ts'
import { keyOf } from '../store/collection.ts'
import { isId } from '../store/ids.ts'
import { keysIn } from '../store/relations.ts'
import { asRecord, readBody } from './body.ts'
import type { Routed } from './exchange.ts'
import { after, type MaybePromise } from './messages.ts'
import { applyPatch, patchTypes } from './patch.ts'
import { findMember, type Parent, type Target } from './target.ts'

type At<Kind extends Target['kind']> = Routed<Extract<Target, { kind: Kind }>>

const bodyTypes = ['application/json', 'application/x-www-form-urlencoded']

/** GET of a member, a singleton or a document. */
export function read({ target, params, service }: At<'member' | 'singleton' | 'document'>): Result {
  if (target.kind === 'document') return { type: 'document', value: target.resource.get() }
  if (target.kind === 'singleton') {
    return { type: 'record', action: 'read', record: target.resource.get() }
  }
  const { resource, id, parent } = target
  const record = findMember(resource, id, parent)
  if (params.length === 0) return { type: 'record', action: 'read', record }
  const asked = service.dialect.parseMember(params, resource)
  const [shown = record] = present([record], asked, resource.name, (collection, name) =>
    service.links.follow(collection, name),
  )
  return { type: 'record', action: 'read', record: shown }
}

/** POST to a collection: one record, or all of a list or none of it. */
export function create(exchange: At<'collection'>): MaybePromise<Result> {
  const { resource, parent } = exchange.target
  const { store, limits } = exchange.service
  if (parent) findMember(parent.collection, parent.id)
  return after(readBody(exchange.request, bodyTypes, limits), (body): Result => {
    const scoped = (one: unknown): JsonRecord => withParent(asRecord(one), parent)
    if (Array.isArray(body)) {
      const records = store.insertAll(resource.name, body.map(scoped))
      return { type: 'records', action: 'created', records }
    }
    const record = store.insert(resource.name, scoped(body))
    const location = `${placeOf(exchange)}/${encodeURIComponent(keyOf(resource, record))}`
    return { type: 'record', action: 'created', record, location }
  })
}

/** PUT of a member: what is sent takes the place of what was there; the id stays. */
export function replace(exchange: At<'member'>): MaybePromise<Result> {
  const { resource, id, parent } = exchange.target
  const { store, limits } = exchange.service
  findMember(resource, id, parent)
  return after(readBody(exchange.request, bodyTypes, limits), (body): Result => {
    findMember(resource, id, parent)
    const record = asRecord(body)
    checkId(record, resource.idField, id)
    return { type: 'record', action: 'replaced', record: store.replace(resource.name, id, record) }
  })
}

/** PATCH of a member, by the type of the body. */
export function patch(exchange: At<'member'>): MaybePromise<Result> {
  const { resource, id, parent } = exchange.target
  const { store, limits } = exchange.service
  findMember(resource, id, parent)
  return after(readBody(exchange.request, patchTypes, limits), (body): Result => {
    const patched = applyPatch(findMember(resource, id, parent), body, exchange.request)
    checkId(patched, resource.idField, id)
    return { type: 'record', action: 'patched', record: store.replace(resource.name, id, patched) }
  })
}

/** DELETE of a member; its children stay unless the request or the configuration says otherwise. */
export function remove({ target, params, service }: At<'member'>): Result {
  const { resource, id, parent } = target
  findMember(resource, id, parent)
  const { store, links, dialect } = service
  const named = new Set(dialect.parseDependents?.(params) ?? [])
  for (const relation of links.relations().childrenOf(resource.name)) {
    if (!relation.dependent && !named.has(relation.child)) continue
    const child = store.collection(relation.child)
    for (const record of child.records()) {
      if (keysIn(record, relation).includes(id)) store.remove(child.name, keyOf(child, record))
    }
  }
  return { type: 'record', action: 'removed', record: store.remove(resource.name, id) }
}

/** PUT of a singleton. */
export function replaceSingleton(exchange: At<'singleton'>): MaybePromise<Result> {
  const { resource } = exchange.target
  const { store, limits } = exchange.service
  return after(readBody(exchange.request, bodyTypes, limits), (body): Result => {
    const record = store.replaceSingleton(resource.name, asRecord(body))
    return { type: 'record', action: 'replaced', record }
  })
}

/** PATCH of a singleton. */
export function patchSingleton(exchange: At<'singleton'>): MaybePromise<Result> {
  const { resource } = exchange.target
  const { store, limits } = exchange.service
  return after(readBody(exchange.request, patchTypes, limits), (body): Result => {
    const patched = applyPatch(resource.get(), body, exchange.request)
    const record = store.replaceSingleton(resource.name, patched)
    return { type: 'record', action: 'patched', record }
  })
}

/** The record with the key of its parent set, with the type that the parent's id has. */
function withParent(record: JsonRecord, parent: Parent | undefined): JsonRecord {
  const relation = parent?.related.relation
  if (!parent) return record
  if (!relation) {
    throw new MockError(
      `Failed to create a child of "${parent.collection.name}/${parent.id}": many belong to many here. Please create the record and the join on their own.`,
      { status: 405, code: 'METHOD_UNKNOWN', headers: [['Allow', 'GET, HEAD, QUERY, OPTIONS']] },
    )
  }
  const id = parent.collection.get(parent.id)?.[parent.collection.idField] ?? parent.id
  return { ...record, [relation.key]: relation.many ? [id] : id }
}

/** A body may repeat the id of the path, and may not contradict it. */
function checkId(record: JsonRecord, field: string, id: string): void {
  const given = Object.hasOwn(record, field) ? record[field] : undefined
  if (given === undefined || (isId(given) && String(given) === id)) return
  throw new MockError(
    `Failed to write "${id}": the body says ${field} ${JSON.stringify(given)}. Please leave it out or send the same.`,
    { status: 400, code: 'ID_CONTRADICTED', errors: { [field]: [`has to be ${id}`] } },
  )
}

/** Where a created record is found: below its own collection. */
function placeOf({ target, service }: Routed): string {
  return `${service.base}/${target.resource.name.split('/').map(encodeURIComponent).join('/')}`
}
