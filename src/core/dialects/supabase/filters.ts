import { compareValues } from '../../json/compare.ts'
import { MockError } from '../../errors/mock-error.ts'
import { isRecord, isSame, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { operators, type Operator } from '../../query/operators.ts'
import { toPredicate } from '../../query/select.ts'
import type { Where } from '../../query/tree.ts'
import { parseArray } from '../../text/array-literal.ts'
import { isLike } from '../../text/like.ts'
import { compileRegExp } from '../shared/regexp.ts'
import { refuse } from './errors.ts'
import { type Field, type Filter, findEmbed, type Logic, type Selection } from './parse.ts'
import type { Table } from './table.ts'
import {
  type ColumnType,
  convert,
  readText,
  textOf,
  toInstant,
  typeNamed,
  typeOf,
} from './types.ts'

/** The table that filters test the rows of, and the embeds whose presence they can test. */
export interface FilterScope {
  table: Pick<Table, 'name' | 'has' | 'typeOf'>
  selection: Pick<Selection, 'embeds'>
  /** The condition that a row has a row of an embed. */
  hasEmbedded(embed: Selection): Where
}

/**
 * Converts filters to a condition. A comparison with null is neither true nor false, so that a negation goes down to
 * each comparison, which null does not pass either.
 */
export function toWhere(logic: Logic, scope: FilterScope, isInverse = false): Where {
  const isNot = logic.isNegated !== isInverse
  if ('parts' in logic) {
    const parts = logic.parts.map((one) => toWhere(one, scope, isNot))
    return (logic.join === 'and') !== isNot ? { and: parts } : { or: parts }
  }
  if ('where' in logic) return isNot ? { not: logic.where } : logic.where
  const { field, operator, value, quantifier } = logic
  const embed = field.steps.length === 0 ? findEmbed(scope.selection, field.column) : undefined
  if (embed && operator === 'is' && value.endsWith('null')) {
    const has = scope.hasEmbedded(embed)
    return (value === 'null') === isNot ? has : { not: has }
  }
  const type = typeOfField(scope.table, field)
  if (operator.startsWith('is')) {
    const where = toCondition(logic, type, isTests[value] ?? distinctFrom(value, type))
    return isNot ? { not: where } : where
  }
  const values = quantifier ? (parseArray(value) ?? []).map(textOf) : [value]
  const parts = values.map((one) => compare({ ...logic, value: one }, type))
  const where = quantifier === 'all' ? { and: parts } : { or: parts }
  const [only = where] = parts.length === 1 ? parts : []
  if (isNot === (operator === 'neq')) return only
  return { and: [{ not: only }, { not: toCondition({ ...logic, value: 'null' }, type, isNull) }] }
}

/** Whether a row passes the filters of a selection; the types of its columns are those of its values. */
export function passes(row: JsonRecord, selection: Selection): boolean {
  const table = {
    name: '',
    has: () => true,
    typeOf: (name: string) => typeOf(undefined, row[name]),
  }
  const scope = { table, selection, hasEmbedded: () => ({ and: [] }) }
  try {
    const and = selection.filters.map((one) => toWhere(one, scope))
    return toPredicate({ where: { and } })(row)
  } catch (error) {
    if (error instanceof MockError) return false
    throw error
  }
}

/** The type of a field. @throws MockError 42703 for an unknown column */
export function typeOfField(
  { name, has, typeOf }: FilterScope['table'],
  { column, steps }: Field,
): ColumnType {
  if (!has(column)) throw refuse(400, '42703', `column ${name}.${column} does not exist`)
  const last = steps.at(-1)
  return last ? typeNamed(last.asText ? 'text' : 'jsonb') : typeOf(column)
}

/** Reads a field of a row: `->` gives JSON, `->>` text; null where there is none. */
export function readField(row: JsonRecord, { column, steps }: Field): Json {
  let value: Json = ownValue(row, column) ?? null
  for (const { key, isIndex, asText } of steps) {
    if (Array.isArray(value)) value = (isIndex ? value.at(Number(key)) : undefined) ?? null
    else value = (isRecord(value) ? ownValue(value, key) : undefined) ?? null
    if (asText && value !== null) value = textOf(value)
  }
  return value
}

type Test = (value: Json) => boolean

const isNull: Test = (value) => value === null

const isTests: Readonly<Record<string, Test>> = {
  null: isNull,
  unknown: isNull,
  not_null: (value) => value !== null,
  true: (value) => value === true,
  false: (value) => value === false,
}

/** Creates a condition that tests the values of a field; an index finds the texts of `like` alone. */
function toCondition({ field, operator, value }: Filter, type: ColumnType, test: Test): Where {
  const path = [field.column, ...field.steps.map(({ key }) => key)]
  const name = `${operator} ${type.name} ${JSON.stringify(field.steps)}`
  const compile = () => (row: JsonRecord) => test(readField(row, field))
  const isPattern = path.length === 1 && operator.endsWith('like') && !value.includes('\\')
  const own: Operator = { name, compile, ...(isPattern && { text: 'pattern' }) }
  return { path, operator: own, operands: [value] }
}

/** The operators that the indexes of a collection answer, for texts, numbers and booleans. */
const indexed: Readonly<Record<string, Operator>> = {
  eq: operators.eq,
  neq: operators.eq,
  in: operators.in,
  gt: operators.gt,
  gte: operators.gte,
  lt: operators.lt,
  lte: operators.lte,
}

/** Creates the condition of a comparison, which null does not pass; that of `neq` is for equality. */
function compare(filter: Filter, type: ColumnType): Where {
  const { field, operator, value, values = [value] } = filter
  const indexedOperator = ownValue(indexed, operator)
  if (indexedOperator) {
    const wanted = values.map((one) => readText(one, type))
    if (field.steps.length === 0 && !['time', 'json', 'array'].includes(type.kind)) {
      return { path: [field.column], operator: indexedOperator, operands: wanted as string[] }
    }
    const holds = orders[operator] ?? ((sign: number) => sign === 0)
    const test: Test = (one) => wanted.some((other) => holds(compareAs(one, other, type)))
    return toCondition(filter, type, (one) => one !== null && test(one))
  }
  const test = ownValue(tests, operator)?.(value, type) ?? noOperator(operator, type)
  return toCondition(filter, type, (one) => one !== null && test(one))
}

const orders: Readonly<Record<string, (sign: number) => boolean>> = {
  gt: (sign) => sign > 0,
  gte: (sign) => sign >= 0,
  lt: (sign) => sign < 0,
  lte: (sign) => sign <= 0,
}

/** Compares two values other than null: instants, else arrays by their elements, else JSON, of which objects can be equal. */
function compareAs(left: Json, right: Json, type: ColumnType): number {
  if (type.kind === 'time') return toInstant(textOf(left)) - toInstant(textOf(right))
  if (isSame(left, right)) return 0
  if (!Array.isArray(left) || !Array.isArray(right)) return compareValues(left, right, false) || 1
  const at = left.findIndex((one, index) => !isSame(one, right[index]))
  const [one, other] = [left[at] ?? null, right[at]]
  return at < 0 ? -1 : other === undefined ? 1 : compareAs(one, other, type)
}

function distinctFrom(value: string, type: ColumnType): Test {
  const wanted = readText(value, type)
  return (one) => one === null || compareAs(one, wanted, type) !== 0
}

/** The tests of the other operators; undefined for a type without the operator. */
const tests: Readonly<Record<string, (value: string, type: ColumnType) => Test | undefined>> = {
  like: (value, { kind }) => (kind === 'text' ? likeTest(value, true) : undefined),
  ilike: (value, { kind }) => (kind === 'text' ? likeTest(value, false) : undefined),
  match: (value, { kind }) => (kind === 'text' ? regularTest(value, true) : undefined),
  imatch: (value, { kind }) => (kind === 'text' ? regularTest(value, false) : undefined),
  cs: containment((one, wanted) => contains(one, wanted)),
  cd: containment((one, wanted) => contains(wanted, one)),
  ov: containment((one, wanted) => [wanted].flat().some((part) => contains(one, [part]))),
  fts: (value) => searchTest(value.replaceAll(/['()]|:\w*/g, ' ')),
  plfts: (value) => searchTest(value.replaceAll(/[^\p{L}\p{N}]+/gu, ' & ')),
  phfts: (value) => searchTest(`"${value}"`),
  wfts: (value) => searchTest(value.replaceAll(/(^|\s)-/g, '$1!').replaceAll(/\sor\s/gi, '|')),
}

function containment(
  holds: (value: Json, wanted: Json) => boolean,
): (value: string, type: ColumnType) => Test | undefined {
  return (value, type) => {
    if (type.kind !== 'array' && type.kind !== 'json') return undefined
    const wanted =
      type.kind === 'array' ? convert(parseArray(value) ?? value, type) : readText(value, type)
    return (one) => holds(one, wanted)
  }
}

/** Whether a value contains another: an array its elements, an object its members (`@>`). */
function contains(whole: Json, part: Json): boolean {
  if (Array.isArray(whole)) {
    return [part].flat().every((inner) => whole.some((one) => contains(one, inner)))
  }
  if (!isRecord(whole) || !isRecord(part)) return isSame(whole, part)
  return Object.entries(part).every(([key, value]) => contains(ownValue(whole, key) ?? null, value))
}

function likeTest(pattern: string, isExact: boolean): Test {
  if (pattern.includes('\\')) {
    const source = pattern.replaceAll(/\\?[^]/gu, (part) => {
      if (part === '%' || part === '_') return part === '%' ? '[^]*' : '[^]'
      return part.slice(-1).replace(/[\\^$.*+?()[\]{}|]/, String.raw`\$&`)
    })
    return regularTest(`^${source}$`, isExact)
  }
  const fold = (text: string): string => (isExact ? text : text.toLowerCase())
  return (value) => isLike(fold(textOf(value)), fold(pattern))
}

/** Creates the test by a regular expression. @throws MockError 2201B for one that is invalid or takes too long */
function regularTest(source: string, isExact: boolean): Test {
  const guard = <T>(run: () => T): T => {
    try {
      return run()
    } catch (cause) {
      if (!(cause instanceof SyntaxError)) throw cause
      throw refuse(400, '2201B', `invalid regular expression: ${cause.message}`)
    }
  }
  // One or two seconds.
  const matches = guard(() => compileRegExp(source, { left: 20_000_000 }, isExact))
  return (value) => guard(() => matches(textOf(value)))
}

/**
 * Creates the test of a full-text search: words, and phrases in quotes or with `<->`, joined by `|` and `&` or a
 * space, with `!` negated. Words are compared without English endings.
 */
function searchTest(query: string): Test {
  const alternatives = query
    .replaceAll(/ ?<-> ?/g, '-')
    .split('|')
    .map((part) =>
      Array.from(part.matchAll(/(!?)(?:"([^"]*)"|([^\s&!"]+))/g), ([, not, phrase, word = '']) => ({
        isNegated: not === '!',
        words: wordsOf(phrase ?? word).join(' '),
      })),
    )
  return (value) => {
    const text = ` ${wordsOf(textOf(value)).join(' ')} `
    return alternatives.some(
      (parts) =>
        parts.length > 0 &&
        parts.every(({ words, isNegated }) => text.includes(` ${words} `) !== isNegated),
    )
  }
}

function wordsOf(text: string): string[] {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? []
  return words.map((word) =>
    word.length > 4 ? word.replace(/(?:ing|ed|es|ly|s|e)$/, '') : word.replace(/(?<=..)s$/, ''),
  )
}

function noOperator(operator: string, { name }: ColumnType): never {
  const signs = {
    like: '~~',
    ilike: '~~*',
    match: '~',
    imatch: '~*',
    cs: '@>',
    cd: '<@',
    ov: '&&',
  }
  const sign = ownValue<string>(signs, operator) ?? operator
  throw refuse(
    404,
    '42883',
    `operator does not exist: ${name} ${sign} unknown`,
    null,
    'No operator matches the given name and argument types. You might need to add explicit type casts.',
  )
}
