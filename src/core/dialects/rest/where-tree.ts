import type { MockError } from '../../errors/mock-error.ts'
import { isRecord, type Json } from '../../json/json.ts'
import type { Operand } from '../../json/equality.ts'
import type { Where } from '../../query/tree.ts'
import type { CollectionView } from '../contract/dialect.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { pathOf, toCondition } from './condition.ts'

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
  depth = 0,
): Where {
  if (!isRecord(tree)) throw wrongTree(parameter, 'it has to be an object')
  if (depth > maxDepth) throw wrongTree(parameter, `it is nested deeper than ${maxDepth} levels`)
  const and = Object.entries(tree).map(([key, value]): Where => {
    const inner = (one: unknown): Where => toWhere(one, collection, parameter, depth + 1)
    const isField = (): boolean => collection.hasPath([key])
    if (key === 'not' && !isField()) return { not: inner(value) }
    if ((key !== 'and' && key !== 'or') || (isRecord(value) && isField()))
      return toConditions(key, value, collection, parameter)
    if (!Array.isArray(value)) throw wrongTree(parameter, `"${key}" takes a list`)
    return { [key]: value.map(inner) } as Where
  })
  return { and }
}

/** The maximum nesting of a tree, in levels. */
const maxDepth = 32

/** Parses `{ "views": { "gt": 1, "lt": 9 } }`, `{ "title": "x" }` or `{ "title": ["x", "y"] }`. */
function toConditions(
  field: string,
  value: Json,
  collection: CollectionView,
  parameter: string,
): Where {
  const path = pathOf(field, collection)
  const compare = (operator: string, operand: Json): Where => {
    const operands = toOperands(operand, parameter)
    return toCondition(path, operator, operands, parameter, collection, Array.isArray(operand))
  }
  if (!isRecord(value)) return compare('eq', value)
  return { and: Object.entries(value).map(([operator, operand]) => compare(operator, operand)) }
}

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

/** Creates the error for an invalid tree. */
export function wrongTree(parameter: string, reason: string, cause?: unknown): MockError {
  const sentence = `${reason}. Please send a tree such as {"or":[{"views":{"gt":1}},{"title":"x"}]}.`
  return wrongParameter(parameter, reason, sentence, cause)
}
