import type { CoreMock } from '../../core/mock/core-mock.ts'
import { applySaved, type Saved, toSaved } from '../../core/store/reload/saved.ts'
import type { Items } from './items.ts'

/** Stores the snapshots of a mock: returns its functions of snapshots, which know those of earlier processes. */
export function createStoredSnapshots(
  { store, snapshot, restore, snapshots }: CoreMock,
  items: Items,
): Pick<CoreMock, 'snapshot' | 'restore' | 'snapshots'> {
  return {
    snapshot(name) {
      snapshot(name)
      items.put('snapshot', name, toSaved(store))
    },
    restore(name) {
      const saved = snapshots().includes(name) ? undefined : items.get('snapshot', name)
      if (saved === undefined) return restore(name)
      const fork = store.fork()
      fork.reset()
      applySaved(fork, saved as Saved)
      store.restore(fork)
    },
    snapshots: () => [...new Set([...items.all('snapshot').map(([name]) => name), ...snapshots()])],
  }
}
