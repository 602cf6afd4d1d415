import { isRecord, type Json } from '../../json/json.ts'
import { type Collection, createCollection } from './collection.ts'
import { createDocument, createSingleton, type Document, type Singleton } from './singleton.ts'

/** What a path names. */
export type Resource = Collection | Singleton | Document

/** Makes the resource that a fixture's value stands for; no id is drawn that is taken. */
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
