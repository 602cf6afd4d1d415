/** The field that holds a record's id: one for all, or one per collection with `default` for the rest. */
export type IdOption = string | Readonly<Record<string, string>>

/** The id field of a collection; `id` where nothing else is said. */
export function idFieldOf(option: IdOption | undefined, collection: string): string {
  if (typeof option === 'string') return option
  if (!option) return 'id'
  if (Object.hasOwn(option, collection)) return option[collection] ?? 'id'
  return Object.hasOwn(option, 'default') ? (option['default'] ?? 'id') : 'id'
}
