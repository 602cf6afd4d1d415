import type { MockError } from '../../errors/mock-error.ts'
import { define, isRecord, type JsonRecord, ownValue } from '../../json/json.ts'
import type { Params } from '../../url/params.ts'
import { isAtMost, isLess, textOf } from '../shared/js-values.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { splitPath, type Step } from './path.ts'

/** A filter as a tree, as in the parameter `_where`: `{ views: { gt: 10 } }`, with alternatives in a list `or`. */
export type Where = Record<string, unknown>

/** The operators; each tests a field that is not missing. */
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

const maxDepth = 500

/** Parses filters such as `views:gt=1` into one tree; the last of a path and operator wins. @throws MockError 400 */
export function parseWhere(pairs: Params): Where {
  const where: Where = {}
  for (const [name, value] of pairs) {
    const [path, operator] = splitName(name)
    if (operator === undefined) continue
    const parts =
      operator === 'in' ? value.split(',').map((part) => parseValue(part.trim())) : undefined
    put(where, stepsOf(`${path}.${operator}`, name), parts ?? parseValue(value))
  }
  return where
}

/** Whether a record matches a tree. */
type Test = (record: JsonRecord) => boolean

/** Compiles a tree to a test; a missing field matches no operator. @throws MockError 400 for too deep a tree */
export function compileWhere(where: Where, depth = 0): Test {
  if (depth > maxDepth) throw wrong('_where', `it is nested deeper than ${maxDepth} levels`)
  const tests = Object.entries(where).map(([key, condition]): Test => {
    if (key === 'or') {
      const either = Array.isArray(condition) ? condition.filter(isRecord) : []
      const any = either.map((each) => compileWhere(each, depth + 1))
      return (record) => any.some((test) => test(record))
    }
    if (!isRecord(condition)) return () => false
    const entries = Object.entries(condition)
    const comparisons = entries.flatMap(([name, operand]) => {
      const compare = ownValue(operators, name)
      return compare ? [(field: unknown): boolean => compare(field, operand)] : []
    })
    if (comparisons.length > 0) {
      return (record) => {
        const field = ownValue(record, key)
        return field !== undefined && comparisons.every((compare) => compare(field))
      }
    }
    const inside = compileWhere(condition, depth + 1)
    return (record) => {
      const field = ownValue(record, key)
      return isRecord(field) ? inside(field) : entries.length === 0
    }
  })
  return (record) => tests.every((test) => test(record))
}

/** Finds the first field of a tree that none of the records has; alternatives (`or`) do not count. */
export function findMissingField(
  where: Where,
  records: readonly JsonRecord[],
  prefix = '',
): string | undefined {
  for (const [key, condition] of Object.entries(where)) {
    if (key === 'or' || !isRecord(condition)) continue
    const values = records.map((record) => ownValue(record, key))
    if (values.every((value) => value === undefined)) return prefix + key
    if (Object.keys(condition).some((name) => Object.hasOwn(operators, name))) continue
    const missing = findMissingField(condition, values.filter(isRecord), `${prefix}${key}.`)
    if (missing !== undefined) return missing
  }
  return undefined
}

function lower(field: unknown): string | undefined {
  return typeof field === 'string' ? field.toLowerCase() : undefined
}

/** Splits `views:gt` and `views_gt`; a filter with an unknown operator after a colon is ignored. */
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

/** Converts a string to null, a boolean or a number if it is written like one. */
function parseValue(text: string): string | number | boolean | null {
  if (text === 'null') return null
  if (text === 'true' || text === 'false') return text === 'true'
  const number = Number(text)
  return text.trim() !== '' && Number.isFinite(number) ? number : text
}

/** Sets the value at a path and overwrites plain values on the path. Paths into arrays are dropped, as they match nothing. */
function put(where: Where, steps: readonly Step[], value: unknown): void {
  let node = where
  for (const [at, step] of steps.entries()) {
    const key = String(step)
    if (at === steps.length - 1) return define(node, key, value)
    const current = ownValue(node, key)
    if (Array.isArray(current)) return
    const next: unknown = isRecord(current) ? current : typeof steps[at + 1] === 'number' ? [] : {}
    define(node, key, next)
    if (!isRecord(next)) return
    node = next
  }
}

function stepsOf(path: string, name: string): readonly Step[] {
  try {
    return splitPath(path)
  } catch (cause) {
    throw wrong(name, cause instanceof Error ? cause.message : 'it is not a path', cause)
  }
}

function wrong(name: string, reason: string, cause?: unknown): MockError {
  return wrongParameter(name, reason, `${reason}. Please write it like author.name.`, cause)
}
