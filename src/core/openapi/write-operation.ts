import type { DialectDescription } from '../dialects/contract/description.ts'
import { phraseOf } from '../errors/status.ts'
import type { JsonSchema } from '../types/json-schema.ts'
import type { Header, MediaType, Operation, Response } from '../types/openapi.ts'
import { type Draft, toContent } from './draft.ts'

/** Converts a draft to an operation, with statuses and bodies of errors of the dialect. */
export function writeOperation(draft: Draft, dialect: DialectDescription | undefined): Operation {
  const { operationId, summary, notes, tag, parameters, body, security, isDeprecated, isOpen } =
    draft
  const description = notes.join('\n\n')
  return {
    operationId,
    summary,
    ...(description !== '' && { description }),
    tags: [tag],
    ...(parameters.length > 0 && { parameters }),
    ...(body && { requestBody: { required: body.required, content: toMediaTypes(body.types) } }),
    responses: isOpen ? openResponses(draft) : writeResponses(draft, dialect),
    ...(security && { security: security.map((one) => ({ ...one })) }),
    ...(isDeprecated && { deprecated: true }),
    ...(isOpen && { 'x-not-described': true }),
  }
}

function openResponses({ isBodiless }: Draft): Operation['responses'] {
  const description = 'Any response: the mock does not describe this operation.'
  return { default: { description, ...(!isBodiless && { content: { '*/*': { schema: {} } } }) } }
}

function writeResponses(
  draft: Draft,
  dialect: DialectDescription | undefined,
): Operation['responses'] {
  const { responses, headers, isBodiless, anyError } = draft
  const { errors, headersOf } = toWireStatuses(draft, dialect)
  const written = new Map<string, Response>()
  const write = (
    status: number | 'default',
    description: string,
    own: Readonly<Record<string, Header>>,
    content: Readonly<Record<string, JsonSchema>>,
  ): void => {
    const all = { ...headers, ...own, ...(status !== 'default' && headersOf.get(status)) }
    written.set(String(status), {
      description,
      ...(Object.keys(all).length > 0 && { headers: all }),
      ...(Object.keys(content).length > 0 && !isBodiless && { content: toMediaTypes(content) }),
    })
  }
  for (const [status, { description, headers: own, content }] of responses) {
    // One status can be a success of the operation and an error of a behaviour.
    const reasons = errors.get(status) ?? []
    const more = reasons.length > 0 ? errorContent(status, dialect) : {}
    const text =
      isBodiless && status === 200 ? 'The headers of the response to a GET.' : description
    write(status, [text, ...reasons].join(' '), own, { ...content, ...more })
  }
  for (const [status, reasons] of errors) {
    if (!responses.has(status)) write(status, reasons.join(' '), {}, errorContent(status, dialect))
  }
  if (anyError !== undefined) write('default', anyError, {}, errorContent(500, dialect))
  // An object has its numeric keys in order.
  return Object.fromEntries(written)
}

function toWireStatuses(
  { errors, headersOf, responses }: Draft,
  dialect: DialectDescription | undefined,
): Pick<Draft, 'errors' | 'headersOf'> {
  if (!dialect?.statusOf) return { errors, headersOf }
  const wire: Pick<Draft, 'errors' | 'headersOf'> = { errors: new Map(), headersOf: new Map() }
  for (const [status, reasons] of errors) {
    const other = dialect.statusOf(status)
    wire.errors.set(other, [...(wire.errors.get(other) ?? []), ...reasons])
  }
  for (const [status, own] of headersOf) {
    const other = responses.has(status) ? status : dialect.statusOf(status)
    wire.headersOf.set(other, { ...wire.headersOf.get(other), ...own })
  }
  return wire
}

function errorContent(
  status: number,
  dialect: DialectDescription | undefined,
): Record<string, JsonSchema> {
  const bodies = dialect?.error(status) ?? [{ type: '*/*', schema: {} }]
  return Object.assign({}, ...bodies.map(toContent)) as Record<string, JsonSchema>
}

function toMediaTypes(content: Readonly<Record<string, JsonSchema>>): Record<string, MediaType> {
  return Object.fromEntries(Object.entries(content).map(([type, schema]) => [type, { schema }]))
}

/** Returns the name of the component of an error: `NotFound`. */
export function errorName(status: string): string {
  return phraseOf(Number(status)).replaceAll(/[^A-Za-z]/g, '')
}
