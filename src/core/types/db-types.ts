import type { Json, JsonRecord } from '../json/json.ts'

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
  /** The record with that id, compared as text. */
  get(id: string | number): T | undefined
  /** Every record, in order. */
  all(): T[]
  /** The records that are asked for. @throws MockError 400 when the question is wrong */
  find(options?: FindOptions): T[]
  /** How many records there are, or how many of those. @throws MockError 400 when the tree is wrong */
  count(where?: Record<string, unknown>): number
  /** Adds a record, giving it an id where it has none. @throws MockError 409 when the id is taken */
  insert(record: Partial<T>): T
  /** Changes some fields. @throws MockError 404 */
  update(id: string | number, fields: Partial<T>): T
  /** Puts a record in the place of another, whose id it keeps. @throws MockError 404 */
  replace(id: string | number, record: Partial<T>): T
  /** Takes a record out, and gives it. @throws MockError 404 */
  remove(id: string | number): T
  /** Takes every record out. */
  clear(): void
}

/** A singleton, at hand without a request. What it hands out are copies. */
export interface SingletonDb<T = JsonRecord> {
  /** All of it. */
  get(): T
  /** Changes some fields. */
  update(fields: Partial<T>): T
  /** Puts another record in its place. */
  replace(record: T): T
}

/** A read-only document, at hand without a request. */
export interface DocumentDb<T = Json> {
  /** Its value. */
  get(): T
}

/** The type of a fixture of which nothing is known: a collection or a singleton. */
export interface AnyResource {
  readonly [anyResource]: true
}

declare const anyResource: unique symbol

/** What every resource has, so that any mock can be handed to who asks for a `Mock`. */
export interface UnknownDb {
  get(...id: never[]): unknown
}

/** What is at hand for a fixture of that type. */
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

/** Every resource by name; undefined for a fixture that may be missing. */
export type Db<Fixtures> = {
  readonly [Name in keyof Fixtures]: DbOf<Exclude<Fixtures[Name], undefined>>
}
