import { isRecord, isSame, type JsonRecord } from '../../json/json.ts'
import { hash } from '../../time/random.ts'
import type { Change } from '../changes.ts'
import { type Collection, keyOf } from '../records/collection.ts'
import type { Resource } from '../records/resource.ts'
import { content } from '../records/content.ts'
import type { Store } from '../store.ts'

/** What requests have done to a collection. */
export interface SavedCollection {
  /** The ids of fixtures that are gone or have moved to the end. */
  removed: string[]
  /** The records that are new or changed, in their order. */
  records: JsonRecord[]
  /** The highest integer id ever used, which is never used again. */
  highest: number
}

/** What requests have done to a store, by resource; only what differs from the fixtures. */
export type Saved = Record<string, SavedCollection | { value: JsonRecord }>

/** A text that differs whenever the fixtures of a store do. */
export function fingerprint({ pristine }: Pick<Store, 'pristine'>): string {
  const text = JSON.stringify(Array.from(pristine, ([name, one]) => [name, content(one)]))
  return `${text.length}-${hash(text).toString(36)}`
}

/** What requests have done to the store since the fixtures were loaded; empty where nothing. */
export function toSaved(store: Store): Saved {
  const saved: Saved = {}
  for (const [name, now] of store.resources) {
    const before = store.pristine.get(name)
    const difference = before && compare(before, now)
    if (difference) saved[name] = difference
  }
  return saved
}

/**
 * Does again what was saved. All of it or, when some of it does not fit the fixtures, nothing.
 * @throws MockError when it does not fit
 */
export function applySaved(store: Store, saved: Saved): void {
  const fork = store.fork()
  for (const [name, difference] of Object.entries(saved)) {
    if ('value' in difference) fork.replaceSingleton(name, difference.value)
    else applyRecords(fork, name, difference)
  }
  store.restore(fork)
}

/** Makes a change of another store in this one, whatever stands there. */
export function redo(store: Store, change: Change): void {
  if (change.type === 'reloaded') return
  if (change.type === 'reset') return store.reset()
  const { collection: name } = change
  if (change.type !== 'deleted') {
    if (change.id === undefined) store.replaceSingleton(name, change.record)
    else put(store, name, change.record)
  } else if (store.collection(name).get(change.id)) store.remove(name, change.id)
}

function compare(before: Resource, now: Resource): Saved[string] | undefined {
  if (before.kind === 'singleton' && now.kind === 'singleton') {
    return isSame(before.get(), now.get()) ? undefined : { value: now.get() }
  }
  if (before.kind !== 'collection' || now.kind !== 'collection') return undefined
  const { records, moved } = findRecords(before, now)
  const ids = before.records().map((record) => keyOf(before, record))
  const removed = ids.filter((id) => moved.has(id) || !now.get(id))
  const { highest } = now
  const isChanged = records.length > 0 || removed.length > 0 || highest > before.highest
  return isChanged ? { removed, records, highest } : undefined
}

/** What is new or changed, and which fixtures have been deleted and made again, which moves them. */
function findRecords(
  before: Collection,
  now: Collection,
): { records: JsonRecord[]; moved: Set<string> } {
  const places = new Map(before.records().map((record, place) => [keyOf(before, record), place]))
  const moved = new Set<string>()
  let last = -1
  const records = now.records().filter((record) => {
    const id = keyOf(now, record)
    const place = places.get(id) ?? Infinity
    const isMoved = place < last
    if (isMoved) moved.add(id)
    last = Math.max(last, place)
    const fixture = before.get(id)
    return isMoved || !isSame(fixture, record)
  })
  return { records, moved }
}

function applyRecords(store: Store, name: string, saved: SavedCollection): void {
  const collection = store.collection(name)
  for (const id of saved.removed) store.remove(name, id)
  for (const record of saved.records.filter(isRecord)) put(store, name, record)
  if (saved.highest <= collection.highest) return
  store.insert(name, { [collection.idField]: saved.highest })
  store.remove(name, String(saved.highest))
}

function put(store: Store, name: string, record: JsonRecord): void {
  const collection = store.collection(name)
  const id = keyOf(collection, record)
  if (collection.get(id)) store.replace(name, id, record)
  else store.insert(name, record)
}
