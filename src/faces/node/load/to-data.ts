import type { Json } from '../../../core/json.ts'
import type { Source } from '../../../core/source.ts'

/** The data of sources by resource name. */
export function toData({ sources }: { sources: readonly Source[] }): Record<string, Json> {
  return Object.fromEntries(sources.map(({ name, value }) => [name, value]))
}
