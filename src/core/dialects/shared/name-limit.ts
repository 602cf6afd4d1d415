/** How many sort fields, and relations to embed, a request can name; each of them costs a pass over all records. */
export const maxNames = 100

/** The first distinct names of a list, up to the limit. */
export function firstNames(names: readonly string[]): string[] {
  return [...new Set(names)].slice(0, maxNames)
}
