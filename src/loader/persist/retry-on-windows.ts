import { setTimeout } from 'node:timers/promises'
import { codeOf } from '../../core/errors/error-details.ts'

/**
 * Runs a function that replaces a file. Windows refuses to replace a file that any program has open, as
 * virus scanners do just after a save; on Windows the function is therefore retried for 315 ms.
 * @throws the error of the file system
 */
export async function retryOnWindows<T>(run: () => T | Promise<T>): Promise<T> {
  for (const pause of process.platform === 'win32' ? PAUSES : []) {
    try {
      return await run()
    } catch (error) {
      if (!RETRIED.has(codeOf(error))) throw error
      await setTimeout(pause)
    }
  }
  return run()
}

/** The pauses before each retry, in milliseconds. */
const PAUSES = [5, 10, 20, 40, 80, 160]
/** The error codes of Windows for a file that another program has open. */
const RETRIED = new Set(['EACCES', 'EBUSY', 'EPERM'])
