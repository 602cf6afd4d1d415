import { apply, fingerprintOf, type Step } from '../../core/store/differences.ts'
import { outdated } from '../../core/http/response/modified.ts'
import { isRecord } from '../../core/json/json.ts'
import type { Store } from '../../core/store/store.ts'
import { applyHistory, type History } from './history.ts'
import type { Items } from './items.ts'
import { kindOf, recordAt, singletonKey, type StoredRecord } from './records.ts'

/**
 * Restores the data of a Durable Object: applies its stored records to a store that has the fixtures. If the
 * fixtures have changed a record since, the version of the fixtures stays, and the stored version is removed.
 */
export function restoreRecords(store: Store, items: Items): void {
  for (const [name, history] of items.all('history') as [string, History][]) {
    const resource = store.resources.get(name)
    if (resource?.kind === 'collection') applyHistory(store, resource, history)
  }
  const steps: Step[] = []
  const marked: [name: string, key: string][] = []
  for (const kind of items.kinds(kindOf(''))) {
    const name = kind.slice(kindOf('').length)
    const stored = readValid(store, items, name)
    steps.push(...toSteps(store, name, stored))
    for (const [key, { isOutdated }] of stored) if (isOutdated) marked.push([name, key])
  }
  if (steps.length > 0) apply(store, steps)
  for (const [name, key] of marked) {
    const record = recordAt(store.resources.get(name), key)
    if (record) outdated.add(record)
  }
}

/**
 * Returns the stored records whose records in the fixtures are unchanged; removes all other stored records.
 */
function readValid(store: Store, items: Items, name: string): [key: string, StoredRecord][] {
  const resource = store.pristine.get(name)
  return (items.all(kindOf(name)) as [string, StoredRecord][]).filter(([key, stored]) => {
    const isValid =
      isKindOf(key, stored, resource?.kind) &&
      stored.base === fingerprintOf(recordAt(resource, key))
    if (!isValid) items.remove(kindOf(name), key)
    return isValid
  })
}

/** Whether a stored record belongs to a resource of this kind: a fixture can have become another kind. */
function isKindOf(key: string, { record }: StoredRecord, kind: string | undefined): boolean {
  if (kind === 'singleton') return key === singletonKey && isRecord(record)
  return kind === 'collection' && key !== singletonKey
}

/** The steps to the stored records: changed and removed records, and then those at the end, in their order. */
function toSteps(
  store: Store,
  collection: string,
  stored: readonly [key: string, StoredRecord][],
): Step[] {
  const isSingleton = store.resources.get(collection)?.kind === 'singleton'
  return stored
    .toSorted(([, one], [, other]) => (one.place ?? 0) - (other.place ?? 0))
    .map(([key, { base, record, place }]) => ({
      collection,
      ...(!isSingleton && { id: key }),
      ...(record && { record }),
      ...(base !== null && place !== undefined && { isMoved: true }),
    }))
}
