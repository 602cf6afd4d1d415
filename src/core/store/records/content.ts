import type { Json } from '../../json/json.ts'
import type { Resource } from './resource.ts'

/**
 * Returns the data of a resource as the JSON value of a fixture: an array of records for a collection,
 * otherwise the value itself. The value is not a copy, so callers must not change it in place.
 */
export function content(resource: Resource): Json {
  return resource.kind === 'collection' ? (resource.records() as Json[]) : resource.get()
}
