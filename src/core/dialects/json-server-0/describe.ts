import type { Header, Parameter } from '../../types/openapi.ts'
import type {
  DescribedOperation,
  DescribedResource,
  DescribedRoute,
  DialectDescription,
  DialectOperation,
} from '../contract/description.ts'
import type { Dialect } from '../contract/dialect.ts'
import {
  count,
  fieldParameters,
  isCopyOf,
  optionsOperation,
  positive,
  problem,
  query,
  relationParameter,
  textHeader,
  toProblem,
} from '../shared/describe.ts'

/** Describes the wire for OpenAPI; undefined for a dialect with other functions. */
export function describe0(dialect: Dialect, original: Dialect): DialectDescription | undefined {
  if (!isCopyOf(dialect, original)) return undefined
  return {
    text,
    schemas: { Problem: problem },
    error: (status) =>
      status === 404 || status === 405 ? [{ schema: { type: 'object' } }] : [toProblem()],
    methods: { singleton: ['POST'] },
    stores: { ids: 'number or text', canLackId: true, foreignKeys: 'text' },
    operation: describeOperation,
    routes: (resources) => [describeDb(resources)],
  }
}

const text = [
  'The wire is that of json-server 0.17.',
  'A list is filtered by any field, also inside of objects: `author.name=value`, `views_gte=1`, `views_lte=9`, `id_ne=1`, and `title_like=^a` with a regular expression.',
  'The header `X-HTTP-Method-Override` of a POST gives another method.',
].join('\n\n')

const listHeaders: Readonly<Record<string, Header>> = {
  'X-Total-Count': {
    description: 'The number of records on all pages, for a page.',
    schema: count,
  },
  Link: textHeader('The URLs of other pages (RFC 8288).'),
}

const listParameters: readonly Parameter[] = [
  query('q', 'Records with this text in any value, ignoring case.'),
  query('_page', 'The number of a page, from 1.', positive),
  query('_limit', 'The number of records.', count),
  query('_start', 'The index of the first record, from 0.', count),
  query('_end', 'The index after the last record.', count),
  query('_sort', 'Fields to sort by, separated by commas.'),
  query('_order', '`asc` or `desc`, for each field of `_sort`.'),
]

const bodyErrors = {
  413: 'The body is too large.',
  415: 'The media type of the body is not supported.',
}

function describeOperation(operation: DescribedOperation): DialectOperation | undefined {
  const { method, kind, resource, parent } = operation
  // Like json-server, the dialect compares names with encoded paths.
  if (encodeURI(resource.name) !== resource.name) return undefined
  if (method === 'OPTIONS') return optionsOperation
  const errors = { ...(kind === 'member' && { 404: 'There is no such record.' }) }
  if (method === 'GET') return describeRead(operation, errors)
  if (method === 'DELETE')
    return { result: { schema: { type: 'object' } }, whole: { status: 200, errors } }
  const isNew = method === 'POST'
  const schema = method === 'PATCH' ? resource.patch : resource.input
  const form = method === 'PATCH' ? resource.formPatch : resource.form
  return {
    ...(isNew && { headers: { Location: textHeader('The URL of the new record.') } }),
    whole: {
      status: isNew ? 201 : 200,
      isBodyRequired: true,
      body: {
        'application/json': schema,
        ...(form !== undefined && { 'application/x-www-form-urlencoded': form }),
      },
      errors: {
        ...errors,
        ...bodyErrors,
        ...(isNew &&
          (kind === 'collection' || parent !== undefined) && {
            409: 'There is a record with this id.',
          }),
      },
    },
  }
}

function describeRead(
  { kind, resource }: DescribedOperation,
  errors: Record<number, string>,
): DialectOperation {
  const whole = { status: 200, isConditional: true, errors }
  if (kind === 'document' || kind === 'singleton') return { whole }
  const { relations } = resource
  const children = relations.filter(({ isMany }) => isMany)
  const parents = relations.filter(({ isMany }) => !isMany)
  const related = [
    ...relationParameter('_embed', 'Children to embed', children),
    ...relationParameter('_expand', 'A parent to embed', parents),
  ]
  if (kind === 'member')
    return { parameters: related, result: { schema: resource.embedded }, whole }
  return {
    headers: listHeaders,
    parameters: [
      ...fieldParameters(resource, listParameters, { range: ['_gte', '_lte'], text: ['_like'] }),
      ...listParameters,
      ...related,
    ],
    result: { schema: { type: 'array', items: resource.embedded } },
    whole,
  }
}

function describeDb(resources: readonly DescribedResource[]): DescribedRoute {
  const properties = Object.fromEntries(
    resources.map(({ name, kind, record }) => [
      name,
      kind === 'collection' ? { type: 'array', items: record } : record,
    ]),
  )
  const etag = textHeader('The entity tag, for `If-None-Match`.')
  return {
    method: 'GET',
    path: '/db',
    operationId: 'getDb',
    summary: 'Get all data',
    parameters: [{ name: 'If-None-Match', in: 'header', schema: { type: 'string' } }],
    responses: {
      200: {
        description: 'All resources.',
        schema: { type: 'object', properties },
        headers: { ETag: etag },
      },
      304: { description: 'The client has the current data.', headers: { ETag: etag } },
    },
  }
}
