import type { MockError } from '../../errors/mock-error.ts'
import { isRecord, type Json, ownValue } from '../../json/json.ts'
import type { Operand } from '../../json/equality.ts'
import type { Path } from '../../json/path.ts'
import type { Condition, Where } from '../../query/tree.ts'
import { operators } from '../../query/operators.ts'
import type { CollectionView, SplitParam } from '../contract/dialect.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { splitBrackets } from './brackets.ts'
import { isKnown, pathOf, toCondition } from './filter.ts'
import type { ParseFilter, TreeSpelling } from './spelling.ts'

/**
 * Parses trees of conditions: the last parameter that is a whole tree, as JSON or as an expression, and those with
 * keys in brackets. @throws MockError 400 if invalid, or above 1000 comparisons per record
 */
export function parseWhere(
  params: readonly SplitParam[],
  collection: CollectionView,
  spelling: TreeSpelling,
): Where {
  const parameter = params.at(-1)?.name ?? ''
  const { plain, tree } = splitBrackets(params)
  const { parseText = parseJson } = spelling
  const texts = plain.slice(-1).map(({ parts }) => parts['value'] ?? '')
  const and = texts.map((text) => parseText(text, collection, parameter, spelling))
  if (tree) and.push(toWhere(tree, collection, parameter, spelling))
  const where = { and }
  const problem = tooManyComparisons(where)
  if (problem) throw wrongTree(parameter, `it ${problem}`)
  return where
}

const parseJson: ParseFilter = (text, collection, parameter, spelling) => {
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch (cause) {
    throw wrongTree(parameter, 'it is not JSON', cause)
  }
  return toWhere(tree, collection, parameter, spelling)
}

/**
 * Parses a tree of conditions, as JSON in requests and as an object in `mock.db.posts.find`: `and`, `or`, `not`
 * and fields; the entries of an object are combined with `and`. If records have a field `and` or `or`, an object
 * of operators compares the field, and a list is the group. If records have a field `not`, `not` is always the
 * field.
 * @throws MockError 400 that names the parameter
 */
export function toWhere(
  tree: unknown,
  collection: CollectionView,
  parameter: string,
  spelling: TreeSpelling = plainTree,
): Where {
  return toGroup(tree, 0)

  function toGroup(group: unknown, depth: number): Where {
    if (!isRecord(group)) throw wrongTree(parameter, 'it has to be an object')
    if (depth > maxDepth) throw wrongTree(parameter, `it is nested deeper than ${maxDepth} levels`)
    const and = Object.entries(group).map(([key, value]): Where => {
      const word = spelling.toWord(key)
      const isField = (): boolean => collection.hasPath([key])
      if (word === 'not' && !isField()) return { not: toGroup(value, depth + 1) }
      if ((word !== 'and' && word !== 'or') || (isRecord(value) && isField())) {
        return { and: toConditions(spelling.toPath(key, collection), value) }
      }
      if (!Array.isArray(value)) throw wrongTree(parameter, `"${key}" takes a list`)
      const list = value.map((one) => toGroup(one, depth + 1))
      return word === 'and' ? { and: list } : { or: list }
    })
    return { and }
  }

  /** Parses operators (`{ "gt": 1, "lt": 9 }`), a value (`"x"`), a list of values, or inner fields of a field. */
  function toConditions(path: Path, value: Json, depth = 0): Where[] {
    if (depth > maxDepth) throw wrongTree(parameter, `it is nested deeper than ${maxDepth} levels`)
    const compare = (operand: Json, operator?: string): Where => {
      const isWhole = Array.isArray(operand)
      const values = toOperands(operand, parameter)
      const comparison = { path, values, parameter, collection, isWhole }
      return operator === undefined
        ? toCondition(comparison, 'eq')
        : spelling.compare(comparison, operator)
    }
    if (!isRecord(value)) return [compare(value)]
    return Object.entries(value).map(([key, inner]): Where => {
      const field = [...path, ...spelling.toPath(key, collection)]
      const isField = !spelling.isOperator(key) && (isRecord(inner) || isKnown(field, collection))
      const join = isRecord(inner) && ownValue(joins, spelling.toWord(key))
      if (join) return join(toConditions(path, inner, depth + 1))
      return isField ? { and: toConditions(field, inner, depth + 1) } : compare(inner, key)
    })
  }
}

/** The words that join the conditions of one field; a list satisfies `some` if an element matches. */
const joins: Readonly<Record<string, (conditions: Where[]) => Where>> = {
  and: (and) => ({ and }),
  or: (or) => ({ or }),
  not: (and) => ({ not: { and } }),
  some: (and) => ({ and }),
  none: (and) => ({ not: { and } }),
}

/** The spelling of a tree in `rest`. */
export const plainTree: TreeSpelling = {
  isOperator: (key) => Object.hasOwn(operators, key),
  toPath: pathOf,
  compare: toCondition,
  toWord: (key) => key,
}

const maxDepth = 32

function toOperands(value: Json, parameter: string): Operand[] {
  const list = Array.isArray(value) ? value : [value]
  return list.map((one) => {
    if (typeof one === 'object' && one !== null)
      throw wrongTree(parameter, 'fields compare with plain values only')
    return isOperand(one) ? one : String(one)
  })
}

/** Whether JSON can hold the value. A program may pass others, such as undefined, NaN and a bigint. */
function isOperand(value: unknown): value is Operand {
  if (typeof value === 'number') return Number.isFinite(value)
  return value === null || typeof value === 'string' || typeof value === 'boolean'
}

function wrongTree(parameter: string, reason: string, cause?: unknown): MockError {
  const sentence = `${reason}. Please send a tree such as {"or":[{"views":{"gt":1}},{"title":"x"}]}.`
  return wrongParameter(parameter, reason, sentence, cause)
}

/** Returns the message for a tree with too many comparisons per record; undefined for any other tree. */
export function tooManyComparisons(where: Where): string | undefined {
  return countOf(where) > maxComparisons
    ? `compares with more than ${maxComparisons} values, other than by "in"`
    : undefined
}

/** The most comparisons of a tree with each record. */
const maxComparisons = 1000

/** The comparisons of a tree with each record. An equality counts as one: it looks up its operands in a set. */
function countOf(where: Where): number {
  if ('not' in where) return countOf(where.not)
  if (!('operator' in where)) return listOf(where).reduce((sum, one) => sum + countOf(one), 0) || 1
  const { operator, operands } = where
  return (operator.opposite ?? operator).equals ? 1 : operands.length || 1
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
