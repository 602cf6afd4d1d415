/** Schedules writes: soon after a change, one at a time, and at most four fifths of the time. */
export function createWriteSchedule(
  write: () => Promise<unknown>,
  onError: (error: unknown) => void,
): WriteSchedule {
  let timer: NodeJS.Timeout | undefined
  let running: Promise<void> | undefined
  let isRequested = false
  let earliest = 0
  let isClosed = false
  let onSettled: (() => void)[] = []

  async function run(): Promise<void> {
    isRequested = false
    timer = undefined
    const started = performance.now()
    try {
      await write()
    } catch (error) {
      onError(error)
    }
    const ended = performance.now()
    earliest = ended + (ended - started) / 4
    running = undefined
    plan()
  }

  function plan(): void {
    if (running || timer || isClosed) return
    if (!isRequested) {
      for (const resolve of onSettled) resolve()
      onSettled = []
      return
    }
    const wait = Math.max(DELAY_MS, earliest - performance.now())
    timer = setTimeout(() => (running = run()), wait)
  }

  return {
    request() {
      isRequested = true
      plan()
    },
    settled: () =>
      new Promise((resolve) => {
        onSettled.push(resolve)
        plan()
      }),
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
  /** Resolves when no write runs or is due. */
  settled(): Promise<void>
  /** Ends the schedule, after a write in progress. */
  close(): Promise<void>
}

/** The time from a request to its write, in milliseconds, unless the write before took longer. */
const DELAY_MS = 100
