import {
  checkStandard,
  describeStandard,
  fromStandard,
  type StandardSchema,
  validateWrite,
} from '../behaviours/shared/standard-schema.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import { ownValue } from '../json/json.ts'

/** Creates the behaviour that validates records by Standard Schemas, without the code for JSON Schemas. */
export function createValidators(
  schemas: readonly (readonly [name: string, schema: StandardSchema])[],
): Behaviour {
  for (const [name, one] of schemas) checkStandard(name, one)
  const validators = Object.fromEntries(schemas.map(([name, one]) => [name, fromStandard(one)]))
  return {
    name: 'schema',
    create: () => ({
      check(write, exchange) {
        const validate = ownValue(validators, write.resource.name)
        if (!validate || write.action === 'remove') return undefined
        return validateWrite(write, validate, exchange)
      },
      describe: () => ({
        records: Object.fromEntries(
          schemas.flatMap(([name, one]) => {
            const schema = describeStandard(one)
            return schema === undefined ? [] : [[name, { schema }]]
          }),
        ),
      }),
    }),
  }
}
