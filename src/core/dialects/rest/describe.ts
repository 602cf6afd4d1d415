import { isRecord } from '../../json/json.ts'
import type { JsonSchema, SchemaObject } from '../../types/json-schema.ts'
import type { Header, Parameter } from '../../types/openapi.ts'
import { operators } from '../../query/operators.ts'
import type {
  DescribedOperation,
  DialectDescription,
  DialectOperation,
} from '../contract/description.ts'
import type { Dialect } from '../contract/dialect.ts'
import { isCopyOf } from '../shared/is-copy-of.ts'
import { rest } from './rest.ts'

/** Describes `rest`; undefined for a dialect with other functions. */
export function describeRest(dialect: Dialect): DialectDescription | undefined {
  if (!isCopyOf(dialect, rest)) return undefined
  return { text, schemas: { Problem: problem }, error: toProblem, operation: describeOperation }
}

/** The body of an error. */
export function toProblem(): { type: string; schema: JsonSchema } {
  return { type: 'application/problem+json', schema: { $ref: '#/components/schemas/Problem' } }
}

/** The names of the operators in a sentence. */
const operatorNames = Object.keys(operators)
  .map((name) => `\`${name}\``)
  .join(', ')

const text = [
  `A list is filtered by any field: \`field=value\`, or \`field:op=value\` and \`field_op=value\` with one of the operators ${operatorNames}. \`author.name=value\` reaches inside of objects and arrays. The parameters below name the fields and the most useful operators; all combinations work.`,
  'A parameter that is neither a field nor a parameter below has no effect, and `X-Mock-Ignored` names it.',
  'A QUERY request (RFC 10008) to the path of a list takes the same query as JSON, which OpenAPI 3.1 cannot describe: `{"where": {"views": {"gt": 1}}, "sort": "-views", "limit": 10}`.',
  'Nested paths go deeper: `/posts/1/comments/5` is the record at `/comments/5`, if it belongs to the post.',
].join('\n\n')

/** Problem details with the members that forms show. */
const problem: JsonSchema = {
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

const ignored: Readonly<Record<string, Header>> = {
  'X-Mock-Ignored': { description: 'The parameters without effect.', schema: { type: 'string' } },
}

/** The headers of a list. */
const listHeaders: Readonly<Record<string, Header>> = {
  'X-Total-Count': {
    description: 'The number of records on all pages.',
    required: true,
    schema: { type: 'integer', minimum: 0 },
  },
  'Content-Range': {
    description: 'The range of a page: `posts 0-9/100`.',
    schema: { type: 'string' },
  },
  Link: {
    description: 'The URLs of the pages `first`, `prev`, `next` and `last` (RFC 8288).',
    schema: { type: 'string' },
  },
  ...ignored,
}

function describeOperation(operation: DescribedOperation): DialectOperation {
  const { method, kind, resource, isPlain } = operation
  if (method === 'OPTIONS') return {}
  if (method !== 'GET') {
    const parameters = method === 'DELETE' ? [dependent] : []
    return { headers: ignored, parameters }
  }
  if (kind === 'document') return { headers: ignored }
  const { record, part } = resource
  const item = isPlain ? record : { anyOf: [record, part] }
  const presentation = [...embedOf(operation), ...(isPlain ? [] : [fields])]
  if (kind !== 'collection')
    return { headers: ignored, parameters: presentation, result: { schema: item } }
  const list = { type: 'array', items: item }
  return {
    headers: listHeaders,
    parameters: [
      ...filtersOf(resource.fields, resource.idField),
      ...listParameters,
      ...(isPlain ? [] : [perPage]),
      ...presentation,
    ],
    result: { schema: isPlain ? list : { anyOf: [list, pageOf(item)] } },
  }
}

/** The envelope of a page. */
export function pageOf(item: JsonSchema): SchemaObject {
  const number = { type: 'integer', minimum: 1 }
  const other = { type: ['integer', 'null'] }
  return {
    type: 'object',
    description: 'A page, with `_page` and `_per_page`.',
    required: ['first', 'prev', 'next', 'last', 'pages', 'items', 'data'],
    properties: {
      first: number,
      prev: other,
      next: other,
      last: number,
      pages: number,
      items: { type: 'integer', minimum: 0, description: 'The number of records on all pages.' },
      data: { type: 'array', items: item },
    },
  }
}

/** A query parameter. */
function query(
  name: string,
  description: string,
  schema: JsonSchema = { type: 'string' },
): Parameter {
  return { name, in: 'query', description, schema }
}

const listParameters: readonly Parameter[] = [
  query('q', 'Records with this text in any value, ignoring case.'),
  query('_where', 'A filter as JSON: `{"or":[{"views":{"gt":1}},{"title":"x"}]}`.'),
  query('_sort', 'Fields to sort by; a minus sorts in descending order: `-views,author.name`.'),
  query('_order', '`asc` or `desc`, for each field of `_sort`.'),
  query('_page', 'The number of a page, from 1.', { type: 'integer', minimum: 1 }),
  query('_limit', 'The number of records.', { type: 'integer', minimum: 0 }),
  query('_start', 'The index of the first record, from 0.', { type: 'integer', minimum: 0 }),
  query('_end', 'The index after the last record.', { type: 'integer', minimum: 0 }),
  query('_cursor', 'An empty text for the first page; `Link` has the cursor of the next.'),
]

const perPage = query(
  '_per_page',
  'The number of records of a page, whose body is then an envelope.',
  {
    type: 'integer',
    minimum: 1,
  },
)

const fields = query('_fields', 'The fields to send, separated by commas; the others are left out.')

const dependent = query(
  '_dependent',
  'Collections whose records that belong to this record are deleted too.',
)

function embedOf({ resource: { relations } }: DescribedOperation): Parameter[] {
  const [first] = relations
  if (!first) return []
  const names = relations.map(({ name }) => `\`${name}\``).join(', ')
  return [
    query(
      '_embed',
      `Relations to embed, separated by commas: ${names}. A dot goes on from a relation.`,
    ),
  ]
}

/** The parameters that filter by fields: equality, ranges of numbers and times, and parts of texts. */
function filtersOf(all: Readonly<Record<string, JsonSchema>>, idField: string): Parameter[] {
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
            query(`${name}_gte`, 'At least the value.', scalar(kinds)),
            query(`${name}_lte`, 'At most the value.', scalar(kinds)),
          ]
        : []),
      ...(isText
        ? [query(`${name}_like`, 'Contains the text, ignoring case; `%` matches any text.')]
        : []),
    ]
  })
}

const reserved = new Set(['q', ...listParameters.map(({ name }) => name)])

/** The types of the plain values of a field, also of the elements of a list. */
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
