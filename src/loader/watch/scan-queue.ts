import { setImmediate } from 'node:timers/promises'
import { emitWarning } from './emit-warning.ts'
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
  /** The next scan: a full scan, a scan of these paths, or the scan after the disk has been quiet. */
  let pending: 'full' | 'quiet' | Set<string> | undefined
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const run = async (): Promise<void> => {
    // A request during a scan starts the next scan.
    while (pending) {
      const next = pending
      pending = undefined
      const quietTime = await scan(next)
      clearTimeout(timer)
      if (quietTime !== undefined && !isClosed) timer = setTimeout(() => void settle(), quietTime)
      // Lets the handlers of all events that have arrived add their files, so that one scan checks these files together.
      await setImmediate()
      if (isClosed) break
    }
    running = undefined
  }
  const scan = async (next: 'full' | 'quiet' | Set<string>): Promise<number | undefined> => {
    try {
      if (next === 'quiet') return await scanner.settle()
      return await scanner.scan(...(next === 'full' ? [] : next))
    } catch (error) {
      emitWarning(error)
      // Files that the scan has not finished are scanned once the disk is quiet.
      return next === 'quiet' ? undefined : 0
    }
  }
  const start = (): Promise<void> => (isClosed ? Promise.resolve() : (running ??= run()))
  const settle = (): Promise<void> => {
    pending ??= 'quiet'
    return start()
  }
  const request = (path?: string): Promise<void> => {
    const paths = pending instanceof Set ? pending : new Set<string>()
    if (path === undefined || paths.size === MAX_PATHS) pending = 'full'
    else if (pending !== 'full') pending = paths.add(path)
    return start()
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
