import { equalsOf, isNumeric, type Operand } from '../json/equality.ts'
import { isRecord, someScalar, type JsonRecord } from '../json/json.ts'
import { type Path, someAt } from '../json/path.ts'
import type { FindOperator } from '../types/find-types.ts'
import { isLike } from '../text/like.ts'

/** An operator of filters, which compares the value of a field with the operands of the query. */
export interface Operator {
  /** A unique name, which is part of cache keys. */
  name: string
  /** Creates the predicate for a field and one or more operands. */
  compile(path: Path, operands: readonly Operand[]): Predicate
  /** Creates the same test for one value, if it holds on one side of a number and on one side of a text. */
  monotone?(operands: readonly Operand[]): Test
  /** The operator that holds exactly if this operator does not. */
  opposite?: Operator
  /** All stored scalars that an operand equals, if the operator is an equality. */
  equals?(operand: Operand): Operand[]
  /** Whether the predicate reads more than the record, so that neither indexes nor kept results serve it. */
  readsOthers?: boolean
  /** Whether a matching text contains the operand, or the parts of it between wildcards (`%`, `_`). */
  text?: 'substring' | 'pattern'
}

/** Creates the test for equality by the stored type: the string `1` equals the number and the string. */
function equals(operands: readonly Operand[]): Test {
  const values = new Set<unknown>(operands.flatMap(equalsOf))
  return (value) => values.has(value)
}

/** Creates an operator that compares numbers by value and strings by code unit; every operand has to hold. */
function comparing(name: string, holds: (sign: number) => boolean): Operator {
  const test = (operand: Operand): Test => {
    const text = String(operand)
    const number = isNumeric(text) ? Number(text) : NaN
    return (value) => {
      if (typeof value === 'number') return holds(value - number)
      return typeof value === 'string' && holds(value < text ? -1 : value > text ? 1 : 0)
    }
  }
  return {
    name,
    compile: (path, operands) =>
      joinTests(
        operands.map((operand) => anyAt(path, test(operand))),
        'every',
      ),
    monotone: (operands) => joinTests(operands.map(test), 'every'),
  }
}

/** Creates the test of the text of a scalar, which ignores case; any operand has to hold. */
function matches(
  holds: (text: string, wanted: string) => boolean,
): (operands: readonly Operand[]) => Test {
  return (operands) => {
    const wanted = operands.map((operand) => String(operand).toLowerCase())
    // A pattern with alternatives would be slower than the test of each text.
    const only = wanted.length > 1 ? '' : wanted.join('')
    const pattern = new RegExp(fragment.exec(only)?.[0] ?? '', 'i')
    // Numbers and booleans have no other characters.
    const isForTexts = /[^\d.+aeflr-u%_-]/.test(only)
    return (value) => {
      if (typeof value === 'string' ? !pattern.test(value) : isForTexts || !isText(value))
        return false
      const text = String(value).toLowerCase()
      return wanted.some((one) => holds(text, one))
    }
  }
}

/**
 * A lower-case fragment of every match; without `i` and `k`, the lower case of U+0130 and U+212A outside of
 * ASCII.
 */
const fragment = /[\da-hjl-z ]{1,32}/

/** Creates an operator on the text of a scalar that ignores case. */
function matching(
  name: string,
  holds: (text: string, wanted: string) => boolean,
  text: Operator['text'] = 'pattern',
): Operator {
  return { ...byTest(name, matches(holds)), text }
}

/** Creates an operator that holds if any value at the path passes a test. */
function byTest(name: string, test: (operands: readonly Operand[]) => Test): Operator {
  return { name, compile: (path, operands) => anyAt(path, test(operands)) }
}

function isText(value: unknown): value is string | number | boolean {
  return value !== undefined && typeof value !== 'object'
}

function like(text: string, pattern: string): boolean {
  return /[%_]/.test(pattern) ? isLike(text, pattern) : text.includes(pattern)
}

/** Creates the operator that holds exactly if another operator does not. */
function not(name: string, operator: Operator): Operator {
  return {
    name,
    opposite: operator,
    compile(path, operands) {
      const predicate = operator.compile(path, operands)
      return (record) => !predicate(record)
    },
  }
}

const equality: Operator = { ...byTest('in', equals), equals: equalsOf }

/** Equality of ids, which compare as exact strings: `1` equals `"1"` and not `01`. */
const sameId: Operator = {
  name: 'same',
  equals(operand) {
    const text = String(operand)
    return equalsOf(text).filter((value) => String(value) === text)
  },
  compile(path, operands) {
    const wanted = new Set(operands.map(String))
    return anyAt(path, (value) => wanted.has(String(value)))
  },
}

/** Whether a field exists, with any value, also null and an empty array. */
const exists: Operator = {
  name: 'exists',
  compile(path, operands) {
    const parent = path.slice(0, -1)
    const key = path.at(-1) ?? ''
    const has: Test = (value) => isRecord(value) && Object.hasOwn(value, key)
    const predicate = anyAt(parent, has)
    // `has` tests the elements of an array, so an index at the end of the path needs another test.
    const reaches = anyAt(path, () => true)
    const wanted = operands.map((operand) => String(operand) !== 'false')
    return (record) => wanted.every((one) => (predicate(record) || reaches(record)) === one)
  },
}

const includes = (text: string, wanted: string): boolean => text.includes(wanted)
const contains = matches(includes)

/** Full-text search, ignoring case: any string, number or boolean of a record, but no key, contains the operand. */
export const search: Operator = {
  name: 'search',
  text: 'substring',
  compile(_path, operands) {
    const test = contains(operands)
    return (record) => someScalar(record, test)
  },
}

/**
 * The operators of filters, by their names on the wire.
 * @example { path: ['views'], operator: operators.gte, operands: [10] }
 */
export const operators: Readonly<Record<FindOperator, Operator>> = {
  eq: equality,
  ne: not('nin', equality),
  lt: comparing('lt', (sign) => sign < 0),
  lte: comparing('lte', (sign) => sign <= 0),
  gt: comparing('gt', (sign) => sign > 0),
  gte: comparing('gte', (sign) => sign >= 0),
  in: equality,
  nin: not('nin', equality),
  contains: matching('contains', includes, 'substring'),
  startsWith: matching('startsWith', (text, wanted) => text.startsWith(wanted)),
  endsWith: matching('endsWith', (text, wanted) => text.endsWith(wanted)),
  like: matching('like', like),
  exists,
}

const otherId = not('other', sameId)

/** The operators that compare ids differently, by their names on the wire. */
export const idOperators: Record<string, Operator> = {
  eq: sameId,
  ne: otherId,
  in: sameId,
  nin: otherId,
}

/** Whether a record meets the conditions of a query. */
export type Predicate = (record: JsonRecord) => boolean

/** A function that returns whether one value of a record meets the condition of a filter. */
type Test = (value: unknown) => boolean

/** Whether any value at a path passes a test, also each element of an array; a missing value passes none. */
export function anyAt(path: Path, test: Test): Predicate {
  const [key = ''] = path
  if (path.length === 1 && !(key in Object.prototype)) {
    return (record) => {
      const value = record[key]
      return Array.isArray(value) ? value.some(test) : value !== undefined && test(value)
    }
  }
  return (record) => someAt(record, path, 0, test)
}

/** Joins tests, of which some or every one has to pass. */
export function joinTests<T>(
  tests: readonly ((value: T) => boolean)[],
  holds: 'some' | 'every',
): (value: T) => boolean {
  const [only] = tests
  return only && tests.length === 1 ? only : (value) => tests[holds]((test) => test(value))
}
