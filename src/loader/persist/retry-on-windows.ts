import { setTimeout } from 'node:timers/promises'
import { codeOf } from '../../core/errors/error-details.ts'

/**
 * Runs something that replaces a file. Windows refuses that while any program has the file open, such
 * as a scanner of viruses just after a save: there it is tried again, for a third of a second.
 * @throws the error of the file system
 */
export async function patiently<T>(run: () => T | Promise<T>): Promise<T> {
  for (const pause of process.platform === 'win32' ? PAUSES : []) {
    try {
      return await run()
    } catch (error) {
      if (!REFUSALS.has(codeOf(error))) throw error
      await setTimeout(pause)
    }
  }
  return run()
}

/** In milliseconds. */
const PAUSES = [5, 10, 20, 40, 80, 160]
const REFUSALS = new Set(['EACCES', 'EBUSY', 'EPERM'])
