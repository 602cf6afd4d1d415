import { readFile } from 'node:fs/promises'
import { basename, dirname, resolve } from 'node:path'
import { isSame } from '../../core/json/json.ts'
import { setTimeout as wait } from 'node:timers/promises'
import { listConfigFiles } from '../../load/config/config-file.ts'
import { JSON_SERVER_CONFIG } from '../../load/config/json-server-config.ts'
import { createFolderEvents, emitWarning } from '../../loader/watch/folder-events.ts'

/** The configuration file of a server, which may be changed, created or removed while the server runs. */
export interface ConfigWatch {
  /**
   * Calls `onChange` after each change, one call after the other, also of further files, such as an OpenAPI document.
   * Returns a function that stops this.
   */
  start(
    onChange: () => Promise<void>,
    options?: { poll?: boolean | undefined; files?(): readonly string[] },
  ): Promise<() => Promise<void>>
}

/** Creates a watch of the named configuration file, else of those in a folder. A change is one since this call. */
export async function createConfigWatch(
  folder: string,
  named: string | undefined,
): Promise<ConfigWatch> {
  let further: () => readonly string[] = () => []
  const readAll = (names: readonly string[]): Promise<(string | undefined)[]> =>
    Promise.all(names.map((name) => readFile(resolve(folder, name), 'utf8').catch(() => undefined)))
  const read = async (): Promise<string> => {
    const isOnlyNamed = named !== undefined && basename(named) !== JSON_SERVER_CONFIG
    const others = isOnlyNamed ? [] : [JSON_SERVER_CONFIG, ...(await listConfigFiles(folder))]
    const names = [named ?? [], others].flat()
    return JSON.stringify([names, await readAll(names)])
  }
  let last = await read()
  return {
    async start(onChange, { poll = false, files = () => [] } = {}) {
      further = files
      let lastFurther = JSON.stringify(await readAll(further()))
      let timer: NodeJS.Timeout | undefined
      let running = Promise.resolve()
      const check = async (): Promise<void> => {
        const readBoth = async (): Promise<[string, string]> => [
          await read(),
          JSON.stringify(await readAll(further())),
        ]
        let now = await readBoth()
        if (isSame(now, [last, lastFurther])) return
        // The file may be half-written.
        for (let before: string[] = []; !isSame(before, now); now = await readBoth()) {
          before = now
          await wait(QUIET_MS)
        }
        const names = further()
        ;[last, lastFurther] = now
        await onChange()
        // The new configuration may name other files.
        if (!isSame(names, further())) lastFurther = JSON.stringify(await readAll(further()))
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
      const folders = further().map((path) => dirname(path))
      const own = dirname(resolve(folder, named ?? '_'))
      if (!poll) await events.watch(new Set([folder, own, ...folders]))
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
