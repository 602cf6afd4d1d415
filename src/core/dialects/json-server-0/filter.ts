import type { Json } from '../../json/json.ts'
import type { MockError } from '../../errors/mock-error.ts'
import { isAtMost, isNil, textOf } from '../shared/js-values.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { hasPath, readPath } from './path.ts'
import { type Budget, compilePattern, createBudget, type Pattern } from './regexp.ts'
import type { Parameters, Value } from './query-string.ts'

/** The endings of a parameter's name that make it more than an equality. */
const suffix = /_(?:lte|gte|ne|like)$/

/** Makes the test of some operands on the value of a field, which is never null. */
type Operator = (
  operands: readonly Value[],
  name: string,
  budget: Budget,
) => (value: unknown) => boolean

/** A repeated filter has to hold once, a repeated `_ne` each time. */
const operators: Record<string, Operator> = {
  _gte: (operands) => (value) => operands.some((operand) => isAtMost(operand, value)),
  _lte: (operands) => (value) => operands.some((operand) => isAtMost(value, operand)),
  _ne(operands) {
    const isOne = equals(operands)
    return (value) => !isOne(value)
  },
  _like(operands, name, budget) {
    const tests = operands.map((operand) => toLike(operand, name, budget))
    return (value) => tests.some((test) => test(value))
  },
}

function toLike(operand: Value, name: string, budget: Budget): (value: unknown) => boolean {
  let pattern: Pattern | undefined
  return (value) => {
    try {
      pattern ??= compilePattern(textOf(operand), budget)
      return pattern(textOf(value))
    } catch (cause) {
      throw wrongPattern(name, cause)
    }
  }
}

function equals(operands: readonly Value[]): (value: unknown) => boolean {
  const wanted = new Set<unknown>(operands)
  return (value) => wanted.has(textOf(value))
}

/** Whether a parameter filters: a record has such a field, or its ending says so. */
function isFilter(name: string, records: readonly Json[]): boolean {
  if (name === 'callback' || name === '_') return false
  if (suffix.test(name)) return records.length > 0
  return records.some((record) => hasPath(record, name))
}

/** The records that fulfil every filter; what is one is seen from all that are known. */
export function filterRecords(
  records: readonly Json[],
  parameters: Parameters,
  known: readonly Json[],
): readonly Json[] {
  const budget = createBudget()
  let found = records
  for (const [name, value] of Object.entries(parameters)) {
    if (isFilter(name, known)) found = found.filter(toTest(name, value, budget))
  }
  return found
}

/** What is null fulfils no filter. */
function toTest(name: string, value: Value, budget: Budget): (record: Json) => boolean {
  const ending = suffix.exec(name)?.[0]
  const path = name.replace(suffix, '')
  const operator = ending === undefined ? equals : (operators[ending] ?? equals)
  const test = operator([value].flat(), name, budget)
  return (record) => {
    const held = readPath(record, path)
    return !isNil(held) && test(held)
  }
}

function wrongPattern(name: string, cause: unknown): MockError {
  const reason = cause instanceof SyntaxError ? cause.message : 'it is no pattern'
  return wrongParameter(name, reason, `${reason}. Please send another pattern.`, cause)
}

/** The records that hold a text in any value at any depth, whatever its case. */
export function searchRecords(records: readonly Json[], q: Value): readonly Json[] {
  const [text] = [q].flat()
  if (typeof text !== 'string') return []
  const wanted = text.toLowerCase()
  return records.filter((record) => Object.values(record ?? {}).some((each) => holds(each, wanted)))
}

/** What counts as false holds nothing, and the empty text is nowhere. */
function holds(value: unknown, wanted: string): boolean {
  if (!value || wanted === '') return false
  if (typeof value === 'object') return Object.values(value).some((each) => holds(each, wanted))
  return textOf(value).toLowerCase().includes(wanted)
}
