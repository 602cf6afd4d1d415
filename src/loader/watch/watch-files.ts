import { existsSync, readlinkSync, realpathSync } from 'node:fs'
import nodePath, { dirname, resolve } from 'node:path'
import { setImmediate } from 'node:timers/promises'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { isIgnored, SCENARIOS } from '../discover/discover.ts'
import type { LoadResult } from '../load.ts'
import { createFolderEvents, emitWarning, toWatchProblem } from './folder-events.ts'
import type { Scanner } from './scanner.ts'

/**
 * Watches fixtures: lets a scanner scan after each event of the file system, and again when the disk has been
 * quiet, because a file may have been half-written before. Scans at a slow pace find the changes that have no
 * event; with `poll`, scans at a quick pace find all. Resolves when no later save can be missed, to a function
 * that stops watching.
 */
export async function watchFiles(
  scanner: Pick<Scanner, 'current' | 'scan'>,
  paths: readonly string[],
  { cwd = process.cwd(), poll = false, onProblem }: WatchFilesOptions,
): Promise<() => Promise<void>> {
  const roots = paths.map((path) => resolve(cwd, path))
  let isClosed = false
  let isRequested = false
  let running: Promise<void> | undefined
  let timer: NodeJS.Timeout | undefined
  let isWanted: (path: string) => boolean = () => true
  let hasFailed = false
  const events = createFolderEvents((path) => {
    if (path === undefined || isWanted(path)) request()
  })

  const updateEvents = async (): Promise<void> => {
    const { paths, folders } = toWatched(roots, scanner.current())
    isWanted = createFilter(paths)
    // Saves between a scan and the first watch of a new folder have no event.
    if (await events.watch(folders)) isRequested = true
    const failure = events.failure()
    if (failure && !hasFailed) onProblem?.(toWatchProblem(failure, cwd))
    hasFailed = failure !== undefined
  }
  const scanOnce = async (): Promise<void> => {
    const start = performance.now()
    let quietTime: number | undefined
    try {
      quietTime = await scanner.scan()
      if (!poll && !isClosed) await updateEvents()
    } catch (error) {
      emitWarning(error)
    }
    const { least, factor, most } = PACES[poll ? 'poll' : hasFailed ? 'failed' : 'events']
    const pause = Math.max(least, Math.min((performance.now() - start) * factor, most))
    clearTimeout(timer)
    if (!isClosed) timer = setTimeout(request, Math.min(quietTime ?? pause, pause))
  }
  const run = async (): Promise<void> => {
    // A request during a scan starts the next scan.
    while (isRequested) {
      isRequested = false
      await scanOnce()
      // Lets the handlers of all events that have arrived run, so that one scan follows them.
      await setImmediate()
      if (isClosed) break
    }
    running = undefined
  }
  const request = (): void => {
    isRequested = true
    if (!isClosed) running ??= run()
  }

  if (!poll) await updateEvents()
  request()
  await running
  return async () => {
    isClosed = true
    clearTimeout(timer)
    await running
    await events.close()
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

/**
 * The pause before the next scan without an event: so many times the duration of the last scan, which limits
 * the part of the time that scans take, between two bounds in milliseconds.
 */
const PACES = {
  poll: { least: 100, factor: 2, most: Infinity },
  failed: { least: 1000, factor: 20, most: 5000 },
  events: { least: 1000, factor: 200, most: 60_000 },
}

interface WatchedPaths {
  /** The folders in which fixtures are looked for. */
  folders: ReadonlySet<string>
  /** The watched paths themselves, the targets of links, and the missing folders around them. */
  targets: Set<string>
}

/** The watched paths, and the folders whose events tell of them. */
function toWatched(
  roots: readonly string[],
  { folders, links }: LoadResult,
): { paths: WatchedPaths; folders: Set<string> } {
  const targets = new Set([...roots, ...[...roots, ...links].map(toTarget)])
  const watched = new Set(folders)
  // The folder around each target, because the events of a file or a folder end with its removal, and
  // editors replace files.
  for (const target of targets) {
    const folder = dirname(target)
    watched.add(folder)
    // A missing folder is looked for in the folder around it, as a target too.
    if (!existsSync(folder)) targets.add(folder)
  }
  return { paths: { folders: new Set(folders), targets }, folders: watched }
}

/** The target of a link, also of a broken link; any other path as it is. */
function toTarget(path: string): string {
  try {
    return realpathSync(path)
  } catch {
    try {
      return resolve(dirname(path), readlinkSync(path))
    } catch {
      return path
    }
  }
}

/** Creates the test whether events of a path count. */
export function createFilter(
  { folders, targets }: WatchedPaths,
  path: Pick<typeof nodePath, 'basename' | 'dirname' | 'normalize'> = nodePath,
): (path: string) => boolean {
  return (eventPath) => {
    const changed = path.normalize(eventPath)
    const name = path.basename(changed)
    if (targets.has(changed)) return true
    return folders.has(path.dirname(changed)) && (!isIgnored(name) || name === SCENARIOS)
  }
}
