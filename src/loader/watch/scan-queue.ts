import { setImmediate } from 'node:timers/promises'
import type { Scanner } from './scanner.ts'

/**
 * Runs the scans of watched files, one at a time: a scan for each request, and one more when the disk has
 * been quiet, because a file may have been half-written before.
 */
export interface ScanScheduler {
  /**
   * Scans now, or directly after the running scan. With a path only that file is checked, together with the
   * others that wait, unless a full scan waits too.
   */
  request(path?: string): Promise<void>
  isClosed(): boolean
  /** Ends all scans. Resolves when the running scan has ended. */
  close(): Promise<void>
}

/**
 * Creates a scheduler, which runs one scan at a time: one for each request, and one more when the disk has
 * been quiet for the time that the last scan returned.
 */
export function createScanScheduler(scanner: Pick<Scanner, 'scan'>): ScanScheduler {
  let isClosed = false
  /** The paths to check in the next scan; undefined in a full scan. */
  let pending: { paths: Set<string> | undefined } | undefined
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const run = async (): Promise<void> => {
    try {
      // A request during a scan starts the next scan.
      while (pending) {
        const paths = pending.paths ?? []
        pending = undefined
        const quietTime = await scanner.scan(...paths)
        clearTimeout(timer)
        if (isClosed) return
        if (quietTime !== undefined) timer = setTimeout(() => void request(), quietTime)
        // Lets all events that have arrived request a file, so that one scan checks those files together.
        await setImmediate()
      }
    } catch (error) {
      emitWarning(error)
    } finally {
      running = undefined
    }
  }
  const request = (path?: string): Promise<void> => {
    if (isClosed) return Promise.resolve()
    pending ??= { paths: new Set() }
    if (path === undefined) pending.paths = undefined
    else pending.paths?.add(path)
    return (running ??= run())
  }

  return {
    request,
    isClosed: () => isClosed,
    async close() {
      isClosed = true
      clearTimeout(timer)
      await running
    },
  }
}

/** Emits an error of a listener as a warning of the process, so that watching goes on. */
export function emitWarning(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
