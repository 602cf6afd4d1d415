import { ask, dbPath } from '../control.ts'
import { findResource, type Resource, type Row, toMessage } from '../app/state.ts'

/** The query of a window: what `POST /__mock/db/posts/find` takes. */
export interface WindowQuery {
  where?: object | undefined
  sort?: string | undefined
}

/** The records of a query, of which only those near the viewport are fetched. */
export interface RecordWindow {
  /** The number of records; undefined until it is known. */
  total(): number | undefined
  /** The record at an index; undefined while it is on its way. */
  at(index: number): Row | undefined
  /** The records that are known. */
  known(): Row[]
  /** Whether records have arrived, be it none. */
  isLoaded(): boolean
  /** Fetches the records from the first to the last index, unless they are known. */
  need(first: number, last: number): void
  /** Shows a record that was written in place of those that match, and fetches the records again. */
  replace(isWritten: (row: Row) => boolean, record: Row): void
  /** Fetches the number and the needed records again. The old ones stay until the new ones arrive. */
  refresh(): void
  /** The error of the last request; empty for none. */
  error(): string
  /** Calls a function when records or an error arrive, in place of the function before. */
  listen(onChange: () => void): void
  /** Ends the requests. */
  close(): void
}

/** The number of records of a request. */
const chunkSize = 100
/** The most chunks that are kept. */
const most = 50

interface Chunk {
  rows: readonly Row[]
  /** The refresh in which it was fetched. */
  turn: number
}

/** The collections of the windows that are open. */
const opened = new Map<RecordWindow, string>()

/** Shows a record that was written in all windows on its collection, so that the next edit begins with it. */
export function showWritten({ name, idField = 'id' }: Resource, record: Row): void {
  const isWritten = (row: Row): boolean => row[idField] === record[idField]
  for (const [records, collection] of opened)
    if (collection === name) records.replace(isWritten, record)
}

/** Creates a window on the records of a collection, and asks for the first records and the number of a filter's records. */
export function createRecordWindow(name: string, { where, sort }: WindowQuery): RecordWindow {
  const chunks = new Map<number, Chunk>()
  const asked = new Map<number, number>()
  const { signal, abort } = createAbort()
  let total: number | undefined
  let counted = -1
  let turn = 0
  /** The refresh after the last write: answers to earlier requests may lack what was written. */
  let written = 0
  let error = ''
  let needed: readonly [first: number, last: number] = [0, 0]
  let onChange = (): void => {}

  async function run(action: string, input: object, take: (value: unknown) => void): Promise<void> {
    try {
      take(await ask(`${dbPath(name)}/${action}`, { method: 'POST', input, signal }))
      error = ''
    } catch (caught) {
      if (signal.aborted) return
      error = toMessage(caught)
    }
    onChange()
  }

  function count(): void {
    if (!where) return
    const now = turn
    void run('count', { where }, (value) => {
      if (now < counted) return
      counted = now
      total = value as number
    })
  }

  function fetchChunk(number: number): void {
    const now = turn
    asked.set(number, now)
    const input = { where, ...(sort && { sort }), offset: number * chunkSize, limit: chunkSize }
    void run('find', input, (rows) => {
      if (now < Math.max(written, chunks.get(number)?.turn ?? 0)) return
      chunks.delete(number)
      chunks.set(number, { rows: rows as Row[], turn: now })
      const [oldest] = chunks.keys()
      if (chunks.size <= most || oldest === undefined) return
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

  count()
  need(...needed)
  const records: RecordWindow = {
    // The state of the mock has the number of all records.
    total: () => (where ? total : findResource(name)?.count),
    at: (index) => chunks.get(Math.floor(index / chunkSize))?.rows[index % chunkSize],
    known: () => Array.from(chunks.values(), ({ rows }) => rows).flat(),
    isLoaded: () => chunks.size > 0,
    need,
    replace(isWritten, record) {
      for (const [number, { rows, turn: fetched }] of chunks) {
        if (!rows.some(isWritten)) continue
        chunks.set(number, {
          rows: rows.map((row) => (isWritten(row) ? record : row)),
          turn: fetched,
        })
      }
      refresh()
      written = turn
      onChange()
    },
    refresh,
    error: () => error,
    listen: (listener) => void (onChange = listener),
    close() {
      opened.delete(records)
      abort()
    },
  }
  opened.set(records, name)
  return records
}

function createAbort(): { signal: AbortSignal; abort: () => void } {
  const controller = new AbortController()
  return { signal: controller.signal, abort: () => controller.abort() }
}
