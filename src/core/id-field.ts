import { byName } from './by-name.ts'

/** The field that holds a record's id: one for all, or one per collection with `default` for the rest. */
export type IdOption = string | Readonly<Record<string, string>>

/** The id field of a collection; `id` where nothing else is said. */
export function idFieldOf(option: IdOption | undefined, collection: string): string {
  return byName(option, collection, 'id')
}
