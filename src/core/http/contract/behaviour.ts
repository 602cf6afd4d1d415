import type { Clock } from '../../time/clock.ts'
import type { CollectionDb } from '../../types/db-types.ts'
import type { Answer } from '../../dialects/contract/dialect.ts'
import type { Json, JsonRecord } from '../../json/json.ts'
import type { Log, LogEntry } from '../../log/log.ts'
import type { MockLog } from '../../log/log-search.ts'
import type { Random } from '../../time/random.ts'
import type { Store } from '../../store/store.ts'
import type { Answerer } from './answerer.ts'
import type { Exchange, ListHook, Service, ViewHook, WriteHook } from './exchange.ts'
import type { MaybePromise, MockRequest, MockResponse } from './messages.ts'
import type { ExtraRoute, Route } from '../routing/routes.ts'
import type { Rule, RuleList } from '../rules/rule.ts'

/**
 * The stages of a request's way in, in their order. Preflights are answered before all of them; the
 * path is looked up before `auth`. What an earlier stage answers, a later one does not see.
 */
export const stages = [
  'entry',
  'network',
  'quota',
  'fault',
  'auth',
  'body',
  'replay',
  'resource',
] as const

/** One of the {@link stages}. */
export type Stage = (typeof stages)[number]

/**
 * Sees a request at a stage. What it returns is the answer: a response as it is, or a value for the
 * dialect to write. What it throws is answered as an error. With `onLeave` it sees the answer of the
 * later stages on its way back.
 */
export type Hook = (exchange: Exchange) => MaybePromise<MockResponse | Answer | undefined | void>

/** What a behaviour does in one world; each is optional, and absent ones cost nothing. */
export interface Hooks {
  /** What it does with requests, by stage. */
  at?: Partial<Record<Stage, Hook>>
  /** What it does with questions to a collection. */
  list?: ListHook
  /** What it does with records that are read. */
  view?: ViewHook
  /** A record as it is told to others outside of any request; undefined where they cannot know of it. */
  publish?(collection: string, record: JsonRecord): JsonRecord | undefined
  /** A record that is published as it is called there; asked last, as others know its stored names. */
  translate?(collection: string, record: JsonRecord): JsonRecord
  /** What it takes out of records that are written, before others put something in. */
  beforeWrite?: WriteHook
  /** What it changes in records that are written. */
  write?: WriteHook
  /** What it checks in records that are written, once all have changed what they change. */
  check?: WriteHook
  /** The routes that it answers besides those of the resources. */
  routes?: readonly ExtraRoute[]
  /** What it offers below `/__mock` and its name, by method and path: `{ 'PUT mode': (input) => … }`. */
  controls?: Readonly<Record<string, (input: Json) => MaybePromise<Json>>>
  /** Names the mock that is to answer in this one's place. */
  divert?(request: MockRequest): Answerer | undefined
  /** Back to the start. */
  reset?(): void
  /** Lets go of all that waits, as nobody asks this world any more. */
  end?(): void
}

/** One world: its data, its clock, its chance. Every fork has its own. */
export interface World {
  service: Service
  /** The data at hand, without a request, and without the hooks on records. */
  db: Readonly<Record<string, CollectionDb>>
  clock: Clock
  /** Numbers that are the same for the same seed, whatever else draws some. */
  random: Random
  /** Sends a request to somebody else's server. */
  send: Send
  /** The last requests. */
  log: Log
  /** The world that this one is a fork of. */
  origin?: World | undefined
  /** The mock around it, once it is made. */
  host(): Controlled
}

/** Sends a request to somebody else's server; rejects where nobody answers. */
export type Send = (request: {
  url: string
  headers: Record<string, string>
  body: string
}) => MaybePromise<{ status: number; headers?: Record<string, string> }>

/** A part of a real service that is simulated, made by a factory and handed in through `use`. */
export interface Behaviour {
  /** Stands in messages, in the log and below `/__mock`; also tells its chance from that of others. */
  name: string
  /** Makes its state and hooks for a world. */
  create(world: World): Hooks
}

/** A mock that can be steered: by behaviours such as sessions and scenarios, and from outside. */
export interface Controlled extends Answerer {
  /** Every route with what it leads to. */
  readonly routes: Route[]
  /** The last requests, oldest first: a list, with `find`, `filter` and `count` by what was asked. */
  readonly log: MockLog
  /** Forgets the requests so far. */
  clearLog(): void
  /** Hears of every request, after it was answered. Returns the end of it. */
  onRequest(listener: (entry: LogEntry) => void): () => void
  /** The rules that stand. */
  readonly rules: RuleList
  on(method: string, path: string): Rule
  /** Data, ids, rules, clock, log and behaviours back to the start. */
  reset(): void
  /** Keeps the data as it is now under a name. */
  snapshot(name: string): void
  /** Brings back the data that was kept under the name. @throws MockError when there is none */
  restore(name: string): void
  /** The names of the snapshots that were kept. */
  snapshots(): string[]
  fork(): Controlled
  /** Hears of a failure that nobody expected, and what it kept from being done. */
  onFailure(error: unknown, doing: string): void
  /** Lets go of all that waits for its time; for a fork that nobody asks any more. */
  end(): void
  /** What the data stands in. For what keeps the data elsewhere. */
  readonly store: Store
  /** How the wire is written, where that was named. For the control. */
  readonly dialect?: { readonly name: string } | undefined
  /** What the behaviours do here. For the control. */
  readonly behaviours: readonly Pick<
    Hooks & Behaviour,
    'name' | 'controls' | 'divert' | 'publish' | 'translate'
  >[]
}
