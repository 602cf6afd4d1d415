import { constants } from 'node:buffer'
import { readFileSync, statSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { isSameStamp, toStamp, type Stamp } from './stamp.ts'

/**
 * Reads a file. If the file was written during the read, the bytes may be half of a save, and the file is read
 * again, up to five times.
 * @throws the error of the file system, or `ERR_STRING_TOO_LONG`
 */
export async function readStable(path: string, attempts = 5): Promise<StableRead> {
  const stats = statSync(path)
  if (!stats.isFile()) throw new Error('it is not a regular file')
  checkSize(stats)
  const stamp = toStamp(stats)
  const bytes = stats.size < SMALL ? readFileSync(path) : await readFile(path)
  const isStable = attempts <= 1 || isSameStamp(stamp, toStamp(statSync(path)))
  return isStable ? { stamp, bytes } : readStable(path, attempts - 1)
}

/**
 * The bytes of a file, and its stamp (the metadata from `stat`) from just before the read. The stamp shows
 * whether the file has changed later.
 */
export interface StableRead {
  stamp: Stamp
  bytes: Buffer
}

/** The size below which a synchronous read blocks other events for less than a millisecond, in bytes. */
const SMALL = 65_536

/** Refuses a file that exceeds the maximum length of a string, before the file is read. */
function checkSize({ size }: { size: number }): void {
  if (size <= constants.MAX_STRING_LENGTH) return
  throw Object.assign(new Error('it is too large for a string'), { code: 'ERR_STRING_TOO_LONG' })
}
