import { descriptionsOf } from './behaviours.ts'
import type { MockInternals } from '../http/contract/internals.ts'
import { createShapes, type Shape } from '../shape/shapes.ts'
import type { ShapeSource } from '../shape/sources.ts'
import type { Resource } from '../store/records/resource.ts'

/** Creates a function that infers the shapes of the fixtures; a further call reads only changed fixtures. */
export function createFixtureShapes({
  store,
  service,
  behaviours,
}: Pick<MockInternals, 'store' | 'service' | 'behaviours'>): () => Shape[] {
  const infer = createShapes()
  const { relations, foreignKeySuffix } = service
  return () => {
    const fixtures = service.resources.names().flatMap((name) => {
      const isStored = store.resources.has(name)
      return (isStored ? store.fixtureLayer(name).pristine : service.resources.get(name)) ?? []
    })
    const sources = fixtures.map((one) => ({
      ...toSource(one),
      isMade: !store.resources.has(one.name),
    }))
    return infer(sources, {
      relations,
      foreignKeySuffix,
      describe: (name) => descriptionsOf(behaviours, name),
    })
  }
}

function toSource(resource: Resource): ShapeSource {
  const { kind, name, version } = resource
  if (resource.kind !== 'collection') return { kind, name, version, values: () => [resource.get()] }
  const { idField, records, get } = resource
  return { kind, name, version, idField, values: records, has: (id) => get(id) !== undefined }
}
