import type { Operand } from '../../json/equality.ts'
import { isRecord, type Json, type JsonRecord, ownValue, parseJson } from '../../json/json.ts'
import type { Params } from '../../url/params.ts'
import { type Operator, operators, anyAt } from '../../query/operators.ts'
import { type Path, valueAt } from '../../json/path.ts'
import type { Query, Slice, SortKey, Where } from '../../query/tree.ts'
import type {
  Answer,
  CollectionView,
  Dialect,
  ListRequest,
  MemberRequest,
  RenderContext,
  Result,
} from '../contract/dialect.ts'
import { isIdOf, pathOf, toCondition } from '../rest/filter.ts'
import { toEmbeds } from '../rest/presentation.ts'
import { toSortKey } from '../rest/question.ts'
import { contentRange } from '../rest/render.ts'
import { tooManyComparisons } from '../rest/where.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { rest } from '../rest/rest.ts'
import type {
  DescribedOperation,
  DialectDescription,
  DialectOperation,
} from '../contract/description.ts'
import { ignored, isCopyOf, listHeaders, problem, query, toProblem } from '../shared/describe.ts'

/**
 * The dialect for `ra-data-simple-rest`, a data provider of react-admin: the parameters `filter`,
 * `sort`, `range` and `embed` contain JSON, every list has `Content-Range` with the total, and PUT
 * merges the sent fields.
 * @example createMock({ fixtures, dialect: simpleRest })
 */
export const simpleRest: Dialect = {
  ...rest,
  name: 'simple-rest',
  put: 'merge',
  parseList,
  parseMember,
  render,
  describe: (dialect) => describeSimpleRest(dialect, simpleRest),
}

type CreateCondition = (
  path: Path,
  operands: readonly Operand[],
  collection: CollectionView,
) => Where

const includes: Operator = {
  name: 'includes',
  compile: (path, operands) => {
    const values = new Set<unknown>(operands)
    const isIn = anyAt(path, (value) => values.has(value))
    const hasSubstring = anyAt(path, (value) =>
      operands.some((operand) => typeof value === 'string' && value.includes(String(operand))),
    )
    return (record) =>
      isIn(record) || (!Array.isArray(valueAt(record, path)) && hasSubstring(record))
  },
}

const containsAll: Operator = {
  name: 'containsAll',
  compile: (path, operands) => {
    const isOneOf = operatorOf('in').compile(path, operands)
    const tests = operands.map((operand) => operatorOf('in').compile(path, [operand]))
    return (record) =>
      Array.isArray(valueAt(record, path)) ? tests.every((has) => has(record)) : isOneOf(record)
  },
}

/** The suffixes of field names in a filter. */
const suffixes: Record<string, CreateCondition> = {
  ...Object.fromEntries(
    Object.keys(operators).map((name): [string, CreateCondition] => [name, compareBy(name)]),
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
const suffixed = new RegExp(`^(.+?)[_:](${Object.keys(suffixes).join('|')})$`)

function parseList(params: Params, collection: CollectionView): ListRequest {
  const query: Query = parseEmbeds(params)
  const ignored: string[] = []
  for (const [name, text] of params) {
    if (name === 'filter') Object.assign(query, parseFilter(text, collection))
    else if (name === 'sort') query.sort = parseSort(text, collection)
    else if (name === 'range') query.slice = parseRange(text)
    else if (name !== 'embed') ignored.push(name)
  }
  return { query, ignored }
}

function parseMember(params: Params): MemberRequest {
  const unused = params.map(([name]) => name).filter((name) => name !== 'embed')
  return { ...parseEmbeds(params), ignored: [...new Set(unused)], known: ['embed'] }
}

function parseEmbeds(params: Params): Pick<Query, 'embed'> {
  const names = params.flatMap(([name, text]) => (name === 'embed' ? textsOf(text, name) : []))
  return names.length > 0 ? { embed: toEmbeds(names, 'embed') } : {}
}

/** Renders a result; every list gets `Content-Range` with the total. */
function render(result: Result, context: RenderContext): Answer {
  if (result.type !== 'list') return rest.render(result, context)
  const { paging: _, ...unpaged } = result.asked
  const answer = rest.render({ ...result, asked: unpaged }, context)
  return { ...answer, headers: [...answer.headers, contentRange(result, context)] }
}

/** Parses `{"q":"foo","views_gte":10,"author":{"name":"x"},"id":[1,2]}`. */
function parseFilter(text: string, collection: CollectionView): Pick<Query, 'where' | 'search'> {
  const filter = readJson(text, 'filter')
  if (!isRecord(filter)) throw wrongParameter('filter', 'has to be a JSON object')
  const { q, ...fields } = filter
  const isSearch = typeof q === 'string' && !collection.hasPath(['q'])
  const where = { and: whereOf(isSearch ? fields : filter, [], collection) }
  const problem = tooManyComparisons(where)
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
    const [, field = '', suffix = ''] = collection.hasPath(path) ? [] : (suffixed.exec(name) ?? [])
    if (suffix === '') return [equal(path, value, collection)]
    const inner = [...parent, ...pathOf(field, collection)]
    return [suffixes[suffix]?.(inner, operandsOf(value), collection) ?? { and: [] }]
  })
}

