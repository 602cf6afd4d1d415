/** Schedules writes: soon after a change, one at a time, and not a large share of the time. */
export function createWriteSchedule(
  write: () => Promise<unknown>,
  onError: (error: unknown) => void,
): WriteSchedule {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let firstRequest: number | undefined
  let earliest = 0
  let isClosed = false

  async function run(): Promise<void> {
    firstRequest = undefined
    const started = performance.now()
    try {
      await write()
    } catch (error) {
      onError(error)
    }
    const ended = performance.now()
    earliest = ended + (ended - started) / SHARE
    running = undefined
    if (firstRequest !== undefined) plan()
  }

  function plan(): void {
    if (running || isClosed || firstRequest === undefined) return
    clearTimeout(timer)
    const now = performance.now()
    const due = Math.max(earliest, Math.min(now + QUIET_MS, firstRequest + LONGEST_MS))
    timer = setTimeout(() => (running = run()), Math.max(0, due - now))
  }

  return {
    request() {
      firstRequest ??= performance.now()
      plan()
    },
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}

/** Decides when to write data that changes often. */
export interface WriteSchedule {
  request(): void
  /** Ends the schedule, after a write in progress. */
  close(): Promise<void>
}

/** The time without requests after which a write follows, and the longest delay of a write, in milliseconds. */
const QUIET_MS = 500
const LONGEST_MS = 5000

/** A write takes time in proportion to the number of exchanges. */
const SHARE = 0.1
