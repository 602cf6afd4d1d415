import type { OperationDescription, OperationFacts } from '../../http/contract/description.ts'
import type { Header } from '../../types/openapi.ts'
import { coverageOf } from '../shared/coverage.ts'
import type { ParsedRule } from './rules.ts'

/** Describes the errors and headers that fault rules give an operation. */
export function describeFaults(
  rules: readonly ParsedRule[],
  operation: OperationFacts,
): OperationDescription {
  const errors: Record<number, string> = {}
  const headers: Record<string, Header> = {}
  for (const { source, fault } of rules) {
    if (coverageOf([source.on ?? '*'], operation) === 'none') continue
    if (fault.status !== undefined) errors[fault.status] = 'A fault.'
    for (const name of Object.keys(fault.headers ?? {})) {
      headers[name] = { description: 'A header of a fault.', schema: { type: 'string' } }
    }
  }
  return { errors, headers }
}

/** Describes the faults that a request can ask for with `Prefer`. */
export function describePreferred(): OperationDescription {
  const description =
    '`code=503` asks for an error with this status, `wait=2` for a delay in seconds.'
  return {
    parameters: [{ name: 'Prefer', in: 'header', description, schema: { type: 'string' } }],
    headers: {
      'Preference-Applied': {
        description: 'The preference of `Prefer` that was applied.',
        schema: { type: 'string' },
      },
    },
    anyError: 'The error that `Prefer: code=` asks for.',
  }
}
