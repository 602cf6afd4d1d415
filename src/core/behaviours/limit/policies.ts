import type { MockContext } from '../../http/contract/behaviour.ts'
import { type Exchange, onLeave } from '../../http/contract/exchange.ts'
import { createRequestState } from '../../http/contract/request-state.ts'
import { createWorldState } from '../shared/world-state.ts'
import type { Rate } from './options.ts'

/**
 * Returns the rate limits of a mock or fork, so that several `limit` behaviours can share the headers
 * `RateLimit-Policy` and `RateLimit`: each header is a list with one item for each limit of a request
 * (draft-ietf-httpapi-ratelimit-headers-11 §3 and §4).
 */
export const policiesOf: (world: MockContext) => Policies = createWorldState(
  createPolicies,
  createPolicies,
  ({ service }) => service,
)

/** The rate limits of one mock or fork, whose behaviours have the same service. */
interface Policies {
  /** Adds a limit; `isLimited` is whether it applies to a request. */
  add(rate: Rate, isLimited: (exchange: Exchange) => boolean): Policy
}

/** One rate limit in the headers. */
export interface Policy {
  /** The name of the limit, which no other limit of the mock has unless the options say so. */
  name(): string
  /** Adds the state of the limit to the response: the remaining requests, and seconds until there are more. */
  report(exchange: Exchange, remaining: number, seconds: number): void
}

function createPolicies(): Policies {
  const all: { rate: Rate; isLimited: (exchange: Exchange) => boolean }[] = []
  const reports = createRequestState<string[]>()
  let names: readonly string[] | undefined
  // Only when the mock is complete, all given names are known.
  const nameAt = (at: number): string =>
    (names ??= toNames(all.map(({ rate }) => rate.name)))[at] ?? ''

  function reportsOf(exchange: Exchange): string[] {
    const existing = reports.get(exchange)
    if (existing) return existing
    const items: string[] = []
    reports.set(exchange, items)
    // After a limit refuses a request, later limits do not count the request, but the header lists them.
    const policies = all.flatMap(({ rate, isLimited }, at) =>
      isLimited(exchange)
        ? [`${quote(nameAt(at))};q=${rate.requests};w=${Math.ceil(rate.window / 1000)}`]
        : [],
    )
    onLeave(exchange, (response) => ({
      ...response,
      headers: [
        ...response.headers,
        ['RateLimit-Policy', policies.join(', ')],
        ['RateLimit', items.join(', ')],
      ],
    }))
    return items
  }

  return {
    add(rate, isLimited) {
      const at = all.push({ rate, isLimited }) - 1
      return {
        name: () => nameAt(at),
        report(exchange, remaining, seconds) {
          reportsOf(exchange).push(`${quote(nameAt(at))};r=${remaining};t=${seconds}`)
        },
      }
    },
  }
}

/**
 * Returns the names of the limits; a limit without a name gets the first free name of `default`, `default-2`,
 * `default-3`…
 */
function toNames(given: readonly (string | undefined)[]): string[] {
  const used = new Set(given)
  return given.map((name) => {
    if (name !== undefined) return name
    let free = 'default'
    for (let count = 2; used.has(free); count++) free = `default-${count}`
    used.add(free)
    return free
  })
}

/** Quotes a text as a string of a structured field (RFC 9651 §3.3.3). */
function quote(name: string): string {
  return `"${name.replaceAll(/["\\]/g, '\\$&')}"`
}
