import type { RecordAction, Result, NamedDependent } from '../../dialects/contract/dialect.ts'
import { atField } from '../../errors/field-errors.ts'
import { MockError } from '../../errors/mock-error.ts'
import { ownValue, type Json, type JsonRecord } from '../../json/json.ts'
import { present } from '../../query/run.ts'
import { keyOf, type Collection } from '../../store/records/collection.ts'
import { checkId } from '../../store/records/ids.ts'
import { asRecord, bodyTooLarge, mediaType, readRecord, recordTypes } from './body.ts'
import { preconditionFailed } from '../response/settle.ts'
import type { Exchange, Routed, Write } from '../contract/exchange.ts'
import { distinctValues } from '../routing/named-resources.ts'
import { memberPath, type Parent, type Target } from '../routing/target.ts'
import { andThen, type MaybePromise } from '../contract/messages.ts'
import { type Patch, patchTypes, toPatch } from './patch.ts'
import {
  toCollectionView,
  viewOf,
  visibleLinks,
  visibleMember,
  visibleRecords,
} from './record-view.ts'
import { commit } from './commit.ts'
import { suggest } from '../../errors/nearest.ts'
import { childrenByKey, type Relation } from '../../store/relations.ts'
import type { Service } from '../contract/service.ts'

/** A request for a target of a kind. */
export type At<Kind extends Target['kind']> = Routed<Extract<Target, { kind: Kind }>>

/** Handles GET of a member, a singleton or a document. @throws MockError 404, or the error of what hides it */
export function read(exchange: At<'member' | 'singleton' | 'document'>): Result {
  const { target, params, service } = exchange
  if (target.kind === 'document') {
    const distinct = ownValue(service.rules, target.resource.name)?.distinct
    if (!distinct) return { type: 'document', value: target.resource.get() }
    const visible = visibleRecords(exchange, service.store.collection(distinct.of))
    return { type: 'document', value: distinctValues(visible, distinct), isList: true }
  }
  const { resource } = target
  const { name } = resource
  const view = viewOf(exchange, name)
  const record = view.present(recordAt(exchange, target))
  // A dialect may limit the fields of members by default.
  const isPlain = target.kind === 'singleton' && params.length === 0
  if (isPlain) return { type: 'record', action: 'read', record }
  const asked = service.dialect.parseMember(params, toCollectionView(exchange, resource))
  if (!asked.embed && !asked.fields) return { type: 'record', action: 'read', record }
  const [found = record] = present([record], asked, name, visibleLinks(exchange))
  return { type: 'record', action: 'read', record: found }
}

/** Handles POST to a collection: one record, or an array of records of which all or none are stored. */
export function create(exchange: At<'collection'>): MaybePromise<Result> {
  const { resource, parent } = exchange.target
  if (parent) visibleMember(exchange, parent.collection, parent.id)
  return andThen(readRecord(exchange, resource.name, recordTypes), (body) => {
    const isList = Array.isArray(body)
    const plan = (): Write[] => planCreation(exchange, body)
    return andThen(commit(exchange, plan), (stored): Result => {
      const records = stored.map(viewOf(exchange, resource.name).present)
      const [record] = records
      if (isList || !record) return { type: 'records', action: 'created', records }
      const id = keyOf(resource, stored[0] ?? {})
      const location = locationOf(exchange, id)
      return { type: 'record', action: 'created', record, location }
    })
  })
}

/** Creates the writes of new records, as a request sends them. @throws MockError 400, 412, 413 */
export function planCreation(exchange: At<'collection'>, body: Json): Write[] {
  const { resource, parent } = exchange.target
  const isList = Array.isArray(body)
  if (isList && body.length > MAX_RECORDS) throw bodyTooLarge(MAX_RECORDS, 'records')
  const view = viewOf(exchange, resource.name)
  const toWrite = (one: unknown, place?: number): Write => {
    const record = withParent(view.toStored(asRecord(one)), parent)
    checkHasPlace(record, resource.idField)
    return { action: 'create', resource, record, place }
  }
  const writes = isList ? body.map(toWrite) : [toWrite(body)]
  checkIsNew(exchange, writes)
  return writes
}

