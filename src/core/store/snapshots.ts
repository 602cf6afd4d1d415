import { MockError } from '../errors/mock-error.ts'
import { suggest } from '../errors/nearest.ts'
import type { Store } from './store.ts'

/** States of a store that were kept under a name. */
export interface Snapshots {
  keep(name: string): void
  /** @throws MockError 404 that suggests the nearest name */
  restore(name: string): void
  names(): string[]
}

/** Creates the snapshots of a store; each costs memory only for what changes after it. */
export function createSnapshots(store: Store): Snapshots {
  const kept = new Map<string, Store>()
  return {
    keep: (name: unknown) => void kept.set(String(name), store.fork()),
    restore(given: unknown) {
      const name = String(given)
      const snapshot = kept.get(name)
      if (snapshot) return store.restore(snapshot)
      throw new MockError(
        `Failed to restore "${name}": there is no such snapshot. ${suggest(name, [...kept.keys()])}`,
        { status: 404, code: 'SNAPSHOT_UNKNOWN' },
      )
    },
    names: () => [...kept.keys()],
  }
}
