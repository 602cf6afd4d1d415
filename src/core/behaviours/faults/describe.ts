import type { OperationDescription, OperationFacts } from '../../http/contract/description.ts'
import type { Header } from '../../types/openapi.ts'
import { coverageOf } from '../shared/coverage.ts'
import type { ParsedRule } from './rules.ts'

/** Returns the error statuses and headers that fault rules add to an operation, for the OpenAPI document. */
export function describeFaults(
  rules: readonly ParsedRule[],
  operation: OperationFacts,
): Required<Pick<OperationDescription, 'errors' | 'headers'>> {
  const errors: Record<number, string> = {}
  const headers: Record<string, Header> = {}
  for (const { source, fault } of rules) {
    if (coverageOf([source.on ?? '*'], operation) === 'none') continue
    if (fault.status !== undefined) errors[fault.status] = 'An injected error.'
    for (const name of Object.keys(fault.headers ?? {})) {
      headers[name] = { description: 'A header of an injected error.', schema: { type: 'string' } }
    }
  }
  return { errors, headers }
}

/** Returns the parameters, headers and errors of faults that a client requests with `Prefer`. */
export function describePreferred(): OperationDescription {
  const description = '`code=503` requests an error with this status, `wait=2` a delay in seconds.'
  return {
    parameters: [{ name: 'Prefer', in: 'header', description, schema: { type: 'string' } }],
    headers: {
      'Preference-Applied': {
        description: 'The preference of `Prefer` that was applied.',
        schema: { type: 'string' },
      },
    },
    anyError: 'The error that `Prefer: code=` requests.',
  }
}
