import { isRecord, type Json } from '../json.ts'
import { type Collection, createCollection } from './collection.ts'
import { createDocument, createSingleton, type Document, type Singleton } from './single.ts'

/** What a path names. */
export type Resource = Collection | Singleton | Document

/** How a store makes its resources. */
export interface StoreOptions {
  idField(collection: string): string
  /** Makes a fixture's value ready; undefined leaves it out. */
  load?: ((name: string, value: Json, idField: string) => Json | undefined) | undefined
}

/** Makes the resource that a fixture's value stands for; no id is drawn that is taken. */
export function createResource(
  name: string,
  value: Json,
  options: StoreOptions,
  isTaken?: (id: string) => boolean,
): Resource {
  if (Array.isArray(value) && value.every(isRecord)) {
    return createCollection(value, { name, idField: options.idField(name) }, isTaken)
  }
  return isRecord(value) ? createSingleton(name, value) : createDocument(name, value)
}
