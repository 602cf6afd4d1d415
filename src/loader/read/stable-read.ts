import { constants } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { readFile, stat } from 'node:fs/promises'
import { isSameStamp, toStamp, type Stamp } from './stamp.ts'

/** The bytes of a file, and what the disk said about it just before they were read. */
export interface Whole {
  stamp: Stamp
  bytes: Buffer
}

/**
 * Reads a file, once more where it was written to meanwhile: what was read then may be half a save.
 * @throws the error of the file system, or `ERR_STRING_TOO_LONG`
 */
export async function readWhole(path: string, attempts = 5): Promise<Whole> {
  const stats = await stat(path)
  if (!stats.isFile()) throw new Error('it is not a regular file')
  checkSize(stats)
  const stamp = toStamp(stats)
  const bytes = await readFile(path)
  const isWhole = attempts <= 1 || isSameStamp(stamp, toStamp(await stat(path)))
  return isWhole ? { stamp, bytes } : readWhole(path, attempts - 1)
}

/**
 * The same without a wait, which saves the twelve ways through the thread pool that a file of 5 MB takes;
 * they cost more than the reading. Undefined where the file is being written to.
 * @throws the error of the file system
 */
export function readWholeNow(path: string, stamp: Stamp): Whole | undefined {
  checkSize(stamp)
  const bytes = readFileSync(path)
  return isSameStamp(stamp, toStamp(statSync(path))) ? { stamp, bytes } : undefined
}

/** Refuses what does not fit into a text, before it is read. */
function checkSize({ size }: { size: number }): void {
  if (size <= constants.MAX_STRING_LENGTH) return
  throw Object.assign(new Error('it is too large for a text'), { code: 'ERR_STRING_TOO_LONG' })
}
