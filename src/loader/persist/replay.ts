import { isRecord, isSame, type Json } from '../../core/json/json.ts'
import type { JournalEntry } from './journal.ts'

/**
 * The result of applying the journal of a killed process to a resource of a fixture file: the new value, and
 * the ids of records whose journal entries were dropped, because the file was edited since.
 */
export interface Replayed {
  value: Json
  conflicts: string[]
}

/** Parses a journal. Ignores incomplete lines: their writes were never acknowledged to a client. */
export function parseJournal(text: string): JournalEntry[] {
  return text.split('\n').flatMap((line) => {
    try {
      const entry: unknown = JSON.parse(line)
      return isRecord(entry) && typeof entry['name'] === 'string'
        ? [entry as unknown as JournalEntry]
        : []
    } catch {
      return []
    }
  })
}

/** The ids of the records that requests have created: the last entry with a previous value has null for it. */
export function findCreatedIds(entries: readonly JournalEntry[]): Set<string> {
  const created = new Set<string>()
  for (const { id, from } of entries) {
    if (id === undefined || from === undefined) continue
    if (from === null) created.add(id)
    else created.delete(id)
  }
  return created
}

/**
 * Applies the entries of a resource to the value in its file. A record whose value in the file is any
 * state from the journal was not edited since, no matter how many of the writes the file has already. Any
 * other value is an edit by hand and wins: the entries of that record are dropped.
 */
export function replay(
  value: Json,
  entries: readonly JournalEntry[],
  idsOf: (list: readonly Json[]) => readonly string[],
): Replayed {
  const isList = Array.isArray(value)
  const ids = isList ? idsOf(value) : []
  const records = new Map<string, Json>(
    isList ? value.map((record, at) => [ids[at] ?? '', record]) : [['', value]],
  )
  const statesOf = new Map<string, Json[]>()
  for (const { id = '', from, to } of entries) {
    const states = statesOf.get(id) ?? []
    states.push(...(from === undefined ? [] : [from]), to)
    statesOf.set(id, states)
  }
  const conflicts = new Set<string>()
  for (const [id, states] of statesOf) {
    const current = records.get(id) ?? null
    if (isList === (id === '') || !states.some((state) => isSame(state, current))) conflicts.add(id)
  }
  for (const { id = '', to } of entries) {
    if (conflicts.has(id)) continue
    if (to === null) records.delete(id)
    else records.set(id, to)
  }
  const replayed = isList ? [...records.values()] : (records.get('') ?? value)
  return { value: replayed, conflicts: [...conflicts] }
}
