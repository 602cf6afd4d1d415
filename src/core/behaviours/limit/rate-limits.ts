import type { MockContext } from '../../http/contract/behaviour.ts'
import { type Exchange, onLeave, createRequestState } from '../../http/contract/exchange.ts'
import { createSharedState } from '../shared/world-state.ts'

/** By name; after the clock was set back, `fixed` and `sliding` forget requests, and `bucket` keeps its tokens. */
export const algorithms: Record<Algorithm, (requests: number, window: number) => Quota> = {
  fixed: (requests, window) => ({
    start: () => ({ times: [], amount: 0 }),
    take(count, now) {
      let [start] = count.times
      if (start === undefined || now >= start + window || now < start) {
        start = now
        Object.assign(count, { times: [now], amount: 0 })
      }
      const isAllowed = count.amount < requests
      if (isAllowed) count.amount++
      return { isAllowed, remaining: requests - count.amount, reset: start + window - now }
    },
  }),

  sliding: (requests, window) => ({
    start: () => ({ times: [], amount: 0 }),
    take(count, now) {
      const times = count.times.filter((time) => time > now - window && time <= now)
      const isAllowed = times.length < requests
      if (isAllowed) times.push(now)
      count.times = times
      const reset = (times[0] ?? now) + window - now
      return { isAllowed, remaining: requests - times.length, reset }
    },
  }),

  bucket(requests, window) {
    // Each millisecond adds `requests` tokens and a request costs `window` tokens: whole numbers only.
    const capacity = requests * window
    return {
      start: () => ({ times: [], amount: capacity }),
      take(count, now) {
        const [last = now] = count.times
        let tokens = Math.min(capacity, count.amount + Math.max(0, now - last) * requests)
        const isAllowed = tokens >= window
        if (isAllowed) tokens -= window
        Object.assign(count, { times: [now], amount: tokens })
        const remaining = Math.floor(tokens / window)
        const reset = Math.ceil((window - (tokens % window)) / requests)
        return { isAllowed, remaining, reset }
      },
    }
  },
}

/** The name of a rate limiting algorithm. */
export type Algorithm = 'fixed' | 'sliding' | 'bucket'

interface Quota {
  /** The count of a client before its first request. */
  start(): Count
  /** Counts one request, which changes `count`; `now` is in milliseconds since 1970. */
  take(count: Count, now: number): Allowance
}

interface Allowance {
  isAllowed: boolean
  remaining: number
  /** Milliseconds until further requests are allowed; for `fixed`, until the window ends. */
  reset: number
}

/** The counted requests of one client; the meaning of the number depends on the algorithm. */
export interface Count {
  /** Times in milliseconds since 1970. */
  times: number[]
  /** The requests of the window, or the tokens in the bucket. */
  amount: number
}

/** All `limit`s of a mock share two headers with a list each (draft-ietf-httpapi-ratelimit-headers-11 §3 and §4). */
export const policiesOf: (world: MockContext) => Policies = createSharedState(createPolicies)

interface Policies {
  /** Adds a limit; `isLimited` is whether it applies to a request. */
  add(rate: Rate, isLimited: (exchange: Exchange) => boolean): Policy
}

/** A rate limit: `requests` in a `window` of milliseconds. */
export interface Rate {
  requests: number
  window: number
  algorithm: Algorithm
  name: string | undefined
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
  const nameAt = (index: number): string =>
    (names ??= toNames(all.map(({ rate }) => rate.name)))[index] ?? ''

  function reportsOf(exchange: Exchange): string[] {
    const existing = reports.get(exchange)
    if (existing) return existing
    const items: string[] = []
    reports.set(exchange, items)
    // After a limit refuses a request, later limits do not count the request, but the header lists them.
    const policies = all.flatMap(({ rate, isLimited }, index) =>
      isLimited(exchange)
        ? [`${quote(nameAt(index))};q=${rate.requests};w=${Math.ceil(rate.window / 1000)}`]
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
      const index = all.push({ rate, isLimited }) - 1
      return {
        name: () => nameAt(index),
        report(exchange, remaining, seconds) {
          reportsOf(exchange).push(`${quote(nameAt(index))};r=${remaining};t=${seconds}`)
        },
      }
    },
  }
}

/** A limit without a name gets the first free name of `default`, `default-2`, `default-3`… */
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
