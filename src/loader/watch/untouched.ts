import type { LoadedFile } from '../read/read-file.ts'
import { isSameStamp, statUnchanged } from '../read/stamp.ts'

/**
 * Whether a file on the disk still has the stamp (the metadata from `stat`) of its last read, so that the file
 * was not written since.
 */
export function isUntouched(file: LoadedFile): boolean {
  try {
    return statUnchanged(file) !== undefined
  } catch {
    return false
  }
}

/** Whether two reads of a file have found the same bytes and the same stamp. */
export function isSameRead(before: LoadedFile, now: LoadedFile): boolean {
  if (!before.stamp || !now.stamp) return before.stamp === now.stamp
  return before.content === now.content && isSameStamp(before.stamp, now.stamp)
}
