import type { Conflict } from '../fixtures/fixtures.ts'
import { isSame, type Json, isRecord, type JsonRecord } from '../json/json.ts'
import { keyOf, type Collection } from './records/collection.ts'
import { addPaths, replaceAll } from './records/collection-state.ts'
import { content, type Resource } from './records/resource.ts'
import { isSameList, mergeOne, mergeRecords } from './merge.ts'
import { createIdHistory, idOf } from './records/ids.ts'

/** Merges changed fixtures (undefined: removed) into a store. Returns the records whose edits by requests were lost. */
export function reloadAll(
  store: { reload(name: string, fixture: Json | undefined): string[] },
  changed: Readonly<Record<string, unknown>>,
): Conflict[] {
  return Object.entries(changed).flatMap(([collection, value]) =>
    store.reload(collection, value as Json | undefined).map((id) => ({ collection, id })),
  )
}

/** A resource with the changes by requests, and as the fixture defines it; undefined if there is none. */
export interface Layer {
  readonly resource: Resource | undefined
  readonly pristine: Resource | undefined
}

/** Creates resources of fixtures. */
export interface ResourceFactory {
  /** The value of a fixture as the dialect stores it; undefined leaves the fixture out. */
  load(name: string, fixture: Json): Json | undefined
  /** Creates a resource of a value from `load`. Records without an id get an id for which `isTaken` is false. */
  make(name: string, value: Json, isTaken?: (id: string) => boolean): Resource
}

/** The layer after a reload, and the ids whose edits by requests were replaced. */
interface ReloadedLayer {
  /** Undefined if the fixture has not changed. */
  layer: Layer | undefined
  conflicts: string[]
}

/** Merges a fixture into a layer and keeps what requests have changed; an undefined fixture was removed. */
export function reloadLayer(
  { resource: ours, pristine: base }: Layer,
  name: string,
  fixture: Json | undefined,
  factory: ResourceFactory,
): ReloadedLayer {
  const value = fixture === undefined ? undefined : factory.load(name, fixture)
  if (value === undefined) {
    return { layer: { resource: undefined, pristine: undefined }, conflicts: [] }
  }
  const theirs =
    reuseRecords(base, value) ?? factory.make(name, value, (id) => isCreated(id, base, ours))
  if (base === theirs || (base && isSame(content(base), content(theirs)))) {
    return { layer: undefined, conflicts: [] }
  }
  const { resource, conflicts } = mergeResource(base, theirs, ours)
  return { layer: { resource, pristine: theirs }, conflicts }
}

/** Whether a request has created the record with the id. */
function isCreated(id: string, base: Resource | undefined, ours: Resource | undefined): boolean {
  if (ours?.kind !== 'collection' || !ours.get(id)) return false
  return base?.kind !== 'collection' || !base.get(id)
}

/** A merged resource, and the ids whose edits by requests were replaced. */
interface MergedResource {
  resource: Resource
  conflicts: string[]
}

/** Merges three versions: `base` is the last fixture, `theirs` the new fixture, `ours` the data as requests left it. */
function mergeResource(
  base: Resource | undefined,
  theirs: Resource,
  ours: Resource | undefined,
): MergedResource {
  if (base?.kind === 'collection' && theirs.kind === 'collection' && ours?.kind === 'collection') {
    const sides = { base: base.records(), theirs: theirs.records(), ours: ours.records() }
    const { records, conflicts } = isSameList(sides.base, sides.ours)
      ? { records: sides.theirs, conflicts: [] }
      : mergeRecords(sides, theirs.idField)
    const resource = ours.derive(records, (state) => {
      for (const [at, record] of sides.ours.entries()) {
        if (record !== records[at]) addPaths(state.paths, record)
      }
      return replaceAll(state, sides.ours, records, theirs.idField)
    })
    return { resource, conflicts }
  }
  if (base?.kind === 'singleton' && theirs.kind === 'singleton' && ours?.kind === 'singleton') {
    const sides = { base: base.get(), theirs: theirs.get(), ours: ours.get() }
    const { value, isConflict } = mergeOne(sides)
    if (value !== sides.ours) ours.replace(value)
    return { resource: ours, conflicts: isConflict ? [''] : [] }
  }
  // A document, or a resource of another kind than before, is taken from the fixture as a whole.
  return { resource: theirs.fork(), conflicts: findChanged(base, ours) }
}

/** Returns the ids of records that requests have changed or removed; an empty string for a singleton. */
function findChanged(base: Resource | undefined, ours: Resource | undefined): string[] {
  if (base?.kind === 'singleton' && ours?.kind === 'singleton') {
    return isSame(base.get(), ours.get()) ? [] : ['']
  }
  if (base?.kind !== 'collection' || ours?.kind !== 'collection') return []
  const changed = ours.records().filter((record) => !isSame(base.get(keyOf(ours, record)), record))
  const removed = base.records().filter((record) => !ours.get(keyOf(base, record)))
  return [...changed, ...removed].map((record) => keyOf(base, record))
}

/** The resource of a changed fixture, reusing unchanged records; undefined if it must be created from scratch. */
function reuseRecords(before: Resource | undefined, value: Json): Resource | undefined {
  if (before?.kind !== 'collection') {
    return before && isSame(before.get(), value) ? before : undefined
  }
  if (!Array.isArray(value)) return undefined
  const { idField } = before
  const old = before.records()
  const next: JsonRecord[] = []
  let isAligned = old.length === value.length
  let changes = isAligned ? 0 : 1
  for (const [at, record] of value.entries()) {
    if (record === old[at]) {
      next.push(record)
      continue
    }
    const id = isRecord(record) ? idOf(record, idField) : undefined
    if (id === undefined || !isRecord(record)) return undefined
    const earlier = before.get(id)
    const revised = changes < maxCompared && earlier && isSame(earlier, record) ? earlier : record
    isAligned &&= earlier === old[at]
    if (revised !== old[at]) changes++
    next.push(revised)
  }
  if (changes === 0) return before
  const isUnique = isAligned || new Set(next.map((one) => idOf(one, idField))).size === next.length
  return isUnique ? withRecords(before, next) : undefined
}

/** Returns the collection with other records, but without the history of ids, keys and paths. */
function withRecords(before: Collection, next: readonly JsonRecord[]): Collection {
  const old = before.records()
  return before.derive(next, (state) => {
    const forgetful = { ...state, keys: undefined, paths: new Set<string>() }
    return replaceAll(forgetful, old, next, before.idField, createIdHistory())
  })
}

/** The most changed records whose values are compared with earlier versions, to reuse equal records. */
const maxCompared = 256
