import { operators } from '../../query/operators.ts'
import type { Path } from '../../json/path.ts'
import type { Where } from '../../query/tree.ts'
import type { CollectionView } from '../contract/dialect.ts'
import { isIdOf, pathOf, toCondition } from './condition.ts'

/**
 * Parses a query parameter as a filter: `views=1`, `views:gte=1` or `views_gte=1`; returns undefined if no record
 * has had the field.
 */
export function parseFilter(
  name: string,
  texts: readonly string[],
  collection: CollectionView,
): Where | undefined {
  const plain = pathOf(name, collection)
  if (isKnown(plain, collection)) return toCondition(plain, 'eq', texts, name, collection)
  const [, field, operator, afterColon = ''] = comparison.exec(name) ?? []
  if (field !== undefined) {
    const path = pathOf(field, collection)
    const condition = toCondition(path, operator ?? afterColon, texts, name, collection)
    return isKnown(path, collection) ? condition : undefined
  }
  if (name === 'ids') return toCondition([collection.idField], 'eq', texts, name, collection)
  return undefined
}

/** Whether any record has had the field; the id field is always known, even in an empty collection. */
export function isKnown(path: Path, collection: CollectionView): boolean {
  return isIdOf(collection, path) || collection.hasPath(path)
}

/**
 * Splits the name of a parameter into a field and an operator. An underscore (`views_gte`) needs a
 * known operator; after a colon (`views:gte`) any text matches, and `toCondition` throws for an unknown
 * operator.
 */
const comparison = new RegExp(`^(.+)(?:_(${Object.keys(operators).join('|')})|:(.*))$`, 's')
