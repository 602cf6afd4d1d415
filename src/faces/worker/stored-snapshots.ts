import { recordsWithStaleTimestamp } from '../../core/http/response/last-modified.ts'
import type { CoreMock } from '../../core/mock/core-mock.ts'
import { apply, diffAll, toStep } from '../../core/store/differences.ts'
import type { Store } from '../../core/store/store.ts'
import type { Items, StoredSnapshot } from './items.ts'
import { outdatedKeys, recordAt } from './records.ts'

/** The mock's functions for snapshots, which store new ones and know those of earlier processes. */
export function createStoredSnapshots(
  { store, snapshot, restore, snapshots }: CoreMock,
  items: Items,
): Pick<CoreMock, 'snapshot' | 'restore' | 'snapshots'> {
  return {
    snapshot(name) {
      snapshot(name)
      const marked = Array.from(
        store.resources,
        ([name, one]) => [name, outdatedKeys(one)] as const,
      )
      const stored: StoredSnapshot = {
        steps: diffAll(store).map(toStep),
        outdated: Object.fromEntries(marked.filter(([, keys]) => keys.length > 0)),
      }
      items.put('snapshot', name, stored)
    },
    restore(name) {
      const stored = snapshots().includes(name) ? undefined : items.get('snapshot', name)
      if (stored === undefined) return restore(name)
      const fork = store.fork()
      fork.reset()
      applySnapshot(fork, stored)
      store.restore(fork)
    },
    snapshots: () => [...new Set([...items.all('snapshot').map(([name]) => name), ...snapshots()])],
  }
}

function applySnapshot(store: Store, { steps, outdated: marked }: StoredSnapshot): void {
  apply(store, steps)
  for (const [name, keys] of Object.entries(marked)) {
    const resource = store.resources.get(name)
    for (const key of keys) {
      // A copy: a record with the content of the fixture is the fixture's own object, which must not be marked.
      const record = { ...recordAt(resource, key) }
      recordsWithStaleTimestamp.add(
        resource?.kind === 'singleton'
          ? store.replaceSingleton(name, record)
          : store.replace(name, key, record),
      )
    }
  }
}
