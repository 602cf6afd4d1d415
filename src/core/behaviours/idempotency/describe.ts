import type { OperationDescription } from '../../http/contract/description.ts'

/** Describes, for the OpenAPI document, the header with the idempotency key, and the errors of its use. */
export function describeKey(header: string, required: boolean): OperationDescription {
  const description = 'A key of the request, which repeats have too: they get the same response.'
  const schema = { type: 'string', minLength: 1, maxLength: 255 }
  return {
    parameters: [{ name: header, in: 'header', required, description, schema }],
    headers: {
      'Idempotency-Replayed': {
        description: '`true` for the response of an earlier request.',
        schema: { type: 'string' },
      },
    },
    errors: {
      400: `The header \`${header}\` is missing or invalid.`,
      409: 'The first request with the key is still in progress.',
      422: 'The key was used with another body.',
    },
  }
}
