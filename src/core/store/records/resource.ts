import { isRecord, type Json } from '../../json/json.ts'
import { type Collection, createCollection } from './collection.ts'
import { createDocument, createSingleton, type Document, type Singleton } from './singleton.ts'

/**
 * The data that one fixture provides, by its JSON: an array of objects becomes a collection, an object a
 * singleton, and any other value a read-only document.
 */
export type Resource = Collection | Singleton | Document

/**
 * Creates the resource of the value in a fixture. Records without an id get an id for which `isTaken` is false.
 * @throws MockError when the records of a collection have wrong or duplicate ids
 */
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
