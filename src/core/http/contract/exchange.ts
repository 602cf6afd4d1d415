import type { Dialect, ListRequest, RenderContext } from '../../dialects/contract/dialect.ts'
import type { MockError } from '../../errors/mock-error.ts'
import type { RelationOptions } from '../../fixtures/relation-options.ts'
import type { Json, JsonRecord } from '../../json/json.ts'
import type { Params } from '../../url/params.ts'
import type { Clock } from '../../time/clock.ts'
import type { Random } from '../../time/random.ts'
import type { Collection } from '../../store/records/collection.ts'
import type { Links } from '../../store/relations/links.ts'
import type { Singleton } from '../../store/records/singleton.ts'
import type { Store } from '../../store/store.ts'
import type { Access } from './answerer.ts'
import type { KnownView } from './record-view.ts'
import type { Limits } from './limits.ts'
import type { FormField, MaybePromise, MockRequest, MockResponse } from './messages.ts'
import type { Target } from '../routing/target.ts'

/**
 * A request on its way through the pipeline, and everything that is known about it so far. Every step of the
 * pipeline and every hook gets the exchange, and may add to it.
 */
export interface Exchange extends RenderContext {
  request: MockRequest
  /** The rules of the face that received the request. */
  access: Access
  /** The query with its question mark, or an empty string; a behaviour may have rewritten it. */
  search: string
  /** The path and query to which a behaviour has rewritten the URL, for links. */
  rewritten?: string
  /** The parsed query, from the stage `auth` on. */
  params: Params
  /** The target of the path, from the stage `auth` on; undefined if the path names nothing. */
  target?: Target
  /** The error for a path that names nothing; thrown when no hook has answered. */
  missing?: MockError
  /** The authenticated user, if a behaviour has identified one. */
  user?: JsonRecord
  /** The requested API version, if a behaviour has identified one. */
  version?: string
  /** The parsed body, if it was read. For the log. */
  sent?: Json
  /** The body as it was received, if it was read. For the log. */
  received?: string | Uint8Array | FormField[]
  /** The record of a PUT that was sent as JSON, to compare with what was stored. */
  whole?: JsonRecord
  /** Throws when the preconditions of a write no longer hold. */
  check?: (() => void) | undefined
  service: Service
  /** The hooks on records. */
  records: RecordHooks
  /** The composed views of the collections that the request has touched. */
  views?: Map<string, KnownView>
  /** The error of a request that ended before its response: by an abort of its client, or by a reset. */
  ended?: MockError
  /** Functions that cancel the delays for which the request waits. */
  cancels?: Set<(error: MockError) => void>
  /** Wraps the pending response, so that a behaviour can reject it with a time-out error. */
  within?: (answered: Promise<MockResponse>) => Promise<MockResponse>
  /** Functions that the response passes on its way out; the function that was registered last runs first. */
  leaving?: Leave[]
  /** Whether a fault is about the body of the response, so that a conditional read gets no 304. */
  needsBody?: boolean
  /** The bindings whose end ends an event stream in the response. */
  bindings?: StreamBinding[]
  /** Reasons for the response, for the log. */
  reasons: string[]
  /** The number of reasons that hooks gave before the target was looked up; the cache leaves them out. */
  hookReasons?: number
  /** State that behaviours keep for this request alone, by the keys of `createRequestState`. */
  state?: Record<symbol, unknown>
  /** The response from the cache, if there was one; a string body has one byte for each character. */
  cached?: MockResponse
}

/** An exchange whose path names a target. */
export type Routed<T extends Target = Target> = Exchange & { target: T }

/** The parts of a mock that all its requests share: the data, the dialect, the limits and other settings. */
export interface Service {
  /** The path prefix of all resources (option `base`), or an empty string. */
  base: string
  dialect: Dialect
  store: Store
  links: Links
  /** The configured relations, which `links` includes; for dialects that relate records themselves. */
  relations: RelationOptions
  /** The configured suffix of foreign keys. */
  foreignKeySuffix: string | undefined
  clock: Clock
  /** Random numbers for dialects that generate ids. */
  random: Random
  limits: Limits
  /** Whether an unknown parameter is an error instead of being ignored. */
  strict: boolean
  readOnly: boolean
  /** The `Last-Modified` of a record; undefined if the record does not say when it was changed. */
  modifiedOf(record: JsonRecord): string | undefined
  /** The `Cache-Control` of a resource. */
  cacheControl(resource: string): string
  /** The resources that require a precondition on writes: all, or the named ones. */
  preconditions: boolean | readonly string[]
}

/** Returns the response to send in place of the given one, which it may change. */
export type Leave = (response: MockResponse) => MaybePromise<MockResponse>

/**
 * Binds an event stream to something that can end, such as a login: calls `end` when it does. Returns a
 * function that is called when the stream has ended.
 */
export type StreamBinding = (end: () => void) => () => void

/** The hooks on records of all behaviours, in the order of `use`. */
export interface RecordHooks {
  lists: readonly ListHook[]
  views: readonly ViewHook[]
  /** All `beforeWrite` hooks, then all `write` hooks, then all `check` hooks. */
  writes: readonly WriteHook[]
}

/** Runs before a list request is executed; may change the request or throw a MockError. */
export type ListHook = (asked: ListRequest, exchange: Exchange) => void

/** The view of a request on a collection; undefined if it changes nothing. */
export type ViewHook = (collection: string, exchange: Exchange) => View | undefined

/** Hides and changes the records of a collection for one request: in lists, as members and embedded. */
export interface View {
  /** Whether the request sees a record; lists leave hidden records out. */
  includes?(record: JsonRecord): boolean
  /** The error for a request of a hidden record. @default 404 */
  refuse?(record: JsonRecord): MockError
  /** The record to show; must not change its argument. */
  present?(record: JsonRecord): JsonRecord
  /**
   * Reverses `present`: returns the record to store for a record that the request sends. `previous` is the
   * record to be replaced. Must not change its arguments. Without this function, requests send records as stored.
   */
  toStored?(record: JsonRecord, previous: JsonRecord | undefined): JsonRecord
  /** The shown name of a stored field. */
  fieldName?(field: string): string
}

/**
 * Runs before anything of a request is stored; may replace `write.record` or throw a MockError.
 * `writes` holds all writes of the request.
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
  /** Undefined for a new record and for a singleton. */
  id?: string
  /** The stored record, if there is one. */
  previous?: JsonRecord
  /** The record to store, with an id only if the request gave one; undefined removes. */
  record: JsonRecord | undefined
  /** The index of the record in a POST of an array. */
  place?: number | undefined
  /** Fields that the mock itself sets, which requests may not be allowed to set. */
  own?: readonly string[]
}

/**
 * Registers a function for the response on its way out; it runs before functions registered earlier.
 * @example onLeave(exchange, (response) => ({ ...response, status: 202 }))
 */
export function onLeave(exchange: Exchange, leave: Leave): void {
  exchange.leaving ??= []
  exchange.leaving.push(leave)
}

/**
 * Binds the response to something that can end, such as a login: if the response is an event stream, the stream
 * ends too.
 */
export function bindStream(exchange: Exchange, binding: StreamBinding): void {
  exchange.bindings ??= []
  exchange.bindings.push(binding)
}
