import type { Path } from '../../json/path.ts'
import type { SortKey } from '../../query/tree.ts'
import { pathOf } from './condition.ts'

/** Parses a sort field; a minus in front, or the order `desc`, means descending. */
export function toSortKey(
  field: string,
  order: string | undefined,
  collection: { hasPath(path: Path): boolean },
): SortKey {
  const hasMinus = field.startsWith('-')
  return {
    path: pathOf(hasMinus ? field.slice(1) : field, collection),
    descending: hasMinus || order === 'desc',
  }
}
