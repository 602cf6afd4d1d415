import type { Json } from '../../json/json.ts'
import type { Resource } from './resource.ts'

/** The value of a resource as a fixture holds it. Callers must not change the value in place. */
export function content(resource: Resource): Json {
  return resource.kind === 'collection' ? (resource.records() as Json[]) : resource.get()
}
