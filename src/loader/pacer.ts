import type { Scanner } from './scanner.ts'

/** Decides when a scanner looks. */
export interface Pacer {
  /** Looks now, or right after the look that is under way; at that path alone where only it has changed. */
  hint(path?: string): Promise<void>
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
  let asked: { path: string | undefined } | undefined
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
  const run = async (isSettled: boolean, first?: string): Promise<void> => {
    let path = first
    for (let isFinal = isSettled; ; isFinal = false) {
      asked = undefined
      const { hasMoved, isOpen } = await scanner.look(isFinal, path)
      if (isClosed) return
      // What is open waits for quiet, and only a movement disturbs the quiet, not every hint.
      if (hasMoved || (isOpen && !settle)) arm()
      // Set by a hint that came meanwhile.
      const next = asked as { path: string | undefined } | undefined
      if (!next) return
      path = next.path
    }
  }
  const start = (isSettled: boolean, path?: string): Promise<void> => {
    running = run(isSettled, path)
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
    hint(path) {
      if (isClosed) return Promise.resolve()
      if (!running) return start(false, path)
      asked = { path: !asked || asked.path === path ? path : undefined }
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
