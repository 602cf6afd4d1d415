import type {
  DescribedOperation,
  DialectDescription,
  DialectOperation,
} from '../contract/description.ts'
import type { Dialect } from '../contract/dialect.ts'
import { ignored, listHeaders, problem, toProblem } from '../rest/problem-schema.ts'
import { query } from '../shared/describe-parameters.ts'
import { isCopyOf } from '../shared/is-copy-of.ts'

/**
 * Describes the wire of `ra-data-simple-rest` for API documents (OpenAPI); returns undefined for a dialect with
 * other functions.
 */
export function describeSimpleRest(
  dialect: Dialect,
  original: Dialect,
): DialectDescription | undefined {
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