/** The path of a new record: below its collection, also if posted to a nested path, unless only nested paths serve it. */
function locationOf({ target, service, path }: At<'collection'>, id: string): string {
  const { name } = target.resource
  const isNested = target.parent && ownValue(service.rules, name)?.nested
  if (!isNested) return memberPath(service.base, name, id)
  return `${path.replace(/\/$/, '')}/${encodeURIComponent(id)}`
}

/** The most records in one POST. */
const MAX_RECORDS = 10_000

/** With `If-None-Match: *` a record is created only if none has its id (RFC 9110 §13.1.2). */
function checkIsNew({ request, target }: At<'collection'>, writes: readonly Write[]): void {
  if (request.headers['if-none-match']?.trim() !== '*') return
  const { resource } = target
  const isTaken = writes.some(({ record = {} }) => resource.get(keyOf(resource, record)))
  if (isTaken) throw preconditionFailed(request)
}

/** Handles PUT of a member or a singleton: the body replaces the record; the id stays. */
export function replace(exchange: At<'member' | 'singleton'>): MaybePromise<Result> {
  return write(exchange, 'replace', recordTypes, (body) => toReplacement(exchange, body))
}

/** Handles PATCH of a member or a singleton; the type of the body selects the kind of patch. */
export function patch(exchange: At<'member' | 'singleton'>): MaybePromise<Result> {
  const { request, service } = exchange
  return write(exchange, 'patch', patchTypes, (body) => toPatch(body, request, service.limits))
}

/** Handles DELETE of a member; its children stay unless the request or a dependent relation deletes them. */
export function remove(exchange: At<'member'>): MaybePromise<Result> {
  return andThen(
    commit(exchange, () => planRemoval(exchange)),
    (stored) => recordOf(exchange, 'removed', stored.at(-1) ?? {}),
  )
}

/** Creates the writes that delete a record: those of its dependents, then its own. @throws MockError 404 */
export function planRemoval(exchange: At<'member'>): Write[] {
  const { target, params, service } = exchange
  const deleted = recordAt(exchange, target)
  const named = service.dialect.parseDependents?.(params) ?? []
  const dependents = dependentsOf(service, target, deleted, named)
  return [...dependents, removal(target.resource, target.id, deleted)]
}

/** Stores the record that `read` makes of the body and the stored record. */
function write(
  exchange: At<'member' | 'singleton'>,
  action: 'replace' | 'patch',
  types: readonly string[],
  read: (body: Json) => Patch,
): MaybePromise<Result> {
  const { target } = exchange
  recordAt(exchange, target)
  return andThen(readRecord(exchange, target.resource.name, types), (body) => {
    const change = read(body)
    const plan = (): Write[] => [planChange(exchange, action, change)]
    const done = action === 'replace' ? 'replaced' : 'patched'
    return andThen(commit(exchange, plan), ([stored = {}]) => recordOf(exchange, done, stored))
  })
}

/** Creates the write of the record that `change` makes of the displayed record. @throws MockError 400, 404 */
export function planChange(
  exchange: At<'member' | 'singleton'>,
  action: 'replace' | 'patch',
  change: Patch,
): Write {
  const { target } = exchange
  const previous = recordAt(exchange, target)
  const { resource } = target
  const view = viewOf(exchange, resource.name)
  const sent = view.toStored(change(view.presentForPatch(previous)), previous)
  const record = action === 'replace' ? withKey(sent, target) : sent
  const written: Write = { action, resource, previous, record }
  if (target.kind === 'member') {
    checkId(record, target.resource.idField, target.id)
    written.id = target.id
  }
  return written
}

/** Reads the body of a PUT, which replaces the record, or is merged into the record if the dialect says so. */
function toReplacement(exchange: Exchange, body: Json): Patch {
  const record = asRecord(body)
  if (exchange.service.dialect.put === 'merge') return (previous) => ({ ...previous, ...record })
  if (mediaType(exchange.request)?.endsWith('json') ?? true) exchange.putBody = record
  return () => record
}

