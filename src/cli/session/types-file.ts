import { toMessage } from '../../core/errors/error-details.ts'
import { internalsOf } from '../../core/http/contract/internals.ts'
import { toLabel } from '../../loader/discover/discover.ts'
import { toPrintable, toPrintableLines } from '../output/printable.ts'
import type { Session } from './session.ts'

/** Creates the writer of the file of TypeScript types (`--types`), which a running server keeps up to date. */
export function createTypesFile(path: string, session: Session): TypesFile {
  const { mock, config, terminal, print, printError } = session
  const { paint, errorPaint } = terminal
  const { cwd, persist = false } = config
  // The module is imported here, as servers without a types file start faster without the module.
  const writer = loadWriter()
  let updates: Promise<void> = Promise.resolve()
  let timer: NodeJS.Timeout | undefined

  async function loadWriter(): Promise<() => Promise<boolean>> {
    const { createTypesText, writeGenerated } = await import('../../load/generated-file.ts')
    const toText = createTypesText(mock)
    return () => writeGenerated(path, toText(), cwd)
  }

  async function write(): Promise<void> {
    try {
      const writeTypes = await writer
      if (await writeTypes()) print(paint.green(`Wrote: ${toPrintable(toLabel(path, cwd))}`))
    } catch (error) {
      printError(errorPaint.red(toPrintableLines(toMessage(error))))
    }
  }

  function update(): void {
    timer = undefined
    updates = updates.then(write)
  }

  const unsubscribe = persist
    ? internalsOf(mock).store.changes.subscribe(
        () => (timer ??= setTimeout(update, untilPersisted).unref()),
      )
    : undefined
  return {
    update,
    close() {
      unsubscribe?.()
      clearTimeout(timer)
      return updates
    },
  }
}

/** The writer of the types; see {@link createTypesFile}. */
export interface TypesFile {
  /** Writes the types of the fixtures, if they have changed. A failure is printed, and the server goes on. */
  update(): void
  /** Ends the updates, and resolves when the last one is finished. */
  close(): Promise<void>
}

/** The time after which a persisted change of a request is in its fixture file, in milliseconds. */
const untilPersisted = 2_000
