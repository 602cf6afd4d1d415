// Imports the timers of Node, because the globals of Jest's jsdom return numbers, which have no `unref`.
import { clearTimeout, setTimeout } from 'node:timers'
import { watch } from 'chokidar'
import { emitWarning } from './emit-warning.ts'

/**
 * Watches one file outside of the fixtures, such as `routes.json`: calls back after a save, and once when the watch
 * begins, for an earlier save. Returns a function that stops watching. Chokidar also finds a file that is created or
 * replaced later; for the folders of fixtures, `createFolderWatches` needs fewer handles, and scans find replacements.
 */
export function watchFile(
  path: string,
  onSaved: () => Promise<void>,
  poll = false,
): () => Promise<void> {
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
