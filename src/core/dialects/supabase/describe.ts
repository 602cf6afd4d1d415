import type { JsonSchema } from '../../types/json-schema.ts'
import type {
  DescribedOperation,
  DialectDescription,
  DialectOperation,
} from '../contract/description.ts'
import type { Dialect } from '../contract/dialect.ts'
import { count, isCopyOf, query, textHeader } from '../shared/describe.ts'

/** Describes the wire for OpenAPI; undefined for a dialect with other functions. */
export function describeSupabase(
  dialect: Dialect,
  original: Dialect,
): DialectDescription | undefined {
  if (!isCopyOf(dialect, original)) return undefined
  return {
    text: [
      'The wire is that of PostgREST 13.',
      'A filter is a column with an operator and a value: `views=gt.10`, `title=like.A*`, `id=in.(1,2)`, `author_id=not.is.null`.',
      '`Prefer: return=representation` has a write answer the rows, with the status 200 or 201.',
    ].join('\n\n'),
    schemas: { Failure: failure },
    error: () => [{ schema: { $ref: '#/components/schemas/Failure' } }],
    methods: { collection: ['PUT', 'PATCH', 'DELETE'] },
    stores: { ids: 'number or text', canLackId: true, foreignKeys: 'null' },
    operation: describeOperation,
  }
}

const text: JsonSchema = { type: ['string', 'null'] }

const failure: JsonSchema = {
  description: 'An error with a code of PostgREST (`PGRST116`) or of PostgreSQL (`23505`).',
  type: 'object',
  required: ['code', 'message', 'details', 'hint'],
  properties: { code: { type: 'string' }, message: { type: 'string' }, details: {}, hint: text },
}

const pageParameters = [
  query('order', 'Columns to sort by: `views.desc.nullslast,id`.'),
  query('limit', 'The number of rows.', count),
  query('offset', 'The number of rows to skip.', count),
]

const range = {
  'Content-Range': textHeader('The first and last row, and the number of all rows: `0-9/*`.'),
}

const errors = {
  400: 'A parameter, the body or a value is invalid.',
  404: 'A column has no such operator.',
  406: 'The media type is not available, or there is not one row for it.',
}

const writeErrors = {
  ...errors,
  405: 'A PUT does not name a row by its key.',
  409: 'A value is taken, or a referenced row is missing.',
  413: 'The body is too large.',
}

function describeOperation({
  method,
  resource,
  isPlain,
}: DescribedOperation): DialectOperation | undefined {
  const { name, kind, fields, input, patch } = resource
  if (name.includes('/') || kind === 'document') return undefined
  if (method === 'OPTIONS') {
    const headers = { Allow: textHeader('All methods.') }
    return { headers, result: {}, whole: { status: 200, errors: {} } }
  }
  const select = query('select', 'Columns, aliases, casts and related rows: `id,author(name)`.')
  const others = [select, ...pageParameters, query('columns', ''), query('on_conflict', '')]
  const filters = Object.keys(fields)
    .filter((field) => others.every((other) => other.name !== field))
    .map((field) => query(field, 'An operator and a value, such as `eq.1`.'))
  if (method === 'GET') {
    // A row has every column, of which those that a record lacks are null.
    const nullable = ([field, schema]: [string, JsonSchema]): [string, JsonSchema] => [
      field,
      { anyOf: [schema, { type: 'null' }] },
    ]
    const properties = Object.fromEntries(Object.entries(fields).map(nullable))
    return {
      parameters: [...filters, ...(isPlain ? [] : [select]), ...pageParameters],
      headers: range,
      result: { schema: { type: 'array', items: { type: 'object', properties } } },
      whole: {
        status: 200,
        isConditional: false,
        errors: { ...errors, 416: 'There is no such page.' },
      },
    }
  }
  const isNew = method === 'POST'
  const schema = method === 'PATCH' ? patch : input
  const body = isNew ? { anyOf: [schema, { type: 'array', items: schema }] } : schema
  return {
    parameters: isNew ? [] : filters,
    ...(method !== 'PUT' && { headers: range }),
    result: {},
    whole: {
      status: isNew ? 201 : 204,
      ...(method !== 'DELETE' && { isBodyRequired: true, body: { 'application/json': body } }),
      errors: writeErrors,
    },
  }
}
