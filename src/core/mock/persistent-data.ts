import type { FixtureData } from '../fixtures/fixture-data.ts'
import type { Change } from '../store/changes.ts'
import { content } from '../store/records/content.ts'
import type { Store } from '../store/store.ts'

/**
 * The data that the option `persist` writes to fixture files: the data of a store without the overlay of a
 * scenario.
 */
export interface PersistentData extends FixtureData {
  /** Notifies a listener of every change of this data. Returns a function that removes the listener. */
  subscribe(listener: (change: Change) => void): () => void
  /** Lets `reset` keep the data of the resources for which the function is true. */
  keepOnReset(isPersisted: (name: string) => boolean): void
  /** Sets a function that is called before each write of this data by a request, and may throw to refuse it. */
  guardWrites(check: (name: string) => void): void
}

/** Returns access to the data of a store that belongs in fixture files. */
export function toPersistentData(store: Store): PersistentData {
  return {
    read(name) {
      const { resource } = store.fixtureLayer(name)
      return resource && content(resource)
    },
    capture(name) {
      const resource = store.fixtureLayer(name).resource?.fork()
      return resource && { value: content(resource), keep: () => store.rebase(name, resource) }
    },
    subscribe: (listener) =>
      store.changes.subscribe((change) => {
        const isWrite = 'id' in change || 'record' in change
        // A write to a covered resource changes the data of the scenario alone.
        if (!isWrite || !store.overlay.has(change.collection)) listener(change)
      }),
    keepOnReset(isPersisted) {
      store.keepOnReset((name) => isPersisted(name) && !store.overlay.has(name))
    },
    guardWrites(check) {
      store.guardWrites((name) => {
        if (!store.overlay.has(name)) check(name)
      })
    },
  }
}
