import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import { type Collection, createCollection } from './collection.ts'
import { nextVersion } from './collection-state.ts'

/** The data of a fixture: an array of objects is a collection, an object a singleton, else a document. */
export type Resource = Collection | Singleton | Document

/** Creates the resource of a fixture; missing ids are drawn. @throws MockError for wrong or duplicate ids */
export function createResource(
  name: string,
  value: Json,
  idField: string,
  isTaken?: (id: string) => boolean,
): Resource {
  if (Array.isArray(value) && value.every(isRecord)) {
    return createCollection(value, { name, idField }, isTaken)
  }
  return isRecord(value) ? createSingleton(name, value) : createDocument(name, value)
}

/** A resource that is one record without an id, such as `/profile`. */
export interface Singleton {
  readonly kind: 'singleton'
  readonly name: string
  readonly version: number
  get(): JsonRecord
  replace(record: JsonRecord): JsonRecord
  fork(): Singleton
}

/** A read-only resource: a JSON value other than an object or an array of objects. */
export interface Document {
  readonly kind: 'document'
  readonly name: string
  readonly version: number
  get(): Json
  fork(): Document
}

function createSingleton(
  name: string,
  value: JsonRecord,
  version: number = nextVersion(),
): Singleton {
  let current = value
  return {
    kind: 'singleton',
    name,
    get version() {
      return version
    },
    get: () => current,
    replace(record) {
      current = record
      version = nextVersion()
      return current
    },
    fork: () => createSingleton(name, current, version),
  }
}

function createDocument(name: string, value: Json): Document {
  const version = nextVersion()
  const document: Document = {
    kind: 'document',
    name,
    version,
    get: () => value,
    fork: () => document,
  }
  return document
}

/** The data of a resource as a fixture's JSON. It is no copy, so callers must not change it. */
export function content(resource: Resource): Json {
  return resource.kind === 'collection' ? (resource.records() as Json[]) : resource.get()
}
