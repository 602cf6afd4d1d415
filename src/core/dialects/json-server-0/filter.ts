import type { Json } from '../../json/json.ts'
import type { MockError } from '../../errors/mock-error.ts'
import { isAtMost, isNil, textOf } from '../shared/js-values.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { hasPath, readPath } from './path.ts'
import { type Budget, compileRegExp } from './regexp.ts'
import type { Parameters, Value } from './query-string.ts'

/**
 * Returns the records that match every filter among the parameters, such as `views_gte=10` or `author.name=x`.
 * The records of the whole collection (`all`) decide which parameters are filters.
 */
export function filterRecords(
  records: readonly Json[],
  parameters: Parameters,
  all: readonly Json[],
): readonly Json[] {
  // One or two seconds.
  const budget: Budget = { left: 20_000_000 }
  let found = records
  for (const [name, value] of Object.entries(parameters)) {
    if (isFilter(name, all)) found = found.filter(toTest(name, value, budget))
  }
  return found
}

/** Returns the records that contain a string in any value at any depth, ignoring case (`q`). */
export function searchRecords(records: readonly Json[], q: Value): readonly Json[] {
  const [text] = [q].flat()
  if (typeof text !== 'string') return []
  const searched = text.toLowerCase()
  return records.filter((record) =>
    Object.values(record ?? {}).some((each) => contains(each, searched)),
  )
}

/** Matches the end of a name that selects an operator: `views_gte`, `title_like`; others compare for equality. */
const suffix = /_(?:lte|gte|ne|like)$/

/** Creates the test of a field's value, which is never null, against the values of a parameter. */
type Operator = (
  operands: readonly Value[],
  name: string,
  budget: Budget,
) => (value: unknown) => boolean

/** A repeated parameter matches if any of its values matches; a repeated `_ne`, if all match. */
const operators: Record<string, Operator> = {
  _gte: (operands) => (value) => operands.some((operand) => isAtMost(operand, value)),
  _lte: (operands) => (value) => operands.some((operand) => isAtMost(value, operand)),
  _ne(operands) {
    const isEqual = equals(operands)
    return (value) => !isEqual(value)
  },
  _like(operands, name, budget) {
    const tests = operands.map((operand) => toLike(operand, name, budget))
    return (value) => tests.some((test) => test(value))
  },
}

function toLike(operand: Value, name: string, budget: Budget): (value: unknown) => boolean {
  let test: ReturnType<typeof compileRegExp> | undefined
  return (value) => {
    try {
      test ??= compileRegExp(textOf(operand), budget)
      return test(textOf(value))
    } catch (cause) {
      throw wrongRegExp(name, cause)
    }
  }
}

function equals(operands: readonly Value[]): (value: unknown) => boolean {
  const accepted = new Set<unknown>(operands)
  return (value) => accepted.has(textOf(value))
}

/** Whether a parameter is a filter: its name has an operator suffix, or is a path in any record. */
function isFilter(name: string, records: readonly Json[]): boolean {
  if (name === 'callback' || name === '_') return false
  if (suffix.test(name)) return records.length > 0
  return records.some((record) => hasPath(record, name))
}

/** Creates the test of a filter; a field that is null or missing matches no filter. */
function toTest(name: string, value: Value, budget: Budget): (record: Json) => boolean {
  const operatorName = suffix.exec(name)?.[0]
  const path = name.replace(suffix, '')
  const operator = operators[operatorName ?? ''] ?? equals
  const test = operator([value].flat(), name, budget)
  return (record) => {
    const found = readPath(record, path)
    return !isNil(found) && test(found)
  }
}

function wrongRegExp(name: string, cause: unknown): MockError {
  const reason = cause instanceof SyntaxError ? cause.message : 'it is not a regular expression'
  return wrongParameter(name, reason, `${reason}. Please send another one.`, cause)
}

/** Whether a value contains a string; a falsy value contains nothing, and nothing contains the empty string. */
function contains(value: unknown, searched: string): boolean {
  if (!value || searched === '') return false
  if (typeof value === 'object')
    return Object.values(value).some((each) => contains(each, searched))
  return textOf(value).toLowerCase().includes(searched)
}
