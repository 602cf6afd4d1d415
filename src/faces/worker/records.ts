import { recordsWithStaleTimestamp } from '../../core/http/response/last-modified.ts'
import { type JsonRecord, isRecord } from '../../core/json/json.ts'
import type { Change, Store } from '../../core/store/store.ts'
import type { Step } from '../../core/fixtures/record-difference.ts'
import { apply, diff, fingerprintOf } from '../../core/store/differences.ts'
import { keyOf } from '../../core/store/records/collection.ts'
import type { Resource } from '../../core/store/records/resource.ts'
import { type History, applyHistory, extendHistory } from './history.ts'
import type { Items, RecordKind, StoredRecord } from './items.ts'

/** Stores each record that differs from the fixtures as it changes; `onError` is called if that fails. */
export function storeChanges(
  store: Store,
  items: RecordItems,
  onError: (error: unknown) => void,
): Records {
  /** The summaries of the stored records, by resource and key. */
  const summaries = new Map<string, Map<string, Summary>>()
  let size: StoredSize = { records: 0, characters: 0 }
  /** The last position of a created record. */
  let last = 0
  const histories = new Map<string, { history: History; characters: number }>()
  for (const [name, history] of items.all('history')) {
    keepHistory(name, history)
  }
  for (const kind of items.recordKinds()) {
    const name = kind.slice(kindOf('').length)
    for (const [key, value] of items.all(kind)) summarize(name, key, value)
  }

  function summarize(name: string, key: string, stored: StoredRecord): void {
    const own = summaries.get(name) ?? new Map<string, Summary>()
    summaries.set(name, own)
    const characters = stored.record ? JSON.stringify(stored.record).length : 0
    size = {
      records: size.records + (own.has(key) ? 0 : 1),
      characters: size.characters + characters - (own.get(key)?.characters ?? 0),
    }
    own.set(key, { base: stored.base, place: stored.place, characters })
    last = Math.max(last, stored.place ?? 0)
  }

  function forget(name: string, key: string): void {
    const own = summaries.get(name)
    const characters = own?.get(key)?.characters
    if (characters === undefined || !own?.delete(key)) return
    size = { records: size.records - 1, characters: size.characters - characters }
  }

  function put(name: string, key: string, stored: StoredRecord): void {
    const isOutdated = stored.record !== undefined && recordsWithStaleTimestamp.has(stored.record)
    items.put(kindOf(name), key, { ...stored, ...(isOutdated && { isOutdated }) })
    summarize(name, key, stored)
  }

  function keepHistory(name: string, history: History): void {
    histories.set(name, { history, characters: JSON.stringify(history).length })
  }

  function putHistory(name: string, history: History): void {
    items.put('history', name, history)
    keepHistory(name, history)
  }

  function updateHistory(name: string, previous: JsonRecord, isRemoved: boolean): void {
    const resource = store.resources.get(name)
    if (resource?.kind !== 'collection') return
    const { history } = histories.get(name) ?? {}
    const next = extendHistory(
      history,
      previous,
      isRemoved ? previous[resource.idField] : undefined,
    )
    if (next) putHistory(name, next)
  }

  function rebuild(name: string): void {
    for (const key of summaries.get(name)?.keys() ?? []) forget(name, key)
    items.clear(kindOf(name))
    const [before, now] = [store.pristine.get(name), store.resources.get(name)]
    const baseOf = (key: string): string | null => fingerprintOf(recordAt(before, key))
    // Stored apart, because such a record can have the content of the fixture again.
    for (const key of now ? outdatedKeys(now) : []) {
      const record = recordAt(now, key)
      if (record) put(name, key, { base: baseOf(key), record })
    }
    for (const { id = singletonKey, type, record, previous, isMoved } of diff(before, now)) {
      if (!record && !previous) continue
      const isAtEnd = type === 'created' || isMoved === true
      put(name, id, {
        base: fingerprintOf(previous),
        ...(isAtEnd && { place: ++last }),
        ...(record && { record }),
      })
    }
    if (before?.kind !== 'collection' || now?.kind !== 'collection') return
    const { highest } = now
    if (highest > before.highest) putHistory(name, { ids: { integer: highest }, shape: {} })
  }

  function write(change: Change): void {
    if (change.type === 'reset') {
      items.clear('history')
      histories.clear()
      for (const name of new Set([...summaries.keys(), ...store.resources.keys()])) rebuild(name)
      return
    }
    const { collection: name } = change
    if (change.type === 'reloaded') return rebuild(name)
    const key = change.id ?? singletonKey
    const existing = summaries.get(name)?.get(key)
    const base = existing?.base ?? fingerprintOf(recordAt(store.pristine.get(name), key))
    if (change.type === 'created')
      return put(name, key, { base, place: ++last, record: change.record })
    updateHistory(name, change.previous, change.type === 'deleted')
    if (change.type === 'updated') {
      const place = existing?.place
      return put(name, key, { base, ...(place !== undefined && { place }), record: change.record })
    }
    if (base !== null) return put(name, key, { base })
    items.remove(kindOf(name), key)
    forget(name, key)
  }

  store.changes.subscribe((change) => {
    try {
      write(change)
    } catch (error) {
      onError(error)
    }
  }, 'store a change')
  return {
    size() {
      let { characters } = size
      for (const one of histories.values()) characters += one.characters
      return { ...size, characters }
    },
    charactersOf: (name, key) => summaries.get(name)?.get(key)?.characters,
  }
}

