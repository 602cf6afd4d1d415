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
export function createScanScheduler(scanner: Pick<Scanner, 'scan' | 'settle'>): ScanScheduler {
  let isClosed = false
  /** The paths to check in the next scan: undefined in a full scan, no path once the disk has been quiet. */
  let pending: { paths: Set<string> | undefined } | undefined
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const run = async (): Promise<void> => {
    try {
      // A request during a scan starts the next scan.
      while (pending) {
        const { paths } = pending
        pending = undefined
        const quietTime = await (paths?.size === 0
          ? scanner.settle()
          : scanner.scan(...(paths ?? [])))
        clearTimeout(timer)
        if (isClosed) return
        if (quietTime !== undefined) timer = setTimeout(() => void settle(), quietTime)
        // Lets all events that have arrived request a file, so that one scan checks those files together.
        await setImmediate()
      }
    } catch (error) {
      emitWarning(error)
    } finally {
      running = undefined
    }
  }
  const settle = (): Promise<void> => {
    if (isClosed) return Promise.resolve()
    pending ??= { paths: new Set() }
    return (running ??= run())
  }
  const request = (path?: string): Promise<void> => {
    pending ??= { paths: new Set() }
    if (path === undefined || pending.paths?.size === MAX_PATHS) pending.paths = undefined
    else pending.paths?.add(path)
    return settle()
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

/** With so many events, the file system may have dropped others (inotify: `max_queued_events`). */
const MAX_PATHS = 5000

/** Emits an error of a listener as a warning of the process, so that watching goes on. */
export function emitWarning(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
