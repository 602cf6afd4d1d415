import { type Stats, statSync } from 'node:fs'

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
