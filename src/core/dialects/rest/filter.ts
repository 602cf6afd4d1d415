import { ownValue } from '../../json/json.ts'
import type { Operand } from '../../json/equality.ts'
import { idOperators, operators } from '../../query/operators.ts'
import type { Path } from '../../json/path.ts'
import type { Where } from '../../query/tree.ts'
import type { CollectionView } from '../contract/dialect.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'

/** The comparison of a field with values. */
export interface Comparison {
  path: Path
  values: readonly Operand[]
  /** The parameter with the values, for errors. */
  parameter: string
  collection: CollectionView
  /** Whether the values are a list, whose texts are not split at commas. */
  isWhole?: boolean
}

/** Parses a filter: `views=1`, `views:gte=1`, `views_gte=1`; undefined if no record has had the field. */
export function parseFilter(
  name: string,
  values: readonly string[],
  collection: CollectionView,
): Where | undefined {
  const compare = (path: Path, operator: string): Where =>
    toCondition({ path, values, parameter: name, collection }, operator)
  const plain = pathOf(name, collection)
  if (isKnown(plain, collection)) return compare(plain, 'eq')
  const [, field, operator, afterColon = ''] = comparison.exec(name) ?? []
  if (field !== undefined) {
    const path = pathOf(field, collection)
    const condition = compare(path, operator ?? afterColon)
    return isKnown(path, collection) ? condition : undefined
  }
  return name === 'ids' ? compare([collection.idField], 'eq') : undefined
}

/** Splits a name into field and operator: after an underscore a known operator, after a colon any text. */
const comparison = new RegExp(`^(.+)(?:_(${Object.keys(operators).join('|')})|:(.*))$`, 's')

/**
 * Creates the condition of a query that compares a field with values by an operator, such as `gte`. Ids compare as
 * exact strings, so `01` does not equal `1`. Strings of `in` and `nin` are comma-separated lists unless `isWhole`.
 * @throws MockError 400 for an unknown operator, and for an invalid value
 */
export function toCondition(
  { path, values, parameter, collection, isWhole = false }: Comparison,
  operator: string,
): Where {
  const isIds = isIdOf(collection, path)
  const isList = operator === 'in' || operator === 'nin'
  let operands = values
  if (isList && !isWhole) operands = values.flatMap(splitOperand)
  // Keeps the unsplit value, as an id can contain a comma.
  if (isIds && operator === 'eq' && !isWhole)
    operands = [...values, ...values.flatMap(splitOperand)]
  if (operator === 'exists' && !operands.every((one) => /^(?:true|false)$/.test(String(one)))) {
    throw wrongParameter(parameter, 'has to be true or false')
  }
  // Matching takes time proportional to the length of the pattern times the length of the value.
  if (operator === 'like' && operands.some((one) => String(one).length > 1000)) {
    throw wrongParameter(parameter, 'has more than 1000 characters')
  }
  const found = ownValue(operators, operator)
  if (!found) {
    const known = Object.keys(operators).join(', ')
    throw wrongParameter(parameter, `has the unknown operator "${operator}"; known: ${known}`)
  }
  return { path, operator: (isIds && idOperators[operator]) || found, operands }
}

/** Splits a text at commas; returns any other value as is. */
export function splitOperand(value: Operand): Operand[] {
  return typeof value === 'string' && value.includes(',')
    ? value.split(',').map((one) => one.trim())
    : [value]
}

/** Splits a path at dots, unless a record has a key with these dots. */
export function pathOf(text: string, collection: { hasPath(path: Path): boolean }): Path {
  if (!text.includes('.')) return [text]
  return collection.hasPath([text]) ? [text] : text.split('.')
}

/** Whether a path is exactly the id field of a collection; ids compare as strings, unlike other fields. */
export function isIdOf(collection: CollectionView, path: Path): boolean {
  return path.length === 1 && path[0] === collection.idField
}

/** Whether any record has had the field; the id field is always known, even in an empty collection. */
export function isKnown(path: Path, collection: CollectionView): boolean {
  return isIdOf(collection, path) || collection.hasPath(path)
}
