import type { Place } from '../place.ts'
import type { Statistics } from '../statistics.ts'

/** A resource in which `findRelations` looks for fields with ids of other records. */
export interface Referrer {
  name: string
  /** The field that holds the ids of a collection. */
  idField?: string | undefined
  statistics: Statistics
  /** Whether every value at a place is null or an id of a collection; reads the data again. */
  hasOnlyIds(place: Place, target: ReferencedCollection): boolean
}

/** A collection whose ids these fields may hold. */
export interface ReferencedCollection {
  name: string
  version: unknown
  /** The statistics of the ids. */
  ids: Statistics
  has(id: string): boolean
}
