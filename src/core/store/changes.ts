import type { JsonRecord } from '../json/json.ts'
import type { Listeners } from '../structures/listeners.ts'

/**
 * A change that the store has already made to its data, as its listeners receive it. `collection` is the
 * name of the changed resource, also if the resource is a singleton (one record without an id).
 */
export type Change =
  | { type: 'created'; collection: string; id: string; record: JsonRecord }
  | { type: 'updated'; collection: string; id?: string; record: JsonRecord; previous: JsonRecord }
  | { type: 'deleted'; collection: string; id: string; previous: JsonRecord }
  | { type: 'reloaded'; collection: string }
  | { type: 'reset' }

/** The listeners of a store, which are notified after every change. */
export type Changes = Listeners<Change>
