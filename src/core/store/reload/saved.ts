import { isRecord, isSame, type JsonRecord } from '../../json/json.ts'
import { hash } from '../../time/random.ts'
import type { Change } from '../changes.ts'
import { type Collection, keyOf } from '../records/collection.ts'
import type { Resource } from '../records/resource.ts'
import { content } from '../records/content.ts'
import type { Store } from '../store.ts'

/**
 * Returns the changes that requests have made to a store since its fixtures were loaded, as JSON that
 * `applySaved` applies to another store with the same fixtures, as after the reload of a page.
 */
export function toSaved(store: Store): Saved {
  const saved: Saved = {}
  for (const [name, now] of store.resources) {
    const difference = toSavedResource(store.pristine.get(name), now)
    if (difference) saved[name] = difference
  }
  return saved
}

/**
 * Applies saved changes: all of them or, when one does not fit the fixtures, none.
 * @throws MockError when a change does not fit
 */
export function applySaved(store: Store, saved: Saved): void {
  const fork = store.fork()
  for (const [name, difference] of Object.entries(saved)) {
    if ('value' in difference) fork.replaceSingleton(name, difference.value)
    else applyRecords(fork, name, difference)
  }
  store.restore(fork)
}

/** The changes that requests have made to a store, by resource. Unchanged resources are absent. */
export type Saved = Record<string, SavedCollection | { value: JsonRecord }>

/** The changes that requests have made to a collection. */
export interface SavedCollection {
  /** The ids of fixture records that were removed, or removed and created again at the end. */
  removed: string[]
  /** The created and changed records, in order. */
  records: JsonRecord[]
  /** The highest integer id ever used, which is never drawn again. */
  highest: number
}

/** Returns a string that changes whenever the fixtures of a store change. */
export function fingerprint({ pristine }: Pick<Store, 'pristine'>): string {
  const text = JSON.stringify(Array.from(pristine, ([name, one]) => [name, content(one)]))
  return `${text.length}-${hash(text).toString(36)}`
}

/** Applies a change of another store to this store; the resource may hold another record than there. */
export function applyChange(store: Store, change: Change): void {
  if (change.type === 'reloaded') return
  if (change.type === 'reset') return store.reset()
  const { collection: name } = change
  if (change.type !== 'deleted') {
    if (change.id === undefined) store.replaceSingleton(name, change.record)
    else upsert(store, name, change.record)
  } else if (store.collection(name).get(change.id)) store.remove(name, change.id)
}

/** Returns the changes to one resource since its fixture was loaded; undefined for none. */
export function toSavedResource(
  before: Resource | undefined,
  now: Resource | undefined,
): Saved[string] | undefined {
  if (before?.kind === 'singleton' && now?.kind === 'singleton') {
    return isSame(before.get(), now.get()) ? undefined : { value: now.get() }
  }
  if (before?.kind !== 'collection' || now?.kind !== 'collection') return undefined
  const { records, moved } = findRecords(before, now)
  const ids = before.records().map((record) => keyOf(before, record))
  const removed = ids.filter((id) => moved.has(id) || !now.get(id))
  const { highest } = now
  const isChanged = records.length > 0 || removed.length > 0 || highest > before.highest
  return isChanged ? { removed, records, highest } : undefined
}

/**
 * Finds created and changed records, and the ids of fixture records that moved to the end because they
 * were removed and created again.
 */
function findRecords(
  before: Collection,
  now: Collection,
): { records: JsonRecord[]; moved: Set<string> } {
  const positions = new Map(before.records().map((record, at) => [keyOf(before, record), at]))
  const moved = new Set<string>()
  let last = -1
  const records = now.records().filter((record) => {
    const id = keyOf(now, record)
    const position = positions.get(id) ?? Infinity
    const isMoved = position < last
    if (isMoved) moved.add(id)
    last = Math.max(last, position)
    const fixture = before.get(id)
    return isMoved || !isSame(fixture, record)
  })
  return { records, moved }
}

function applyRecords(store: Store, name: string, saved: SavedCollection): void {
  const collection = store.collection(name)
  for (const id of saved.removed) store.remove(name, id)
  for (const record of saved.records.filter(isRecord)) upsert(store, name, record)
  if (saved.highest <= collection.highest) return
  store.insert(name, { [collection.idField]: saved.highest })
  store.remove(name, String(saved.highest))
}

function upsert(store: Store, name: string, record: JsonRecord): void {
  const collection = store.collection(name)
  const id = keyOf(collection, record)
  if (collection.get(id)) store.replace(name, id, record)
  else store.insert(name, record)
}
