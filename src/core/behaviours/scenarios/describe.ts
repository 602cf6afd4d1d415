import type { Description } from '../../http/contract/description.ts'
import { describeFaults } from '../faults/describe.ts'
import type { ParsedRule } from '../faults/rules.ts'

/**
 * Describes, for the OpenAPI document, the header that names a scenario, and the faults of the active scenario.
 */
export function describeScenarios(
  names: readonly string[],
  header: string,
  faults: readonly ParsedRule[],
): Description {
  if (names.length === 0) return {}
  const schema = { type: 'string', enum: names }
  const description = 'The scenario that answers. Schemas do not describe its data.'
  return {
    operation(operation) {
      const { errors, headers } = describeFaults(faults, operation)
      return {
        parameters: [{ name: header, in: 'header', description, schema }],
        errors: { ...errors, 400: 'There is no such scenario.' },
        headers,
      }
    },
  }
}
