import { type FSWatcher, statSync, watch } from 'node:fs'
import { join } from 'node:path'
import { codeOf } from '../../core/errors/error-details.ts'

/**
 * The watches of folders: one watch for each folder reports the changes of all its files. A watch for each
 * file, as chokidar opens, would need as many handles as there are files.
 */
export interface FolderWatches {
  /**
   * Watches exactly these folders. A folder that has been replaced is watched again, and a folder without a
   * watch is tried again. Returns whether there are new watches, before which saves had no events.
   */
  update(folders: Iterable<string>): boolean
  /** The error of a folder that cannot be watched, as where there are too many watches. */
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
  const open = (folder: string, inode: number): boolean => {
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
      watches.set(folder, { inode, watcher })
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
        const inode = inodeOf(folder)
        if (inode !== undefined && inode === watches.get(folder)?.inode) continue
        close(folder)
        if (inode === undefined) failures.delete(folder)
        else if (open(folder, inode)) hasOpened = true
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
  /** The inode of the folder when the watch began: a replaced folder has no more events. */
  inode: number
  watcher: FSWatcher
}

/** The inode of a folder; undefined if there is none at the path. */
export function inodeOf(path: string): number | undefined {
  try {
    const stats = statSync(path, { throwIfNoEntry: false })
    return stats?.isDirectory() ? stats.ino : undefined
  } catch {
    return undefined
  }
}
