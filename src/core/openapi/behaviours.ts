import type { OperationDescription } from '../http/contract/description.ts'
import type { SecurityRequirement } from '../types/openapi.ts'
import { addErrors, type Draft, toContent } from './draft.ts'
import type { PlacedDraft } from './operations.ts'
import type { DescribedMock } from './described-mock.ts'

/** Applies the changes of the behaviours to an operation. */
export function applyBehaviours(
  { draft, facts }: PlacedDraft,
  { descriptions }: DescribedMock,
): void {
  for (const { operation } of descriptions) {
    const own = operation?.(facts)
    if (own) apply(draft, own)
  }
}

function apply(draft: Draft, own: OperationDescription): void {
  const { notes = [], parameters = [], headers, errors, headersOf = {}, responses = {} } = own
  draft.notes.push(...notes)
  for (const parameter of parameters) {
    const at = draft.parameters.findIndex(
      (one) => one.name.toLowerCase() === parameter.name.toLowerCase() && one.in === parameter.in,
    )
    if (at < 0) draft.parameters.push(parameter)
    else draft.parameters[at] = mergeParameters(draft.parameters[at] ?? parameter, parameter)
  }
  Object.assign(draft.headers, headers)
  if (errors) addErrors(draft, errors)
  for (const [status, more] of Object.entries(headersOf)) {
    draft.headersOf.set(Number(status), { ...draft.headersOf.get(Number(status)), ...more })
  }
  for (const [status, response] of Object.entries(responses)) {
    const { description, headers: more = {} } = response
    const known = draft.responses.get(Number(status))
    draft.responses.set(Number(status), {
      description: known ? `${known.description} ${description}` : description,
      headers: { ...known?.headers, ...more },
      content: { ...known?.content, ...toContent(response) },
    })
  }
  if (own.security) draft.security = both(draft.security, own.security)
  draft.anyError ??= own.anyError
  draft.isDeprecated ||= own.isDeprecated ?? false
  draft.isOpen ||= own.isOpen ?? false
}

/** Merges two descriptions of one parameter that two parts of the mock read, such as `Prefer`. */
function mergeParameters(
  one: Draft['parameters'][number],
  other: Draft['parameters'][number],
): Draft['parameters'][number] {
  const descriptions = [one.description, other.description].filter((text) => text !== undefined)
  return {
    ...one,
    ...(descriptions.length > 0 && { description: [...new Set(descriptions)].join(' ') }),
    required: (one.required ?? false) || (other.required ?? false),
  }
}

/** Combines the security requirements of two behaviours: each requirement of one with each requirement of the other. */
function both(
  one: Draft['security'],
  other: readonly SecurityRequirement[],
): readonly SecurityRequirement[] {
  return one ? one.flatMap((left) => other.map((right) => ({ ...left, ...right }))) : other
}
