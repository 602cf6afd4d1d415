import type { IdsOf } from '../../core/fixtures/fixture-data.ts'
import { isSame, type Json } from '../../core/json/json.ts'
import type { UnsavedWrite } from './journal-entry.ts'

/**
 * Turns changes of the store into writes for a journal. Knows the content of each resource in its file and the
 * records that were written since, so that the journal contains the previous value of a record only once.
 */
export interface Tracker {
  /** The write of a change to one record or singleton. */
  toWrite(change: PersistChange & { collection: string }): UnsavedWrite
  /** Sets the content that the file has, or will have after the write in progress. */
  rebase(name: string, value: Json | undefined): void
  /** The writes for the difference between the tracked content and a value. */
  diff(name: string, value: Json): UnsavedWrite[]
}

/** Creates a tracker; `idsOf` returns the ids of the records of a list. */
export function createTracker(idsOf: IdsOf): Tracker {
  const resources = new Map<string, TrackedResource>()

  const toRecords = (name: string, value: Json): Map<string, Json> => {
    if (!Array.isArray(value)) return new Map([['', value]])
    const ids = idsOf(name, value)
    return new Map(value.map((record, at) => [ids[at] ?? '', record]))
  }
  const track = (name: string, id: string | undefined, previous: Json, to: Json): UnsavedWrite => {
    const written = resources.get(name)?.written
    const from = written?.has(id ?? '') === true ? undefined : previous
    written?.set(id ?? '', to)
    return { name, id, from, previous, to }
  }

  return {
    toWrite: ({ collection, id, record = null, previous = null }) =>
      track(collection, id, previous, record),
    rebase(name, value) {
      if (value === undefined) resources.delete(name)
      else resources.set(name, { base: value, written: new Map() })
    },
    diff(name, value) {
      const tracked = resources.get(name)
      if (!tracked) return []
      const before = toRecords(name, tracked.base)
      for (const [id, to] of tracked.written) {
        if (to === null) before.delete(id)
        else before.set(id, to)
      }
      const now = toRecords(name, value)
      const removed = [...before].filter(([id]) => !now.has(id))
      const changed = [...now].filter(([id, to]) => !isSame(before.get(id), to))
      const toId = (id: string): string | undefined => (Array.isArray(value) ? id : undefined)
      return [
        ...removed.map(([id, from]) => track(name, toId(id), from, null)),
        ...changed.map(([id, to]) => track(name, toId(id), before.get(id) ?? null, to)),
      ]
    },
  }
}

/**
 * A change of the store. `created`, `updated` and `deleted` have a resource and records, `reloaded` has only
 * the name of the resource, and `reset` has neither.
 */
export interface PersistChange {
  type: 'created' | 'updated' | 'deleted' | 'reloaded' | 'reset'
  collection?: string
  id?: string
  record?: Json
  previous?: Json
}

interface TrackedResource {
  /** The content of the file. */
  base: Json
  /** The records written since, by id. A singleton has the id ''. */
  written: Map<string, Json>
}
