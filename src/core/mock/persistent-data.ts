import type { FixtureData } from '../fixtures/fixture-data.ts'
import type { RecordDifference } from '../fixtures/record-difference.ts'
import { diff } from '../store/differences.ts'
import type { JsonRecord } from '../json/json.ts'
import { content, type Resource } from '../store/records/resource.ts'
import type { Store } from '../store/store.ts'

/** The data that `persist` writes: that of a store without the overlay of a scenario. */
export interface PersistentData extends FixtureData {
  /** Reports every write, and the restore of a snapshot with undefined. Returns a function that stops this. */
  subscribe(listener: (write: RecordDifference | undefined) => void): () => void
  /** Lets `reset` keep the data of the resources for which the function is true. */
  keepOnReset(isPersisted: (name: string) => boolean): void
}

/** Returns access to the data of a store that belongs in fixture files. */
export function toPersistentData(store: Store): PersistentData {
  return {
    capture(name) {
      const resource = store.fixtureLayer(name).resource?.fork()
      return resource && { value: content(resource), keep: () => store.rebase(name, resource) }
    },
    differences(name, ids = new Set()) {
      const { resource, pristine } = store.removed.get(name) ?? store.fixtureLayer(name)
      // Without the highest id, which no file has.
      const found = diff(pristine, resource).filter(({ record, previous }) => record ?? previous)
      const listed = new Set(found.map(({ id }) => id))
      for (const id of ids) {
        if (listed.has(id)) continue
        const record = recordAt(resource, id)
        const step = { collection: name, ...(id !== undefined && { id }) }
        if (record) found.push({ ...step, type: 'updated', record, previous: record })
        else found.push({ ...step, type: 'deleted' })
      }
      return found
    },
    subscribe: (listener) =>
      store.changes.subscribe((change) => {
        if (change.type === 'reset') listener(undefined)
        // A write to a covered resource changes the data of the scenario alone.
        else if (change.type !== 'reloaded' && !store.overlay.has(change.collection)) {
          listener(change)
        }
      }),
    keepOnReset(isPersisted) {
      store.keepOnReset((name) => isPersisted(name) && !store.overlay.has(name))
    },
  }
}

function recordAt(resource: Resource | undefined, id: string | undefined): JsonRecord | undefined {
  if (id === undefined) return resource?.kind === 'singleton' ? resource.get() : undefined
  return resource?.kind === 'collection' ? resource.get(id) : undefined
}
