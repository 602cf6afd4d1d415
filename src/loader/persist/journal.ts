import {
  appendFileSync,
  existsSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
// Imports `setImmediate`, because the global may be replaced by fake timers, or missing, as in Jest's jsdom.
import { setImmediate } from 'node:timers'
import { codeOf } from '../../core/errors/error-details.ts'
import type { RecordDifference, Step } from '../../core/fixtures/record-difference.ts'
import { isRecord } from '../../core/json/json.ts'
import { ensureFolder, isMissing, type StatePaths } from './state-folder.ts'

/**
 * The journal of a fixture file: has the writes of requests, one JSON line each, until the fixture file has them,
 * which happens later and once for many writes. A write survives the end of the process once write(2) has
 * returned. There is no fsync(2), so a power failure may lose the last writes.
 */
export interface Journal {
  /** Adds a write; without one, the state of each record that differs from the file or is in the journal. */
  add(write?: RecordDifference): void
  /** Resolves when each write so far is in the journal or could not be added; undefined if no write is on its way. */
  settled(): Promise<void> | undefined
  /** Begins a write of the fixture file, whose next content has all writes so far. */
  capture(): void
  /** Notes that the captured writes are in the file, just before its rename, or that the rename has failed. */
  mark(isInFile: boolean): void
  /** Keeps only the writes that the fixture file does not have. @throws the error of the file system */
  compact(): void
  /** Deletes the journal. @throws the error of the file system */
  remove(): void
  /** Whether the journal has all writes; tries to write a journal that could not be written before. */
  isComplete(): boolean
}

/** Options of a journal. */
export interface JournalOptions {
  /** Locks the fixtures before a write. @throws MockError when another process has locked them */
  acquire(): void
  /** The writes that the fixture file does not have, and the current state of these records. */
  unsaved(records?: readonly Step[]): readonly RecordDifference[]
  /** Is called with the error or undefined each time writes are added. */
  onResult(error: unknown): void
}

/**
 * Creates the journal of a fixture file, which is written anew if it is torn, removed or changed. A journal of
 * another process has writes that no fixture file has, and is never changed.
 */
export function createJournal(paths: StatePaths, options: JournalOptions): Journal {
  const { folder, journal: path } = paths
  let pending: string[] = []
  /** Whether the next batch adds the current state of all changed records. */
  let needsAll = false
  let batch: Promise<void> | undefined
  /** How many lines and bytes this process has written to the file; 0 if it has not created the file. */
  let length = 0
  let size = 0
  /** How many of the lines are in the next content of the fixture file. */
  let captured = 0
  /** Whether lines could not be added. */
  let isTorn = false

  const readOwn = (): Step[] => {
    const entries = size > 0 ? parseJournal(readFileSync(path, 'utf8')) : []
    return entries.filter(isWrite)
  }
  const append = (lines: readonly string[]): void => {
    if (lines.length === 0) return
    const bytes = Buffer.from(lines.join(''))
    try {
      appendFileSync(path, bytes, { flag: size === 0 ? 'ax' : 'a' })
    } catch (error) {
      if (size > 0) truncateSync(path, size)
      else if (codeOf(error) !== 'EEXIST') rmSync(path, { force: true })
      throw error
    }
    length += lines.length
    size += bytes.length
  }
  const remove = (): void => {
    pending = []
    if (size > 0) rmSync(path, { force: true })
    length = size = captured = 0
    isTorn = false
  }
  const rewrite = (): void => {
    const writes = options.unsaved()
    if (writes.length === 0) return remove()
    if (size === 0 && existsSync(path)) {
      throw Object.assign(new Error('there is another journal'), { code: 'EEXIST' })
    }
    pending = []
    size = writeJournal(paths, writes)
    length = writes.length
    captured = 0
    isTorn = false
  }
  const writePending = (): void => {
    const lines = pending
    pending = []
    try {
      options.acquire()
      ensureFolder(folder)
      if (isTorn || (size > 0 && sizeOf(path) !== size)) rewrite()
      else {
        append(lines)
        if (needsAll) append(options.unsaved(readOwn()).map(toLine))
      }
      needsAll = false
      options.onResult(undefined)
    } catch (error) {
      isTorn = true
      options.onResult(error)
    }
  }

  return {
    add(write) {
      if (write) pending.push(toLine(write))
      else needsAll = true
      batch ??= new Promise((settle) => {
        setImmediate(() => {
          batch = undefined
          if (pending.length > 0 || needsAll) writePending()
          settle()
        })
      })
    },
    settled: () => batch,
    capture() {
      captured = length
    },
    mark(isInFile) {
      const mark: Mark = { written: isInFile ? captured : 0 }
      if (size > 0) append([`${JSON.stringify(mark)}\n`])
    },
    compact: rewrite,
    remove,
    isComplete() {
      if (pending.length > 0 || needsAll || isTorn) writePending()
      return !isTorn
    },
  }
}

/** Replaces a journal by one with these writes, and returns its size in bytes. @throws the error of the file system */
export function writeJournal(
  { journal, nextJournal }: StatePaths,
  writes: readonly RecordDifference[],
): number {
  const bytes = Buffer.from(writes.map(toLine).join(''))
  writeFileSync(nextJournal, bytes)
  renameSync(nextJournal, journal)
  return bytes.length
}

/**
 * Reads the writes of a journal that a killed process has left, without those that are in the fixture file; undefined
 * if there is no journal. Ignores an incomplete last line: its write was never acknowledged to a client.
 * @throws the error of the file system, or an error that names a line that is not a journal entry
 */
export async function readJournal(paths: StatePaths): Promise<RecordDifference[] | undefined> {
  const text = await readFile(paths.journal, 'utf8').catch((error: unknown) => {
    if (isMissing(error)) return undefined
    throw error
  })
  if (text === undefined) return undefined
  const entries = parseJournal(text)
  const mark = existsSync(paths.temp) ? undefined : entries.findLast(isMark)
  return entries.slice(mark?.written ?? 0).filter(isWrite)
}

/**
 * A line that says that the next content of the fixture file has the first lines of the journal. It counts once
 * there is no temporary file, which a rename turns into the fixture file; only the last such line counts.
 */
interface Mark {
  written: number
}

/** @throws Error that names a line that is not a journal entry */
function parseJournal(text: string): (RecordDifference | Mark)[] {
  const lines = text.split('\n')
  const last = parseLine(lines.pop() ?? '')
  const entries = lines.map((line, at) => {
    const entry = parseLine(line)
    if (!entry) throw new Error(`line ${at + 1} is not a journal entry`)
    return entry
  })
  return last ? [...entries, last] : entries
}

function toLine(write: RecordDifference): string {
  return `${JSON.stringify(write)}\n`
}

function parseLine(line: string): RecordDifference | Mark | undefined {
  try {
    const entry: unknown = JSON.parse(line)
    return isWrite(entry) || isMark(entry) ? entry : undefined
  } catch {
    return undefined
  }
}

function isMark(entry: unknown): entry is Mark {
  return isRecord(entry) && typeof entry['written'] === 'number'
}

function isWrite(entry: unknown): entry is RecordDifference {
  if (!isRecord(entry)) return false
  const { type, collection, id, record, previous } = entry
  return (
    (type === 'created' || type === 'updated' || type === 'deleted') &&
    typeof collection === 'string' &&
    (id === undefined || typeof id === 'string') &&
    (record === undefined ? type === 'deleted' : isRecord(record)) &&
    (previous === undefined || isRecord(previous))
  )
}

function sizeOf(path: string): number | undefined {
  return statSync(path, { throwIfNoEntry: false })?.size
}
