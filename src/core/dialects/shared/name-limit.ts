/** The most names in a sort or embed parameter, as each costs a pass over all records; `rest` refuses more with 400. */
export const maxNames = 100

/** Returns the first distinct names of a list, up to the limit. */
export function firstNames(names: readonly string[]): string[] {
  return [...new Set(names)].slice(0, maxNames)
}
