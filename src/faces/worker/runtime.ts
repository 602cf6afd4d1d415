// The types of Cloudflare's runtime that the worker uses, written here so that a mock needs no package of types.

/** The state of a Durable Object: an instance of a class that the runtime creates for a name, with its own storage. */
export interface ObjectState {
  readonly storage: ObjectStorage
  /** Discards the object and its memory; the next request creates it from its storage. */
  abort(reason?: string): void
  /** Holds further events back until the promise has settled. */
  blockConcurrencyWhile<Result>(callback: () => Promise<Result>): Promise<Result>
}

/** The storage of a Durable Object. A response waits until the writes before it are durable. */
export interface ObjectStorage {
  readonly sql: SqlStorage
  /** Calls `alarm` of the object at a time, in milliseconds since 1970; replaces an earlier alarm. */
  setAlarm(time: number): Promise<void>
  deleteAlarm(): Promise<void>
  deleteAll(): Promise<void>
}

/** The SQLite database of a Durable Object. */
export interface SqlStorage {
  exec(query: string, ...values: (string | number | null)[]): { toArray(): object[] }
}

/** The Durable Objects of a class, which a binding in `wrangler.jsonc` names. */
export interface ObjectNamespace {
  idFromName(name: string): object
  get(id: object): { fetch(request: Request): Promise<Response> }
}

/** The bindings, variables and secrets of a worker by name. */
export type WorkerEnv = Readonly<Record<string, unknown>>

/** The instance of a Durable Object class. */
export interface DurableObject {
  fetch(request: Request): Promise<Response>
  alarm(): Promise<void>
}

/** A Durable Object class, whose instances the runtime creates. */
export type DurableObjectClass = new (state: ObjectState, env: WorkerEnv) => DurableObject
