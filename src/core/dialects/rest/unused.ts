import type { Path } from '../../json/path.ts'
import type { Embed } from '../../query/tree.ts'
import type { CollectionView, Unused } from '../contract/dialect.ts'
import { isKnown } from './filter.ts'

/**
 * A query parameter without effect, and the unknown field in its value if that is why. Responses name such
 * parameters in `X-Mock-Ignored`; a strict mock refuses them.
 */
export type UnusedEntry = readonly [parameter: string, field?: string]

/**
 * Finds the first path of a parameter at which no record has had a value; finds none if the path is in an
 * embedded record.
 */
export function findUnknown(
  parameter: string,
  paths: readonly Path[],
  collection: CollectionView,
  embed: readonly Embed[] = [],
): UnusedEntry[] {
  const unknown = paths.find(
    (path) => !isKnown(path, collection) && !embed.some(({ name }) => name === path[0]),
  )
  return unknown ? [[parameter, unknown.join('.')]] : []
}

/** Describes parameters without effect under the names that the request uses. */
export function toUnused(entries: readonly UnusedEntry[], known?: readonly string[]): Unused {
  const fields = entries.flatMap(([parameter, field]) =>
    field === undefined ? [] : [[parameter, field] as const],
  )
  return {
    ignored: entries.map(([parameter]) => parameter),
    ...(fields.length > 0 && { unknownFields: Object.fromEntries(fields) }),
    ...(known && { known }),
  }
}
