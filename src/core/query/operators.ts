import { isNumeric, keyOfValue, keysOfOperand, type Operand } from '../json/equality.ts'
import { isRecord } from '../json/json.ts'
import type { Path } from '../json/path.ts'
import { anyAt, joinTests, type Predicate, type Test } from './predicate.ts'

/** One way of comparing a field with operands. */
export interface Operator {
  /** By which an operator is told from another. */
  name: string
  /** Makes the predicate for a field and its operands, of which there is at least one. */
  compile(path: Path, operands: readonly Operand[]): Predicate
  /** Makes the same for what the field itself holds, where that is no object and no list. */
  test?(operands: readonly Operand[]): Test
  /** What the values that an operand equals are found by, where the operator is an equality. */
  keys?(operand: Operand): string[]
}

/** Makes the test for equality by the stored type: the text `1` finds the number and the text. */
function equals(operands: readonly Operand[]): Test {
  const texts = new Set(operands.filter((operand) => operand !== null).map(String))
  const others = new Set(operands.flatMap(keysOfOperand))
  const [text] = texts
  return (value) =>
    typeof value === 'string'
      ? value === text || (texts.size > 1 && texts.has(value))
      : others.has(keyOfValue(value) ?? '')
}

/** Compares with numbers as numbers, and with texts by code unit; all operands have to hold. */
function ordered(name: string, holds: (sign: number) => boolean): Operator {
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
    test: (operands) => joinTests(operands.map(test), 'every'),
  }
}

/** Reads the text of a value, whose case does not count; any operand has to hold. */
function reads(name: string, holds: (text: string, wanted: string) => boolean): Operator {
  return byTest(name, (operands) => {
    const wanted = operands.map((operand) => String(operand).toLowerCase())
    return (value) => {
      if (!isText(value)) return false
      const text = String(value).toLowerCase()
      return wanted.some((one) => holds(text, one))
    }
  })
}

/** An operator of which one value has to pass a test. */
function byTest(name: string, test: (operands: readonly Operand[]) => Test): Operator {
  return { name, test, compile: (path, operands) => anyAt(path, test(operands)) }
}

function isText(value: unknown): value is string | number | boolean {
  return value !== undefined && typeof value !== 'object'
}

/** Whether the text fits the pattern, in which `%` stands for any text and `_` for one character. */
function isLike(text: string, pattern: string): boolean {
  let at = 0
  let place = 0
  let star = -1
  let retry = 0
  while (at < text.length) {
    const sign = pattern[place]
    if (sign === '%') {
      star = place++
      retry = at
    } else if (sign === '_' || sign === text[at]) {
      place++
      // A character beyond the first plane has two code units.
      at += sign === '_' && (text.codePointAt(at) ?? 0) > 0xffff ? 2 : 1
    } else if (star >= 0) {
      place = star + 1
      at = ++retry
    } else return false
  }
  while (pattern[place] === '%') place++
  return place === pattern.length
}

function like(text: string, pattern: string): boolean {
  return /[%_]/.test(pattern) ? isLike(text, pattern) : text.includes(pattern)
}

/** The operator that holds exactly where the other does not. */
function not(name: string, operator: Operator): Operator {
  return {
    name,
    compile(path, operands) {
      const predicate = operator.compile(path, operands)
      return (record) => !predicate(record)
    },
  }
}

const among: Operator = { ...byTest('in', equals), keys: keysOfOperand }

/** Equality of ids, which are exact texts: `1` is `"1"` and never `01`. */
const same: Operator = {
  name: 'same',
  keys: (operand) => [`"${String(operand)}`, String(operand)],
  compile(path, operands) {
    const wanted = new Set(operands.map(String))
    return anyAt(path, (value) => wanted.has(String(value)))
  },
}

/** A field is there whatever it holds, null and an empty array too. */
const exists: Operator = {
  name: 'exists',
  compile(path, operands) {
    const parent = path.slice(0, -1)
    const key = path.at(-1) ?? ''
    const has: Test = (value) => isRecord(value) && Object.hasOwn(value, key)
    const predicate = anyAt(parent, has)
    // An array counts by its elements, so that it shows no index as a key.
    const reaches = anyAt(path, () => true)
    const wanted = operands.map((operand) => String(operand) !== 'false')
    return (record) => wanted.every((one) => (predicate(record) || reaches(record)) === one)
  },
}

/** Every operator of a filter, by its name on the wire. */
export const operators: Record<string, Operator> = {
  eq: among,
  ne: not('nin', among),
  lt: ordered('lt', (sign) => sign < 0),
  lte: ordered('lte', (sign) => sign <= 0),
  gt: ordered('gt', (sign) => sign > 0),
  gte: ordered('gte', (sign) => sign >= 0),
  in: among,
  nin: not('nin', among),
  contains: reads('contains', (text, wanted) => text.includes(wanted)),
  startsWith: reads('startsWith', (text, wanted) => text.startsWith(wanted)),
  endsWith: reads('endsWith', (text, wanted) => text.endsWith(wanted)),
  like: reads('like', like),
  exists,
}

const other = not('other', same)

/** The operators that compare ids in their own way. */
export const exactly: Record<string, Operator> = { eq: same, ne: other, in: same, nin: other }
