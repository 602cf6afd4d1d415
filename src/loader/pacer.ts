import type { Scanner } from './scanner.ts'

/** Decides when a scanner looks. */
export interface Pacer {
  /** Looks now, or right after the look that is under way. */
  hint(): Promise<void>
  isClosed(): boolean
  /** Ends the pacing; no look is under way any more when it resolves. */
  close(): Promise<void>
}

/**
 * Makes a pacer: one look at a time, one right away for every hint, and a settled one when nothing has moved
 * for 150 ms.
 */
export function createPacer(scanner: Scanner): Pacer {
  let isClosed = false
  let isAsked = false
  let running: Promise<void> | undefined
  let settle: NodeJS.Timeout | undefined

  const disarm = (): void => {
    clearTimeout(settle)
    settle = undefined
  }
  const arm = (): void => {
    disarm()
    settle = setTimeout(() => {
      settle = undefined
      if (!running) void start(true)
    }, QUIET)
  }
  const run = async (isSettled: boolean): Promise<void> => {
    for (let isFinal = isSettled; ; isFinal = false) {
      isAsked = false
      const { hasMoved, isOpen } = await scanner.look(isFinal)
      if (isClosed) return
      // What is open waits for quiet, and only a movement disturbs the quiet, not every hint.
      if (hasMoved || (isOpen && !settle)) arm()
      if (!isAsked) return
    }
  }
  const start = (isSettled: boolean): Promise<void> => {
    running = run(isSettled)
      // A listener that throws is a mistake of the program, which a watch outlives.
      .catch((error: unknown) =>
        process.emitWarning(error instanceof Error ? error : String(error)),
      )
      .finally(() => {
        running = undefined
      })
    return running
  }

  return {
    isClosed: () => isClosed,
    hint() {
      if (isClosed) return Promise.resolve()
      if (!running) return start(false)
      isAsked = true
      return running
    },
    async close() {
      isClosed = true
      disarm()
      await running
    },
  }
}

const QUIET = 150
