/**
 * The maximum number of names in a sort or embed parameter: each name costs a pass over all records. `rest`
 * refuses more sort fields with status 400; the json-server dialects use the first 100 names.
 */
export const maxNames = 100

/** Returns the first distinct names of a list, up to the limit. */
export function firstNames(names: readonly string[]): string[] {
  return [...new Set(names)].slice(0, maxNames)
}
