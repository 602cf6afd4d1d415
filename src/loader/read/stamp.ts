import type { Stats } from 'node:fs'

/** What the disk says about a file without reading it. A save changes at least one of them. */
export interface Stamp {
  size: number
  mtimeMs: number
  /** Changes with permissions too, and cannot be set back. */
  ctimeMs: number
  ino: number
  /** When it was taken, in ms since the epoch. */
  takenAt: number
}

/** The stamp of a file, taken now. */
export function toStamp(stats: Stats): Stamp {
  const { size, mtimeMs, ctimeMs, ino } = stats
  return { size, mtimeMs, ctimeMs, ino, takenAt: Date.now() }
}

/** Whether two stamps say that nothing happened to the file in between. */
export function isSameStamp(a: Stamp, b: Stamp): boolean {
  return a.size === b.size && a.mtimeMs === b.mtimeMs && a.ctimeMs === b.ctimeMs && a.ino === b.ino
}

/**
 * Whether the file was written so shortly before the stamp was taken that another write may leave the
 * same stamp: clocks of file systems tick every few milliseconds, some only every second or two.
 */
export function isRacy(stamp: Stamp): boolean {
  const tick = stamp.ctimeMs % 1000 === 0 ? 2100 : 50
  return Math.abs(stamp.takenAt - Math.max(stamp.mtimeMs, stamp.ctimeMs)) < tick
}
