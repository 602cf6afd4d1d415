import {
  close,
  constants,
  fstatSync,
  ftruncate,
  open,
  renameSync,
  type Stats,
  statSync,
  unlinkSync,
  write,
} from 'node:fs'
import { unlink } from 'node:fs/promises'
import { promisify } from 'node:util'
import { type Handles, MAX_OPEN_JOURNALS } from './handles.ts'
import type { WriteLock } from './lock.ts'
import { retryOnWindows } from './retry-on-windows.ts'
import { withFolder, type StatePaths } from './state-folder.ts'
import { writePieces } from './write-pieces.ts'

/**
 * The file of a journal (the writes of requests that are not in the fixture file yet). This process creates,
 * extends and deletes only its own file: a journal that another process has left at the same path has writes
 * that no fixture file has, and is never changed.
 */
export interface JournalFile {
  /** The number of bytes in the file. */
  readonly length: number
  /** Whether there is a file handle. */
  isOpen(): boolean
  /** Whether the file ends with an incomplete line, or another program has moved, removed or changed the file. */
  isDamaged(): boolean
  /** Adds lines at the end; a failed write adds no line. @throws the error of the file system */
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
  handles: Handles,
): JournalFile {
  let handle: number | undefined
  /** The inode of the file that this process has created; undefined if there is none. */
  let inode: number | undefined
  /** The number of bytes that this process has written. */
  let length = 0
  let isTorn = false

  const openForAppend = async (): Promise<number> => {
    const flags = inode === undefined ? 'ax' : constants.O_WRONLY | constants.O_APPEND
    const opened = await withFolder(folder, () => openFile(journal, flags))
    handles.openJournals++
    inode = fstatSync(opened).ino
    return opened
  }
  const closeIfOpen = async (): Promise<void> => {
    const opened = handle
    handle = undefined
    if (opened === undefined) return
    handles.openJournals--
    await closeFile(opened)
  }
  const appendTo = async (file: number, lines: Iterable<string>): Promise<void> => {
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
  }
  /**
   * Is called synchronously before the file is replaced or deleted, so that no code runs in between.
   * @throws EEXIST if the file at the path is a journal of another process
   */
  const checkOwner = (): void => {
    if (!lock.isHeld()) throw new Error('its lock was removed')
    const stats = statOf(journal)
    // Some network file systems change inodes.
    if (!stats || stats.ino === inode || (inode !== undefined && stats.size === length)) return
    throw Object.assign(new Error('there is another journal'), { code: 'EEXIST' })
  }

  const writeNext = async (lines: Iterable<string>): Promise<[inode: number, length: number]> => {
    // A process whose lock was taken over while it was suspended may have the file open.
    await unlink(nextJournal).catch(() => undefined)
    const next = await withFolder(folder, () => openFile(nextJournal, 'w'))
    let written = 0
    try {
      await writePieces(lines, async (bytes) => {
        await writeAll(next, bytes)
        written += bytes.length
      })
      return [fstatSync(next).ino, written]
    } finally {
      await closeFile(next)
    }
  }

  return {
    get length() {
      return length
    },
    isOpen: () => handle !== undefined,
    isDamaged: () => isTorn || (inode !== undefined && statOf(journal)?.size !== length),
    async append(lines) {
      if (handle !== undefined) return appendTo(handle, lines)
      await handles.limit(async () => {
        handle = await openForAppend()
        await appendTo(handle, lines)
        if (handles.openJournals > MAX_OPEN_JOURNALS) await closeIfOpen()
      })
    },
    async replace(lines) {
      const [nextInode, nextLength] = await handles.limit(() => writeNext(lines))
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
        if (statOf(journal)) unlinkSync(journal)
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

function statOf(path: string): Stats | undefined {
  return statSync(path, { throwIfNoEntry: false })
}
