import { isRecord } from '../../json/json.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import type { Header, Parameter } from '../../types/openapi.ts'
import type { DescribedResource, DialectOperation } from '../contract/description.ts'
import type { Dialect } from '../contract/dialect.ts'

/** Describes the parameters that filter by fields: equality, ranges, texts; omits fields named as other parameters. */
export function fieldParameters(
  { fields: all, idField }: DescribedResource,
  others: readonly Parameter[],
  { range: [least, most], text: [part] }: Suffixes,
): Parameter[] {
  const reserved = new Set(others.map(({ name }) => name))
  return Object.entries(all).flatMap(([name, schema]) => {
    const kinds = kindsOf(schema)
    if (reserved.has(name) || kinds.length === 0) return []
    const value = oneOrMore(kinds)
    const isRange =
      name !== idField &&
      (kinds.some((one) => one !== 'string' && one !== 'boolean') || isTime(schema))
    const isText = name !== idField && kinds.includes('string') && !isTime(schema)
    return [
      query(name, `Equal to the value, or to one of several.`, value),
      ...(isRange
        ? [
            query(name + least, 'At least the value.', scalar(kinds)),
            query(name + most, 'At most the value.', scalar(kinds)),
          ]
        : []),
      ...(isText && part !== undefined ? [query(name + part, 'Contains the text.')] : []),
    ]
  })
}

/** Describes a query parameter. */
export function query(
  name: string,
  description: string,
  schema: JsonSchema = { type: 'string' },
): Parameter {
  return { name, in: 'query', description, schema }
}

/** The schemas of a number from 0, and of one from 1. */
export const count: SchemaObject = { type: 'integer', minimum: 0 }
export const positive: SchemaObject = { type: 'integer', minimum: 1 }

/** Describes a header that is a text. */
export function textHeader(description: string): Header {
  return { description, schema: { type: 'string' } }
}

/** The operation OPTIONS of both json-server dialects. */
export const optionsOperation: DialectOperation = {
  headers: { Allow: textHeader('All methods.') },
  result: {},
  whole: { status: 204, errors: {} },
}

/** Describes the query parameter that embeds one of some relations, if there are any. */
export function relationParameter(
  name: string,
  description: string,
  relations: readonly { name: string }[],
): Parameter[] {
  if (relations.length === 0) return []
  const names = relations.map((relation) => relation.name)
  const list = names.map((each) => `\`${each}\``).join(', ')
  return [query(name, `${description}: ${list}.`, { type: 'string', enum: names })]
}

/** Returns the schema of a page that is an object with records in `data`. */
export function pageOf(item: JsonSchema, pages: JsonSchema = positive): SchemaObject {
  const other = { type: ['integer', 'null'] }
  return {
    type: 'object',
    description: 'A page, with `_page` and `_per_page`.',
    required: ['first', 'prev', 'next', 'last', 'pages', 'items', 'data'],
    properties: {
      first: positive,
      prev: other,
      next: other,
      last: pages,
      pages,
      items: { ...count, description: 'The number of records on all pages.' },
      data: { type: 'array', items: item },
    },
  }
}

/** The ends of the names of parameters that compare in other ways than for equality. */
interface Suffixes {
  /** At least and at most. */
  range: readonly [least: string, most: string]
  /** Part of a text, if the dialect has such a filter. */
  text: readonly [part?: string]
}

/** Returns the types of the plain values of a field, also of the elements of a list. */
function kindsOf(schema: JsonSchema): string[] {
  if (!isRecord(schema)) return []
  const { type, anyOf, items } = schema
  const own = [type]
    .flat()
    .filter((one): one is string => typeof one === 'string' && one !== 'null')
  const inner = own.includes('array') ? kindsOf((items ?? {}) as JsonSchema) : []
  const others = Array.isArray(anyOf) ? anyOf.flatMap((one) => kindsOf(one as JsonSchema)) : []
  const plain = own.filter((one) => one !== 'array' && one !== 'object')
  return [...new Set([...plain, ...inner, ...others])]
}

function isTime(schema: JsonSchema): boolean {
  const format = isRecord(schema) ? schema['format'] : undefined
  return format === 'date-time' || format === 'date' || format === 'time'
}

function scalar(kinds: readonly string[]): SchemaObject {
  return { type: kinds.length === 1 ? kinds[0] : kinds }
}

function oneOrMore(kinds: readonly string[]): SchemaObject {
  const one = scalar(kinds)
  return { anyOf: [one, { type: 'array', items: one }] }
}

/** Describes the body of an error: a reference to the schema `problem`. */
export function toProblem(): { type: string; schema: JsonSchema } {
  return { type: 'application/problem+json', schema: { $ref: '#/components/schemas/Problem' } }
}

/** Problem details with the members that forms show. */
export const problem: JsonSchema = {
  description: 'Problem details (RFC 9457). Other members are possible.',
  type: 'object',
  required: ['type', 'title', 'status', 'detail'],
  properties: {
    type: { type: 'string', description: 'A URI of the kind of problem.' },
    title: { type: 'string' },
    status: { type: 'integer' },
    detail: { type: 'string', description: 'What failed, why, and what to do.' },
    message: {
      type: 'string',
      description: 'The same as `detail`, for clients that show `message`.',
    },
    errors: {
      type: 'object',
      description: 'A message for each field or parameter at fault.',
      additionalProperties: { type: 'string' },
    },
    issues: {
      type: 'array',
      description: 'Each fault of a field.',
      items: {
        type: 'object',
        required: ['pointer', 'detail'],
        properties: {
          pointer: { type: 'string', description: 'A JSON Pointer (RFC 6901) as a fragment.' },
          detail: { type: 'string' },
        },
      },
    },
  },
}

/** The header that names parameters without effect. */
export const ignored: Readonly<Record<string, Header>> = {
  'X-Mock-Ignored': textHeader('The parameters without effect.'),
}

/** The headers of a list. */
export const listHeaders: Readonly<Record<string, Header>> = {
  'X-Total-Count': {
    description: 'The number of records on all pages.',
    required: true,
    schema: count,
  },
  'Content-Range': textHeader('The range of a page: `posts 0-9/100`.'),
  Link: textHeader('The URLs of the pages `first`, `prev`, `next` and `last` (RFC 8288).'),
  ...ignored,
}

/** Whether a dialect has the functions of another; another function may have another wire, so is not described. */
export function isCopyOf(dialect: Dialect, original: Dialect): boolean {
  const names = new Set([...Object.keys(dialect), ...Object.keys(original)])
  return [...names].every((name) => {
    const key = name as keyof Dialect
    const isOther = others.has(name)
    return isOther || dialect[key] === original[key]
  })
}

/** The members that do not change the wire; those of a back end add data and behaviours. */
const others = new Set(['name', 'describe', 'indent', 'withResources', 'load', 'complete', 'use'])
