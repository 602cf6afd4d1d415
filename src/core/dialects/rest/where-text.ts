import type { Condition, Where } from '../../query/tree.ts'
import type { CollectionView } from '../contract/dialect.ts'
import { toWhere, wrongTree } from './where-tree.ts'

/**
 * Parses the JSON text of the parameter `_where`, such as `{"or":[{"views":{"gt":1}},{"title":"x"}]}`,
 * into a tree of conditions.
 * @throws MockError 400 for invalid JSON, an invalid tree, or more than 1000 comparisons per record
 */
export function parseWhereText(text: string, collection: CollectionView): Where {
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch (cause) {
    throw wrongTree('_where', 'it is not JSON', cause)
  }
  const where = toWhere(tree, collection, '_where')
  const problem = tooManyComparisons(where)
  if (problem) throw wrongTree('_where', `it ${problem}`)
  return where
}

/** Returns the message for a tree with too many comparisons per record; undefined for any other tree. */
export function tooManyComparisons(where: Where): string | undefined {
  return countOf(where) > maxComparisons
    ? `compares with more than ${maxComparisons} values, other than by "in"`
    : undefined
}

/** The most comparisons of a tree with each record. */
const maxComparisons = 1000

/**
 * Counts the comparisons of a tree with each record: an equality looks up all its operands in a set. A list
 * without conditions or operands counts as one.
 */
function countOf(where: Where): number {
  if ('not' in where) return countOf(where.not)
  if (!('operator' in where)) return listOf(where).reduce((sum, one) => sum + countOf(one), 0) || 1
  const { operator, operands } = where
  return (operator.opposite ?? operator).keys ? 1 : operands.length || 1
}

/** Returns a tree without some conditions, as if it did not name them; undefined if nothing is left. */
export function withoutConditions(
  where: Where,
  isLeftOut: (condition: Condition) => boolean,
): Where | undefined {
  if ('operator' in where) return isLeftOut(where) ? undefined : where
  if ('not' in where) {
    const inner = withoutConditions(where.not, isLeftOut)
    return inner && { not: inner }
  }
  const list = listOf(where)
  const left = list.flatMap((one) => withoutConditions(one, isLeftOut) ?? [])
  if (list.length > 0 && left.length === 0) return undefined
  return 'and' in where ? { and: left } : { or: left }
}

/** Returns all conditions of a tree. */
export function conditionsOf(where: Where): Condition[] {
  if ('not' in where) return conditionsOf(where.not)
  if ('operator' in where) return [where]
  return listOf(where).flatMap(conditionsOf)
}

function listOf(where: { and: Where[] } | { or: Where[] }): Where[] {
  return 'and' in where ? where.and : where.or
}
