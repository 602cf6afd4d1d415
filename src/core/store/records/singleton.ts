import type { Json, JsonRecord } from '../../json/json.ts'
import { nextVersion } from '../version.ts'

/**
 * A resource that is one record without an id, such as `/profile`. Requests can read, replace and patch a
 * singleton.
 */
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

/** Creates a singleton. */
export function createSingleton(
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

/** Creates a document. */
export function createDocument(name: string, value: Json): Document {
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
