import type { Json } from '../../json/json.ts'
import { covers, type Place, placeIn, placeOf } from './places.ts'
import { reload } from '../reload/reload.ts'
import type { Resource } from '../records/resource.ts'
import type { Store } from '../store.ts'

/**
 * Lays other data over a resource, which requests read and write from then on; reloads, and what keeps
 * the data elsewhere, go on with what lies below.
 */
export function cover(store: Store, name: string, fixture: Json): void {
  const { resource, pristine } = placeOf(store, name)
  const below = resource?.fork()
  // What requests have done stays below.
  if (resource) store.rebase(name, resource.fork())
  reload(store, name, fixture)
  note(store, name, below, pristine)
}

/** Brings back what lies below all that is covered. */
export function uncover(store: Store): void {
  recover(store, {})
}

/**
 * Lets other data cover a store than did before: what requests have changed of those that still do is
 * kept, as in a reload, and what lies below those that no longer do is brought back.
 */
export function recover(store: Store, fixtures: Readonly<Record<string, Json>>): void {
  const known = covers.get(store) ?? new Map<string, Place>()
  for (const [name, { resource, pristine }] of known) {
    if (Object.hasOwn(fixtures, name)) continue
    known.delete(name)
    store.put(name, resource, pristine)
  }
  for (const [name, fixture] of Object.entries(fixtures)) {
    if (known.has(name)) reload(store, name, fixture, placeIn(store, name))
    else cover(store, name, fixture)
  }
}

/** Lets a fork of a store be covered as that is. */
export function copyCovers(from: Store, to: Store): void {
  for (const [name, { resource, pristine }] of covers.get(from) ?? []) {
    note(to, name, resource?.fork(), pristine?.fork())
  }
}

/** Whether the store holds other data of a resource than those of its fixture. */
export function isCovered(store: Store, name: string): boolean {
  return covers.get(store)?.has(name) === true
}

/** Takes a resource for what its fixture has now. */
export function rebase(store: Store, name: string, pristine: Resource): void {
  if (isCovered(store, name)) note(store, name, placeOf(store, name).resource, pristine)
  else store.rebase(name, pristine)
}

/** Notes what goes on below a resource from now on. */
function note(store: Store, name: string, resource?: Resource, pristine?: Resource): void {
  const known = covers.get(store) ?? new Map<string, Place>()
  const put: Place['put'] = (next, fixture) => {
    note(store, name, next, fixture)
    // What is served stays, but who looks at the fixtures has to know.
    store.changes.emit({ type: 'reloaded', collection: name })
  }
  covers.set(store, known.set(name, { resource, pristine, put }))
}
