import type { IdsOf } from '../../core/fixtures/fixture-data.ts'
import { isSame, type Json } from '../../core/json/json.ts'
import type { JournalEntry } from './journal.ts'

/** A write by a request, as the store tells of it; of a reload and a reset it tells only that they were. */
export interface PersistChange {
  type: 'created' | 'updated' | 'deleted' | 'reloaded' | 'reset'
  collection?: string
  id?: string
  record?: Json
  previous?: Json
}

/** Knows what the journal says about each resource, so that every entry says just what is new. */
export interface Tracker {
  /** The entry for a write. */
  toEntry(change: PersistChange & { collection: string }): JournalEntry
  /** The content that the file has, or will have once what is being written has its place. */
  rebase(name: string, value: Json | undefined): void
  /** The entries that lead from what is known to a content that no single writes have led to. */
  diff(name: string, value: Json): JournalEntry[]
}

interface Known {
  base: Json
  /** What was written since, by id; a singleton has an empty one. */
  touched: Map<string, Json>
}

/** Makes a tracker; `idsOf` names the records of a list. */
export function createTracker(idsOf: IdsOf): Tracker {
  const resources = new Map<string, Known>()

  const toMap = (name: string, value: Json): Map<string, Json> => {
    if (!Array.isArray(value)) return new Map([['', value]])
    const ids = idsOf(name, value)
    return new Map(value.map((record, at) => [ids[at] ?? '', record]))
  }
  const note = (name: string, id: string | undefined, from: Json, to: Json): JournalEntry => {
    const touched = resources.get(name)?.touched
    const isKnown = touched?.has(id ?? '') === true
    touched?.set(id ?? '', to)
    return { name, id, from: isKnown ? undefined : from, to }
  }

  return {
    toEntry: ({ collection, id, record = null, previous = null }) =>
      note(collection, id, previous, record),
    rebase(name, value) {
      if (value === undefined) resources.delete(name)
      else resources.set(name, { base: value, touched: new Map() })
    },
    diff(name, value) {
      const known = resources.get(name)
      if (!known) return []
      const before = toMap(name, known.base)
      for (const [id, to] of known.touched) {
        if (to === null) before.delete(id)
        else before.set(id, to)
      }
      const now = toMap(name, value)
      const gone = [...before].filter(([id]) => !now.has(id))
      const come = [...now].filter(([id, to]) => !isSame(before.get(id), to))
      const toId = (id: string): string | undefined => (Array.isArray(value) ? id : undefined)
      return [
        ...gone.map(([id, from]) => note(name, toId(id), from, null)),
        ...come.map(([id, to]) => note(name, toId(id), before.get(id) ?? null, to)),
      ]
    },
  }
}
