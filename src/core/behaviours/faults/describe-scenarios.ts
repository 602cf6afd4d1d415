import type { Description } from '../../http/contract/description.ts'
import { describeFaults } from './describe.ts'
import type { ParsedRule } from './rules.ts'

/** Every request can name a scenario, whose data has no schema. */
export function describeScenarios(
  names: readonly string[],
  header: string,
  faults: readonly ParsedRule[],
): Description {
  if (names.length === 0) return {}
  const schema = { type: 'string', enum: names }
  const description = 'The scenario that answers. Schemas do not describe its data.'
  return {
    operation: (operation) => ({
      ...describeFaults(faults, operation),
      parameters: [{ name: header, in: 'header', description, schema }],
      errors: { ...describeFaults(faults, operation).errors, 400: 'There is no such scenario.' },
    }),
  }
}
