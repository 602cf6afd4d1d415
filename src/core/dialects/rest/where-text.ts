import type { Where } from '../../query/tree.ts'
import type { CollectionView } from '../dialect.ts'
import { toWhere, wrongTree } from './where-tree.ts'

/** Reads the text of `_where`. */
export function parseWhereText(text: string, collection: CollectionView): Where {
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch (cause) {
    throw wrongTree('_where', 'it is not JSON', cause)
  }
  return toWhere(tree, collection, '_where')
}
