import type { MockError } from '../../errors/mock-error.ts'
import type { Json, JsonRecord } from '../../json/json.ts'
import type { Params } from '../../url/params.ts'
import type { Path } from '../../json/path.ts'
import type { Template } from '../../text/template.ts'
import type { Cursor, Query, SortKey } from '../../query/tree.ts'
import type { Data } from './data.ts'
import type { DialectDescription } from './description.ts'

export type { Data, LinkedResource } from './data.ts'

/**
 * A wire format: parses the parameters of requests and renders responses. Only dialects know the names of
 * parameters; `rest` is the default.
 * @example const wrapped: Dialect = { ...rest, name: 'wrapped', render }
 */
export interface Dialect {
  name: string
  /** The indentation of all JSON, in spaces. @default indented only for browsers */
  indent?: number
  /** Prepares the value of a fixture, such as the ids of its records; undefined excludes the fixture. */
  load?(name: string, value: Json, idField: string): Json | undefined
  /** Whether PUT replaces a record or merges the sent fields into it. @default 'replace' */
  put?: 'replace' | 'merge'
  /** Routes in addition to those of the resources, such as `GET /db`. */
  routes?: readonly DialectRoute[]
  /** The path below which resources have their paths, for a wire without paths of records: `/rest/v1`. */
  prefix?: string
  /** Routes below the path of each record, such as `relationships/:relation`, after those of child collections. */
  memberRoutes?: readonly (DialectRoute & { serve: Serve })[]
  /** Handles methods of resources in place of the pipeline; null for a method that the resources do not have. */
  actions?: Partial<
    Record<'collection' | 'member' | 'singleton', Readonly<Record<string, Serve | null>>>
  >
  /** Whether resources have no other paths than `routes`; the root is then a path of the dialect too. */
  hasOwnPaths?: boolean
  /** The paths of resources on the wire, if they are not the names. */
  readonly paths?: ResourcePaths
  /** Whether filters, sort orders and fields reach into related records: `author.name`. @default false */
  readonly joins?: boolean
  /** The suffix of foreign keys if the mock names none; an empty suffix also allows keys without one. */
  readonly foreignKeySuffix?: string
  /** The options of `auth` that the dialect implies, such as paths and answers; those of `auth` win. */
  readonly auth?: Readonly<Record<string, unknown>>
  /** Reads the body of a request for `serve`. @default as text */
  readBody?(request: SentBody, limit: number): Promise<CallBody> | CallBody
  /** Finds the resource or the record at a path, for a wire whose paths differ from REST. */
  locate?(
    call: Pick<Call, 'method' | 'path' | 'headers'>,
    names: readonly string[],
  ): { name: string; id?: string } | undefined
  /**
   * Handles every request, for a wire whose methods differ from REST; the parse functions and `render` are
   * then not called. Called again if the data changes before the writes are applied.
   */
  serve?: Serve
  /** Checks the media types of a request besides `Accept`, which has to allow JSON. @throws MockError 406 or 415 */
  negotiate?(request: Pick<Call, 'method' | 'headers'>): void
  /** The only media type of bodies. @default those of the pipeline */
  readonly bodyType?: string
  /** The time that a request waits before `serve` is called, in milliseconds. */
  delay?(call: Pick<Call, 'path' | 'search'>): number
  /**
   * The request headers that can turn a response into a 304, a 412 or a 204: `If-None-Match` and the
   * like, and `Prefer`. @default all headers of the request
   */
  conditions?(headers: Call['headers']): Call['headers']
  /** Parses the parameters of a list. @throws MockError 400 that names the invalid parameter */
  parseList(params: Params, collection: CollectionView, parent?: string): ListRequest
  /** Parses the parameters of a single record: relations to embed, and fields. */
  parseMember(params: Params, collection: CollectionView): MemberRequest
  /** The parameters without effect in a write, or in a GET of a document. @default none */
  unusedParams?(params: Params, method: string): Unused
  /**
   * Parses the body of QUERY (RFC 10008) and the parameters of its URL. A dialect without this function
   * does not support QUERY. An error with status 400 becomes 422.
   */
  parseQuery?(body: Json, collection: CollectionView, params: Params): ListRequest
  /** The names of fields on the wire, for filters, sort orders and bodies; undefined if they are as stored. */
  view?(resource: string, context: StoredContext): RecordNames | undefined
  /**
   * Returns the record, or the list of records, in the JSON body of a write. @default the body
   * @throws MockError 400 for a body without its envelope
   */
  unwrap?(body: Json, resource: string, context: StoredContext): Json
  /** Parses the names of the collections whose child records are deleted with a record. */
  parseDependents?(params: Params): NamedDependent[]
  /** Creates the dialect with bodies of single resources, as the option `resources` of a mock has them. */
  withResources?(resources: Readonly<Record<string, object>>): Dialect
  /** The names of resources with bodies of their own. */
  readonly resources?: readonly string[]
  /** Returns a presented record as other responses have it, without hidden fields: embedded, or the user of a login. */
  embedded?(record: JsonRecord, resource: { name: string; idField: string }): JsonRecord
  /** Renders the result of an action; URLs in `Link` and `Location` may be relative to that of the request. */
  render(result: Result, context: RenderContext): Answer
  renderError(error: MockError, context: RenderContext): Answer
  /** Describes the wire for OpenAPI; undefined if `dialect`, as it was configured, has other functions. */
  describe?(dialect: Dialect): DialectDescription | undefined
}

