import { MockError } from '../errors/mock-error.ts'
import { suggest } from '../errors/nearest.ts'
import { type JsonRecord, ownValue } from '../json/json.ts'
import type { Resource } from '../store/records/resource.ts'
import { entityTag } from '../http/response/record-json.ts'
import type { CollectionDb, DocumentDb, SingletonDb } from '../types/db-types.ts'
import type { FindOptions } from '../types/find-types.ts'
import { type Control, type ControlRequest, noSuchRequest } from './contract.ts'

/** The operations of `mock.db` on the resources of a kind, by method and path: `:id` is the record or the search. */
type Operations<Access> = Readonly<
  Record<string, (db: Access, input: JsonRecord, id: string, idField: string) => unknown>
>

const collection: Operations<CollectionDb> = {
  'GET :name': (db) => db.all(),
  'POST :name': (db, record) => db.insert(record),
  'DELETE :name'(db) {
    db.clear()
    return db.all()
  },
  'GET :name :id': (db, _, id) => db.get(id),
  'PUT :name :id': (db, record, id) => db.replace(id, record),
  'PATCH :name :id': (db, fields, id) => db.update(id, fields),
  'DELETE :name :id': (db, _, id) => db.remove(id),
  'POST :name :id': search,
}

const singleton: Operations<SingletonDb> = {
  'GET :name': (db) => db.get(),
  'PUT :name': (db, record) => db.replace(record),
  'PATCH :name': (db, fields) => db.update(fields),
}

const document: Operations<DocumentDb> = { 'GET :name': (db) => db.get() }

const operations = { collection, singleton, document }

type AnyDb = CollectionDb | SingletonDb | DocumentDb

const searches: Record<
  string,
  (db: CollectionDb, options: FindOptions, idField: string) => unknown
> = {
  find: (db, options) => db.find(options),
  count: (db, options) => db.count(options),
  /** The index of the record `id` in the list; -1 for a record that the list does not have. */
  position: (db, { id, ...options }: FindOptions & { id?: unknown }, idField) =>
    db.find(options).findIndex((record) => keyText(record[idField]) === keyText(id)),
}

/** An id as text: an id in a URL, or of a form, is text always. */
function keyText(id: unknown): string {
  return typeof id === 'string' ? id : JSON.stringify(id)
}

function search(db: CollectionDb, options: object | null, name: string, idField: string): unknown {
  const run = ownValue(searches, name)
  if (run) return run(db, options ?? {}, idField)
  throw new MockError(
    `Failed to find the search "${name}" of a collection. ${suggest(name, Object.keys(searches))}`,
    { status: 404, code: 'NOT_FOUND' },
  )
}

/** The handlers of `/__mock/db`: the operations of `mock.db` for clients outside of this process. */
export const dbControls: Record<string, Control> = Object.fromEntries(
  Object.values(operations)
    .flatMap((own) => Object.keys(own))
    .map((key) => [key, (request) => run(key, request)]),
)

function run(key: string, { mock, name, id, input, request }: ControlRequest): ReturnType<Control> {
  // An unknown name is the same error as an unknown collection of `mock.db`.
  const resource = mock.store.resources.get(name) ?? mock.store.collection(name)
  const { kind } = resource
  // The type of `mock.db` depends on the fixtures, the kind of a resource does not.
  const db = Reflect.get(mock.db, name) as AnyDb
  const operate = <Access>(
    rows: Operations<Access>,
    access: Access,
    read: () => unknown,
  ): unknown => {
    const operation = ownValue(rows, key)
    if (!operation) throw wrongOperation(request.method, name, kind)
    if (request.method !== 'POST') checkUnchanged(read, request)
    // `mock.db` refuses what is no record.
    return operation(access, input as JsonRecord, id, 'idField' in resource ? resource.idField : '')
  }
  const value =
    'all' in db
      ? operate(collection, db, () => db.get(id))
      : 'update' in db
        ? operate(singleton, db, db.get)
        : operate(document, db, db.get)
  if (value === undefined) {
    // Unlike an unknown resource, which is an error of `mock.db` too.
    throw new MockError(`Failed to find "${id}" in "${name}".`, {
      status: 404,
      code: 'RECORD_UNKNOWN',
    })
  }
  const isRecord = key !== 'DELETE :name' && key !== 'POST :name :id'
  return {
    status: key === 'POST :name' ? 201 : 200,
    value,
    tag: isRecord ? tagOf(value) : undefined,
  }
}

function tagOf(value: unknown): string {
  return entityTag(JSON.stringify(value))
}

/** Refuses to replace a change that the sender of the write has not seen (RFC 9110 §13.1.1). */
function checkUnchanged(read: () => unknown, { headers }: ControlRequest['request']): void {
  const wanted = headers['if-match']
  if (wanted === undefined) return
  const value = read()
  const tags = wanted.split(',').map((tag) => tag.trim())
  if (value !== undefined && (tags.includes('*') || tags.includes(tagOf(value)))) return
  throw new MockError(
    'Failed to write: the record has changed, or was removed, since it was read. Please read the record again.',
    { status: 412, code: 'PRECONDITION_FAILED' },
  )
}

function wrongOperation(method: string, name: string, kind: Resource['kind']): MockError {
  const keys = Object.keys(operations[kind]).map((key) => key.replace(' :name', ''))
  const problem = `${method} "${name}": it is a ${kind}`
  return noSuchRequest(problem, `db/${encodeURIComponent(name)}`, keys)
}
