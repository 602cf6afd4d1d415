import type { Json } from '../json/json.ts'
import type { Facts } from './facts/facts.ts'

/** One side of a comparison: the fixtures (`here`), or an API, document or recording (`there`). */
export interface Side {
  resources: ReadonlyMap<string, SideResource>
  /** Why resources could not be read, by name. */
  failures: ReadonlyMap<string, Failure>
}

/** A resource that could not be read. */
export interface Failure {
  reason: string
  /** Whether the other side does not show the resource (a recording may lack it), and has not refused it. */
  isUnseen?: boolean
}

/** A resource as one side shows it. */
export interface SideResource {
  name: string
  /** The number of records that were read; undefined for a schema. */
  records?: number
  /** The facts about a record of a collection, or the value of another resource. */
  facts: Facts | undefined
  sightings: readonly Sighting[]
  reads: readonly Read[]
}

/** A value of a resource, and the request that showed the value. */
export interface Sighting {
  value: Json
  seen: string
}

/** A property of the responses to a request, such as the status. */
export interface Read {
  kind: 'kind' | 'status' | 'list' | 'page size'
  /** `GET /posts`, `GET /posts/:id`. */
  path: string
  /** The subject of the property, if a request shows several properties of one kind: `fields of lists`. */
  subject?: string
  /** The property in words: `status 404 for an unknown id`. */
  value: string
  /** More of the property, which is compared if both sides know it: `{data, meta.total}`. */
  detail?: string
  seen: string
}
