import type { MockError } from '../errors.ts'
import type { Json, JsonRecord } from '../json.ts'
import type { Params } from '../params.ts'
import type { Path } from '../query/path.ts'
import type { Cursor, Query } from '../query/tree.ts'

/** What a dialect may know of the collection that a request asks. */
export interface CollectionView {
  name: string
  idField: string
  /** Whether any record has ever had a value at that path. */
  hasPath(path: Path): boolean
  /** The fields that its records have had. */
  keys(): ReadonlySet<string>
}

/** A list request in plain words. */
export interface ListRequest {
  query: Query
  /** How the answer is paged, in whatever words the dialect needs to render it. */
  paging?: Paging
  /** Parameters that name nothing and so did nothing. */
  ignored: string[]
}

/** The page that was asked for; `size` in records. */
export interface Paging {
  style: 'page' | 'envelope' | 'range' | 'cursor'
  page: number
  size: number
}

/** What an action has come to. */
export type Result =
  | {
      type: 'list'
      records: readonly JsonRecord[]
      total: number
      asked: ListRequest
      /** The place of the last record, where there are more behind it. */
      next?: Cursor | undefined
    }
  | { type: 'record'; action: RecordAction; record: JsonRecord; location?: string }
  | { type: 'records'; action: 'created'; records: JsonRecord[] }
  | { type: 'document'; value: Json }

/** What was done with a record. */
export type RecordAction = 'read' | 'created' | 'replaced' | 'patched' | 'removed'

/** Where a result is rendered. */
export interface RenderContext {
  /** The path of the request, percent-encoded, with the base. */
  path: string
  params: Params
  /** Scheme and authority of the request. */
  origin: string
  method: string
  headers: Readonly<Record<string, string | undefined>>
}

/** A result in the words of the wire, before it becomes bytes. */
export interface Answer {
  status: number
  headers: [name: string, value: string][]
  /** The JSON body; undefined for none. */
  value: unknown
  /** @default 'application/json; charset=utf-8' */
  type?: string
}

/** How requests and answers are written: the one place that knows a parameter's name. */
export interface Dialect {
  name: string
  /** Spaces by which JSON is always indented; only for people where it is not given. */
  indent?: number
  /** @throws MockError 400 that names the parameter at fault */
  parseList(params: Params, collection: CollectionView): ListRequest
  /** What a request for one record asks beside it: what to embed, which fields. */
  parseMember(params: Params, collection: CollectionView): Pick<Query, 'embed' | 'fields'>
  /** Reads the body of QUERY (RFC 10008). Without it there is no such method. */
  parseQuery?(body: Json, collection: CollectionView): ListRequest
  /** The collections whose records go with the one that is deleted. */
  parseDependents?(params: Params): string[]
  render(result: Result, context: RenderContext): Answer
  renderError(error: MockError, context: RenderContext): Answer
}
