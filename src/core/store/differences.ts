import type { RecordDifference, Step } from '../fixtures/record-difference.ts'
import { isSame, type Json } from '../json/json.ts'
import { hash } from '../time/random.ts'
import { type Collection, keyOf } from './records/collection.ts'
import type { Resource } from './records/resource.ts'
import type { Store } from './store.ts'

/** How a resource differs from its fixture: deleted and updated records, then created and moved ones. */
export function diff(before: Resource | undefined, now: Resource | undefined): RecordDifference[] {
  if (before?.kind === 'singleton' && now?.kind === 'singleton') {
    const [previous, record] = [before.get(), now.get()]
    const isUnchanged = isSame(previous, record)
    return isUnchanged ? [] : [{ collection: now.name, type: 'updated', record, previous }]
  }
  if (before?.kind !== 'collection' || now?.kind !== 'collection') return []
  return before.version === now.version ? [] : diffCollections(before, now)
}

/** Returns how the data of a store differ from its fixtures, or from those of another, resource by resource. */
export function diffAll(
  { pristine, resources }: Store,
  before: ReadonlyMap<string, Resource> = pristine,
): RecordDifference[] {
  return [...resources].flatMap(([name, now]) => diff(before.get(name), now))
}

/** The records that are created, changed or deleted since the fixtures, or another state, regardless of order. */
export function findDifferences(
  store: Store,
  before?: ReadonlyMap<string, Resource>,
): RecordDifference[] {
  const differences = diffAll(store, before).filter(
    ({ record, previous }) => !isSame(record, previous),
  )
  for (const difference of differences) delete difference.isMoved
  return differences
}

/** Returns the part of a difference that `apply` needs, to be stored as JSON. */
export function toStep({ collection, id, record, isMoved }: RecordDifference): Step {
  return {
    collection,
    ...(id !== undefined && { id }),
    ...(record && { record }),
    ...(isMoved && { isMoved }),
  }
}

/** Applies steps to a store, all or, when one does not fit, none. @throws MockError when one does not fit */
export function apply(store: Store, steps: Iterable<Step>): void {
  const fork = store.fork()
  for (const step of steps) applyStep(fork, step)
  store.restore(fork)
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

/** Returns a short text that differs for other values; null for no value. */
export function fingerprintOf(value: Json | undefined): string | null {
  if (value === undefined) return null
  const text = JSON.stringify(value)
  return `${text.length}-${hash(text).toString(36)}`
}

function diffCollections(before: Collection, now: Collection): RecordDifference[] {
  const collection = now.name
  const moved = new Set<string>()
  const added: RecordDifference[] = []
  let last = -1
  now.each((record) => {
    const id = keyOf(now, record)
    const position = before.ordinalOf(id) ?? Infinity
    if (position > last && position < Infinity) {
      last = position
      return
    }
    last = Math.max(last, position)
    const previous = before.get(id)
    if (previous) moved.add(id)
    added.push(
      previous
        ? { collection, id, type: 'updated', record, previous, isMoved: true }
        : { collection, id, type: 'created', record },
    )
  })
  const differences: RecordDifference[] = []
  before.each((previous, slot) => {
    const id = keyOf(before, previous)
    if (moved.has(id)) return
    // Most unchanged records are the same objects in the same slots.
    const record = now.at(slot) === previous ? previous : now.get(id)
    if (!record) differences.push({ collection, id, type: 'deleted', previous })
    else if (!isSame(previous, record))
      differences.push({ collection, id, type: 'updated', record, previous })
  })
  differences.push(...added)
  const id = String(now.highest)
  if (now.highest > before.highest && !now.get(id)) {
    differences.push({ collection, id, type: 'deleted' })
  }
  return differences
}

/** Applies one step; the store may hold another record than the store that the step is from. */
function applyStep(store: Store, { collection: name, id, record, isMoved }: Step): void {
  if (id === undefined) {
    if (record) store.replaceSingleton(name, record)
    return
  }
  const collection = store.collection(name)
  const isThere = collection.get(id) !== undefined
  if (record && isThere && !isMoved) return void store.replace(name, id, record)
  if (isThere) store.remove(name, id)
  else if (!record && Number(id) > collection.highest) {
    // The id of a record that was created and removed is not drawn again.
    store.insert(name, { [collection.idField]: Number(id) })
    store.remove(name, id)
  }
  if (record) store.insert(name, record)
}

/** Applies all differences but the removal of a record to the fixtures anew, which keeps the order of the records. */
function reinsert(store: Store, name: string, id: string): void {
  const rest = diffAll(store).filter((one) => one.collection !== name || one.id !== id)
  const fork = store.fork()
  fork.reset()
  apply(fork, rest)
  store.restore(fork)
}
