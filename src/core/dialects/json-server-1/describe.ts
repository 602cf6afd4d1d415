import type { JsonSchema } from '../../types/json-schema.ts'
import type { Parameter } from '../../types/openapi.ts'
import type {
  DescribedOperation,
  DialectDescription,
  DialectOperation,
} from '../contract/description.ts'
import type { Dialect } from '../contract/dialect.ts'
import {
  count,
  fieldParameters,
  isCopyOf,
  optionsOperation,
  pageOf,
  positive,
  query,
  relationParameter,
} from '../shared/describe.ts'

/** Describes the wire for OpenAPI; undefined for a dialect with other functions. */
export function describe1(
  dialect: Dialect,
  original: Dialect,
  wire: WireDescription,
): DialectDescription | undefined {
  if (!isCopyOf(dialect, original)) return undefined
  return {
    text: wire.text,
    schemas: { ErrorMessage: error },
    error: (status) => {
      const json = { schema: { $ref: '#/components/schemas/ErrorMessage' } }
      return wire.textErrors.includes(status)
        ? [json, { type: 'text/plain', schema: { type: 'string' } }]
        : [json]
    },
    stores: { ids: 'text', foreignKeys: 'null' },
    operation: (operation) => describeOperation(operation, wire),
  }
}

/** The parts of the wire that differ between versions of json-server 1. */
export interface WireDescription {
  text: string
  /** The parameters of a list, without those of its pages. */
  parameters: readonly Parameter[]
  suffixes: Parameters<typeof fieldParameters>[2]
  /** The statuses of errors that can be plain text. */
  textErrors: readonly number[]
  /** The errors of a write besides those of any body, and those of a POST alone. */
  writeErrors: Readonly<Record<number, string>>
  createErrors: Readonly<Record<number, string>>
  /** The schema of the number of pages. */
  pages: JsonSchema
}

const sort = query(
  '_sort',
  'Fields to sort by; a minus sorts in descending order: `-views,author.name`.',
)

export const description1: WireDescription = {
  text: [
    'The wire is that of json-server 1.',
    'A list is filtered by any field: `field=value` or `field:op=value`, with the operators `lt`, `lte`, `gt`, `gte`, `eq`, `ne`, `in`, `contains`, `startsWith` and `endsWith`.',
  ].join('\n\n'),
  parameters: [
    query('_where', 'A filter as JSON: `{"or":[{"views":{"gt":1}},{"title":{"eq":"x"}}]}`.'),
    sort,
  ],
  suffixes: { range: [':gte', ':lte'], text: [':contains'] },
  textErrors: [400],
  writeErrors: {},
  createErrors: {},
  pages: positive,
}

const integer = { type: 'integer' } as const

export const descriptionBeta: WireDescription = {
  text: [
    'The wire is that of json-server 1.0.0-beta.3.',
    'A list is filtered by any field: `field=value`, or `field_op=value` with the operators `lt`, `lte`, `gt`, `gte` and `ne`.',
  ].join('\n\n'),
  parameters: [
    sort,
    query('_start', 'The index of the first record, together with `_end` or `_limit`.', integer),
    query('_end', 'The index after the last record.', integer),
    query('_limit', 'The number of records.', integer),
  ],
  suffixes: { range: ['_gte', '_lte'], text: [] },
  textErrors: [400, 404],
  writeErrors: { 404: 'There is no such record, or the body is no object.' },
  createErrors: { 409: 'The id is taken.' },
  // A list without records has no page.
  pages: count,
}

const error: JsonSchema = {
  type: 'object',
  required: ['error'],
  properties: {
    error: { type: 'string' },
    message: { type: 'string' },
    errors: { type: 'object', additionalProperties: { type: 'string' } },
  },
}

const pages: readonly Parameter[] = [
  query('_page', 'The number of a page, from 1; the body is then an envelope.', positive),
  query('_per_page', 'The number of records of a page.', positive),
]

function describeOperation(
  operation: DescribedOperation,
  wire: WireDescription,
): DialectOperation | undefined {
  const { method, kind, resource, parent } = operation
  if (parent !== undefined) return undefined
  if (method === 'OPTIONS') return optionsOperation
  const errors = { ...(kind === 'member' && { 404: 'There is no such record.' }) }
  if (method === 'GET') return describeRead(operation, errors, wire)
  if (method === 'DELETE') {
    const description = 'Collections whose records that belong to this record are deleted too.'
    return { parameters: [query('_dependent', description)], whole: { status: 200, errors } }
  }
  return {
    whole: {
      status: method === 'POST' ? 201 : 200,
      isBodyRequired: true,
      body: { 'application/json': method === 'PATCH' ? resource.patch : resource.input },
      errors: {
        ...errors,
        ...wire.writeErrors,
        ...(method === 'POST' && wire.createErrors),
        413: 'The body is too large.',
        415: 'The body is compressed.',
      },
    },
  }
}

function describeRead(
  operation: DescribedOperation,
  errors: Record<number, string>,
  { parameters, suffixes, pages: numberOfPages }: WireDescription,
): DialectOperation {
  const { kind, resource, isPlain } = operation
  const whole = { status: 200, errors }
  // A text is sent as it is, and null as an empty body.
  if (kind === 'document') return { result: { schema: {} }, whole }
  const related = relationParameter('_embed', 'A relation to embed', resource.relations)
  if (kind === 'singleton') return { whole }
  if (kind === 'member')
    return { parameters: related, result: { schema: resource.embedded }, whole }
  const items = { type: 'array', items: resource.embedded }
  return {
    parameters: [
      ...fieldParameters(resource, [...parameters, ...pages], suffixes),
      ...parameters,
      ...(isPlain ? [] : pages),
      ...related,
    ],
    result: {
      schema: isPlain ? items : { anyOf: [items, pageOf(resource.embedded, numberOfPages)] },
    },
    whole,
  }
}
