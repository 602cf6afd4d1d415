import type { JsonRecord } from '../json/json.ts'
import type { Listeners } from '../structures/listeners.ts'

/** A change to the data that was made. `collection` is also the name of a singleton. */
export type Change =
  | { type: 'created'; collection: string; id: string; record: JsonRecord }
  | { type: 'updated'; collection: string; id?: string; record: JsonRecord; previous: JsonRecord }
  | { type: 'deleted'; collection: string; id: string; previous: JsonRecord }
  | { type: 'reloaded'; collection: string }
  | { type: 'reset' }

/** The listeners of a store, which are notified after every change. */
export type Changes = Listeners<Change>
