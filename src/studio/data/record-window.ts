import { ask, dbPath } from '../control.ts'
import { findResource, type Row, toMessage } from '../app/state.ts'
import { idIn, withPending } from './pending-edits.ts'
import { onLocalWrite } from './local-writes.ts'

/**
 * The records of a query, for a grid that scrolls through them. Only the records near the viewport are
 * fetched, because a collection may have a hundred thousand.
 */
export interface RecordWindow {
  /** The number of records; undefined until it is known. */
  total(): number | undefined
  /** The record at an index, with the edits that are on their way; undefined until it is known. */
  at(index: number): Row | undefined
  /** The records that are known. */
  known(): Row[]
  /** Whether records have arrived, be it none. */
  isLoaded(): boolean
  /** Fetches the records from the first to the last index, unless they are known. */
  need(first: number, last: number): void
  /** Fetches the number and the needed records again. The old ones stay until the new ones arrive. */
  refresh(): void
  /** The error of the last request; empty for none. */
  error(): string
  /** Calls a function when records or an error arrive, in place of the function before. */
  listen(onChange: () => void): void
  /** Ends the requests. */
  close(): void
}

/**
 * Creates a window on the records of a collection, and asks for the first records and the number of a filter's records.
 * A record that the page writes replaces the earlier one at once, and the window asks again.
 */
export function createRecordWindow(
  name: string,
  { where, search, sort }: WindowQuery,
): RecordWindow {
  const chunks = new Map<number, Chunk>()
  const asked = new Map<number, number>()
  const abort = new AbortController()
  const { signal } = abort
  let total: number | undefined
  let counted = -1
  let turn = 0
  /** The refresh after the last write: answers to earlier requests may lack what was written. */
  let written = 0
  let error = ''
  /** The refresh whose request has caused the error. */
  let failed = 0
  let needed: readonly [first: number, last: number] = [0, 0]
  let onChange = (): void => {}

  /** Sends a request, and passes the value of its response and the refresh that has sent it. */
  async function run(
    action: string,
    input: object,
    take: (value: unknown, sent: number) => void,
  ): Promise<void> {
    const sent = turn
    try {
      take(await ask(`${dbPath(name)}/${action}`, { method: 'POST', input, signal }), sent)
      if (sent > failed) error = ''
    } catch (caught) {
      // A later request brings its own outcome.
      if (signal.aborted || sent < turn) return
      error = toMessage(caught)
      failed = sent
    }
    onChange()
  }

  const isFiltered = where !== undefined || search !== undefined

  function count(): void {
    if (!isFiltered) return
    void run('count', { where, search }, (value, sent) => {
      if (sent < counted) return
      counted = sent
      total = value as number
    })
  }

  function fetchChunk(number: number): void {
    asked.set(number, turn)
    const input = {
      where,
      search,
      ...(sort && { sort }),
      offset: number * chunkSize,
      limit: chunkSize,
    }
    void run('find', input, (rows, sent) => {
      if (sent < Math.max(written, chunks.get(number)?.turn ?? 0)) return
      chunks.delete(number)
      chunks.set(number, { rows: rows as Row[], turn: sent })
      const [oldest] = chunks.keys()
      if (chunks.size <= maxChunks || oldest === undefined) return
      chunks.delete(oldest)
      asked.delete(oldest)
    })
  }

  function need(first: number, last: number): void {
    needed = [first, last]
    for (let at = Math.floor(first / chunkSize); at <= Math.floor(last / chunkSize); at++) {
      const isKnown = chunks.get(at)?.turn === turn
      if (!isKnown && asked.get(at) !== turn) fetchChunk(at)
    }
  }

  function refresh(): void {
    turn++
    count()
    need(...needed)
  }

  const stopListening = onLocalWrite((resource, record) => {
    if (resource.name !== name) return
    const id = idIn(resource, record)
    const replace = (row: Row): Row => (idIn(resource, row) === id ? record : row)
    for (const [number, chunk] of chunks)
      chunks.set(number, { ...chunk, rows: chunk.rows.map(replace) })
    refresh()
    written = turn
    onChange()
  })

  count()
  need(...needed)
  return {
    // The state of the mock has the number of all records.
    total: () => (isFiltered ? total : findResource(name)?.count),
    at(index) {
      const record = chunks.get(Math.floor(index / chunkSize))?.rows[index % chunkSize]
      return record && withPending(name, record)
    },
    known: () => Array.from(chunks.values(), ({ rows }) => rows).flat(),
    isLoaded: () => chunks.size > 0,
    need,
    refresh,
    error: () => error,
    listen: (listener) => void (onChange = listener),
    close() {
      stopListening()
      abort.abort()
    },
  }
}

/** The query of a window: what `POST /__mock/db/posts/find` takes. */
export interface WindowQuery {
  where?: object | undefined
  /** A text that the records contain anywhere. */
  search?: string | undefined
  sort?: string | undefined
}

/** The number of records of a request. */
const chunkSize = 100
/** The largest number of chunks that are kept. */
const maxChunks = 50

interface Chunk {
  rows: readonly Row[]
  /** The refresh in which it was fetched. */
  turn: number
}
