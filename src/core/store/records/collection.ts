import { MockError } from '../../errors/mock-error.ts'
import { type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import type { IndexedRecords } from '../indexes/indexed.ts'
import { type CollectionIndexes, createIndexes } from '../indexes/indexes.ts'
import { createRandom, type Random } from '../../time/random.ts'
import { wrongFixture } from '../../fixtures/fixtures.ts'
import {
  type CollectionState,
  createState,
  forkState,
  addKeys,
  addPaths,
  compact,
  pathTo,
  nextVersion,
} from './collection-state.ts'
import { idOf, type Id, isId, nextId, addId, findIdError } from './ids.ts'

/** A resource with records by id, in insertion order. A write replaces a record, never changes it in place. */
export interface Collection extends IndexedRecords {
  readonly kind: 'collection'
  readonly name: string
  readonly idField: string
  /** Collections with the same version hold the same records. */
  readonly version: number
  get(id: string): JsonRecord | undefined
  /** The record with the id. @throws MockError 404 */
  existing(id: string): JsonRecord
  /** The ordinal of the record with the id: ascends in the order of the records, and is never reused. */
  ordinalOf(id: string): number | undefined
  /** Every record in order. Later writes do not change the array. */
  records(): readonly JsonRecord[]
  /** One more than the highest slot in use; at most twice the size and a constant. */
  readonly length: number
  /** Calls back for every record in order. */
  each(callback: (record: JsonRecord, slot: number) => void): void
  /** Indexes of the records, and cached query results. */
  readonly indexes: CollectionIndexes
  /** The highest integer id ever used, also by a removed record; 0 if there was none. */
  readonly highest: number
  /** The keys that any record has ever had. */
  keys(): ReadonlySet<string>
  /** Whether any record has ever had a value at that path. */
  hasPath(path: readonly string[]): boolean
  /** Reserves the ids of records before their insertion, so that no other record gets such an id. */
  reserveIds(records: readonly JsonRecord[]): void
  /** Inserts a record, whose id must be free, else drawn so that `isTaken` is false; returns what is stored. */
  insert(record: JsonRecord, random: Random, isTaken?: (id: string) => boolean): JsonRecord
  /** Draws the id of a new record, so that `isTaken` is false. */
  newId(random: Random, isTaken?: (id: string) => boolean): Id
  /** Replaces the record with the id, and keeps the id. */
  replace(id: string, record: JsonRecord): JsonRecord
  remove(id: string): void
  /** Creates a collection with the same content, whose later writes this collection does not see. */
  fork(): Collection
  /** Creates a collection with these records from a changed copy of the state. */
  derive(
    records: readonly JsonRecord[],
    change: (state: CollectionState) => CollectionState,
  ): Collection
}

interface CollectionOptions {
  name: string
  idField: string
}

/** Creates a collection; missing ids are the same at every start. @throws MockError for a wrong or duplicate id */
export function createCollection(
  records: readonly JsonRecord[],
  options: CollectionOptions,
  isTaken?: (id: string) => boolean,
): Collection {
  const collection = open(createState(), options)
  const random = createRandom(options.name)
  collection.reserveIds(records)
  for (const [at, record] of records.entries()) {
    const error = findIdError(record, collection, collection.get)
    if (error) throw wrongRecord(error, at, records, options)
    collection.insert(record, random, isTaken)
  }
  return collection
}

/** Creates the error for a record with a wrong or duplicate id, with the positions of the records. */
function wrongRecord(
  cause: MockError,
  at: number,
  records: readonly JsonRecord[],
  { name, idField }: CollectionOptions,
): MockError {
  const id = idOf(records[at] ?? {}, idField)
  const first = records.findIndex((record) => idOf(record, idField) === id)
  const reason =
    id === undefined
      ? `"${idField}" of record ${at} is neither a text nor a number. Please change or remove it`
      : `records ${first} and ${at} both have the ${idField} "${id}". Please change one of them`
  return wrongFixture(name, reason, cause)
}

function open(
  state: CollectionState,
  options: CollectionOptions,
  initial?: readonly JsonRecord[],
): Collection {
  const { name, idField } = options
  /** The result of `records` at a version. */
  let list = initial && { version: state.version, records: initial }
  let indexes: CollectionIndexes | undefined

  function records(): readonly JsonRecord[] {
    if (list?.version === state.version) return list.records
    const found: JsonRecord[] = []
    state.slots.each((record) => void found.push(record))
    list = { version: state.version, records: found }
    return found
  }

  function keys(): Set<string> {
    if (!state.keys) {
      state.keys = new Set([...state.paths].map((path) => path.split('\0')[1] ?? ''))
      for (const record of records()) addKeys(state, record)
    }
    return state.keys
  }

  function get(id: string): JsonRecord | undefined {
    // No record is in the slot -1.
    return state.slots.at(state.ids.get(id) ?? -1)
  }

  function existing(id: string): JsonRecord {
    const record = get(id)
    if (record) return record
    throw new MockError(`Failed to find "${id}" in "${name}".`, { status: 404, code: 'NOT_FOUND' })
  }

  function overwrite(id: string, record?: JsonRecord): void {
    const before = existing(id)
    const slot = state.ids.get(id) ?? 0
    addPaths(state.paths, before, '', record)
    indexes?.noteWrite(slot, before)
    state.slots.set(slot, record)
    state.version = nextVersion()
  }

  const collection: Collection = {
    kind: 'collection',
    name,
    idField,
    get version() {
      return state.version
    },
    get size() {
      return state.size
    },
    get highest() {
      return state.history.highest
    },
    get,
    existing,
    ordinalOf(id) {
      const slot = state.ids.get(id)
      return slot === undefined ? undefined : state.slots.ordinalOf(slot)
    },
    at: state.slots.at,
    get length() {
      return state.slots.length
    },
    snapshot: () => state.slots.fork(),
    each: state.slots.each,
    get indexes() {
      return (indexes ??= createIndexes(collection))
    },
    records,
    keys,
    hasPath(path) {
      if (path.length === 1) return keys().has(path[0] ?? '')
      const key = path.reduce(pathTo, '')
      const { version, paths, scannedVersion } = state
      const isFound =
        paths.has(key) ||
        (scannedVersion !== version && records().some((record) => addPaths(paths, record).has(key)))
      if (!isFound) state.scannedVersion = version
      return isFound
    },
    reserveIds(given) {
      for (const record of given) {
        const id = record[idField]
        if (isId(id)) addId(state.history, id)
      }
    },
    newId: (random, isTaken) => nextId(state.history, random, get, isTaken),
    insert(record, random, isTaken) {
      const given = ownValue(record, idField)
      const id = isId(given) ? given : collection.newId(random, isTaken)
      const stored = given === id ? record : withId(record, idField, id)
      addKeys(state, stored)
      addId(state.history, id)
      const slot = state.slots.push(stored)
      state.ids.set(String(id), slot)
      indexes?.noteWrite(slot, undefined)
      state.size++
      state.version = nextVersion()
      return stored
    },
    replace(id, record) {
      const { [idField]: own = id } = existing(id)
      const stored = record[idField] === own ? record : withId(record, idField, own)
      overwrite(id, stored)
      addKeys(state, stored)
      return stored
    },
    remove(id) {
      overwrite(id)
      state.ids.delete(id)
      state.size--
      if (compact(state, idField)) indexes = undefined
    },
    fork: () => open(forkState(state), options),
    derive(next, change) {
      const derived = change(forkState(state))
      compact(derived, idField)
      return open(derived, options, next)
    },
  }
  return collection
}

/** The record with an id: replaces the value of the id field, or adds the field in front. */
function withId(record: JsonRecord, field: string, id: Json): JsonRecord {
  return Object.hasOwn(record, field) ? { ...record, [field]: id } : { [field]: id, ...record }
}

/** Returns the id of a stored record as a string, for comparison with paths and keys. */
export function keyOf(collection: Collection, record: JsonRecord): string {
  return idOf(record, collection.idField) ?? ''
}
