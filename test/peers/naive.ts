import type { Json, JsonRecord } from '../../src/core/json/json.ts'

/** One filter of a list: `path:operator=operand`, as often as there are operands. */
export interface Condition {
  path: string
  operator: string
  operands: readonly string[]
}

/** What is asked of a list. */
export interface Question {
  conditions: readonly Condition[]
  search: string
  /** Paths, with a minus in front for falling. */
  sort: readonly string[]
}

/**
 * The records that a question finds, in order: what the contract says of filters, search and sort, in
 * the plainest way. A filter by a path that is not known counts for nothing.
 */
export function findNaively(
  records: readonly JsonRecord[],
  { conditions, search, sort }: Question,
  isKnown: (path: string) => boolean,
): JsonRecord[] {
  const asked = conditions.filter(({ path }) => isKnown(path))
  return records
    .filter((record) => asked.every((condition) => holds(record, condition)))
    .filter((record) => search === '' || hasText(record, search.toLowerCase()))
    .toSorted((left, right) => {
      for (const path of sort) {
        const sign = compareAt(left, right, path.replace('-', ''), path.startsWith('-'))
        if (sign !== 0) return sign
      }
      return 0
    })
}

/** Every path of a record, inside objects and arrays too. */
export function pathsOf(value: Json, prefix = ''): string[] {
  if (Array.isArray(value)) return value.flatMap((inner) => pathsOf(inner, prefix))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) => {
    const path = prefix === '' ? key : `${prefix}.${key}`
    return [path, ...pathsOf(inner, path)]
  })
}

type Test = (value: Json, operand: string) => boolean

/** The operators of which any operand has to hold for any value. */
const anyOf: Record<string, Test> = {
  eq: equals,
  contains: onText((text, operand) => text.includes(operand)),
  startsWith: onText((text, operand) => text.startsWith(operand)),
  endsWith: onText((text, operand) => text.endsWith(operand)),
  like: onText(isLike),
}

/** The operators of which every operand has to hold for any value. */
const allOf: Record<string, Test> = {
  lt: (value, operand) => order(value, operand) < 0,
  lte: (value, operand) => order(value, operand) <= 0,
  gt: (value, operand) => order(value, operand) > 0,
  gte: (value, operand) => order(value, operand) >= 0,
}

function holds(record: JsonRecord, { path, operator, operands }: Condition): boolean {
  if (operator === 'ne') return !holds(record, { path, operator: 'eq', operands })
  if (operator === 'nin') return !holds(record, { path, operator: 'in', operands })
  if (operator === 'in') {
    const parts = operands.flatMap((operand) => operand.split(','))
    return holds(record, { path, operator: 'eq', operands: parts })
  }
  if (operator === 'exists') {
    return operands.every((operand) => pathsOf(record).includes(path) === (operand === 'true'))
  }
  const values = valuesAt(record, path)
  const any = anyOf[operator]
  if (any) return operands.some((operand) => values.some((value) => any(value, operand)))
  const all = allOf[operator]
  if (!all) throw new Error(`There is no operator "${operator}"`)
  return operands.every((operand) => values.some((value) => all(value, operand)))
}

function valuesAt(value: Json, path: string): Json[] {
  let found: Json[] = [value]
  for (const key of path.split('.')) {
    found = found
      .flat()
      .flatMap((inner) =>
        typeof inner === 'object' && inner !== null && Object.hasOwn(inner, key)
          ? [(inner as JsonRecord)[key] ?? null]
          : [],
      )
  }
  return found.flat()
}

function equals(value: Json, operand: string): boolean {
  if (typeof value === 'number') return operand.trim() !== '' && Number(operand) === value
  return typeof value !== 'object' || value === null ? String(value) === operand : false
}

function order(value: Json, operand: string): number {
  if (typeof value === 'number') return operand.trim() === '' ? NaN : value - Number(operand)
  if (typeof value !== 'string') return NaN
  return value < operand ? -1 : Number(value > operand)
}

/** Null, objects and lists have no text. */
function onText(test: (text: string, operand: string) => boolean): Test {
  return (value, operand) =>
    typeof value !== 'object' && test(String(value).toLowerCase(), operand.toLowerCase())
}

function isLike(text: string, pattern: string): boolean {
  if (!/[%_]/.test(pattern)) return text.includes(pattern)
  const source = pattern.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`)
  return new RegExp(`^${source.replaceAll('%', '.*').replaceAll('_', '.')}$`, 'su').test(text)
}

function hasText(value: Json, text: string): boolean {
  if (typeof value !== 'object') return String(value).toLowerCase().includes(text)
  return Object.values(value ?? {}).some((inner) => hasText(inner, text))
}

/** Numbers before texts before the rest, null and what is missing last, falling or not. */
function compareAt(left: JsonRecord, right: JsonRecord, path: string, isFalling: boolean): number {
  const [a = null] = valuesAt(left, path)
  const [b = null] = valuesAt(right, path)
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  const ranks = ['number', 'string', 'boolean']
  const byKind = ranks.indexOf(typeof a) - ranks.indexOf(typeof b)
  const sign = byKind === 0 ? (a < b ? -1 : Number(a > b)) : byKind
  return isFalling ? -sign : sign
}
