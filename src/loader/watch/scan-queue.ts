import { setImmediate } from 'node:timers/promises'
import type { Scanner } from './scanner.ts'

/**
 * Runs the scans of watched files, one at a time: a scan for each request, and another scan when the disk has
 * been quiet, because a file may have been half-written before.
 */
export interface ScanQueue {
  /**
   * Scans now, or directly after the running scan. With a path only that file is checked, together with the
   * others that wait, unless a full scan waits too.
   */
  request(path?: string): Promise<void>
  isClosed(): boolean
  /** Ends all scans. Resolves when the running scan has ended. */
  close(): Promise<void>
}

/** Creates a queue without requests. The disk counts as quiet after the time that the last scan returned. */
export function createScanQueue(scanner: Pick<Scanner, 'scan' | 'settle'>): ScanQueue {
  let isClosed = false
  /** The paths to check in the next scan: undefined in a full scan, no path once the disk has been quiet. */
  let pending: { paths: Set<string> | undefined } | undefined
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const run = async (): Promise<void> => {
    // A request during a scan starts the next scan.
    while (pending) {
      const { paths } = pending
      pending = undefined
      const quietTime = await scan(paths)
      clearTimeout(timer)
      if (quietTime !== undefined && !isClosed) timer = setTimeout(() => void settle(), quietTime)
      // Lets the handlers of all events that have arrived add their files, so that one scan checks these files together.
      await setImmediate()
      if (isClosed) break
    }
    running = undefined
  }
  const scan = async (paths: Set<string> | undefined): Promise<number | undefined> => {
    try {
      return await (paths?.size === 0 ? scanner.settle() : scanner.scan(...(paths ?? [])))
    } catch (error) {
      emitWarning(error)
      // Files that the scan has not finished are scanned once the disk is quiet.
      return paths?.size === 0 ? undefined : 0
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

/** With more changed files at once, the file system may have dropped events (inotify: `max_queued_events`). */
const MAX_PATHS = 5000

/** Emits an error of a listener as a warning of the process, so that watching goes on. */
export function emitWarning(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}
