import type { Resource } from '../records/resource.ts'

/** A resource as requests have left it, and as its fixture has it; undefined where there is none. */
export interface Layer {
  readonly resource: Resource | undefined
  readonly pristine: Resource | undefined
}

/** The layers of all resources by name. */
export interface LayerMaps {
  /** The resources that are served. */
  readonly resources: Map<string, Resource>
  /** The same resources as their fixtures have them. */
  readonly pristine: Map<string, Resource>
  /** The layers that the overlay covers. */
  readonly below: Map<string, Layer>
}

/** Creates the maps of a store without resources. */
export function createLayerMaps(): LayerMaps {
  return { resources: new Map(), pristine: new Map(), below: new Map() }
}

/** Copies the maps for a fork, whose writes the original does not see. */
export function forkLayerMaps({ resources, pristine, below }: LayerMaps): LayerMaps {
  return {
    resources: forkValues(resources, (resource) => resource.fork()),
    pristine: forkValues(pristine, (resource) => resource.fork()),
    below: forkValues(below, (layer) => ({
      resource: layer.resource?.fork(),
      pristine: layer.pristine?.fork(),
    })),
  }
}

function forkValues<Value>(
  values: ReadonlyMap<string, Value>,
  fork: (value: Value) => Value,
): Map<string, Value> {
  return new Map(Array.from(values, ([name, value]) => [name, fork(value)]))
}
