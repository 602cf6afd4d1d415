// Imports the timers of Node, because the globals of Jest's jsdom return numbers, which have no `unref`.
import { clearTimeout, setTimeout } from 'node:timers'
import { watch } from 'chokidar'

/** How long a file has to be quiet before it counts as saved, in milliseconds. */
const QUIET_MS = 50

/**
 * Calls back after a file has been saved, and once when the watch begins, for a save that happened before.
 * Returns a function that stops watching.
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
      last = last.then(onSaved)
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
