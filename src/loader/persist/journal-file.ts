import {
  close,
  constants,
  fstatSync,
  ftruncate,
  open,
  renameSync,
  statSync,
  unlinkSync,
  write,
} from 'node:fs'
import { unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import type { WriteLock } from './lock.ts'
import { retryOnWindows } from './retry-on-windows.ts'
import { withFolder, type StatePaths } from './state-folder.ts'
import { writePieces } from './write-pieces.ts'

/**
 * The file of a journal, which this process alone creates, extends and deletes. A journal of another process at
 * the same path is never changed: it has writes that no fixture file has.
 */
export interface JournalFile {
  /** The number of bytes in the file. */
  readonly length: number
  /** Whether there is a file handle. */
  isOpen(): boolean
  /** Whether the file ends with an incomplete line, or is not at its path anymore. */
  isDamaged(): boolean
  /** Adds lines at the end; adds none of them if the write fails. @throws the error of the file system */
  append(lines: Iterable<string>): Promise<void>
  /** Replaces all lines at once. @throws the error of the file system */
  replace(lines: Iterable<string>): Promise<void>
  /** Deletes the file if this process has created it. @throws the error of the file system */
  remove(): Promise<void>
  /** Closes the file handle until the next line is added. */
  close(): Promise<void>
}

/** Creates the file of a journal, which does not exist before its first line. */
export function createJournalFile(
  { folder, journal, nextJournal }: StatePaths,
  lock: WriteLock,
): JournalFile {
  let handle: number | undefined
  /** The inode of the file that this process has created; undefined if there is none. */
  let inode: number | undefined
  let length = 0
  let isTorn = false

  const openForAppend = async (): Promise<number> => {
    const flags = inode === undefined ? 'ax' : constants.O_WRONLY | constants.O_APPEND
    const opened = await withFolder(folder, () => openFile(journal, flags))
    inode = fstatSync(opened).ino
    return opened
  }
  const closeIfOpen = async (): Promise<void> => {
    const opened = handle
    handle = undefined
    if (opened !== undefined) await closeFile(opened)
  }
  /**
   * Is called synchronously before the file is replaced or deleted, so that no code runs in between.
   * @throws EEXIST if the file at the path is a journal of another process
   */
  const checkOwner = (): void => {
    if (!lock.isHeld()) throw new Error('its lock was removed')
    const found = inodeOf(journal)
    if (found === undefined || found === inode) return
    throw Object.assign(new Error('there is another journal'), { code: 'EEXIST' })
  }

  return {
    get length() {
      return length
    },
    isOpen: () => handle !== undefined,
    isDamaged: () => isTorn || (inode !== undefined && inodeOf(journal) !== inode),
    async append(lines) {
      handle ??= await openForAppend()
      const file = handle
      const start = length
      try {
        await writePieces(lines, async (bytes) => {
          await writeAll(file, bytes)
          length += bytes.length
        })
      } catch (error) {
        length = start
        // An incomplete line would make the next line invalid.
        await truncateFile(file, start).catch(() => (isTorn = true))
        throw error
      }
    },
    async replace(lines) {
      // A process whose lock was taken over while it was suspended may have the file open.
      await unlink(nextJournal).catch(() => undefined)
      const next = await withFolder(folder, () => openFile(nextJournal, 'w'))
      let nextLength = 0
      let nextInode: number
      try {
        await writePieces(lines, async (bytes) => {
          await writeAll(next, bytes)
          nextLength += bytes.length
        })
        nextInode = fstatSync(next).ino
      } finally {
        await closeFile(next)
      }
      // Windows cannot replace an open file.
      await closeIfOpen()
      await retryOnWindows(() => {
        checkOwner()
        renameSync(nextJournal, journal)
      })
      inode = nextInode
      length = nextLength
      isTorn = false
    },
    async remove() {
      await closeIfOpen()
      if (inode === undefined) return
      await retryOnWindows(() => {
        checkOwner()
        if (inodeOf(journal) !== undefined) unlinkSync(journal)
      })
      inode = undefined
      length = 0
      isTorn = false
    },
    close: closeIfOpen,
  }
}

const openFile = promisify(open)
const closeFile = promisify(close)
const truncateFile = promisify(ftruncate)
const writeFileAt = promisify(write)

async function writeAll(file: number, bytes: Buffer): Promise<void> {
  for (let at = 0; at < bytes.length;) at += (await writeFileAt(file, bytes, at)).bytesWritten
}

function inodeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.ino
}
