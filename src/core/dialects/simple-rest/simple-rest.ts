import type { Operand } from '../../json/equality.ts'
import { isRecord, type Json, type JsonRecord } from '../../json/json.ts'
import type { Params } from '../../url/params.ts'
import { type Operator, operators } from '../../query/operators.ts'
import { type Path, valueAt } from '../../json/path.ts'
import { anyAt } from '../../query/predicate.ts'
import type { Query, Slice, SortKey, Where } from '../../query/tree.ts'
import type {
  Answer,
  CollectionView,
  Dialect,
  ListRequest,
  RenderContext,
  Result,
} from '../contract/dialect.ts'
import { isIdOf, pathOf, toCondition } from '../rest/condition.ts'
import { toEmbeds } from '../rest/parameters.ts'
import { tooManyTests } from '../rest/where-text.ts'
import { contentRange } from '../rest/page.ts'
import { toSortKey } from '../rest/sort-key.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { rest } from '../rest/rest.ts'

/**
 * Speaks `ra-data-simple-rest`: `filter`, `sort`, `range` and `embed` hold JSON, `Content-Range` tells
 * the total of every list, and PUT changes only the fields that it sends.
 * @example createMock({ fixtures, dialect: simpleRest })
 */
export const simpleRest: Dialect = {
  ...rest,
  name: 'simple-rest',
  put: 'merge',
  parseList,
  parseMember,
  render,
}

/** Makes a condition of a field and what a filter says of it. */
type Ending = (path: Path, operands: readonly Operand[], collection: CollectionView) => Where

/** An array has one of these, or a text has one of these in it. */
const includes: Operator = {
  name: 'includes',
  compile: (path, operands) => {
    const wanted = new Set<unknown>(operands)
    const isIn = anyAt(path, (value) => wanted.has(value))
    const isPart = anyAt(path, (value) =>
      operands.some((operand) => typeof value === 'string' && value.includes(String(operand))),
    )
    return (record) => isIn(record) || (!Array.isArray(valueAt(record, path)) && isPart(record))
  },
}

/** An array has each of these, or any other value is one of these. */
const fits: Operator = {
  name: 'fits',
  compile: (path, operands) => {
    const isOne = of('in').compile(path, operands)
    const hasEach = operands.map((operand) => of('in').compile(path, [operand]))
    return (record) =>
      Array.isArray(valueAt(record, path)) ? hasEach.every((has) => has(record)) : isOne(record)
  },
}

/** What may stand behind the name of a field in a filter. */
const endings: Record<string, Ending> = {
  ...Object.fromEntries(
    Object.keys(operators).map((name): [string, Ending] => [name, compareBy(name)]),
  ),
  q: compareBy('contains'),
  eq: isOneOf,
  eq_any: isOneOf,
  in: isOneOf,
  ne: isNoneOf,
  neq: isNoneOf,
  neq_any: isNoneOf,
  nin: isNoneOf,
  inc: (path, operands) => ({
    and: operands.map((one) => ({ path, operator: includes, operands: [one] })),
  }),
  inc_any: (path, operands) => ({ path, operator: includes, operands }),
  ninc_any: (path, operands) => ({ not: { path, operator: includes, operands } }),
}
const ending = new RegExp(`^(.+?)[_:](${Object.keys(endings).join('|')})$`)

function parseList(params: Params, collection: CollectionView): ListRequest {
  const query: Query = { ...parseMember(params) }
  const ignored: string[] = []
  for (const [name, text] of params) {
    if (name === 'filter') Object.assign(query, parseFilter(text, collection))
    else if (name === 'sort') query.sort = parseSort(text, collection)
    else if (name === 'range') query.slice = parseRange(text)
    else if (name !== 'embed') ignored.push(name)
  }
  return { query, ignored }
}

function parseMember(params: Params): Pick<Query, 'embed'> {
  const names = params.flatMap(([name, text]) => (name === 'embed' ? textsOf(text, name) : []))
  return names.length > 0 ? { embed: toEmbeds(names, 'embed') } : {}
}

/** Tells of every list which part it is of how many. */
function render(result: Result, context: RenderContext): Answer {
  if (result.type !== 'list') return rest.render(result, context)
  const { paging: _, ...whole } = result.asked
  const answer = rest.render({ ...result, asked: whole }, context)
  return { ...answer, headers: [...answer.headers, contentRange(result, context)] }
}

