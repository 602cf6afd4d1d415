import type { Json } from '../../core/json/json.ts'
import { toLine, type UnsavedWrite, type WrittenRecord } from './journal-entry.ts'

/**
 * The writes that are not in a fixture file yet, in memory: for each written record the states that the file
 * may have, and the last state. A journal that has grown too long is written anew from the ledger, without the
 * states in between.
 */
export interface Ledger {
  add(write: UnsavedWrite): void
  isEmpty(): boolean
  /** The written records, without their states. */
  records(): WrittenRecord[]
  /** The lines of a journal for all writes until now. Later writes do not change them. */
  lines(): Iterable<string>
}

/** A record, its possible states in the file from the oldest to the newest, and its last state. */
interface LedgerRecord extends WrittenRecord {
  states: readonly Json[]
}

/** Creates a ledger without writes. */
export function createLedger(): Ledger {
  const records = new Map<string, LedgerRecord>()
  return {
    add(write) {
      const { name, id, from, previous = null, to } = write
      const key = keyOf(write)
      const states = records.get(key)?.states ?? []
      const known = from === undefined ? states.slice(0, -1) : [...states, from]
      if (known.length === 0) known.push(previous)
      // Without repeated states: a write after a write of the file starts from the state that was written.
      const distinct = known.filter((state, at) => at === 0 || state !== known[at - 1])
      records.set(key, { name, id, states: [...distinct, to] })
    },
    isEmpty: () => records.size === 0,
    records: () => [...records.values()].map(({ name, id }) => ({ name, id })),
    lines: () => toLines([...records.values()]),
  }
}

/** A string that identifies a record. The length keeps the name apart from the id. */
export function keyOf({ name, id = '' }: WrittenRecord): string {
  return `${name.length} ${name}${id}`
}

function* toLines(records: readonly LedgerRecord[]): Generator<string, void, undefined> {
  for (const { name, id, states } of records) {
    for (let at = 1; at < states.length; at++) {
      const from = states[at - 1] ?? null
      yield toLine({ name, id, from, to: states[at] ?? null })
    }
  }
}
