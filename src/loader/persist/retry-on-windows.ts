import { setTimeout } from 'node:timers/promises'
import { codeOf } from '../../core/errors/error-details.ts'

/**
 * Runs a function that replaces a file. On Windows, replacing a file fails while any program, such as a
 * virus scanner, has the file open; the function is therefore retried up to six times, for 315 ms in total.
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
