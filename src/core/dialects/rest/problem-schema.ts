// The schema of problem details and the headers of responses, with which `rest` and other dialects describe
// themselves in API documents (OpenAPI).
import type { JsonSchema } from '../../types/json-schema.ts'
import type { Header } from '../../types/openapi.ts'

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
  'X-Mock-Ignored': { description: 'The parameters without effect.', schema: { type: 'string' } },
}

/** The headers of a list. */
export const listHeaders: Readonly<Record<string, Header>> = {
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
