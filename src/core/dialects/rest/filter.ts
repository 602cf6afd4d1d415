import { operators } from '../../query/operators.ts'
import type { Path } from '../../json/path.ts'
import type { Where } from '../../query/tree.ts'
import type { CollectionView } from '../contract/dialect.ts'
import { isIdOf, pathOf, toCondition } from './condition.ts'

/** A field and its operator; behind a colon one that is unknown too, which is an error. */
const compared = new RegExp(`^(.+)(?:_(${Object.keys(operators).join('|')})|:(.*))$`, 's')

/** Reads `views=1`, `views:gte=1` or `views_gte=1`; undefined where no record has such a field. */
export function parseFilter(
  name: string,
  texts: readonly string[],
  collection: CollectionView,
): Where | undefined {
  const plain = pathOf(name, collection)
  if (isKnown(plain, collection)) return toCondition(plain, 'eq', texts, name, collection)
  const [, field, operator, written = ''] = compared.exec(name) ?? []
  if (field !== undefined) {
    const path = pathOf(field, collection)
    const condition = toCondition(path, operator ?? written, texts, name, collection)
    return isKnown(path, collection) ? condition : undefined
  }
  if (name === 'ids') return toCondition([collection.idField], 'eq', texts, name, collection)
  return undefined
}

/** Whether records have had such a field; all have an id, also those to come. */
export function isKnown(path: Path, collection: CollectionView): boolean {
  return isIdOf(collection, path) || collection.hasPath(path)
}
