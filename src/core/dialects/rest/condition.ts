import { ownValue } from '../../json/json.ts'
import type { Operand } from '../../json/equality.ts'
import { exactly, operators } from '../../query/operators.ts'
import type { Path } from '../../json/path.ts'
import type { Where } from '../../query/tree.ts'
import type { CollectionView } from '../contract/dialect.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'

/** Whether a path is that of the id. */
export function isIdOf(collection: CollectionView, path: Path): boolean {
  return path.length === 1 && path[0] === collection.idField
}

/**
 * Makes one comparison; ids compare as exact texts, so that `01` is not `1`. Texts may be lists with
 * commas where several are looked for, but not if they are `whole`.
 */
export function toCondition(
  path: Path,
  operator: string,
  values: readonly Operand[],
  parameter: string,
  collection: CollectionView,
  whole = false,
): Where {
  const isIds = isIdOf(collection, path)
  const isList = operator === 'in' || operator === 'nin'
  let operands = values
  if (isList && !whole) operands = values.flatMap(splitOperand)
  // An id may hold a comma itself.
  if (isIds && operator === 'eq' && !whole) operands = [...values, ...values.flatMap(splitOperand)]
  if (operator === 'exists' && !operands.every((one) => /^(?:true|false)$/.test(String(one)))) {
    throw wrongParameter(parameter, 'has to be true or false')
  }
  // Each character of a text may be held against each of the pattern.
  if (operator === 'like' && operands.some((one) => String(one).length > 1000)) {
    throw wrongParameter(parameter, 'has more than 1000 characters')
  }
  const found = ownValue(operators, operator)
  if (!found) {
    const known = Object.keys(operators).join(', ')
    throw wrongParameter(parameter, `has the unknown operator "${operator}"; known: ${known}`)
  }
  return { path, operator: (isIds && exactly[operator]) || found, operands }
}

function splitOperand(value: Operand): Operand[] {
  return typeof value === 'string' && value.includes(',')
    ? value.split(',').map((one) => one.trim())
    : [value]
}

/** The path that a text names: a key that has dots in it where a record has such a key. */
export function pathOf(text: string, collection: { hasPath(path: Path): boolean }): Path {
  if (!text.includes('.')) return [text]
  return collection.hasPath([text]) ? [text] : text.split('.')
}
