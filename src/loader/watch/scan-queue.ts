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

/**
 * Creates a queue without requests. Each scan of the scanner returns how long the disk has to stay unchanged
 * to count as quiet.
 */
export function createScanQueue(scanner: Pick<Scanner, 'scan' | 'scanPending'>): ScanQueue {
  let isClosed = false
  let next: NextScan | undefined
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined

  const run = async (): Promise<void> => {
    // A request during a scan starts the next scan.
    while (next) {
      const current = next
      next = undefined
      const quietTime = await scan(current)
      clearTimeout(timer)
      if (quietTime !== undefined && !isClosed) timer = setTimeout(requestPending, quietTime)
      // Lets the handlers of all events that have arrived add their files, so that one scan checks these files together.
      await setImmediate()
      if (isClosed) break
    }
    running = undefined
  }
  const scan = async (what: NextScan): Promise<number | undefined> => {
    try {
      if (what === 'pending') return await scanner.scanPending()
      return await scanner.scan(...(what === 'full' ? [] : what))
    } catch (error) {
      emitWarning(error)
      // Files that the scan has not finished are scanned once the disk is quiet.
      return what === 'pending' ? undefined : 0
    }
  }
  const start = (): Promise<void> => (isClosed ? Promise.resolve() : (running ??= run()))
  const requestPending = (): void => {
    next ??= 'pending'
    void start()
  }
  const request = (path?: string): Promise<void> => {
    const paths = next instanceof Set ? next : new Set<string>()
    if (path === undefined || paths.size === MAX_PATHS) next = 'full'
    else if (next !== 'full') next = paths.add(path)
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

/** A scan of all files, of the files at some paths, or of the files that wait for the disk to be quiet. */
type NextScan = 'full' | 'pending' | Set<string>
