import { statSync } from 'node:fs'
import { basename, join, normalize } from 'node:path'
import type { FSWatcher } from 'chokidar'
import { codeOf, toMessage } from '../../core/errors/error-details.ts'
import type { Diagnostic } from '../../core/fixtures/source.ts'
import { toLabel } from '../discover/discover.ts'

/**
 * Watches folders with chokidar, which reports only that something happened; a scan finds out what. Chokidar
 * gets the folders without their files, since it would open a handle for each file, and `raw` events, since
 * its others leave out the second of two saves within 50 ms.
 */
export interface FolderEvents {
  /**
   * Watches exactly these folders. A folder that was replaced is watched again, and a folder that could not be
   * watched is tried again each second. Resolves to whether there are new watches, before which saves had no
   * events.
   */
  watch(folders: Iterable<string>): Promise<boolean>
  /** The error of a folder that cannot be watched, for example because there are too many watches. */
  failure(): WatchFailure | undefined
  close(): Promise<void>
}

/** Why a folder cannot be watched. */
export interface WatchFailure {
  folder: string
  error: unknown
}

/** Creates the events of no folder; calls back with the path that something happened to, or undefined. */
export function createFolderEvents(onEvent: (path?: string) => void): FolderEvents {
  let watcher: FSWatcher | undefined
  let watched = new Map<string, string>()
  let failure: WatchFailure | undefined
  let openedAt = 0

  const open = async (folders: string[]): Promise<void> => {
    const { watch } = await import('chokidar')
    watcher = watch(folders, {
      depth: 0,
      ignoreInitial: true,
      atomic: false,
      ignored: (_path, stats) => stats?.isFile() ?? false,
    })
    watcher.on('raw', (_event, name, details) => {
      const { watchedPath } = details as { watchedPath: string }
      // The platform need not report a name.
      const path = (name as string | null) === null ? undefined : join(watchedPath, name)
      // A folder reports its own removal by its own name.
      onEvent(name === basename(watchedPath) ? undefined : path)
    })
    // Chokidar does not watch a folder again that was moved away and back.
    watcher.on('unlinkDir', (path) => {
      if (watched.delete(normalize(path))) onEvent()
    })
    await new Promise<void>((resolve) => {
      watcher?.once('ready', resolve)
      watcher?.on('error', (error) => {
        const { filename = folders[0] ?? '' } = error as { filename?: string }
        failure ??= { folder: filename, error }
        onEvent()
        resolve()
      })
    })
  }

  return {
    async watch(folders) {
      const identities = new Map<string, string>()
      for (const folder of folders) {
        const identity = identityOf(folder)
        if (identity !== undefined) identities.set(folder, identity)
      }
      const isRetry = failure !== undefined && performance.now() - openedAt > RETRY_MS
      if (!isRetry && isSameMap(identities, watched)) return false
      await watcher?.close()
      watched = identities
      failure = undefined
      openedAt = performance.now()
      if (identities.size > 0) await open([...identities.keys()])
      return true
    },
    failure: () => failure,
    close: async () => watcher?.close(),
  }
}

const RETRY_MS = 1000

/** A text that differs between a folder and its replacement, by birth time too, as ext4 reuses inodes; else undefined. */
function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats?.isDirectory() ? `${stats.ino} ${stats.birthtimeMs}` : undefined
  } catch {
    return undefined
  }
}

function isSameMap(a: ReadonlyMap<string, string>, b: ReadonlyMap<string, string>): boolean {
  return a.size === b.size && [...a].every(([key, value]) => b.get(key) === value)
}

/**
 * Watches one file outside of the fixtures, such as `routes.json`: calls back after a save, and once when the
 * watch begins, for an earlier save. Resolves to a function that stops watching.
 */
export async function watchFile(
  path: string,
  onSaved: () => Promise<void>,
  poll = false,
): Promise<() => Promise<void>> {
  const { watch } = await import('chokidar')
  let timer: NodeJS.Timeout | undefined
  let last = Promise.resolve()
  const request = (): void => {
    clearTimeout(timer)
    timer = setTimeout(() => {
      last = last.then(onSaved).catch(emitWarning)
    }, QUIET_MS)
  }
  const watcher = watch(path, { ignoreInitial: true, usePolling: poll, interval: 100 })
  watcher.on('all', request)
  watcher.once('ready', request)
  return async () => {
    clearTimeout(timer)
    await watcher.close()
    await last
  }
}

/** How long a file has to be quiet before it counts as saved, in milliseconds. */
const QUIET_MS = 50

/** Emits an error as a warning of the process, so that it does not end the watching. */
export function emitWarning(error: unknown): void {
  process.emitWarning(error instanceof Error ? error : String(error))
}

/** Returns the warning that a folder cannot be watched, so that only the scans at a slow pace find its changes. */
export function toWatchProblem({ folder, error }: WatchFailure, cwd: string): Diagnostic {
  const file = toLabel(folder, cwd)
  const { reason, advice } = REASONS[codeOf(error)] ?? {
    reason: toMessage(error),
    advice: 'Please use `--poll` if that is too late.',
  }
  return {
    severity: 'warning',
    file,
    message: `Failed to watch "${file}": ${reason}. Its changes are found a few seconds later.`,
    advice,
  }
}

const INOTIFY = 'sudo sysctl fs.inotify'

/** On Linux, `ENOSPC` and `EMFILE` are limits of inotify, see inotify(7). */
const REASONS: Record<string, { reason: string; advice: string }> = {
  ENOSPC: {
    reason: 'all watches of this user are in use',
    advice: `Please allow more watches, for example with \`${INOTIFY}.max_user_watches=524288\`.`,
  },
  EMFILE: {
    reason: 'too many files are open, or too many programs watch files',
    advice: `Please raise the limit with \`ulimit -n 65536\` or \`${INOTIFY}.max_user_instances=512\`.`,
  },
}
