/** What is left to a caller. */
export interface Allowance {
  isAllowed: boolean
  /** How many more requests are answered now. */
  remaining: number
  /** Milliseconds until more are, or until all are again. */
  reset: number
}

/** Counts the requests of one caller. */
export interface Quota {
  /** Takes one request at that time, in milliseconds. */
  take(now: number): Allowance
}

/** How requests are counted. */
export type Algorithm = 'fixed' | 'sliding' | 'bucket'

/** Each algorithm, for so many requests in a window of so many milliseconds. */
export const algorithms: Record<Algorithm, (requests: number, window: number) => Quota> = {
  fixed(requests, window) {
    let start = -Infinity
    let taken = 0
    return {
      take(now) {
        if (now >= start + window) {
          start = now
          taken = 0
        }
        const isAllowed = taken < requests
        if (isAllowed) taken++
        return { isAllowed, remaining: requests - taken, reset: start + window - now }
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
    // A request takes as much as a window brings for one of them, so that whole numbers stay whole.
    const most = requests * window
    let held = most
    let last: number | undefined
    return {
      take(now) {
        held = Math.min(most, held + (now - (last ?? now)) * requests)
        last = now
        const isAllowed = held >= window
        if (isAllowed) held -= window
        const remaining = Math.floor(held / window)
        const reset = Math.ceil((window - (held % window)) / requests)
        return { isAllowed, remaining, reset }
      },
    }
  },
}
