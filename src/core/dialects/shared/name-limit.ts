/** How many fields to sort by, and relations to embed, a question may name: each is a walk through all records. */
export const maxNames = 100

/** The first names of a list, each once. */
export function firstNames(names: readonly string[]): string[] {
  return [...new Set(names)].slice(0, maxNames)
}
