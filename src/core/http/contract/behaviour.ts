import type { Dialect } from '../../dialects/contract/dialect.ts'
import type { FileFolder } from '../../fixtures/file-folder.ts'
import type { Json } from '../../json/json.ts'
import type { Log } from '../../log/log.ts'
import type { Redactor } from '../../log/redact.ts'
import type { Clock } from '../../time/clock.ts'
import type { Random } from '../../time/random.ts'
import type { CollectionDb } from '../../types/db-types.ts'
import type { Hooks } from './hooks.ts'
import type { MockInternals } from './internals.ts'
import type { MaybePromise } from './messages.ts'
import type { Service } from './service.ts'

/**
 * A simulated part of a real service, such as logins, delays or rate limits. A factory such as `auth()` creates
 * the behaviour, and the option `use` adds the behaviour to a mock.
 */
export interface Behaviour {
  /** Names the behaviour in messages, in the log and below `/__mock`, and seeds its random numbers. */
  name: string
  /** The resources that the options of the behaviour name, which the option `resources` then cannot name as well. */
  resources?: readonly string[]
  /**
   * Creates the hooks of the behaviour in a world. State that requests share belongs in variables of this
   * function, state of a single request in a `createRequestState`.
   */
  create(world: MockContext): Hooks
}

/** A dialect that is the wire of a whole back end, which has data and behaviours of its own. */
export interface Backend extends Dialect {
  /** Adds the collections of the back end to the data of the fixtures. */
  complete?(data: ReadonlyMap<string, Json>): Map<string, Json>
  /** Creates the behaviours of the back end, which run before those of the option `use`. */
  use?(own: readonly Behaviour[]): readonly Behaviour[]
}

/** A mock or a fork as its behaviours see it: its data, clock and random numbers. Every fork is a world of its own. */
export interface MockContext {
  service: Service
  /** The data, without a request and without the hooks on records. */
  db: Readonly<Record<string, CollectionDb>>
  clock: Clock
  /** Random numbers of this behaviour alone: the same for the same seed. */
  random: Random
  /** Sends a request to another server. */
  send: Send
  /** The log of requests. */
  log: Log
  /** Redacts secrets in the log. A behaviour adds the names of its own secrets. */
  redactor: Redactor
  /** Files beside the fixtures, if the mock was loaded from files. */
  files?: FileFolder | undefined
  /** The world that this world was forked from. */
  origin?: MockContext | undefined
  /** The mock of this world; available after `create` has returned. */
  host(): MockInternals
  /**
   * Opens a map of this behaviour whose entries outlive the process: the entries of the last process, in order.
   * A value is plain data or bytes, and a changed value is set again. Missing if the mock has no storage.
   */
  stored?: (<Value>(name: string) => Map<string, Value>) | undefined
}

/** Sends a POST to another server; rejects when no response arrives. */
export type Send = (request: {
  url: string
  headers: Record<string, string>
  body: string
}) => MaybePromise<{ status: number; headers?: Record<string, string> }>

/** Where the webhooks of a document are sent. */
export interface WebhookTarget {
  /** The URL to which all webhooks are posted; callbacks have URLs of their own. */
  url?: string
  /** The key that signs the messages as Standard Webhooks: `whsec_` followed by base64. */
  secret?: string
  /** Sends a message. Give a function in a page, where no receiver listens. @default fetch */
  send?: Send
}
