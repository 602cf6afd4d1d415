import type { MockError } from '../../errors/mock-error.ts'
import { define, isRecord, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Params } from '../../url/params.ts'
import { isAtMost, isLess, textOf } from '../shared/js-values.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { splitPath, type Step } from './path.ts'

/** A tree of fields, operators and `or`, as `_where` writes it. */
export type Where = Record<string, unknown>

/** Whether a field that is there fulfils an operator. */
const operators: Record<string, (field: unknown, operand: unknown) => boolean> = {
  lt: (field, operand) => isLess(field, operand),
  lte: (field, operand) => isAtMost(field, operand),
  gt: (field, operand) => isLess(operand, field),
  gte: (field, operand) => isAtMost(operand, field),
  eq: (field, operand) => field === operand,
  ne: (field, operand) => field !== operand,
  in: (field, operand) => (Array.isArray(operand) ? operand.includes(field) : field === operand),
  contains: (field, operand) => lower(field)?.includes(textOf(operand).toLowerCase()) === true,
  startsWith: (field, operand) => lower(field)?.startsWith(textOf(operand).toLowerCase()) === true,
  endsWith: (field, operand) => lower(field)?.endsWith(textOf(operand).toLowerCase()) === true,
}

/** How deep a tree may be. */
const deepest = 500

/**
 * Reads filters such as `views:gt=1`, `views_gt=1` and `author.name=x` as one tree; of two for the same
 * path and operator the last one counts.
 * @throws MockError 400 when a path is malformed
 */
export function parseWhere(pairs: Params): Where {
  const where: Where = {}
  for (const [name, value] of pairs) {
    const [path, operator] = splitName(name)
    if (operator === undefined) continue
    const parts =
      operator === 'in' ? value.split(',').map((part) => coerce(part.trim())) : undefined
    put(where, stepsOf(`${path}.${operator}`, name), parts ?? coerce(value))
  }
  return where
}

/** Whether a record fulfils a tree. */
type Test = (record: JsonRecord) => boolean

/**
 * Makes the test of a tree. A field that is missing fulfils nothing, and what is asked of its inside is
 * not there either.
 * @throws MockError 400 when the tree is too deep
 */
export function compileWhere(where: Where, depth = 0): Test {
  if (depth > deepest) throw wrong('_where', `it is deeper than ${deepest} levels`)
  const tests = Object.entries(where).map(([key, condition]): Test => {
    if (key === 'or') {
      const either = Array.isArray(condition) ? condition.filter(isRecord) : []
      const any = either.map((each) => compileWhere(each, depth + 1))
      return (record) => any.some((test) => test(record))
    }
    if (!isRecord(condition)) return () => false
    const asked = Object.entries(condition)
    const known = asked.flatMap(([name, operand]) => {
      const holds = ownValue(operators, name)
      return holds ? [(field: unknown): boolean => holds(field, operand)] : []
    })
    if (known.length > 0) {
      return (record) => {
        const field = ownValue(record, key)
        return field !== undefined && known.every((holds) => holds(field))
      }
    }
    const inside = compileWhere(condition, depth + 1)
    return (record) => {
      const field = ownValue(record, key)
      return isRecord(field) ? inside(field) : asked.length === 0
    }
  })
  return (record) => tests.every((test) => test(record))
}

function lower(field: unknown): string | undefined {
  return typeof field === 'string' ? field.toLowerCase() : undefined
}

/** Splits `views:gt` and `views_gt`; an unknown operator behind a colon makes the filter nothing. */
function splitName(name: string): [path: string, operator: string | undefined] {
  const colon = name.lastIndexOf(':')
  if (colon >= 0) {
    const operator = name.slice(colon + 1)
    if (operator === '') return [name, 'eq']
    return [name.slice(0, colon), Object.hasOwn(operators, operator) ? operator : undefined]
  }
  const [, path = '', operator = ''] = /^(.+)_([a-z]+)$/.exec(name) ?? []
  return Object.hasOwn(operators, operator) ? [path, operator] : [name, 'eq']
}

/** The value that a text stands for: a literal, a number where it can be read as one, or itself. */
function coerce(text: string): string | number | boolean | null {
  if (text === 'null') return null
  if (text === 'true' || text === 'false') return text === 'true'
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) ? number : text
}

/** Puts a value at a path, over what stands in its way. Nothing inside an array is ever found. */
function put(where: Where, steps: readonly Step[], value: unknown): void {
  let node = where
  for (const [at, step] of steps.entries()) {
    const key = String(step)
    if (at === steps.length - 1) return define(node, key, value)
    const held = ownValue(node, key)
    if (Array.isArray(held)) return
    const next: unknown = isRecord(held) ? held : typeof steps[at + 1] === 'number' ? [] : {}
    define(node, key, next)
    if (!isRecord(next)) return
    node = next
  }
}

function stepsOf(path: string, name: string): readonly Step[] {
  try {
    return splitPath(path)
  } catch (cause) {
    throw wrong(name, cause instanceof Error ? cause.message : 'it is no path', cause)
  }
}

function wrong(name: string, reason: string, cause?: unknown): MockError {
  return wrongParameter(name, reason, `${reason}. Please write it like author.name.`, cause)
}