/** Converts between paths that begin with the name of a resource and those of the wire; all start below the base. */
export interface ResourcePaths {
  /** Returns `/posts/1` for `/items/posts/1`; undefined for a path that names no resource. */
  toNamed(path: string, names: readonly string[]): string | undefined
  /** Returns `/items/posts/1` for `/posts/1`. */
  toWire(path: string, names: readonly string[]): string | undefined
}

/** Answers a request, or returns its writes. Called again if the data changes before the writes are applied. */
export type Serve = (call: Call, data: Data) => Answer | Changes

/** The body of a request, as text or as a multipart form, and its headers. */
export interface SentBody {
  headers: Call['headers']
  text(limit: number): Promise<string> | string
  form(limit: number): Promise<NonNullable<Call['form']>> | NonNullable<Call['form']>
}

/** A body that was read. */
export type CallBody = Pick<Call, 'text' | 'form'>

/** A route of a dialect; one with a resource shows the content of the resource. */
export interface DialectRoute {
  methods: readonly string[]
  /** `/db`, `/v1/customers/:customer` */
  path: string
  resource?: string | undefined
  kind?: 'collection' | 'member' | 'singleton' | 'custom'
  /** Handles the requests of the route, for a dialect without `serve` for all requests. */
  serve?: Serve
}

/** A collection whose child records are deleted with a record, and the parameter that names the collection. */
export interface NamedDependent {
  name: string
  /** The name of the parameter, for the error about an unknown collection. */
  parameter: string
}

/** The facts of a collection that a dialect needs to parse parameters: name, id field, and known fields. */
export interface CollectionView {
  name: string
  idField: string
  /** Whether any record has ever had a value at the path. */
  hasPath(path: Path): boolean
  /** The names of all fields that records have had. */
  keys(): ReadonlySet<string>
  /** The order of a list whose request names none. */
  sort?: SortKey[]
  /** The collection that a relation leads to, for a dialect whose parameters reach into related records. */
  related?(relation: string): CollectionView | undefined
  /** The names of all relations, for such a dialect. */
  relations?(): readonly string[]
  /** The field that contains the id of a related record, or a list of ids, for such a dialect. */
  keyOf?(relation: string): string | undefined
}

/** Parameters without effect, which are a 400 if the mock is strict. */
export interface Unused {
  /** Parameters without effect: no record has had the field that their name or their value gives. */
  ignored: string[]
  /** The unknown field in the value of an ignored parameter: `{ _sort: 'titel' }`. */
  unknownFields?: Readonly<Record<string, string>>
  /** The parameters that have an effect, for the error; missing if every field is a parameter. */
  known?: readonly string[]
}

/** The parsed parameters of a request for a single record. */
export interface MemberRequest extends Pick<Query, 'embed' | 'fields'>, Partial<Unused> {}

/** The parsed parameters of a request for a list. */
export interface ListRequest extends Unused {
  query: Query
  /** The requested page, for `render`; missing for an unpaged list. */
  paging?: Paging | undefined
  /** The parameters of an equivalent GET request, for links; missing if they are those of the URL. */
  params?: Params
  /** The parameters as the dialect has split them, for links. */
  split?: SplitParams
}

/** The query parameters of a request: those with a meaning of their own, and the others, which may be filters. */
export interface SplitParams {
  /** The parameters by their names in the dialect, in the order of the request. */
  known: Readonly<Record<string, readonly SplitParam[] | undefined>>
  /** The values of the others by their names, without the index of a list. */
  others: ReadonlyMap<string, readonly string[]>
  /** The names of all in the order of the request, with the names of those that are known. */
  names: ReadonlyMap<string, string | undefined>
  /** Returns the last value of a known parameter. */
  last(parameter: string): string | undefined
  /** Returns the name of a known parameter in errors, as the request spells it. */
  nameOf(parameter: string): string
}

/** A query parameter of a request. */
export interface SplitParam {
  /** The name as it was sent, and as errors spell it. */
  sent: string
  name: string
  /** The parts of its name and value by variable: `{ value: '2' }`. */
  parts: Readonly<Partial<Record<string, string>>>
}

/** The requested page, with its size in records. */
export interface Paging {
  style: 'page' | 'envelope' | 'range' | 'cursor'
  page: number
  size: number
}

/** The result of an action on a resource, which `render` of a dialect converts to a response. */
export type Result =
  | {
      type: 'list'
      records: readonly JsonRecord[]
      total: number
      /** Counts the records that the request sees without its filters. */
      all?(): number
      asked: ListRequest
      /** Returns the cursor of the last record; missing on the last page. */
      next?: (() => Cursor) | undefined
    }
  | {
      type: 'record'
      action: RecordAction
      record: JsonRecord
      location?: string
      /** The body and the status of an action, where an option gives them. */
      form?: { template: Template; status?: number | undefined } | undefined
    }
  | { type: 'records'; action: 'created'; records: JsonRecord[] }
  | { type: 'document'; value: Json }
  /** The distinct values of a field, which the envelope of lists wraps. */
  | { type: 'document'; value: Json[]; isList: true }

