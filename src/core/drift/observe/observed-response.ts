import type { Json } from '../../json/json.ts'
import type { Param } from '../../learn/parse-exchange.ts'
import type { ResourceKind } from '../../shape/sources.ts'

/** A response to a GET, from a live API, a mock or a recording. */
export interface GetResponse {
  /** The path and the query of the request, for messages: `/posts?page=2`. */
  path: string
  url: string
  status: number
  /** The JSON of the body; undefined for any other body. */
  json: Json | undefined
  headers: readonly Param[]
}

/** A response, and what its request asked for. */
export interface ObservedResponse extends GetResponse {
  /**
   * `list` is the first page, `member` a record, `unknown` the response for an id that does not exist, `whole` the value
   * of a singleton or document. `data` is any other response with records, such as a further page, of which only the
   * values are compared.
   */
  role: 'list' | 'data' | 'member' | 'unknown' | 'whole'
}

/** A resource of the fixtures that is compared with the other side. */
export interface DriftTarget {
  name: string
  kind: ResourceKind
  idField: string
}
