import type { MockError } from '../../errors/mock-error.ts'
import type { Json, JsonRecord } from '../../json/json.ts'
import type { Params } from '../../url/params.ts'
import type { Path } from '../../json/path.ts'
import type { Cursor, Query } from '../../query/tree.ts'

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
  paging?: Paging | undefined
  /** Parameters that name nothing and so did nothing. */
  ignored: string[]
  /** Others that name a field that no record has ever had. */
  unknown?: readonly string[]
  /** The parameters by which GET asks the same, where these are not the URL's. */
  params?: Params
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
      /** Tells the place of the last record, where there are more behind it. */
      next?: (() => Cursor) | undefined
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
  /** Header values by lower-case name. */
  headers: Readonly<Record<string, string | undefined>>
}

/** A result in the words of the wire, before it becomes bytes. */
export interface Answer {
  status: number
  headers: [name: string, value: string][]
  /** The JSON body; undefined for none. */
  value: unknown
  /** The body as it is, in the place of JSON. */
  text?: string
  /** @default 'application/json; charset=utf-8' */
  type?: string
}

/** A request to a dialect that serves it whole. */
export interface Call {
  method: string
  /** The path below the base, percent-encoded as it was sent: `/posts/1`. */
  path: string
  /** The query with its question mark, or nothing. */
  search: string
  /** The whole URL that was asked for. */
  url: string
  /** Header values by lower-case name. */
  headers: Readonly<Record<string, string | undefined>>
  /** The body; nothing where there is none, and for the methods that only read. */
  text: string
  /** Reads the body as JSON. @throws MockError 400 when it is none, or nested too deep */
  json(): Json
}

/** The data as a request sees it that a dialect serves whole. Records may not be changed in place. */
export interface Data {
  /** The names of all resources, in the order of the fixtures. */
  names(): string[]
  kindOf(name: string): 'collection' | 'singleton' | 'document' | undefined
  /** A singleton, a document's value, or the records of a collection; undefined where there is none. */
  read(name: string): Json | readonly JsonRecord[] | undefined
  idField(name: string): string
  /**
   * The stored record of a collection that has the id, compared as text.
   * @throws MockError when a behaviour refuses it
   */
  find(name: string, id: string): JsonRecord | undefined
  /** A stored record as it is shown. */
  shown(name: string, record: JsonRecord): JsonRecord
  /** Draws a number of at least 0 and less than 1. */
  random(): number
}

/** One step of a write. */
export interface Change {
  action: 'create' | 'replace' | 'patch' | 'remove'
  /** The collection or the singleton. */
  name: string
  /** The id of the record that is there; none for one to come, which brings its own, nor for a singleton. */
  id?: string
  /** What is stored; undefined removes. */
  record?: JsonRecord
}

/** What a request is to write, all of it or nothing, and the answer once it is stored. */
export interface Changes {
  changes: readonly Change[]
  /** Takes what was stored, as it is shown; for a removal, what was there. */
  answer(stored: readonly JsonRecord[]): Answer
}

/** A place where a dialect that imitates a server does not do as that server does. */
export interface Deviation {
  /** A short name, one of its kind in a table. */
  name: string
  /** The requests that are concerned. */
  request: string
  /** What the other server answers. */
  theirs: string
  ours: string
  reason: string
}

/** How requests and answers are written: the one place that knows a parameter's name. */
export interface Dialect {
  name: string
  /** Spaces by which JSON is always indented; only for people where it is not given. */
  indent?: number
  /** Makes a fixture's value ready for the store: what ids its records have. Undefined leaves it out. */
  load?(name: string, value: Json, idField: string): Json | undefined
  /** Whether PUT replaces a record or changes only the fields that it sends. @default 'replace' */
  put?: 'replace' | 'merge'
  /** The routes that it answers besides those of the resources, such as `GET /db`. */
  routes?: readonly { methods: readonly string[]; path: string }[]
  /** What a path stands for, where that is not what it stands for in REST: a resource or a record of it. */
  locate?(
    call: Pick<Call, 'method' | 'path' | 'headers'>,
    names: readonly string[],
  ): { name: string; id?: string } | undefined
  /**
   * Answers every request itself, for a wire whose methods are not those of REST; the functions that
   * parse and render are not asked then. Asked again when the data has changed before it is stored.
   */
  serve?(call: Call, data: Data): Answer | Changes
  /** @throws MockError 400 that names the parameter at fault */
  parseList(params: Params, collection: CollectionView): ListRequest
  /** What a request for one record asks beside it: what to embed, which fields. */
  parseMember(params: Params, collection: CollectionView): Pick<Query, 'embed' | 'fields'>
  /**
   * Reads the body of QUERY (RFC 10008), beside the parameters of the URL. Without it there is no such
   * method. What it throws as 400 is answered with 422.
   */
  parseQuery?(body: Json, collection: CollectionView, params: Params): ListRequest
  /** The collections whose records go with the one that is deleted. */
  parseDependents?(params: Params): string[]
  render(result: Result, context: RenderContext): Answer
  renderError(error: MockError, context: RenderContext): Answer
}
