import { resolve } from 'node:path'
// Imports the timers of Node, because the globals of Jest's jsdom return numbers, which have no `unref`.
import { clearTimeout, setTimeout } from 'node:timers'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { openFileEvents } from './file-events.ts'
import { POLL_PAUSE, SCAN_PAUSE, toPause } from './scan-pauses.ts'
import { createScanQueue } from './scan-queue.ts'
import type { Scanner } from './scanner.ts'
import { toWatchProblem } from './watch-problem.ts'

/**
 * Watches fixtures: lets a scanner scan after each event of the file system, and once more when the disk has
 * been quiet. Periodic scans find the changes that have no event. Resolves when no later save can be missed,
 * to a function that stops watching.
 */
export async function watchFiles(
  scanner: Scanner,
  paths: readonly string[],
  { cwd = process.cwd(), poll = false, onProblem }: WatchFilesOptions,
): Promise<() => Promise<void>> {
  const roots = paths.map((path) => resolve(cwd, path))
  let hasFailed = false
  const updateEvents = (): void => {
    // Saves between a scan and the first watch of a new folder have no event.
    if (events?.update()) void queue.request()
    const failure = events?.failure()
    if (failure && !hasFailed) onProblem?.(toWatchProblem(failure, cwd))
    hasFailed = failure !== undefined
  }
  const queue = createScanQueue({
    async scan(...files) {
      const quietTime = await scanner.scan(...files)
      if (files.length === 0 && !queue.isClosed()) updateEvents()
      return quietTime
    },
    async scanPending() {
      const before = scanner.current()
      const quietTime = await scanner.scanPending()
      if (scanner.current() !== before && !queue.isClosed()) updateEvents()
      return quietTime
    },
  })
  const events = poll
    ? undefined
    : openFileEvents(roots, scanner, (path) => void queue.request(path))
  let timer: NodeJS.Timeout | undefined
  let periodic: Promise<void> | undefined
  /** When the next periodic scan is due. */
  let dueAt = 0

  const scanPeriodically = async (): Promise<void> => {
    const start = performance.now()
    if (start >= dueAt || !events?.hasSameFolders()) {
      await queue.request()
      scanner.computeOutlines()
      const now = performance.now()
      dueAt = now + toPause(now - start, events && (hasFailed ? 'failed' : 'complete'))
    }
    const rest = Math.max(0, dueAt - performance.now())
    if (!queue.isClosed()) schedule(events ? Math.min(rest, SCAN_PAUSE) : rest)
  }
  const schedule = (delay: number): void => {
    timer = setTimeout(() => {
      periodic = scanPeriodically()
    }, delay)
    if (!poll) timer.unref()
  }
  schedule(poll ? POLL_PAUSE : SCAN_PAUSE)
  await queue.request()
  return async () => {
    await queue.close()
    clearTimeout(timer)
    await periodic
    events?.close()
  }
}

/** The options of {@link watchFiles}. */
export interface WatchFilesOptions {
  /** The folder that relative paths start from. @default process.cwd() */
  cwd?: string | undefined
  /** Scan every 100 ms instead of listening to events, as network drives need. @default false */
  poll?: boolean | undefined
  /** Is called once with the reason why changes have no events, and again after that was resolved. */
  onProblem?(problem: Diagnostic): void
}
