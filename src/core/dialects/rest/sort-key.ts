import type { Path } from '../../json/path.ts'
import type { SortKey } from '../../query/tree.ts'
import { pathOf } from './condition.ts'

/** Reads one field of an order, a minus in front for falling. */
export function toSortKey(
  field: string,
  order: string | undefined,
  collection: { hasPath(path: Path): boolean },
): SortKey {
  const falling = field.startsWith('-')
  return {
    path: pathOf(falling ? field.slice(1) : field, collection),
    descending: falling || order === 'desc',
  }
}
