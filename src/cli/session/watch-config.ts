import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { listConfigFiles } from '../../load/config/config-file.ts'
import { JSON_SERVER_CONFIG } from '../../load/config/json-server-config.ts'
import { createFolderEvents, emitWarning } from '../../loader/watch/folder-events.ts'

/** The configuration file of a server, which may be changed, created or removed while the server runs. */
export interface ConfigWatch {
  /** Calls `onChange` after each change, one call after the other. Returns a function that stops this. */
  start(onChange: () => Promise<void>, poll?: boolean): Promise<() => Promise<void>>
}

/** Creates a watch of the named configuration file, else of those in a folder. A change is one since this call. */
export async function createConfigWatch(
  folder: string,
  named: string | undefined,
): Promise<ConfigWatch> {
  const read = async (): Promise<string> => {
    const isOnlyNamed = named !== undefined && basename(named) !== JSON_SERVER_CONFIG
    const others = isOnlyNamed ? [] : [JSON_SERVER_CONFIG, ...(await listConfigFiles(folder))]
    const names = [named ?? [], others].flat()
    const texts = names.map((name) =>
      readFile(resolve(folder, name), 'utf8').catch(() => undefined),
    )
    return JSON.stringify([names, await Promise.all(texts)])
  }
  let last = await read()
  return {
    async start(onChange, poll = false) {
      let timer: NodeJS.Timeout | undefined
      let running = Promise.resolve()
      const check = async (): Promise<void> => {
        let now = await read()
        if (now === last) return
        // The file may be half-written.
        for (let before = ''; before !== now; now = await read()) {
          before = now
          await wait(QUIET_MS)
        }
        last = now
        await onChange()
      }
      const request = (): void => {
        // Other files in the folder, such as a log, may change all the time.
        timer ??= setTimeout(() => {
          timer = undefined
          running = running.then(check).catch(emitWarning)
          if (poll) void running.then(request)
        }, QUIET_MS)
      }
      let isClosed = false
      const events = createFolderEvents(() => {
        if (!isClosed) request()
      })
      if (!poll) await events.watch(new Set([folder, dirname(resolve(folder, named ?? '_'))]))
      request()
      return async () => {
        isClosed = true
        await events.close()
        await running
        clearTimeout(timer)
      }
    },
  }
}

/** A saved file counts when two reads with so many milliseconds between them are equal. */
const QUIET_MS = 100
