import { isRecord, isSame, type Json } from '../../core/json/json.ts'
import { applyEdits } from './edits.ts'
import type { JournalEntry } from './journal-entry.ts'

/**
 * Creates the replay of a journal, which a killed process has left, for one resource of a fixture file. If the
 * value of a record in the file is any state from the journal, the record was not edited since, no matter how
 * many of the writes the file has already. Any other value is an edit by hand and wins: the entries of that
 * record are dropped.
 */
export function createReplay(
  value: Json,
  idsOf: (list: readonly Json[]) => readonly string[],
): Replay {
  const isList = Array.isArray(value)
  const ids = isList ? idsOf(value) : []
  const records = new Map<string, Json>(
    isList ? value.map((record, at) => [ids[at] ?? '', record]) : [['', value]],
  )
  const replayed = new Map<string, ReplayedRecord>()
  /** The ids of the entries in order: a record that is created again moves to the end. */
  const steps: { id: string; isDeletion: boolean }[] = []

  return {
    add({ id = '', from, to, edits = [] }) {
      const before = replayed.get(id)
      const start = from === undefined ? before?.value : from
      if (to === undefined && !isRecord(start)) throw new Error(`"${id}" has no earlier entry`)
      const after = to === undefined ? applyEdits(start ?? null, edits) : to
      const current = records.get(id) ?? null
      const isUnedited =
        before?.isUnedited === true ||
        (from !== undefined && isSame(from, current)) ||
        isSame(after, current)
      replayed.set(id, { value: after, isUnedited })
      steps.push({ id, isDeletion: after === null })
    },
    finish() {
      const hasConflict = ([id, { isUnedited }]: [string, ReplayedRecord]): boolean =>
        isList === (id === '') || !isUnedited
      const conflicts = new Set([...replayed].filter(hasConflict).map(([id]) => id))
      for (const { id, isDeletion } of steps) {
        if (conflicts.has(id)) continue
        if (isDeletion) records.delete(id)
        else records.set(id, replayed.get(id)?.value ?? null)
      }
      const result = isList ? [...records.values()] : (records.get('') ?? value)
      return { value: result, conflicts: [...conflicts] }
    },
  }
}

/** Applies the entries of a journal to a resource, one after the other, and keeps only the last state of each record. */
export interface Replay {
  /** @throws Error for edits that do not fit the entries before */
  add(entry: JournalEntry): void
  finish(): Replayed
}

/** The new value of the resource, and the ids of records whose journal entries were dropped. */
export interface Replayed {
  value: Json
  conflicts: string[]
}

/** A record as the entries so far have left it. */
interface ReplayedRecord {
  value: Json
  /** Whether the value in the file is a state of the record from the journal: the record was not edited by hand. */
  isUnedited: boolean
}
