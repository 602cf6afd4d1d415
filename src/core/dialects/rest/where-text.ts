import type { Condition, Where } from '../../query/tree.ts'
import type { CollectionView } from '../contract/dialect.ts'
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
  const problem = tooManyTests(where)
  if (problem) throw wrongTree('_where', `it ${problem}`)
  return where
}

/** What is wrong with a tree that compares each record with too much; undefined where nothing is. */
export function tooManyTests(where: Where): string | undefined {
  const tests = testsOf(where).reduce((sum, one) => sum + countOf(one), 0)
  return tests > most ? `compares with more than ${most} values, and not by "in"` : undefined
}

/** How many comparisons a tree may take for each record. */
const most = 1000

/** The operators that compare with any number of values at once. */
const atOnce = new Set(['in', 'nin', 'same', 'other'])

function countOf({ operator, operands }: Condition): number {
  return atOnce.has(operator.name) ? 1 : operands.length
}

/** The comparisons of a tree. */
export function testsOf(where: Where): Condition[] {
  if ('not' in where) return testsOf(where.not)
  if ('operator' in where) return [where]
  return ('and' in where ? where.and : where.or).flatMap(testsOf)
}
