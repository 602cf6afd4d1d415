import { toWhere } from './dialects/rest/where-tree.ts'
import { toSortKey } from './dialects/rest/parameters.ts'
import { MockError } from './errors.ts'
import { clone, isRecord, type Json, type JsonRecord } from './json.ts'
import { run } from './query/run.ts'
import type { Query } from './query/tree.ts'
import { type Collection, keyOf } from './store/collection.ts'
import type { Store } from './store/store.ts'

/** Which records to find, in which order, and which part of them. */
export interface FindOptions {
  /** A tree of `and`, `or`, `not` and fields: `{ views: { gt: 1 } }`, `{ title: 'x' }`. */
  where?: Record<string, unknown>
  /** Field names, with a minus in front for falling: `'-views,title'`. */
  sort?: string | readonly string[]
  /** How many at most. */
  limit?: number
  /** How many to leave out first. @default 0 */
  offset?: number
}

/** The records of a collection, at hand without a request. What it hands out are copies. */
export interface CollectionDb<T = JsonRecord> {
  get(id: string | number): T | undefined
  all(): T[]
  find(options?: FindOptions): T[]
  count(where?: Record<string, unknown>): number
  /** Adds a record, giving it an id where it has none. @throws MockError 409 when the id is taken */
  insert(record: Partial<T>): T
  /** Changes some fields. @throws MockError 404 */
  update(id: string | number, fields: Partial<T>): T
  /** Puts a record in the place of another, whose id it keeps. @throws MockError 404 */
  replace(id: string | number, record: Partial<T>): T
  /** @throws MockError 404 */
  remove(id: string | number): T
  clear(): void
}

/** A singleton, at hand without a request. What it hands out are copies. */
export interface SingletonDb<T = JsonRecord> {
  get(): T
  update(fields: Partial<T>): T
  replace(record: T): T
}

/** A read-only document, at hand without a request. */
export interface DocumentDb<T = Json> {
  get(): T
}

/** What is at hand for a fixture of that type. */
export type DbOf<T> = T extends readonly (infer R)[]
  ? [R] extends [never]
    ? CollectionDb
    : R extends object
      ? CollectionDb<R>
      : DocumentDb<T>
  : T extends object
    ? SingletonDb<T>
    : DocumentDb<T>

/** Every resource by name. */
export type Db<Fixtures> = { readonly [Name in keyof Fixtures]: DbOf<Fixtures[Name]> }

/** Creates the access to a store's resources; those that come later are found too. */
export function createDb(store: Store): Db<Record<string, JsonRecord[]>> {
  return new Proxy(
    {},
    {
      get(_, name) {
        if (typeof name !== 'string' || name === 'then') return undefined
        const resource = store.resources.get(name)
        if (resource?.kind === 'singleton') return singletonDb(store, name)
        if (resource?.kind === 'document') return { get: () => clone(resource.get()) }
        return collectionDb(store, store.collection(name))
      },
      has: (_, name) => typeof name === 'string' && store.resources.has(name),
      ownKeys: () => [...store.resources.keys()],
      getOwnPropertyDescriptor: () => ({ enumerable: true, configurable: true }),
    },
  )
}

function collectionDb(store: Store, { name }: Collection): CollectionDb {
  const found = (where?: Record<string, unknown>, query: Query = {}): readonly JsonRecord[] => {
    const collection = store.collection(name)
    const tree = where && toWhere(where, collection, 'where')
    const source = { name, records: () => collection.records(), place: () => 0 }
    return run(source, { ...query, ...(tree && { where: tree }) }, noLookup).records
  }
  const existing = (id: string | number): JsonRecord => {
    const record = store.collection(name).get(String(id))
    if (record) return record
    throw new MockError(`Failed to find "${id}" in "${name}".`, { status: 404, code: 'NOT_FOUND' })
  }
  return {
    get(id) {
      const record = store.collection(name).get(String(id))
      return record && clone(record)
    },
    all: () => found().map(clone),
    find({ where, sort = [], limit, offset = 0 } = {}) {
      const collection = store.collection(name)
      const fields = typeof sort === 'string' ? sort.split(',') : sort
      const keys = fields.map((field) => toSortKey(field.trim(), undefined, collection))
      const end = limit === undefined ? Infinity : offset + limit
      return found(where, { sort: keys, slice: { start: offset, end } }).map(clone)
    },
    count: (where) => (where ? found(where).length : store.collection(name).size),
    insert: (record) => clone(store.insert(name, toRecord(record))),
    update: (id, fields) =>
      clone(store.replace(name, String(id), { ...existing(id), ...toRecord(fields) })),
    replace: (id, record) => clone(store.replace(name, String(id), toRecord(record))),
    remove: (id) => clone(store.remove(name, String(id))),
    clear() {
      const collection = store.collection(name)
      for (const record of collection.records()) store.remove(name, keyOf(collection, record))
    },
  }
}

function singletonDb(store: Store, name: string): SingletonDb {
  const get = (): JsonRecord => {
    const resource = store.resources.get(name)
    return resource?.kind === 'singleton' ? resource.get() : {}
  }
  return {
    get: () => clone(get()),
    update: (fields) => clone(store.replaceSingleton(name, { ...get(), ...toRecord(fields) })),
    replace: (record) => clone(store.replaceSingleton(name, toRecord(record))),
  }
}

/** A copy of what a caller gives, as the JSON that a client would have sent. */
function toRecord(value: unknown): JsonRecord {
  const record: unknown = JSON.parse(JSON.stringify(value) ?? 'null')
  if (isRecord(record)) return record
  throw new MockError('Failed to write a record: it is no object.', { status: 400 })
}

function noLookup(_: string, name: string): never {
  throw new MockError(`Failed to embed "${name}": only requests can.`, { status: 400 })
}
