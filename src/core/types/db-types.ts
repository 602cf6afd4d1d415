import type { Json, JsonRecord } from '../json/json.ts'
import type { FindOptions, Uninferred } from './find-types.ts'

/**
 * The records of a collection, accessed without requests. Every returned record is a copy.
 * @example mock.db.posts.find({ where: { views: { gt: 1 } }, sort: '-views', limit: 10 })
 */
export interface CollectionDb<T = JsonRecord> {
  /** The record with the id; ids compare as strings. */
  get(id: string | number): T | undefined
  /** Every record, in order. */
  all(): T[]
  /**
   * The records that a query finds. `Known` is `T`; as a type parameter of the method, it leaves `CollectionDb`
   * covariant in `T`.
   * @throws MockError 400 for a wrong query, such as a field that no record has had
   */
  find<Known extends T = T>(options?: FindOptions<Uninferred<Known>>): T[]
  /** The number of records that `find` returns. @throws MockError 400 for a wrong query */
  count<Known extends T = T>(options?: FindOptions<Uninferred<Known>>): number
  /** Inserts a record, with a new id if it has none. @throws MockError 409 when the id is taken */
  insert(record: Partial<T>): T
  /** Changes some fields of a record. @throws MockError 404 */
  update(id: string | number, fields: Partial<T>): T
  /** Replaces a record, and keeps its id. @throws MockError 404 */
  replace(id: string | number, record: Partial<T>): T
  /** Removes a record and returns it. @throws MockError 404 */
  remove(id: string | number): T
  /** Removes every record. */
  clear(): void
}

/**
 * A singleton, accessed without requests. Every returned record is a copy.
 * @example mock.db.profile.update({ theme: 'dark' })
 */
export interface SingletonDb<T = JsonRecord> {
  /** The whole record. */
  get(): T
  /** Changes some fields. */
  update(fields: Partial<T>): T
  /** Replaces the record. */
  replace(record: T): T
}

/** A read-only document, accessed without requests. */
export interface DocumentDb<T = Json> {
  /** A copy of the value. */
  get(): T
}

/** The type of a fixture of unknown type: a collection or a singleton. */
export interface AnyResource {
  readonly [anyResource]: true
}

declare const anyResource: unique symbol

/** The methods that every resource has, so that a mock with any fixtures is assignable to `Mock`. */
export interface UnknownDb {
  get(...id: never[]): unknown
}

/** The access to a fixture of type `T`. */
export type DbOf<T> = unknown extends T
  ? UnknownDb
  : T extends AnyResource
    ? CollectionDb & SingletonDb
    : T extends readonly (infer R)[]
      ? [R] extends [never]
        ? CollectionDb
        : [R] extends [object]
          ? Extract<R, readonly unknown[]> extends never
            ? CollectionDb<R>
            : DocumentDb<T>
          : DocumentDb<T>
      : T extends object
        ? SingletonDb<T>
        : DocumentDb<T>

/** The access to every resource by name. An optional fixture is accessed as if it exists. */
export type Db<Fixtures> = {
  readonly [Name in keyof Fixtures]: DbOf<Exclude<Fixtures[Name], undefined>>
}
