import type { Parameter } from '../../types/openapi.ts'
import { operators } from '../../query/operators.ts'
import type {
  DescribedOperation,
  DialectDescription,
  DialectOperation,
} from '../contract/description.ts'
import type { Dialect } from '../contract/dialect.ts'
import {
  count,
  fieldParameters,
  ignored,
  isCopyOf,
  listHeaders,
  pageOf,
  positive,
  problem,
  query,
  toProblem,
} from '../shared/describe.ts'
import { rest } from './rest.ts'

/** Describes the wire of `rest` for API documents (OpenAPI); returns undefined for a dialect with other functions. */
export function describeRest(dialect: Dialect): DialectDescription | undefined {
  if (!isCopyOf(dialect, rest)) return undefined
  return {
    text,
    schemas: { Problem: problem },
    error: () => [toProblem()],
    operation: describeOperation,
  }
}

const operatorNames = Object.keys(operators)
  .map((name) => `\`${name}\``)
  .join(', ')

const text = [
  `A list is filtered by any field: \`field=value\`, or \`field:op=value\` and \`field_op=value\` with one of the operators ${operatorNames}. \`author.name=value\` reaches inside of objects and arrays. The parameters below name the fields and the most useful operators; all combinations work.`,
  'A parameter that is neither a field nor a parameter below has no effect, and `X-Mock-Ignored` names it.',
  'A QUERY request (RFC 10008) to the path of a list takes the same query as JSON, which OpenAPI 3.1 cannot describe: `{"where": {"views": {"gt": 1}}, "sort": "-views", "limit": 10}`.',
  'Nested paths go deeper: `/posts/1/comments/5` is the record at `/comments/5`, if it belongs to the post.',
].join('\n\n')

function describeOperation(operation: DescribedOperation): DialectOperation {
  const { method, kind, resource, isPlain } = operation
  if (method === 'OPTIONS') return {}
  if (method !== 'GET') {
    const parameters = method === 'DELETE' ? [dependent] : []
    return { headers: ignored, parameters }
  }
  if (kind === 'document') return { headers: ignored }
  const { embedded, part } = resource
  const item = isPlain ? embedded : { anyOf: [embedded, part] }
  const presentation = [...embedOf(operation), ...(isPlain ? [] : [fields])]
  if (kind !== 'collection')
    return { headers: ignored, parameters: presentation, result: { schema: item } }
  const list = { type: 'array', items: item }
  return {
    headers: listHeaders,
    parameters: [
      ...fieldParameters(resource, listParameters, { range: ['_gte', '_lte'], text: ['_like'] }),
      ...listParameters,
      ...(isPlain ? [] : [perPage]),
      ...presentation,
    ],
    result: { schema: isPlain ? list : { anyOf: [list, pageOf(item)] } },
  }
}

const listParameters: readonly Parameter[] = [
  query('q', 'Records with this text in any value, ignoring case.'),
  query('_where', 'A filter as JSON: `{"or":[{"views":{"gt":1}},{"title":"x"}]}`.'),
  query('_sort', 'Fields to sort by; a minus sorts in descending order: `-views,author.name`.'),
  query('_order', '`asc` or `desc`, for each field of `_sort`.'),
  query('_page', 'The number of a page, from 1.', positive),
  query('_limit', 'The number of records.', count),
  query('_start', 'The index of the first record, from 0.', count),
  query('_end', 'The index after the last record.', count),
  query('_cursor', 'An empty text for the first page; `Link` has the cursor of the next.'),
]

const perPage = query(
  '_per_page',
  'The number of records of a page, whose body is then an envelope.',
  positive,
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
