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
