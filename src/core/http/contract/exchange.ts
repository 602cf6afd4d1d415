import type { Dialect, ListRequest, RenderContext } from '../../dialects/contract/dialect.ts'
import type { MockError } from '../../errors/mock-error.ts'
import type { Json, JsonRecord } from '../../json/json.ts'
import type { Params } from '../../url/params.ts'
import type { Random } from '../../time/random.ts'
import type { Collection } from '../../store/records/collection.ts'
import type { Links } from '../../store/relations/links.ts'
import type { Singleton } from '../../store/records/singleton.ts'
import type { Store } from '../../store/store.ts'
import type { Access } from './answerer.ts'
import type { KnownView } from '../resource/record-view.ts'
import type { Limits } from './limits.ts'
import type { MaybePromise, MockRequest, MockResponse } from './messages.ts'
import type { Target } from '../routing/target.ts'

/** What stays the same from request to request. */
export interface Service {
  base: string
  dialect: Dialect
  store: Store
  links: Links
  /** Draws ids for dialects that make their own. */
  random: Random
  limits: Limits
  /** Whether an unknown parameter is an error instead of a note. */
  strict: boolean
  readOnly: boolean
  /** The `Last-Modified` of a record; undefined where the record does not say when it was changed. */
  modifiedOf(record: JsonRecord): string | undefined
  /** The `Cache-Control` of a resource. */
  cacheControl(resource: string): string
  /** Whose members, or which singletons, are only written with a precondition: those of all or of some. */
  preconditions: boolean | readonly string[]
}

/** One request on its way through the pipeline. */
export interface Exchange extends RenderContext {
  request: MockRequest
  /** Whom its face lets talk to the mock. */
  access: Access
  /** The query with its question mark, or nothing: as it was sent, or as a behaviour has left it. */
  search: string
  /** The parameters of the query, from the stage `auth` on. */
  params: Params
  /** What the path stands for, once it has been looked up; undefined too where it stands for nothing. */
  target?: Target
  /** Why the path stands for nothing; thrown when nobody else has answered. */
  missing?: MockError
  /** Who sends the request, where a behaviour has found out. */
  user?: JsonRecord
  /** The name of the version that it asks for, where a behaviour has found out. */
  version?: string
  /** What the body says, where it was read. For the log. */
  sent?: Json
  /** The record that a PUT puts in the place of another, where it was sent as it would be shown. */
  whole?: JsonRecord
  /** Throws where the preconditions of a write no longer hold. */
  check?: (() => void) | undefined
  service: Service
  /** The hooks on records. */
  records: RecordHooks
  /** The composed views of the collections that the request has touched. */
  views?: Map<string, KnownView>
  /** Waits for the answer, where a behaviour does not wait for ever; what it rejects with is answered. */
  within?: (answered: Promise<MockResponse>) => Promise<MockResponse>
  /** What is still to be done to the answer; the last comes first. */
  leaving?: Leave[]
  /** Why the answer is what it is, for the log. */
  reasons: string[]
  /** The number of reasons that hooks gave before the target was looked up; the cache leaves them out. */
  hookReasons?: number
  /** The response from the cache, if there was one; a string body has one byte for each character. */
  cached?: MockResponse
}

/** An exchange whose path has been found to stand for something. */
export type Routed<T extends Target = Target> = Exchange & { target: T }

/** Sees an answer on its way back, and gives the one that goes on. */
export type Leave = (response: MockResponse) => MaybePromise<MockResponse>

/** The hooks on records of all behaviours, in their order. */
export interface RecordHooks {
  lists: readonly ListHook[]
  views: readonly ViewHook[]
  /** Those that take something out of records, those that change them, those that only check them. */
  writes: readonly WriteHook[]
}

/** Sees what is asked of a collection before it is looked for; may change it, or throw a MockError. */
export type ListHook = (asked: ListRequest, exchange: Exchange) => void

/** How a request sees the records of a collection; undefined where it sees them as they are. */
export type ViewHook = (collection: string, exchange: Exchange) => View | undefined

/** How a request sees the records of a collection: as lists, as members and where they are embedded. */
export interface View {
  /** Whether it sees the record; lists leave out those that it does not. */
  includes?(record: JsonRecord): boolean
  /** What answers a request for a record that it does not see. @default 404 */
  refuse?(record: JsonRecord): MockError
  /** The record as it is shown; may not change the one that is given. */
  present?(record: JsonRecord): JsonRecord
  /**
   * The record to be stored of one that is sent as it would be shown; `previous` is what it takes the
   * place of. May not change what it is given. Without it, requests send records as they are stored.
   */
  toStored?(record: JsonRecord, previous: JsonRecord | undefined): JsonRecord
  /** What a field of the stored record is called where it is shown. */
  fieldName?(field: string): string
}

/**
 * Sees a write before anything of its request is stored: may put another record into it, or throw a
 * MockError. The others of the same request are in `writes`.
 */
export type WriteHook = (
  write: Write,
  exchange: Exchange,
  writes: readonly Write[],
) => MaybePromise<void>

/** A record that is about to be written. */
export interface Write {
  action: 'create' | 'replace' | 'patch' | 'remove'
  resource: Collection | Singleton
  /** Undefined for a record to come, and for a singleton. */
  id?: string
  /** What is there now. */
  previous?: JsonRecord
  /** What is stored, with an id only where it was given; undefined removes. */
  record: JsonRecord | undefined
  /** Where the record stands in a list that was sent, from 0. */
  place?: number | undefined
  /** The fields that the mock sets by itself, whatever a request may set. */
  own?: readonly string[]
}

/** Adds something to do to the answer, before what was added earlier. */
export function onLeave(exchange: Exchange, leave: Leave): void {
  exchange.leaving ??= []
  exchange.leaving.push(leave)
}
