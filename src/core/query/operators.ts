import { anyAt, type Path, type Predicate, type Test } from './path.ts'

/** A value that a filter compares with: from a URL always a text, from a JSON tree typed. */
export type Operand = string | number | boolean | null

/** One way of comparing a field with operands. */
export interface Operator {
  /** Makes the predicate for a field and its operands, of which there is at least one. */
  compile(path: Path, operands: readonly Operand[]): Predicate
  /** The operator that holds exactly where this one does not. */
  complement?: Operator
}

/** Whether the text writes a number as JSON does, a leading `+` or `.` allowed. */
export function isNumeric(text: string): boolean {
  return /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(text)
}

/** Makes the test for equality by the stored type: the text `1` finds the number and the text. */
export function equals(operand: Operand): Test {
  if (operand === null) return (value) => value === null
  const text = String(operand)
  const number = typeof operand !== 'boolean' && isNumeric(text) ? Number(text) : undefined
  const truth = text === 'true' ? true : text === 'false' ? false : undefined
  const isNull = operand === 'null'
  return (value) =>
    value === text ||
    (number !== undefined && value === number) ||
    (truth !== undefined && value === truth) ||
    (isNull && value === null)
}

/** Makes a test that compares with numbers as numbers, and with texts by code unit. */
function compares(operand: Operand, holds: (sign: number) => boolean): Test {
  const text = String(operand)
  const number = isNumeric(text) ? Number(text) : NaN
  return (value) => {
    if (typeof value === 'number') return !Number.isNaN(number) && holds(value - number)
    return typeof value === 'string' && holds(value < text ? -1 : value > text ? 1 : 0)
  }
}

/** Makes a test on the text of a value, whose case does not count. */
function reads(operand: Operand, holds: (text: string, wanted: string) => boolean): Test {
  const wanted = String(operand).toLowerCase()
  return (value) => isText(value) && holds(String(value).toLowerCase(), wanted)
}

function isText(value: unknown): value is string | number | boolean {
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean'
}

/** Whether the text fits the pattern, in which `%` stands for any text and `_` for one character. */
export function isLike(text: string, pattern: string): boolean {
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
      at++
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

/** An operator of which one operand has to hold, or each. */
function where(holds: 'any' | 'all', test: (operand: Operand) => Test): Operator {
  return {
    compile(path, operands) {
      const predicates = operands.map((operand) => anyAt(path, test(operand)))
      const [only] = predicates
      if (only && predicates.length === 1) return only
      if (holds === 'any') return (record) => predicates.some((predicate) => predicate(record))
      return (record) => predicates.every((predicate) => predicate(record))
    },
  }
}

function not(operator: Operator): Operator {
  return {
    complement: operator,
    compile(path, operands) {
      const predicate = operator.compile(path, operands)
      return (record) => !predicate(record)
    },
  }
}

const among: Operator = {
  compile(path, operands) {
    const tests = operands.map(equals)
    return anyAt(path, (value) => tests.some((test) => test(value)))
  },
}

const exists: Operator = {
  compile(path, operands) {
    const predicate = anyAtOrEmpty(path)
    const wanted = operands.every((operand) => String(operand) !== 'false')
    return (record) => predicate(record) === wanted
  },
}

/** Equality of ids, which are exact texts: `1` is `"1"` and never `01`. */
const same: Operator = {
  compile(path, operands) {
    const wanted = new Set(operands.map(String))
    return anyAt(path, (value) => wanted.has(String(value)))
  },
}

/** A field is there whatever it holds, an empty array too. */
function anyAtOrEmpty(path: Path): Predicate {
  const parent = path.slice(0, -1)
  const key = path.at(-1) ?? ''
  const has: Test = (value) =>
    typeof value === 'object' && value !== null && Object.hasOwn(value, key)
  return parent.length > 0 ? anyAt(parent, has) : has
}

/** Every operator of a filter, by its name on the wire. */
export const operators: Record<string, Operator> = {
  eq: among,
  ne: not(among),
  lt: where('all', (operand) => compares(operand, (sign) => sign < 0)),
  lte: where('all', (operand) => compares(operand, (sign) => sign <= 0)),
  gt: where('all', (operand) => compares(operand, (sign) => sign > 0)),
  gte: where('all', (operand) => compares(operand, (sign) => sign >= 0)),
  in: among,
  nin: not(among),
  contains: where('any', (operand) => reads(operand, (text, wanted) => text.includes(wanted))),
  startsWith: where('any', (operand) => reads(operand, (text, wanted) => text.startsWith(wanted))),
  endsWith: where('any', (operand) => reads(operand, (text, wanted) => text.endsWith(wanted))),
  like: where('any', (operand) => reads(operand, like)),
  exists,
}

/** The operators that compare ids in their own way. */
export const exactly: Record<string, Operator> = {
  eq: same,
  ne: not(same),
  in: same,
  nin: not(same),
}
