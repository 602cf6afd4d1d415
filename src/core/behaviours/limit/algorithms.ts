/**
 * The result of counting one request of a client against the rate limit: whether the request is allowed, and
 * the numbers that the headers `RateLimit` and `Retry-After` send.
 */
export interface Allowance {
  isAllowed: boolean
  /** The number of further requests that are allowed now. */
  remaining: number
  /** Milliseconds until further requests are allowed; for `fixed`, until the window ends. */
  reset: number
}

/** Counts the requests of one client. */
export interface Quota {
  /** Counts one request; `now` is in milliseconds since 1970. */
  take(now: number): Allowance
}

/** The name of a rate limiting algorithm. */
export type Algorithm = 'fixed' | 'sliding' | 'bucket'

/** Creates the counter of one client, by algorithm; `window` is in milliseconds. */
export const algorithms: Record<Algorithm, (requests: number, window: number) => Quota> = {
  fixed(requests, window) {
    let start = -Infinity
    let count = 0
    return {
      take(now) {
        if (now >= start + window) {
          start = now
          count = 0
        }
        const isAllowed = count < requests
        if (isAllowed) count++
        return { isAllowed, remaining: requests - count, reset: start + window - now }
      },
    }
  },

  sliding(requests, window) {
    let times: number[] = []
    return {
      take(now) {
        times = times.filter((time) => time > now - window)
        const isAllowed = times.length < requests
        if (isAllowed) times.push(now)
        const reset = (times[0] ?? now) + window - now
        return { isAllowed, remaining: requests - times.length, reset }
      },
    }
  },

  bucket(requests, window) {
    // Each millisecond adds `requests` tokens and a request costs `window` tokens: whole numbers only.
    const capacity = requests * window
    let tokens = capacity
    let last: number | undefined
    return {
      take(now) {
        tokens = Math.min(capacity, tokens + (now - (last ?? now)) * requests)
        last = now
        const isAllowed = tokens >= window
        if (isAllowed) tokens -= window
        const remaining = Math.floor(tokens / window)
        const reset = Math.ceil((window - (tokens % window)) / requests)
        return { isAllowed, remaining, reset }
      },
    }
  },
}