function recordAt(exchange: Exchange, target: At<'member' | 'singleton'>['target']): JsonRecord {
  return target.kind === 'singleton'
    ? target.resource.get()
    : visibleMember(exchange, target.resource, target.id, target.parent)
}

function recordOf(exchange: Routed, action: RecordAction, record: JsonRecord): Result {
  const view = viewOf(exchange, exchange.target.resource.name)
  return { type: 'record', action, record: view.present(record) }
}

/** Returns the record of a PUT below a parent with the parent's key, if the body leaves the key out. */
function withKey(record: JsonRecord, target: At<'member' | 'singleton'>['target']): JsonRecord {
  const parent = target.kind === 'member' ? target.parent : undefined
  const { key, many = true } = parent?.related.relation ?? {}
  const isGiven = key === undefined || many || Object.hasOwn(record, key)
  return isGiven ? record : withParent(record, parent)
}

/** Returns the record with the key of its parent; unchanged if the relation has no foreign key. */
export function withParent(record: JsonRecord, parent: Parent | undefined): JsonRecord {
  const relation = parent?.related.relation
  if (!relation) return record
  const id = parent.collection.get(parent.id)?.[parent.collection.idField] ?? parent.id
  return { ...record, [relation.key]: relation.many ? [id] : id }
}

/** @throws MockError 400 for an id that cannot be a path segment */
export function checkHasPlace(record: JsonRecord, field: string): void {
  const id = ownValue(record, field)
  if (typeof id !== 'string' || !/[\uD800-\uDFFF]|^\.\.?$|.{2000}/su.test(id)) return
  throw new MockError(
    `Failed to write ${JSON.stringify(id)}: a path cannot contain it. Please use another ${field}.`,
    { status: 400, code: 'ID_INVALID', ...atField(field, 'cannot stand in a path') },
  )
}

/**
 * Creates the writes by which a DELETE of the record `deleted` also deletes its dependents: the records that reference
 * it by a relation with `dependent: true`, or in a collection that the request names, and their dependents in turn.
 * The writes of the deepest level come first.
 * @throws MockError 400 that suggests the nearest collection for an unknown name
 */
export function dependentsOf(
  { store, links }: Service,
  { resource, id }: DeletedRecord,
  deleted: JsonRecord,
  named: readonly NamedDependent[],
): Write[] {
  const known = [...store.resources.keys()]
  const unknown = named.find(({ name }) => !known.some((one) => hasName(one, name)))
  if (unknown !== undefined) throw wrongDependent(unknown, known)
  const isDeletedToo = ({ dependent, child }: Relation): boolean =>
    dependent || named.some(({ name }) => hasName(child, name))
  const writes = new Map<JsonRecord, Write>()
  let level = new Map([[resource, new Set([id])]])
  while (level.size > 0) {
    const next = new Map<Collection, Set<string>>()
    for (const [parent, ids] of level) {
      for (const relation of links.relations().childrenOf(parent.name).filter(isDeletedToo)) {
        const child = store.collection(relation.child)
        for (const record of childrenByKey(child, relation, [...ids]).flat()) {
          if (record === deleted || writes.has(record)) continue
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

/** Creates the write that deletes `previous`, the stored record with this id. */
function removal(resource: Collection, id: string, previous: JsonRecord): Write {
  return { action: 'remove', resource, id, previous, record: undefined }
}

interface DeletedRecord {
  resource: Collection
  id: string
}

/** Whether a collection has a name, which may lack the folder: `v1/posts` has the name `posts` too. */
function hasName(collection: string, name: string): boolean {
  return collection === name || collection.endsWith(`/${name}`)
}

function wrongDependent({ name, parameter }: NamedDependent, known: readonly string[]): MockError {
  return new MockError(
    `Failed to delete dependents in "${name}": there is no such collection. ${suggest(name, known)}`,
    { status: 400, code: 'QUERY_INVALID', errors: { [parameter]: `known: ${known.join(', ')}` } },
  )
}
