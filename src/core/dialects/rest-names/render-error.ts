import { ownValue } from '../../json/json.ts'
import { toFieldErrors } from '../../errors/field-errors.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Answer, RenderContext } from '../contract/dialect.ts'
import { renderError as renderProblem } from '../rest/problem.ts'
import { errorVariables } from './error-variables.ts'
import { type Fault, faultsOf } from './faults.ts'
import type { Rendering } from './render.ts'
import { toLookup } from './resource-names.ts'
import { fill } from './template.ts'

/**
 * Renders an error by the templates of the options `error`, `errors` and `invalid`; without a template as problem
 * details (RFC 9457).
 */
export function renderError(
  error: MockError,
  context: RenderContext,
  { settings, toWire }: Rendering,
): Answer {
  const { error: plain, invalid = plain, errors: bodies = {}, statuses = {}, errorType } = settings
  const status = ownValue(statuses, String(error.status)) ?? error.status
  const faults = faultsOf(error, settings, toWire)
  const own = bodies[error.code] ?? bodies[String(error.status)]
  const template = faults.length > 0 ? invalid : own === undefined ? plain : own
  if (template === undefined) {
    const named = faults.length > 0 ? withFaults(error, faults) : error
    const answer = renderProblem(named)
    return { ...answer, status, ...(errorType !== undefined && { type: errorType }) }
  }
  const lookup = toLookup(errorVariables({ error, status, faults }, context, settings))
  return {
    status,
    headers: error.headers,
    value: template === null ? undefined : fill(template, lookup),
    ...(errorType !== undefined && { type: errorType }),
  }
}

/** Copies an error with the faults as the wire spells them. */
function withFaults(error: MockError, faults: readonly Fault[]): MockError {
  const { status, code, headers, extensions } = error
  const named = toFieldErrors(faults)
  const all = { ...extensions, ...named.extensions }
  const list = Object.entries(named.errors).map(([name, text]) => `${name} ${text}`.trim())
  const [start = ''] = /^Failed to write to "[^"]*": /.exec(error.message) ?? []
  const message = start === '' ? error.message : `${start}${list.join(', ')}.`
  return new MockError(message, {
    status,
    code,
    headers,
    errors: named.errors,
    extensions: all,
    cause: error,
  })
}
