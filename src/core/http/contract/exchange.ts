import type { ListRequest, RenderContext } from '../../dialects/contract/dialect.ts'
import type { MockError } from '../../errors/mock-error.ts'
import type { Json, JsonRecord } from '../../json/json.ts'
import type { Params } from '../../url/params.ts'
import type { Collection } from '../../store/records/collection.ts'
import type { Singleton } from '../../store/records/resource.ts'
import type { Access } from './answerer.ts'
import type { KnownView, View } from './record-view.ts'
import type { FormField, MaybePromise, MockRequest, MockResponse } from './messages.ts'
import type { Service } from './service.ts'
import type { Target } from '../routing/target.ts'

/** A request on its way through the pipeline, with all that is known about it; every step may add to it. */
export interface Exchange extends RenderContext {
  request: MockRequest
  /** The rules of the face that received the request. */
  access: Access
  /** The query with its question mark, or an empty string; a behaviour may have rewritten it. */
  search: string
  /** The path and query to which a behaviour has rewritten the URL, for links. */
  rewritten?: string
  /** Another method and path that patterns match, as those of an operation of GraphQL. */
  operation?: Pick<MockRequest, 'method' | 'path'>
  /** The parsed query, from the stage `auth` on. */
  params: Params
  /** The target of the path, from the stage `auth` on; undefined if the path names nothing. */
  target?: Target
  /** The error for a path that names nothing; thrown when no hook has answered. */
  notFound?: MockError
  /** The authenticated user, if a behaviour has identified one. */
  user?: JsonRecord
  /** The collection of the users. @default 'users' */
  userCollection?: string
  /** Whether the request has a key of the server itself, to which no permission applies. */
  isTrusted?: boolean
  /** Creates the error 401 for a request that needs a user, if a behaviour authenticates users. */
  unauthorized?: () => MockError
  /** Throws the error that the user gets for a request of another method and path, if a behaviour authorizes users. */
  authorize?: (asked: Exchange) => void
  /** Returns the text that the fixtures of a recording have in place of a private one, by the name of its field. */
  standInOf?: (field: string, text: string) => string
  /** Logs a user in, by record or id: sets the cookie, or returns the tokens, as the schemes of `auth` say. */
  login?: (user: JsonRecord | string | number) => MaybePromise<Partial<LoginTokens>>
  /** The requested API version, if a behaviour has identified one. */
  version?: string
  /** The parsed body, if it was read. For the log. */
  body?: Json
  /** The body as it was received, if it was read. For the log. */
  rawBody?: string | Uint8Array | FormField[]
  /** The record of a PUT that was sent as JSON, to compare with what was stored. */
  putBody?: JsonRecord
  /** Throws when the preconditions of a write no longer hold. */
  recheckPreconditions?: (() => void) | undefined
  service: Service
  /** The hooks on records. */
  records: RecordHooks
  /** The composed views of the collections that the request has touched. */
  views?: Map<string, KnownView>
  /** The error of a request that ended before its response: by an abort of its client, or by a reset. */
  ended?: MockError
  /** Functions that cancel the delays for which the request waits. */
  cancels?: Set<(error: MockError) => void>
  /** Races the pending response against a time-out. */
  timeout?: (answered: Promise<MockResponse>) => Promise<MockResponse>
  /** Run on the finished response; the function that was registered last runs first. */
  responseHooks?: ResponseHook[]
  /** Whether a fault is about the body of the response, so that a conditional read gets no 304. */
  needsBody?: boolean
  /** End the event stream of the response, such as at a logout. */
  streamEnders?: StreamBinding[]
  /** Reasons for the response, for the log. */
  reasons: string[]
  /** The number of reasons that hooks gave before the target was looked up; the cache leaves them out. */
  hookReasons?: number
  /** State that behaviours keep for this request alone, by the keys of `createRequestState`. */
  state?: Record<symbol, unknown>
  /** The response from the cache, if there was one; a string body has one byte for each character. */
  cached?: MockResponse
}

/** The tokens of a login, with the member names of OAuth 2.0 (RFC 6749 §5.1). */
export interface LoginTokens {
  access_token: string
  token_type: string
  /** Seconds. */
  expires_in: number
  refresh_token: string
}

/** An exchange whose path names a target. */
export type Routed<T extends Target = Target> = Exchange & { target: T }

/** Returns the response to send in place of the given one, which it may change. */
export type ResponseHook = (response: MockResponse) => MaybePromise<MockResponse>

/** Binds an event stream to what can end it, by `end`. Returns a function to call when the stream has ended. */
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

/** The view of a request on a collection; undefined without changes. `name` is the resource that shows the records. */
export type ViewHook = (collection: string, exchange: Exchange, name: string) => View | undefined

/** Runs before any write of a request is stored; may replace `write.record` or throw a MockError. */
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
  /** Whether the write is an action that is open to users who do not own the record. */
  isOpen?: boolean
  /** Whether the user needs the permission for a request that makes this write alone. */
  asksPermission?: boolean
  /** Whether the record keeps its times, as the write says something about the user rather than the record. */
  keepsTimes?: boolean
  /** Whether the record gets another id; references to the record follow. */
  isRenamed?: boolean
}

/**
 * Registers a function for the response on its way out; it runs before functions registered earlier.
 * @example onLeave(exchange, (response) => ({ ...response, status: 202 }))
 */
export function onLeave(exchange: Exchange, leave: ResponseHook): void {
  exchange.responseHooks ??= []
  exchange.responseHooks.push(leave)
}

/** Binds the response to something that can end, such as a login: an event stream ends with it. */
export function bindStream(exchange: Exchange, binding: StreamBinding): void {
  exchange.streamEnders ??= []
  exchange.streamEnders.push(binding)
}

/**
 * Creates a value that a behaviour keeps for each request, so that a later hook of the behaviour can read what
 * an earlier hook has set. A behaviour calls this function inside its `create`, so that two behaviours of one
 * factory in the same `use` keep separate state.
 * @example
 * create({ clock }) {
 *   const startedAt = createRequestState<number>()
 *   return {
 *     at: {
 *       entry: (exchange) => startedAt.set(exchange, clock.now()),
 *       resource(exchange) {
 *         exchange.reasons.push(`reached after ${clock.now() - (startedAt.get(exchange) ?? 0)} ms`)
 *       },
 *     },
 *   }
 * }
 */
export function createRequestState<T>(): RequestState<T> {
  const key = Symbol('request state')
  return {
    get: ({ state }) => state?.[key] as T | undefined,
    set(exchange, value) {
      exchange.state ??= {}
      exchange.state[key] = value
    },
  }
}

/** Reads and sets the value that one behaviour keeps for a request. */
export interface RequestState<T> {
  /** The state of a request; undefined before the first `set`. */
  get(exchange: Exchange): T | undefined
  set(exchange: Exchange, value: T): void
}
