import type { Json } from '../../json/json.ts'
import type { Param } from '../../learn/parse/parsed-exchange.ts'
import type { ResourceKind } from '../../shape/sources.ts'

/** A response to a GET. */
export interface GetResponse {
  /** The path and the query of the request, as people read them: `/posts?page=2`. */
  path: string
  url: string
  status: number
  /** The JSON of the body; undefined for any other body. */
  json: Json | undefined
  headers: readonly Param[]
}

/** A response and what its request asked for. */
export interface ObservedResponse extends GetResponse {
  /**
   * `list` is the first page, `unknown` a member with an id that does not exist, `whole` the value of a resource that is
   * no collection. Of `data`, such as a further page, only the values count.
   */
  role: 'list' | 'data' | 'member' | 'unknown' | 'whole'
}

/** A resource whose responses are read. */
export interface ComparedResource {
  name: string
  kind: ResourceKind
  idField: string
}
