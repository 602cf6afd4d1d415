import { createReadStream } from 'node:fs'
import { isRecord, type Json } from '../../core/json/json.ts'
import { diff, type Edit } from './edits.ts'
import { isMissing } from './state-folder.ts'

/**
 * Returns the line of a journal for a write. A journal is a file of JSON lines with the writes of requests
 * that are not in the fixture file yet. For an update of a record, the line has only the parts that have
 * changed.
 */
export function toLine({ name, id, from, previous = from, to }: UnsavedWrite): string {
  const edits = isRecord(previous) && isRecord(to) ? diff(previous, to) : undefined
  const entry: JournalEntry = edits ? { name, id, from, edits } : { name, id, from, to }
  return `${JSON.stringify(entry)}\n`
}

/**
 * Reads a journal as a stream, and calls back with each entry. Ignores an incomplete last line: its write was
 * never acknowledged to a client. Returns false if there is no journal.
 * @throws the error of the file system, or an error that names a line that is not a journal entry
 */
export async function readJournal(
  path: string,
  onEntry: (entry: JournalEntry) => void,
): Promise<boolean> {
  let count = 0
  let parts: Buffer[] = []
  const endLine = (): void => {
    const entry = toEntry(Buffer.concat(parts))
    parts = []
    count++
    if (!entry) throw new Error(`line ${count} is not a journal entry`)
    onEntry(entry)
  }
  try {
    for await (const chunk of createReadStream(path, { highWaterMark: CHUNK_SIZE })) {
      let from = 0
      const bytes = chunk as Buffer
      for (let end = bytes.indexOf(10); end !== -1; end = bytes.indexOf(10, from)) {
        parts.push(bytes.subarray(from, end))
        endLine()
        from = end + 1
      }
      parts.push(bytes.subarray(from))
    }
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
  const last = toEntry(Buffer.concat(parts))
  if (last) onEntry(last)
  return true
}

/** A record or a singleton that a request has written. */
export interface WrittenRecord {
  /** The name of the resource. */
  name: string
  /** The id of the record; undefined for a singleton. */
  id?: string | undefined
}

/** A write by a request to one record or singleton that may not be in the fixture file yet. */
export interface UnsavedWrite extends WrittenRecord {
  /** The previous value if the file may have it; null if the record did not exist. */
  from?: Json | undefined
  /** The previous value. @default from */
  previous?: Json | undefined
  /** The new value; null if the record was deleted. */
  to: Json
}

/** A write as a line of JSON in a journal: the new value, or the edits of the previous value. */
export interface JournalEntry extends WrittenRecord {
  /** The previous value if the file may have it; null if the record did not exist. */
  from?: Json | undefined
  /** The new value; undefined if the line has edits. */
  to?: Json
  edits?: Edit[]
}

/** In bytes. */
const CHUNK_SIZE = 1024 * 1024

function toEntry(line: Buffer): JournalEntry | undefined {
  const text = line.toString()
  try {
    const entry: unknown = JSON.parse(text)
    const isEntry =
      isRecord(entry) &&
      typeof entry['name'] === 'string' &&
      (entry['to'] !== undefined || Array.isArray(entry['edits']))
    return isEntry ? (entry as unknown as JournalEntry) : undefined
  } catch {
    return undefined
  }
}
