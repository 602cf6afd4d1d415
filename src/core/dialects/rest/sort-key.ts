import type { Path } from '../../json/path.ts'
import type { SortKey } from '../../query/tree.ts'
import { pathOf } from './condition.ts'

/**
 * Parses a sort field such as `-author.name` into a path and a direction, which is descending if the
 * field starts with a minus or `order` is `desc`.
 */
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
