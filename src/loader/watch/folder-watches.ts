import { type FSWatcher, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../core/errors/error-details.ts'

/**
 * The watches of fixture folders: one `fs.watch` for each folder reports the changes of all its files. Chokidar opens a
 * watch for each file, and would need as many handles as there are files; `watchFile` uses chokidar for a single file.
 */
export interface FolderWatches {
  /**
   * Watches exactly these folders. A folder that has been replaced is watched again, and a folder without a
   * watch is tried again. Returns whether there are new watches, before which saves had no events.
   */
  update(folders: Iterable<string>): boolean
  /** The error of a folder that cannot be watched, for example because there are too many watches. */
  failure(): WatchFailure | undefined
  close(): void
}

/** Why a folder cannot be watched. */
export interface WatchFailure {
  folder: string
  error: unknown
}

/** Creates watches of no folder. Calls back with the path that changed, or without if that is unknown. */
export function createFolderWatches(onEvent: (path?: string) => void): FolderWatches {
  const watches = new Map<string, Watch>()
  const failures = new Map<string, unknown>()

  const close = (folder: string): void => {
    watches.get(folder)?.watcher.close()
    watches.delete(folder)
  }
  const open = (folder: string, identity: string): boolean => {
    try {
      const watcher = watch(folder, (_event, name) => {
        onEvent(name === null ? undefined : join(folder, name))
      })
      // The folder is watched again only when it is replaced, so that the error does not repeat endlessly.
      watcher.on('error', (error) => {
        watcher.close()
        failures.set(folder, error)
        onEvent()
      })
      watches.set(folder, { identity, watcher })
      failures.delete(folder)
      return true
    } catch (error) {
      // The folder may be gone since it was found.
      if (codeOf(error) !== 'ENOENT') failures.set(folder, error)
      return false
    }
  }

  return {
    update(folders) {
      const wanted = new Set(folders)
      for (const folder of watches.keys()) if (!wanted.has(folder)) close(folder)
      for (const folder of failures.keys()) if (!wanted.has(folder)) failures.delete(folder)
      let hasOpened = false
      for (const folder of wanted) {
        const identity = identityOf(folder)
        if (identity !== undefined && identity === watches.get(folder)?.identity) continue
        close(folder)
        if (identity === undefined) failures.delete(folder)
        else if (open(folder, identity)) hasOpened = true
      }
      return hasOpened
    },
    failure() {
      for (const [folder, error] of failures) return { folder, error }
      return undefined
    },
    close() {
      for (const folder of watches.keys()) close(folder)
    },
  }
}

interface Watch {
  /** The identity of the folder when the watch began: a watch reports no events of a replacement. */
  identity: string
  watcher: FSWatcher
}

/**
 * A text that differs between a folder and its replacement; undefined if there is no folder at the path. Its birth time
 * is a part, as file systems give the inode of a removed folder to the next folder (ext4).
 */
export function identityOf(path: string): string | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats?.isDirectory() ? `${stats.ino} ${stats.birthtimeMs}` : undefined
  } catch {
    return undefined
  }
}
