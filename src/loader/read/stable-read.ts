import { constants } from 'node:buffer'
import { readFileSync, statSync, type Stats } from 'node:fs'
import { readFile } from 'node:fs/promises'

/**
 * Reads a file. If the file was written during the read, the bytes may be half of a save, and the file is read
 * again, up to five times. A file below `largestSync` bytes is read synchronously.
 * @throws the error of the file system, or `ERR_STRING_TOO_LONG`
 */
export async function readStable(
  path: string,
  largestSync: number = SMALL,
  attempts = 5,
): Promise<StableRead> {
  const stats = statSync(path)
  if (!stats.isFile()) throw new Error('it is not a regular file')
  checkSize(stats)
  const stamp = toStamp(stats)
  const bytes = stats.size < largestSync ? readFileSync(path) : await readFile(path)
  const isStable = attempts <= 1 || isSameStamp(stamp, toStamp(statSync(path)))
  return isStable ? { stamp, bytes } : readStable(path, largestSync, attempts - 1)
}

/** The bytes of a file, and its stamp from just before the read, which shows whether the file has changed later. */
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

/**
 * The metadata of a file from `stat(2)`, which shows without reading the file whether it has changed: a save
 * changes at least one of the first four fields, unless it follows another save within the same tick of the
 * file system's clock (see `isRacy`).
 */
export interface Stamp {
  size: number
  mtimeMs: number
  /** Changes with the permissions too, and cannot be set by a program. */
  ctimeMs: number
  ino: number
  /** When the stamp was taken, in ms since the epoch. */
  takenAt: number
}

/** The stamp of a file, taken now. */
export function toStamp(stats: Stats): Stamp {
  const { size, mtimeMs, ctimeMs, ino } = stats
  return { size, mtimeMs, ctimeMs, ino, takenAt: Date.now() }
}

/** Whether the file was not written between two stamps. */
export function isSameStamp(a: Stamp, b: Stamp): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino
}

/** The stats of a file; undefined if there is no file, or the file was written after its last read. */
export function statUnchanged({ path, stamp }: StampedFile): Stats | undefined {
  const stats = statSync(path, { throwIfNoEntry: false })
  return stats && stamp && isSameStamp(stamp, toStamp(stats)) ? stats : undefined
}

/** Whether a file on the disk still has the stamp of its last read, so that the file was not written since. */
export function isUnchanged(file: StampedFile): boolean {
  try {
    return statUnchanged(file) !== undefined
  } catch {
    return false
  }
}

/** A file and its stamp from just before its last read; undefined if the file could not be read. */
interface StampedFile {
  path: string
  stamp: Stamp | undefined
}

/**
 * Whether the file was written so shortly before the stamp was taken that another write may leave the
 * same stamp: the clocks of file systems tick every few milliseconds, some only every second or two.
 */
export function isRacy(stamp: Stamp): boolean {
  const tick = stamp.ctimeMs % 1000 === 0 ? 2100 : 50
  return Math.abs(stamp.takenAt - Math.max(stamp.mtimeMs, stamp.ctimeMs)) < tick
}

/** The SHA-1 digest of a file's bytes in base64url, which only detects changes of fixture files. */
export function digest(bytes: Buffer): string {
  // Imported at the first read, so that programs without fixture files start without the module.
  return process
    .getBuiltinModule('node:crypto')
    .createHash('sha1')
    .update(bytes)
    .digest('base64url')
}
