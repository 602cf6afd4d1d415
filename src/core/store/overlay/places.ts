import type { Resource } from '../records/resource.ts'
import type { Store } from '../store.ts'

/** A resource as requests have left it, and as its fixture has it; undefined where there is none. */
export interface Place {
  readonly resource: Resource | undefined
  readonly pristine: Resource | undefined
  /** Puts others in their place; undefined removes. */
  put(resource?: Resource, pristine?: Resource): void
}

/** What lies below the resources that a scenario has covered, by store. */
export const covers: WeakMap<Store, Map<string, Place>> = new WeakMap()

/** Where a fixture's data are: in the store, or below what covers them there. */
export function placeOf(store: Store, name: string): Place {
  return covers.get(store)?.get(name) ?? placeIn(store, name)
}

/** Where the data are that a store serves. */
export function placeIn(store: Store, name: string): Place {
  return {
    resource: store.resources.get(name),
    pristine: store.pristine.get(name),
    put: (resource, pristine) => store.put(name, resource, pristine),
  }
}
