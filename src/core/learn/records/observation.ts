import type { JsonRecord } from '../../json/json.ts'
import type { Ancestor } from '../recognize/resource-paths.ts'

/** A version of a record: the record as one exchange shows it. */
export interface Observation {
  at: number
  record: JsonRecord
  /**
   * The kind of exchange: method, depth of the path and names of parameters. Exchanges of one kind show the same
   * fields of a record, so that a field that the latest one lacks is gone.
   */
  source: string
  /** Whether the exchange embeds other records, which are no part of the record. */
  isExpanded: boolean
  /** Whether the record is the body of a request, because the response has none. */
  isSent?: boolean
  parent?: Ancestor | undefined
}

/** A list as one exchange shows it. */
export interface ListNote {
  at: number
  ids: string[]
  /** The index of the first record in the whole list; undefined if the request does not determine it. */
  offset: number | undefined
  /** Whether the request has no filter, search or sort, so that the list is in the order of the collection. */
  isPlain: boolean
  /** The number of all records that the response states. */
  total: number | undefined
  parent?: Ancestor | undefined
}

/** All that exchanges show of a collection. */
export interface CollectionNotes {
  /** The full path: `api/v1/posts`. */
  path: string
  /** By id as text. */
  observations: Map<string, Observation[]>
  lists: ListNote[]
  /** The times of removals by id. */
  removals: Map<string, number>
}
