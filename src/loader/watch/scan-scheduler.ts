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
 * Makes a pacer: one look at a time, one right away for every hint, and one more when the disk has been quiet
 * for as long as the last look asked for.
 */
export function createPacer(scanner: Pick<Scanner, 'look'>): Pacer {
  let isClosed = false
  let asked: { path: string | undefined } | undefined
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const run = async (first?: string): Promise<void> => {
    asked = { path: first }
    try {
      // A hint that comes during a look asks for the next one.
      while (asked) {
        const { path } = asked
        asked = undefined
        const rest = await scanner.look(path)
        clearTimeout(timer)
        if (isClosed) return
        if (rest !== undefined) timer = setTimeout(() => void hint(), rest)
      }
    } catch (error) {
      warnOf(error)
    } finally {
      running = undefined
    }
  }
  const hint = (path?: string): Promise<void> => {
    if (isClosed) return Promise.resolve()
    if (!running) return (running = run(path))
    asked = { path: !asked || asked.path === path ? path : undefined }
    return running
  }

  return {
    hint,
    isClosed: () => isClosed,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}

/** A listener that throws is a mistake of the program, which a watch outlives. */
export function warnOf(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
