import type { ForeignKey } from '../../fixtures/foreign-keys.ts'
import type { RelationOptions } from '../../fixtures/relation-options.ts'
import type { Json, JsonRecord } from '../../json/json.ts'
import type { Query } from '../../query/tree.ts'
import type { RecordDescription } from '../../types/record-description.ts'

/** The data that a dialect with `serve` reads; records must not be modified. */
export interface Data {
  /** The names of all resources, in the order of the fixtures. */
  names(): string[]
  kindOf(name: string): 'collection' | 'singleton' | 'document' | undefined
  /** A singleton, the value of a document, or the visible records of a collection; undefined for an unknown name. */
  read(name: string): Json | readonly JsonRecord[] | undefined
  idField(name: string): string
  /** The configured relations. */
  relations: RelationOptions
  /** The configured suffix of foreign keys; undefined for the suffix of the dialect. */
  foreignKeySuffix: string | undefined
  /** The stored record with the id, compared as text. @throws MockError if a behaviour refuses access */
  find(name: string, id: string): JsonRecord | undefined
  /** A stored record as clients see it: behaviours can hide and compute fields. */
  shown(name: string, record: JsonRecord): JsonRecord
  /** Runs a query on the visible records of a collection, by its indexes. */
  run(name: string, query: RecordQuery): { records: readonly JsonRecord[]; total: number }
  /** The foreign keys of all collections. */
  foreignKeys(): readonly ReferencingKey[]
  /** The types, defaults and required fields that behaviours declare for the records of a resource. */
  described(name: string): readonly RecordDescription[]
  /** A value other than null that one of the first records has in a field. */
  sample(name: string, field: string): Json | undefined
  /** The names of all fields that records of a collection have had, without hidden ones. */
  fields(name: string): readonly string[]
  /** The record that a PATCH starts from, or the singleton. @throws MockError 404, or that of a behaviour */
  editable(name: string, id?: string): JsonRecord
  /** The relations of a resource. */
  relationsOf(name: string): readonly LinkedResource[]
  /** The relation of that name, also if no record has a key yet. */
  relation(name: string, relation: string): LinkedResource | undefined
  /** The related records as the request sees them. */
  related(name: string, record: JsonRecord, relation: string): readonly JsonRecord[]
  /** Draws the id of a new record, which `isTaken` does not find. */
  newId(name: string, isTaken: (id: string) => boolean): string | number
  /** The name of the collection whose records a resource shows, which is another one for a view. */
  sourceOf(name: string): string
  /** The URL of the request as the client sent it. */
  url: string
  /** The absolute URL by which the client reaches a path below the base. */
  toUrl(path: string): string
  /** Returns the path below the base of a URL, which can be relative; undefined outside of the base. */
  toPath(url: string): string | undefined
  /** Returns a random number in [0, 1). */
  random(): number
  /** Returns the time of the clock, in milliseconds since 1970. */
  now(): number
}

/** A query without embedded records, which returns whole records. */
export type RecordQuery = Pick<Query, 'where' | 'sort' | 'slice'>

/** A foreign key of the collection `child`. */
export interface ReferencingKey extends ForeignKey {
  child: string
}

/** A relation of a resource to records of a collection. */
export interface LinkedResource {
  name: string
  /** The related collection. */
  collection: string
  isMany: boolean
  /** The spellings of the field that contains the id of the related record, or a list of ids. */
  keys?: readonly string[] | undefined
  /** The spellings of the field of the related records that contains the id of the record, or a list of ids. */
  foreignKey?: { keys: readonly string[]; isList: boolean } | undefined
  /** The relation to the records that join both sides, and the keys of these records. */
  join?: { relation: LinkedResource; near: string; far: string } | undefined
}
