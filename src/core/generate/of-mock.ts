import type { MockInternals } from '../http/contract/internals.ts'
import type { Json } from '../json/json.ts'
import { descriptionsOf } from '../mock/behaviours.ts'
import type { ShapeRules } from '../shape/shapes.ts'
import { createGeneratorBy, type GenerateOptions, type Generator } from './generate.ts'

/**
 * Creates a generator that learns from the current data of a mock, and follows what its behaviours declare. `describe`
 * adds descriptions of records, such as schemas of collections that the mock does not have yet.
 */
export function createGeneratorOf(
  { store, service, behaviours }: MockInternals,
  options: Pick<GenerateOptions, 'seed' | 'locale' | 'faker' | 'id'> = {},
  describe: NonNullable<ShapeRules['describe']> = () => [],
): Generator {
  const fixtures: Record<string, Json> = {}
  const idFields: Record<string, string> = {}
  for (const [name, resource] of store.resources) {
    fixtures[name] = resource.kind === 'collection' ? [...resource.records()] : resource.get()
    if (resource.kind === 'collection') idFields[name] = resource.idField
  }
  const { relations, foreignKeySuffix } = service
  return createGeneratorBy(
    { id: idFields, ...options, fixtures },
    {
      relations,
      foreignKeySuffix,
      describe: (name) => [...descriptionsOf(behaviours, name), ...describe(name)],
    },
  )
}
