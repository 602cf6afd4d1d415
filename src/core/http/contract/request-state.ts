import type { Exchange } from './exchange.ts'

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
