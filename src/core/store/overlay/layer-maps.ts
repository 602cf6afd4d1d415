import type { Resource } from '../records/resource.ts'

/**
 * The data of a store: its resources as requests have changed them, as their fixtures have them, and those that
 * an overlay (the data of a scenario) covers.
 */
export interface LayerMaps {
  /** The resources that are served. */
  readonly resources: Map<string, Resource>
  /** The same resources as their fixtures have them. */
  readonly pristine: Map<string, Resource>
  /** The layers that the overlay covers. */
  readonly below: Map<string, Layer>
}

/**
 * Two versions of a resource: `resource` includes the changes made by requests, `pristine` is the state that
 * the fixture defines. A version is undefined if the resource does not exist.
 */
export interface Layer {
  readonly resource: Resource | undefined
  readonly pristine: Resource | undefined
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