/** The result of {@link storeChanges}: how many and how large the stored records are. */
export interface Records {
  size(): StoredSize
  /** The characters of a stored record: 0 for a removed record, undefined for a record that is not stored. */
  charactersOf(name: string, key: string): number | undefined
}

/** The number and the size of the stored records. */
export interface StoredSize {
  records: number
  /** In characters of JSON, with the fields of removed records. */
  characters: number
}

/** The part of `Items` that {@link storeChanges} needs. */
type RecordItems = Pick<Items, 'all' | 'recordKinds' | 'put' | 'remove' | 'clear'>

/** The storage of a fork, which stores nothing. */
export const noItems: RecordItems = {
  all: () => [],
  recordKinds: () => [],
  put: () => undefined,
  remove: () => undefined,
  clear: () => undefined,
}

/** The key of a singleton, which has no id. */
export const singletonKey = ''

/** The kind of a resource's records among the stored values. */
const kindOf = (name: string): RecordKind => `record ${name}`

/** The record of a resource that has an id; of a singleton, its value. */
export function recordAt(resource: Resource | undefined, id: string): JsonRecord | undefined {
  if (resource?.kind === 'collection') return resource.get(id)
  return resource?.kind === 'singleton' ? resource.get() : undefined
}

/** The keys of a resource's records whose last change didn't update their time field. */
export function outdatedKeys(resource: Resource): string[] {
  if (resource.kind === 'singleton')
    return recordsWithStaleTimestamp.has(resource.get()) ? [singletonKey] : []
  if (resource.kind !== 'collection') return []
  return resource
    .records()
    .flatMap((one) => (recordsWithStaleTimestamp.has(one) ? keyOf(resource, one) : []))
}

/** The properties of a stored record that are kept in memory. */
interface Summary {
  base: string | null
  place: number | undefined
  characters: number
}

/** Applies the stored records to a store that has the fixtures, and removes those whose fixture has changed. */
export function restoreRecords(store: Store, items: Items): void {
  for (const [name, history] of items.all('history')) {
    const resource = store.resources.get(name)
    if (resource?.kind === 'collection') applyHistory(store, resource, history)
  }
  const steps: Step[] = []
  const marked: [name: string, key: string][] = []
  for (const kind of items.recordKinds()) {
    const name = kind.slice(kindOf('').length)
    const stored = readValid(store, items, name)
    steps.push(...toSteps(store, name, stored))
    for (const [key, { isOutdated }] of stored) if (isOutdated) marked.push([name, key])
  }
  if (steps.length > 0) apply(store, steps)
  for (const [name, key] of marked) {
    const record = recordAt(store.resources.get(name), key)
    if (record) recordsWithStaleTimestamp.add(record)
  }
}

/** The stored records whose fixtures are unchanged; removes all others. */
function readValid(store: Store, items: Items, name: string): [key: string, StoredRecord][] {
  const resource = store.pristine.get(name)
  return items.all(kindOf(name)).filter(([key, stored]) => {
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
