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
  const where = toWhere(tree, collection, '_where')
  if (countTests(where) > most) {
    throw wrongTree('_where', `it compares with more than ${most} values, and not by "in"`)
  }
  return where
}

/** How many comparisons a tree may take for each record. */
const most = 1000

/** The operators that compare with any number of values at once. */
const atOnce = new Set(['in', 'nin', 'same', 'other'])

function countTests(where: Where): number {
  if ('not' in where) return countTests(where.not)
  if ('operator' in where) return atOnce.has(where.operator.name) ? 1 : where.operands.length
  const all = 'and' in where ? where.and : where.or
  return all.reduce((sum, one) => sum + countTests(one), 0)
}