/** Reads `{"q":"foo","views_gte":10,"author":{"name":"x"},"id":[1,2]}`. */
function parseFilter(text: string, collection: CollectionView): Pick<Query, 'where' | 'search'> {
  const filter = readJson(text, 'filter')
  if (!isRecord(filter)) throw wrongParameter('filter', 'has to be a JSON object')
  const { q, ...fields } = filter
  const isSearch = typeof q === 'string' && !collection.hasPath(['q'])
  const where = { and: whereOf(isSearch ? fields : filter, [], collection) }
  const problem = tooManyTests(where)
  if (problem) throw wrongParameter('filter', problem)
  return {
    ...(where.and.length > 0 && { where }),
    ...(isSearch && { search: q }),
  }
}

function whereOf(filter: JsonRecord, parent: Path, collection: CollectionView): Where[] {
  if (parent.length > 16) throw wrongParameter('filter', 'is nested too deep')
  return Object.entries(filter).flatMap(([name, value]) => {
    const path = [...parent, ...pathOf(name, collection)]
    if (isRecord(value)) return whereOf(value, path, collection)
    const [, field = '', word = ''] = collection.hasPath(path) ? [] : (ending.exec(name) ?? [])
    if (word === '') return [equal(path, value, collection)]
    const inner = [...parent, ...pathOf(field, collection)]
    return [endings[word]?.(inner, operandsOf(value), collection) ?? { and: [] }]
  })
}

/** A list finds what is one of it, and lists that hold all of it. */
function equal(path: Path, value: Json, collection: CollectionView): Where {
  const operands = operandsOf(value)
  return Array.isArray(value) && !isIdOf(collection, path)
    ? withMissing({ path, operator: fits, operands }, path, operands)
    : isOneOf(path, operands, collection)
}

function isOneOf(path: Path, operands: readonly Operand[], collection: CollectionView): Where {
  return withMissing(compareBy('in')(path, operands, collection), path, operands)
}

function isNoneOf(path: Path, operands: readonly Operand[], collection: CollectionView): Where {
  return { not: isOneOf(path, operands, collection) }
}

/** Null finds what is missing too. */
function withMissing(where: Where, path: Path, operands: readonly Operand[]): Where {
  if (!operands.includes(null)) return where
  return { or: [where, { not: { path, operator: of('exists'), operands: [true] } }] }
}

function compareBy(name: string): Ending {
  return (path, operands, collection) =>
    toCondition(path, name, operands, 'filter', collection, true)
}

function of(name: string): Operator {
  return operators[name] ?? includes
}

function operandsOf(value: Json): Operand[] {
  return [value].flat().map((one) => {
    if (typeof one !== 'object' || one === null) return one
    throw wrongParameter('filter', 'compares fields with plain values')
  })
}

/** Reads `["title","ASC"]`, or a field's name alone. */
function parseSort(text: string, collection: CollectionView): SortKey[] {
  const [field, order = 'ASC'] = textsOf(text, 'sort')
  if (!/^(?:asc|desc)$/i.test(order)) throw wrongParameter('sort', 'has to be like ["title","ASC"]')
  return field ? [toSortKey(field, order.toLowerCase(), collection)] : []
}

/** Reads `[0,24]`, in which the last place counts too. */
function parseRange(text: string): Slice {
  const range = readJson(text, 'range')
  const [start = 0, last = Infinity] = Array.isArray(range) ? range : [-1]
  const isFrom = (least: number, value: Json): value is number =>
    typeof value === 'number' && value >= least
  // A page of no records ends before it begins: [0,-1].
  if (!isFrom(0, start) || !isFrom(-1, last)) throw wrongParameter('range', 'has to be like [0,24]')
  return { start, end: Math.max(start, last + 1) }
}

/** The texts of a JSON array, or one that is JSON; of a text that is no JSON the text itself. */
function textsOf(text: string, name: string): string[] {
  const value = /^\s*[["]/.test(text) ? [readJson(text, name)].flat() : [text]
  if (value.every((one) => typeof one === 'string')) return value
  throw wrongParameter(name, 'has to be a JSON array of texts')
}

function readJson(text: string, name: string): Json {
  try {
    return JSON.parse(text) as Json
  } catch {
    throw wrongParameter(name, 'has to be JSON')
  }
}
