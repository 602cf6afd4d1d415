import { isSame, type JsonRecord } from '../../json/json.ts'
import { keyOf } from '../records/collection.ts'
import type { Store } from '../store.ts'
import { applySaved, toSaved } from './saved.ts'

/**
 * Finds the records that requests have created, changed or deleted since their fixtures were loaded, resource
 * by resource, in the order of the records. The control API lists them (`/__mock/changes`).
 */
export function findDifferences(store: Store): RecordDifference[] {
  return [...store.resources].flatMap(([name, now]): RecordDifference[] => {
    const before = store.pristine.get(name)
    if (before?.kind === 'singleton' && now.kind === 'singleton') {
      const [previous, record] = [before.get(), now.get()]
      return isSame(previous, record)
        ? []
        : [{ collection: name, type: 'updated', record, previous }]
    }
    if (before?.kind !== 'collection' || now.kind !== 'collection') return []
    if (before.version === now.version) return []
    const found: RecordDifference[] = []
    // Unchanged records are the same objects in the same slots.
    before.each((previous, slot) => {
      if (now.at(slot) === previous) return
      const id = keyOf(before, previous)
      const record = now.get(id)
      if (!record) found.push({ collection: name, id, type: 'deleted', previous })
      else if (!isSame(previous, record))
        found.push({ collection: name, id, type: 'updated', record, previous })
    })
    now.each((record, slot) => {
      if (before.at(slot) === record) return
      const id = keyOf(now, record)
      if (!before.get(id)) found.push({ collection: name, id, type: 'created', record })
    })
    return found
  })
}

/** Restores a record to the state of its fixture; a removed record comes back to its place. */
export function discardDifference(
  store: Store,
  { collection, id, type, previous }: RecordDifference,
): void {
  if (type === 'created') store.remove(collection, id ?? '')
  else if (type === 'deleted') reinsert(store, collection, id ?? '')
  else if (previous) {
    if (id === undefined) store.replaceSingleton(collection, previous)
    else store.replace(collection, id, previous)
  }
}

/** A record, or a singleton, that differs from its fixture. */
export interface RecordDifference {
  collection: string
  /** The id of the record; undefined for a singleton. */
  id?: string
  type: 'created' | 'updated' | 'deleted'
  /** The record as it is now; undefined if it was removed. */
  record?: JsonRecord
  /** The record of the fixture; undefined if the fixture has none. */
  previous?: JsonRecord
}

/** Applies all changes but the removal of a record to the fixtures anew, which keeps the order of the records. */
function reinsert(store: Store, name: string, id: string): void {
  const saved = toSaved(store)
  const own = saved[name]
  if (!own || 'value' in own) return
  const rest = { ...own, removed: own.removed.filter((one) => one !== id) }
  const fork = store.fork()
  fork.reset()
  applySaved(fork, { ...saved, [name]: rest })
  store.restore(fork)
}
