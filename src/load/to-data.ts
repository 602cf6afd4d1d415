import type { Json } from '../core/json/json.ts'
import type { Source } from '../core/fixtures/source.ts'

/** The data of sources by resource name. */
export function toData({ sources }: { sources: readonly Source[] }): Record<string, Json> {
  return Object.fromEntries(sources.map(({ name, value }) => [name, value]))
}

/** What has changed as a store takes it: undefined for what is gone. */
export function toReload(
  changed: Readonly<Record<string, Json>>,
  removed: readonly string[],
): Record<string, Json | undefined> {
  return { ...changed, ...Object.fromEntries(removed.map((name) => [name, undefined])) }
}