/** A condition for equality; an array matches values equal to an item, and arrays that contain all items. */
function equal(path: Path, value: Json, collection: CollectionView): Where {
  const operands = operandsOf(value)
  return Array.isArray(value) && !isIdOf(collection, path)
    ? withMissing({ path, operator: containsAll, operands }, path, operands)
    : isOneOf(path, operands, collection)
}

function isOneOf(path: Path, operands: readonly Operand[], collection: CollectionView): Where {
  return withMissing(compareBy('in')(path, operands, collection), path, operands)
}

function isNoneOf(path: Path, operands: readonly Operand[], collection: CollectionView): Where {
  return { not: isOneOf(path, operands, collection) }
}

/** Extends a condition so that null also matches missing fields. */
function withMissing(where: Where, path: Path, operands: readonly Operand[]): Where {
  if (!operands.includes(null)) return where
  return { or: [where, { not: { path, operator: operatorOf('exists'), operands: [true] } }] }
}

function compareBy(name: string): CreateCondition {
  return (path, operands, collection) =>
    toCondition({ path, values: operands, parameter: 'filter', collection, isWhole: true }, name)
}

function operatorOf(name: string): Operator {
  return ownValue(operators, name) ?? includes
}

function operandsOf(value: Json): Operand[] {
  return [value].flat().map((one) => {
    if (typeof one !== 'object' || one === null) return one
    throw wrongParameter('filter', 'compares fields with plain values only')
  })
}

/** Parses `["title","ASC"]`, or the name of a field. */
function parseSort(text: string, collection: CollectionView): SortKey[] {
  const [field, order = 'ASC'] = textsOf(text, 'sort')
  if (!/^(?:asc|desc)$/i.test(order)) throw wrongParameter('sort', 'has to be like ["title","ASC"]')
  return field ? [toSortKey(field, order.toLowerCase(), collection)] : []
}

/** Parses `[0,24]`, which includes the last index. */
function parseRange(text: string): Slice {
  const range = readJson(text, 'range')
  const [start = 0, last = Infinity] = Array.isArray(range) ? range : [-1]
  const isFrom = (least: number, value: Json): value is number =>
    typeof value === 'number' && value >= least
  // [0,-1] is a page without records.
  if (!isFrom(0, start) || !isFrom(-1, last)) throw wrongParameter('range', 'has to be like [0,24]')
  return { start, end: Math.max(start, last + 1) }
}

/** Parses a JSON array of strings or a JSON string; text that is not JSON is a single string. */
function textsOf(text: string, name: string): string[] {
  const value = /^\s*[["]/.test(text) ? [readJson(text, name)].flat() : [text]
  if (value.every((one) => typeof one === 'string')) return value
  throw wrongParameter(name, 'has to be a JSON array of texts')
}

function readJson(text: string, name: string): Json {
  try {
    return parseJson(text)
  } catch {
    throw wrongParameter(name, 'has to be JSON')
  }
}

/** Describes the wire for OpenAPI; undefined for a dialect with other functions. */
function describeSimpleRest(dialect: Dialect, original: Dialect): DialectDescription | undefined {
  if (!isCopyOf(dialect, original)) return undefined
  return {
    text: 'The wire is that of `ra-data-simple-rest`: the parameters contain JSON.',
    schemas: { Problem: problem },
    error: () => [toProblem()],
    operation: describeOperation,
  }
}

function describeOperation({ method, kind, resource }: DescribedOperation): DialectOperation {
  if (method === 'OPTIONS') return {}
  if (method !== 'GET' || kind === 'document') return { headers: ignored }
  const names = resource.relations.map(({ name }) => `\`${name}\``).join(', ')
  const embed =
    names === '' ? [] : [query('embed', `Relations to embed, as JSON: \`["…"]\` of ${names}.`)]
  if (kind !== 'collection')
    return { headers: ignored, parameters: embed, result: { schema: resource.embedded } }
  return {
    headers: listHeaders,
    parameters: [
      query('filter', 'Fields with values, as JSON: `{"q":"text","views_gte":10,"id":[1,2]}`.'),
      query('sort', 'A field and the order, as JSON: `["title","ASC"]`.'),
      query('range', 'The indexes of the first and the last record, as JSON: `[0,24]`.'),
      ...embed,
    ],
    result: { schema: { type: 'array', items: resource.embedded } },
  }
}