/** The action that a record result comes from. */
export type RecordAction = 'read' | 'created' | 'replaced' | 'patched' | 'removed'

/** The request that a result or an error is rendered for. */
export interface RenderContext {
  /** The path of the request, percent-encoded, with the base. */
  path: string
  params: Params
  /** Returns the path and query by which the client reaches those given; set if the URL was rewritten. */
  toClientUrl?: (url: string) => string
  /** Scheme and authority of the request. */
  origin: string
  /** The parameters without effect, if there are any. */
  ignored?: readonly string[]
  method: string
  /** Header values by lower-case name. */
  headers: Readonly<Record<string, string | undefined>>
  /** The resource that the path names, if it names one. */
  target?: ResourceTarget
  /** The settings of the mock. */
  service?: {
    base: string
    resources?: { names(): readonly string[] }
    /** Returns the data as the request sees it. */
    dataOf?(context: RenderContext): Data
  }
  /** The body of the request, if it was read and is JSON. */
  body?: Json
}

/** The resource that a path names, and the parent of a nested path: `users` for `/users/1/posts`. */
export interface ResourceTarget {
  resource: { name: string; idField?: string }
  parent?: { collection: { name: string } } | undefined
}

/** A response of a dialect, before its body is serialized. */
export interface Answer {
  status: number
  headers: [name: string, value: string][]
  /** The value of the JSON body; undefined for an empty body. */
  value: unknown
  /** A text body, sent instead of `value`. */
  text?: string
  /** The `Content-Type`. @default 'application/json; charset=utf-8' */
  type?: string
  /** The reason for the response, for the log. */
  reason?: string
}

/** A request to a dialect that handles whole requests with `serve`. */
export interface Call {
  method: string
  /** The path relative to the base, percent-encoded: `/posts/1`. */
  path: string
  /** The query string with its question mark, or an empty string. */
  search: string
  /** The parsed query string. */
  params: Params
  /** The absolute URL. */
  url: string
  /** The resource, record or record below which a route is, that the path names. */
  target?: CallTarget | undefined
  /** Header values by lower-case name. */
  headers: Readonly<Record<string, string | undefined>>
  /** The body; empty for a request without one, and for methods that only read. */
  text: string
  /** The fields of a multipart form, of which a file has its content as a data URL; if `readBody` of the dialect reads forms. */
  form?: readonly (readonly [name: string, value: string | { url: string }])[]
  /** Parses the body as JSON. @throws MockError 400 for invalid JSON, and for JSON nested too deep */
  json(): Json
}

/** The target of a request, and the parameters of the route. */
export interface CallTarget {
  name: string
  /** The id of a record. */
  id?: string
  /** The fields of a new record of a nested path, which reference the parent. */
  parentKeys?: JsonRecord
  /** The values of the parameters in the path of the route. */
  params?: Readonly<Record<string, string>>
}

/** A single write. */
export interface Change {
  action: 'create' | 'replace' | 'patch' | 'remove'
  /** The name of the collection or the singleton. */
  name: string
  /** The id of an existing record; missing for a new record, which contains its id, and for a singleton. */
  id?: string | undefined
  /** The record to store; undefined to remove it. */
  record?: JsonRecord | undefined
  /** The fields that the dialect sets, which requests may not be allowed to set. */
  own?: readonly string[]
  /** The index of the record in the body, for the paths of issues. */
  place?: number
  /** Whether removing also removes the records that configured relations say. @default false */
  hasDependents?: boolean
  /** Whether the user needs the permission for a request that makes this write alone. @default false */
  asksPermission?: boolean
}

/** The writes of a request, applied all or none, and the response. */
export interface Changes {
  changes: readonly Change[]
  /** Creates the response, or a result to render, from the written records as clients see them; removed ones as they were. */
  answer(stored: readonly JsonRecord[]): Answer | Result
}

/** Translates fields of stored records to those of the wire and back, without changing its arguments. */
export interface RecordNames {
  /** Returns a stored record with the names of the wire. */
  present?(record: JsonRecord): JsonRecord
  /** Returns the record to store for a record with the names of the wire; `previous` is the replaced record. */
  toStored(record: JsonRecord, previous: JsonRecord | undefined): JsonRecord
  /** Returns the name of a stored field on the wire. */
  fieldName?(field: string): string
}

/** The stored resources, by which a dialect knows the keys of records. */
export interface StoredContext {
  service: { store: { resources: ReadonlyMap<string, StoredKeys> } }
}

/** The keys that the records of a resource have. */
export interface StoredKeys {
  name: string
  /** The names of all fields that records have had. */
  keys?(): ReadonlySet<string>
  /** Whether any record has ever had a value at the path. */
  hasPath?(path: Path): boolean
}
