import type { DescribedBody } from '../dialects/contract/description.ts'
import type { JsonSchema } from '../types/json-schema.ts'
import type { Header, Parameter, SecurityRequirement } from '../types/openapi.ts'

/**
 * A draft of an operation of the OpenAPI document. The pipeline, the dialect and the behaviours add their parts
 * to it, then `write-operation.ts` converts it to an operation.
 */
export interface Draft {
  operationId: string
  summary: string
  notes: string[]
  tag: string
  parameters: Parameter[]
  body?: { required: boolean; types: Readonly<Record<string, JsonSchema>> } | undefined
  /** Responses that are no errors, by status. */
  responses: Map<number, DraftResponse>
  /** The reasons of errors, by status. */
  errors: Map<number, string[]>
  /** Headers of every response. */
  headers: Record<string, Header>
  /** Headers of the responses of a status. */
  headersOf: Map<number, Record<string, Header>>
  security?: readonly SecurityRequirement[] | undefined
  /** The reason for an error of any other status. */
  anyError?: string | undefined
  isDeprecated?: boolean
  /** Whether responses have no body, as for HEAD. */
  isBodiless?: boolean
  /** Whether the operation is not described, so that any response is possible. */
  isOpen?: boolean
}

/** A response of a draft, with a body for each media type. */
export interface DraftResponse {
  description: string
  headers: Record<string, Header>
  /** The schemas of the body, by media type; empty for no body. */
  content: Record<string, JsonSchema>
}

/** Returns the content of a described body: its schema by media type. */
export function toContent({
  type = 'application/json',
  schema,
}: DescribedBody): Record<string, JsonSchema> {
  return schema === undefined ? {} : { [type]: schema }
}

/** Adds reasons of errors to a draft, by status. */
export function addErrors(
  { errors }: Pick<Draft, 'errors'>,
  reasons: Readonly<Record<number, string>>,
): void {
  for (const [status, reason] of Object.entries(reasons)) {
    const known = errors.get(Number(status)) ?? []
    if (!known.includes(reason)) errors.set(Number(status), [...known, reason])
  }
}
