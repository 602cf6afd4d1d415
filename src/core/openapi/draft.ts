import type { DescribedBody, DescribedResponse } from '../dialects/contract/description.ts'
import type { JsonSchema } from '../types/json-schema.ts'
import type { Header, Parameter, SecurityRequirement } from '../types/openapi.ts'
import type {
  Description,
  OperationDescription,
  OperationFacts,
} from '../http/contract/description.ts'

/** Pipeline, dialect and behaviours add to a draft, which `write-operation.ts` converts. */
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
  headers: Record<string, Header>
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

/** Creates the draft of an operation without responses. */
export function createDraft(
  base: Pick<Draft, 'operationId' | 'summary' | 'tag'>,
  parameters: readonly Parameter[],
  method: string,
): Draft {
  return {
    ...base,
    notes: [],
    parameters: [...parameters],
    responses: new Map(),
    errors: new Map(),
    headers: {},
    headersOf: new Map(),
    isBodiless: method === 'HEAD',
  }
}

/** Returns the content of a described body: its schema by media type. */
export function toContent({
  type = 'application/json',
  schema,
}: DescribedBody): Record<string, JsonSchema> {
  return schema === undefined ? {} : { [type]: schema }
}

/** Adds reasons of errors to a draft, by status. */
export function addErrors({ errors }: Draft, reasons: Readonly<Record<number, string>>): void {
  for (const [status, reason] of Object.entries(reasons)) {
    const known = errors.get(Number(status)) ?? []
    if (!known.includes(reason)) errors.set(Number(status), [...known, reason])
  }
}

/** Adds to the draft what behaviours (the values of `use`) change. */
export function applyBehaviours(
  draft: Draft,
  facts: OperationFacts,
  descriptions: readonly Description[],
): void {
  for (const { operation } of descriptions) {
    const description = operation?.(facts)
    if (description) apply(draft, description)
  }
}

function apply(draft: Draft, description: OperationDescription): void {
  const { notes = [], parameters = [], headers, errors = {}, headersOf = {} } = description
  draft.notes.push(...notes)
  for (const parameter of parameters) addParameter(draft, parameter)
  Object.assign(draft.headers, headers)
  addErrors(draft, errors)
  for (const [status, added] of Object.entries(headersOf)) {
    draft.headersOf.set(Number(status), { ...draft.headersOf.get(Number(status)), ...added })
  }
  addResponses(draft, description.responses ?? {})
  if (description.security) {
    draft.security = combineSecurity(draft.security, description.security)
  }
  draft.anyError ??= description.anyError
  draft.isDeprecated ||= description.isDeprecated ?? false
  draft.isOpen ||= description.isOpen ?? false
}

/** Adds a parameter, or merges it into the same parameter of another part of the mock, such as `Prefer`. */
function addParameter({ parameters }: Draft, parameter: Parameter): void {
  const name = parameter.name.toLowerCase()
  const index = parameters.findIndex(
    (known) => known.name.toLowerCase() === name && known.in === parameter.in,
  )
  const known = parameters[index]
  if (!known) return void parameters.push(parameter)
  const texts = [known.description, parameter.description].filter((text) => text !== undefined)
  parameters[index] = {
    ...known,
    ...(texts.length > 0 && { description: [...new Set(texts)].join(' ') }),
    required: (known.required ?? false) || (parameter.required ?? false),
  }
}

/** Adds described responses to a draft, by status. */
export function addResponses(
  { responses }: Draft,
  described: Readonly<Record<number, DescribedResponse>>,
): void {
  for (const [key, response] of Object.entries(described)) {
    const status = Number(key)
    const known = responses.get(status)
    const { description, headers } = response
    responses.set(status, {
      description: known ? `${known.description} ${description}` : description,
      headers: { ...known?.headers, ...headers },
      content: { ...known?.content, ...toContent(response) },
    })
  }
}

function combineSecurity(
  one: Draft['security'],
  other: readonly SecurityRequirement[],
): readonly SecurityRequirement[] {
  return one ? one.flatMap((left) => other.map((right) => ({ ...left, ...right }))) : other
}
