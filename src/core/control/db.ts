import { checkOptions } from '../errors/check.ts'
import { MockError } from '../errors/mock-error.ts'
import { suggest } from '../errors/nearest.ts'
import { ownValue } from '../json/json.ts'
import type { Resource } from '../store/records/resource.ts'
import { entityTag } from '../http/response/represent.ts'
import type { CollectionDb, SingletonDb } from '../types/db-types.ts'
import type { FindOptions } from '../types/find-types.ts'
import type { Control, ControlRequest } from './contract.ts'
import { noSuchRequest } from './contract.ts'

/**
 * The operations on the data of a mock that clients outside of this process call, at `/__mock/db`, by kind of
 * resource; `mock.db` has the same operations. `:name` is the resource, `:id` the record or the search.
 */
const operations: Record<Resource['kind'], Record<string, Operation>> = {
  collection: {
    'GET :name': (db) => db.all(),
    'POST :name': (db, record) => db.insert(record),
    'DELETE :name'(db) {
      db.clear()
      return db.all()
    },
    'GET :name :id': (db, _, id) => db.get(id),
    'PUT :name :id': (db, record, id) => (db as CollectionDb).replace(id, record),
    'PATCH :name :id': (db, fields, id) => (db as CollectionDb).update(id, fields),
    'DELETE :name :id': (db, _, id) => db.remove(id),
    'POST :name :id': search,
  },
  singleton: {
    'GET :name': (db) => db.get(),
    'PUT :name': (db, record) => (db as SingletonDb).replace(record),
    'PATCH :name': (db, fields) => (db as SingletonDb).update(fields),
  },
  document: { 'GET :name': (db) => db.get() },
}

/** Runs a method of `mock.db` with the access to a resource, the body, and the id in the path. */
type Operation = (db: AnyDb, input: never, id: string) => unknown

/** The access to a resource, whose kind decides which operations exist. */
type AnyDb = CollectionDb & SingletonDb

/** The searches of a collection; their options are the body of the request. */
const searches: Record<string, (db: CollectionDb, options: FindOptions) => unknown> = {
  find: (db, options) => db.find(options),
  count(db, options) {
    checkOptions('the options of count', options, { where: [() => true, 'an object'] })
    return db.count(options.where)
  },
}

function search(db: CollectionDb, options: FindOptions | null, name: string): unknown {
  const run = ownValue(searches, name)
  if (run) return run(db, options ?? {})
  throw new MockError(
    `Failed to find the search "${name}" of a collection. ${suggest(name, Object.keys(searches))}`,
    { status: 404, code: 'NOT_FOUND' },
  )
}

/**
 * The handlers of `/__mock/db`, by method and path: the operations of `mock.db` on every resource, for clients
 * outside of this process.
 */
export const dbControls: Record<string, Control> = Object.fromEntries(
  Object.values(operations)
    .flatMap((own) => Object.keys(own))
    .map((key) => [key, (request) => run(key, request)]),
)

function run(key: string, { mock, name, id, input, request }: ControlRequest): ReturnType<Control> {
  // An unknown name is the same error as an unknown collection of `mock.db`.
  const { kind } = mock.store.resources.get(name) ?? mock.store.collection(name)
  const operation = ownValue(operations[kind], key)
  if (!operation) throw wrongOperation(request.method, name, kind)
  const db = (mock.db as Record<string, AnyDb>)[name] as AnyDb
  if (request.method !== 'POST') {
    checkUnchanged(() => (key.endsWith(':id') ? (db as CollectionDb).get(id) : db.get()), request)
  }
  const value = operation(db, input as never, id)
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

/** Returns the entity tag (ETag) of a record, or of the value of a singleton or document. */
function tagOf(value: unknown): string {
  return entityTag(JSON.stringify(value))
}

/**
 * Refuses a request whose `If-Match` names another state of the record (RFC 9110 §13.1.1), so that no write
 * replaces a change that its sender has not seen.
 * @throws MockError 412
 */
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
