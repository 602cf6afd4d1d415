/**
 * The rate limiting algorithms by name, for the option `algorithm` of `limit`; `window` is in milliseconds.
 * After the clock was set to an earlier time, `fixed` and `sliding` forget later requests, and `bucket` keeps
 * its tokens.
 */
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

/** A rate limiting algorithm with its numbers, which counts the requests of clients. */
export interface Quota {
  /** The count of a client before its first request. */
  start(): Count
  /** Counts one request, which changes `count`; `now` is in milliseconds since 1970. */
  take(count: Count, now: number): Allowance
}

/**
 * The result of counting one request of a client: whether the request is allowed, and the numbers that the
 * headers `RateLimit` and `Retry-After` send.
 */
export interface Allowance {
  isAllowed: boolean
  /** The number of further requests that are allowed now. */
  remaining: number
  /** Milliseconds until further requests are allowed; for `fixed`, until the window ends. */
  reset: number
}

/**
 * The counted requests of one client, as plain data: when some were made, and a number whose meaning depends on
 * the algorithm.
 */
export interface Count {
  /** Times in milliseconds since 1970. */
  times: number[]
  /** The requests of the window, or the tokens in the bucket. */
  amount: number
}
