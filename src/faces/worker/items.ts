import type { Json, JsonRecord } from '../../core/json/json.ts'
import type { Step } from '../../core/fixtures/record-difference.ts'
import type { History } from './history.ts'
import { readStored, writeStored } from '../../core/text/stored-json.ts'
import type { SqlStorage } from './runtime.ts'

/** The storage of a Durable Object: JSON values by kind and key. Writes are durable before the response. */
export interface Items {
  /** Stores a value. @throws Error when the database is full */
  put<Kind extends keyof Kinds>(kind: Kind, key: string, value: Kinds[Kind]): void
  get<Kind extends keyof Kinds>(kind: Kind, key: string): Kinds[Kind] | undefined
  /** Every key of a kind with its value, ordered by key. */
  all<Kind extends keyof Kinds>(kind: Kind): [key: string, value: Kinds[Kind]][]
  /** The names of the resources that have stored records. */
  recordKinds(): RecordKind[]
  remove(kind: keyof Kinds, key: string): void
  clear(kind: keyof Kinds): void
  /** Every value whose kind is not in `except`, for the storage of another object. */
  dump(except: readonly (keyof Kinds)[]): Dump
  /** Whether the table exists. Only reads, so that the storage of a refused session stays empty. */
  exists(): boolean
  /** Creates the table with these values, in a new object or after its storage was deleted. */
  create(dump: Dump): void
}

/** The values that an object stores, by kind. */
export interface Kinds {
  /** Uploaded fixtures by resource name. */
  fixture: Json
  /** By resource name. */
  history: History
  /** The list of sessions, in the shared mock alone. */
  session: StoredSession
  /** The name of the session (`session`), and when it was last used (`used`), in milliseconds since 1970. */
  setting: string | number
  snapshot: StoredSnapshot
  /** The time by which the clock was moved (`clock`), in milliseconds, and the rules (`rules`). */
  world: unknown
  /** The records of a resource that differ from the fixtures, by id. */
  [records: RecordKind]: StoredRecord
  /** The state of a behaviour, by key. */
  [map: `map ${string}`]: StoredEntry
}

/** The kind of a resource's records. */
export type RecordKind = `record ${string}`

/** A record that differs from the fixtures. */
export interface StoredRecord {
  /** The fingerprint of the record in the fixtures; null for a record that the fixtures do not have. */
  base: string | null
  /** The position among the created records; missing for a changed record of the fixtures. */
  place?: number
  /** Missing for a removed record. */
  record?: JsonRecord
  /** Whether the last change didn't update the time field of the record, so that the time is no `Last-Modified`. */
  isOutdated?: true
}

/** A session in the list of sessions. */
export interface StoredSession {
  /** The time of the last use that the session has reported, in milliseconds since 1970. */
  used: number
}

/** A snapshot, as its differences from the fixtures. */
export interface StoredSnapshot {
  steps: Step[]
  /** The keys of the records whose last change didn't update their time field, by resource. */
  outdated: Record<string, string[]>
}

/** An entry of a map, with its position among the entries. */
export interface StoredEntry {
  position: number
  value: unknown
}

/** The rows of the table: kind, key, number of the part, and text. */
export type Dump = [kind: string, key: string, part: number, text: string][]

interface Row {
  kind: string
  key: string
  part: number
  text: string
}

/** The longest text of one row, in characters of up to four bytes: the platform allows a row two million bytes. */
const MAX_TEXT = 400_000

const partsOfText = new RegExp(`.{1,${MAX_TEXT}}`, 'gsu')

/** Opens the storage of an object; `create` has to be called before the first use. */
export function openItems(sql: SqlStorage): Items {
  const run = (query: string, ...values: (string | number)[]): Row[] =>
    sql.exec(query, ...values).toArray() as Row[]
  function write([kind, key, part, text]: Dump[number]): void {
    run('INSERT OR REPLACE INTO item VALUES (?, ?, ?, ?)', kind, key, part, text)
  }

  function all<Kind extends keyof Kinds>(kind: Kind): [key: string, value: Kinds[Kind]][] {
    const texts = new Map<string, string>()
    for (const { key, text } of run(
      'SELECT key, text FROM item WHERE kind = ? ORDER BY key, part',
      kind,
    ))
      texts.set(key, (texts.get(key) ?? '') + text)
    return Array.from(texts, ([key, text]) => [key, readStored(text) as Kinds[Kind]])
  }

  return {
    put(kind, key, value) {
      const text = writeStored(value)
      // A part ends between characters, as half of a surrogate pair has no UTF-8.
      const parts = text.length <= MAX_TEXT ? [text] : (text.match(partsOfText) ?? [])
      run('DELETE FROM item WHERE kind = ? AND key = ? AND part >= ?', kind, key, parts.length)
      for (const [part, one] of parts.entries()) write([kind, key, part, one])
    },
    get<Kind extends keyof Kinds>(kind: Kind, key: string) {
      const parts = run('SELECT text FROM item WHERE kind = ? AND key = ? ORDER BY part', kind, key)
      if (parts.length === 0) return undefined
      return readStored(parts.map(({ text }) => text).join('')) as Kinds[Kind]
    },
    all,
    recordKinds: () =>
      run("SELECT DISTINCT kind FROM item WHERE kind LIKE 'record %'").map(
        ({ kind }) => kind as RecordKind,
      ),
    remove: (kind, key) => void run('DELETE FROM item WHERE kind = ? AND key = ?', kind, key),
    clear: (kind) => void run('DELETE FROM item WHERE kind = ?', kind),
    dump: (except) =>
      run('SELECT kind, key, part, text FROM item')
        .filter(({ kind }) => !except.some((one) => one === kind))
        .map(({ kind, key, part, text }) => [kind, key, part, text]),
    exists: () => run("SELECT 1 FROM sqlite_master WHERE name = 'item'").length > 0,
    create(dump) {
      run(
        'CREATE TABLE item (kind TEXT, key TEXT, part INTEGER, text TEXT, PRIMARY KEY (kind, key, part)) WITHOUT ROWID',
      )
      dump.forEach(write)
    },
  }
}
