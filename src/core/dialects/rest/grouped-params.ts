import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { Params } from '../../url/params.ts'

/** Groups the values of query parameters by name; `tags[0]`, `tags[]` and `tags` are the same name. */
export function groupParams(params: Params): GroupedParams {
  const values = new Map<string, string[]>()
  for (const [name, value] of params) {
    addToMultimap(values, name.replace(/\[\d*\]$/, ''), value)
  }
  return values
}

/** The values of each parameter, by its name without brackets. */
export type GroupedParams = ReadonlyMap<string, readonly string[]>

/** Returns the non-empty values of a parameter that can be repeated, bracketed or comma-separated. */
export function listed(values: GroupedParams, name: string): string[] {
  return splitValues(values, name).filter((text) => text !== '')
}

/** Returns the comma-separated values of a parameter, including empty strings. */
export function splitValues(values: GroupedParams, name: string): string[] {
  return values.get(name)?.flatMap((text) => text.split(',').map((one) => one.trim())) ?? []
}
