import type { Json } from '../json/json.ts'
import { type Layer, reloadLayer, type ResourceFactory } from './reload.ts'
import type { Resource } from './records/resource.ts'

/** The layers of a store: the fixtures, and an overlay that covers those with its names (a scenario). */
export interface Layers {
  readonly overlay: Overlay
  /** The data of a fixture, which the overlay may cover. */
  fixtureLayer(name: string): Layer
  /**
   * Merges a changed fixture and keeps requests' edits; undefined removes it, and its next version is merged with the
   * edits before the removal. Returns the ids of replaced edits.
   */
  reload(name: string, fixture: Json | undefined): string[]
  /** Sets the content of a fixture, which `reset` restores and which `reload` compares with the next content. */
  rebase(name: string, pristine: Resource): void
}

/** Data that is served in place of fixtures; reloads and persistence go on with the fixtures below it. */
interface Overlay {
  /** Whether the resource is served from the overlay. */
  has(name: string): boolean
  /** Replaces the overlay and drops all edits to it. */
  set(fixtures: Readonly<Record<string, Json>>): void
  /** Replaces the overlay, keeps edits to resources that are still covered, and restores the rest. */
  update(fixtures: Readonly<Record<string, Json>>): void
}

/** Creates the layers; `onReload` follows each reload, with `isServed` false if the fixture is covered. */
export function createLayers(
  { resources, pristine, below, removed }: LayerMaps,
  factory: ResourceFactory,
  onReload: (name: string, isServed: boolean) => void,
): Layers {
  function servedLayer(name: string): Layer {
    return { resource: resources.get(name), pristine: pristine.get(name) }
  }

  function fixtureLayer(name: string): Layer {
    return below.get(name) ?? servedLayer(name)
  }

  function serve(name: string, layer: Layer): void {
    set(resources, name, layer.resource)
    set(pristine, name, layer.pristine)
    onReload(name, true)
  }

  function reloadServed(name: string, fixture: Json): void {
    const { layer } = reloadLayer(servedLayer(name), name, fixture, factory)
    if (layer) serve(name, layer)
  }

  function cover(name: string, fixture: Json): void {
    const layer = servedLayer(name)
    below.set(name, { ...layer, resource: layer.resource?.fork() })
    // The merge must not take earlier edits for edits to the overlay.
    set(pristine, name, layer.resource?.fork())
    reloadServed(name, fixture)
  }

  function update(fixtures: Readonly<Record<string, Json>>): void {
    for (const [name, layer] of below) {
      if (Object.hasOwn(fixtures, name)) continue
      below.delete(name)
      serve(name, layer)
    }
    for (const [name, fixture] of Object.entries(fixtures)) {
      if (below.has(name)) reloadServed(name, fixture)
      else cover(name, fixture)
    }
  }

  return {
    overlay: {
      has: (name) => below.has(name),
      set(fixtures) {
        update({})
        update(fixtures)
      },
      update,
    },
    fixtureLayer,
    reload(name, fixture) {
      const before = fixtureLayer(name)
      const last = removed.get(name)
      const { layer = last, conflicts } = reloadLayer(last ?? before, name, fixture, factory)
      if (!layer) return conflicts
      if (layer.resource) removed.delete(name)
      else if (before.resource) removed.set(name, before)
      if (!below.has(name)) serve(name, layer)
      else {
        below.set(name, layer)
        onReload(name, false)
      }
      return conflicts
    },
    rebase(name, resource) {
      const covered = below.get(name)
      if (covered) below.set(name, { ...covered, pristine: resource })
      else pristine.set(name, resource)
    },
  }
}

function set(into: Map<string, Resource>, name: string, resource: Resource | undefined): void {
  if (resource) into.set(name, resource)
  else into.delete(name)
}

/** The resources as requests have changed them, as their fixtures have them, and those below an overlay. */
export interface LayerMaps {
  /** The resources that are served. */
  readonly resources: Map<string, Resource>
  /** The same resources as their fixtures have them. */
  readonly pristine: Map<string, Resource>
  /** The layers that the overlay covers. */
  readonly below: Map<string, Layer>
  /** The layers of removed fixtures, as requests had changed them. */
  readonly removed: Map<string, Layer>
}

/** Creates the maps of a store without resources. */
export function createLayerMaps(): LayerMaps {
  return { resources: new Map(), pristine: new Map(), below: new Map(), removed: new Map() }
}

/** Copies the maps for a fork, whose writes the original does not see. */
export function forkLayerMaps({ resources, pristine, below, removed }: LayerMaps): LayerMaps {
  const forkLayer = (layer: Layer): Layer => ({
    resource: layer.resource?.fork(),
    pristine: layer.pristine?.fork(),
  })
  return {
    resources: forkValues(resources, (resource) => resource.fork()),
    pristine: forkValues(pristine, (resource) => resource.fork()),
    below: forkValues(below, forkLayer),
    removed: forkValues(removed, forkLayer),
  }
}

function forkValues<Value>(
  values: ReadonlyMap<string, Value>,
  fork: (value: Value) => Value,
): Map<string, Value> {
  return new Map(Array.from(values, ([name, value]) => [name, fork(value)]))
}
