import { isRecord, isSame, type Json } from '../../core/json/json.ts'
import type { JournalEntry } from './journal.ts'

/** What a resource becomes when its journal is played, and the ids where an edit by hand won. */
export interface Replayed {
  value: Json
  conflicts: string[]
}

/** Reads the entries of a journal; a line that the end of the process cut off was never acknowledged. */
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

/** The ids that belong to what requests made, as far as the journal knows what the file had. */
export function idsMade(entries: readonly JournalEntry[]): Set<string> {
  const made = new Set<string>()
  for (const { id, from } of entries) {
    if (id === undefined || from === undefined) continue
    if (from === null) made.add(id)
    else made.delete(id)
  }
  return made
}

/**
 * Plays the entries of one resource over what its file says now. A record that the file has in any state the
 * journal knows was not edited by hand since, whether or not the file had some of the writes already;
 * any other state is an edit, and wins.
 */
export function replay(
  value: Json,
  entries: readonly JournalEntry[],
  idsOf: (list: readonly Json[]) => readonly string[],
): Replayed {
  const isList = Array.isArray(value)
  const ids = isList ? idsOf(value) : []
  const now = new Map<string, Json>(
    isList ? value.map((record, at) => [ids[at] ?? '', record]) : [['', value]],
  )
  const states = new Map<string, Json[]>()
  for (const { id = '', from, to } of entries) {
    const known = states.get(id) ?? []
    known.push(...(from === undefined ? [] : [from]), to)
    states.set(id, known)
  }
  const conflicts = new Set<string>()
  for (const [id, known] of states) {
    const current = now.get(id) ?? null
    if (isList === (id === '') || !known.some((state) => isSame(state, current))) conflicts.add(id)
  }
  for (const { id = '', to } of entries) {
    if (conflicts.has(id)) continue
    if (to === null) now.delete(id)
    else now.set(id, to)
  }
  return { value: isList ? [...now.values()] : (now.get('') ?? value), conflicts: [...conflicts] }
}
