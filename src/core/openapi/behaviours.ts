import type { DescribedResponse } from '../dialects/contract/description.ts'
import type { OperationDescription } from '../http/contract/description.ts'
import type { Parameter, SecurityRequirement } from '../types/openapi.ts'
import { addErrors, type Draft, toContent } from './draft.ts'
import type { PlacedDraft } from './operations.ts'
import type { DescribedMock } from './described-mock.ts'

/**
 * Adds to the draft of an operation what behaviours (the values of `use`) change: parameters, headers, errors,
 * responses and security.
 */
export function applyBehaviours(
  { draft, facts }: PlacedDraft,
  { descriptions }: DescribedMock,
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
  for (const [status, response] of Object.entries(description.responses ?? {})) {
    addResponse(draft, Number(status), response)
  }
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

/** Adds a response; of a status that the draft has, adds the headers and media types. */
function addResponse({ responses }: Draft, status: number, response: DescribedResponse): void {
  const known = responses.get(status)
  const { description, headers } = response
  responses.set(status, {
    description: known ? `${known.description} ${description}` : description,
    headers: { ...known?.headers, ...headers },
    content: { ...known?.content, ...toContent(response) },
  })
}

/** Combines the security requirements of two behaviours: each requirement of one with each requirement of the other. */
function combineSecurity(
  one: Draft['security'],
  other: readonly SecurityRequirement[],
): readonly SecurityRequirement[] {
  return one ? one.flatMap((left) => other.map((right) => ({ ...left, ...right }))) : other
}
