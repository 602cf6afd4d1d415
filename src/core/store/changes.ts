import type { JsonRecord } from '../json/json.ts'
import type { Listeners } from '../structures/listeners.ts'

/** Something that has happened to the data. `collection` also names singletons. */
export type Change =
  | { type: 'created'; collection: string; id: string; record: JsonRecord }
  | { type: 'updated'; collection: string; id?: string; record: JsonRecord; previous: JsonRecord }
  | { type: 'deleted'; collection: string; id: string; previous: JsonRecord }
  | { type: 'reloaded'; collection: string }
  | { type: 'reset' }

/** Who listens to a store: they hear of every change, after it was made. */
export type Changes = Listeners<Change>
