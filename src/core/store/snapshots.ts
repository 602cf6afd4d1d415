import { MockError } from '../errors/mock-error.ts'
import { suggest } from '../errors/nearest.ts'
import type { Store } from './store.ts'

/**
 * The snapshots of a store: copies of all its data, saved under a name, to which the store can be restored
 * later.
 */
export interface Snapshots {
  /** Saves the state under a name, which replaces an earlier snapshot of that name. */
  save(name: string): void
  /** @throws MockError 404 that suggests the nearest name */
  restore(name: string): void
  names(): string[]
}

/** Creates the snapshots of a store. A snapshot takes memory only for records that change after it. */
export function createSnapshots(store: Store): Snapshots {
  const forks = new Map<string, Store>()
  return {
    save: (name: unknown) => void forks.set(String(name), store.fork()),
    restore(given: unknown) {
      const name = String(given)
      const fork = forks.get(name)
      if (fork) return store.restore(fork)
      throw new MockError(
        `Failed to restore "${name}": there is no such snapshot. ${suggest(name, [...forks.keys()])}`,
        { status: 404, code: 'SNAPSHOT_UNKNOWN' },
      )
    },
    names: () => [...forks.keys()],
  }
}
