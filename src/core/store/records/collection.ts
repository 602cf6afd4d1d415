import { MockError } from '../../errors/mock-error.ts'
import { type JsonRecord, ownValue } from '../../json/json.ts'
import { createShortcuts, type Shortcuts } from '../indexes/shortcuts.ts'
import { createRandom, type Random } from '../../time/random.ts'
import { wrongFixture } from '../../fixtures/wrong-fixture.ts'
import {
  type CollectionState,
  createState,
  forkState,
  noteKeys,
  notePaths,
  pathTo,
} from './collection-state.ts'
import { idOf, isId, nextId, noteId, refusalOf } from './ids.ts'
import { nextVersion } from '../version.ts'

/** The records of one resource, by id and in order. Records are never changed in place. */
export interface Collection {
  readonly kind: 'collection'
  readonly name: string
  /** The field that identifies a record. */
  readonly idField: string
  /** Another number after every write; two collections with the same number hold the same records. */
  readonly version: number
  readonly size: number
  get(id: string): JsonRecord | undefined
  /** The record with that id. @throws MockError 404 */
  existing(id: string): JsonRecord
  /** Where the record stands in the order; a number that no other record ever gets. */
  slotOf(id: string): number | undefined
  at(slot: number): JsonRecord | undefined
  /** Every record in order. The array stays as it is when the collection changes. */
  records(): readonly JsonRecord[]
  /** One more than the highest slot ever used. */
  readonly length: number
  /** Calls back for every record in order, with its slot. */
  each(callback: (record: JsonRecord, slot: number) => void): void
  /** Indexes over the records, and cached query results. */
  readonly shortcuts: Shortcuts
  /** The highest integer id ever used, also by a record that is gone; 0 where there was none. */
  readonly highest: number
  /** The keys that any record has ever had. */
  keys(): ReadonlySet<string>
  /** Whether any record has ever had a value at that path. */
  hasPath(path: readonly string[]): boolean
  /** Takes the ids into account that these records bring along, so that no id that is drawn is one of them. */
  note(records: readonly JsonRecord[]): void
  /**
   * Adds a record whose id is not refused, drawing one where it has none, which is not taken elsewhere
   * either, and returns it as stored.
   */
  insert(record: JsonRecord, random: Random, isTaken?: (id: string) => boolean): JsonRecord
  /** Puts a record in the place of the one with that id, whose id it keeps. */
  replace(id: string, record: JsonRecord): JsonRecord
  remove(id: string): void
  /** A collection with the same content, whose writes this one does not see. */
  fork(): Collection
  /** A collection of the same name with these records, on a changed copy of what this one keeps. */
  derive(
    records: readonly JsonRecord[],
    change: (state: CollectionState) => CollectionState,
  ): Collection
}

/** What a collection is made of. */
export interface CollectionOptions {
  name: string
  idField: string
}

/**
 * Creates a collection from records. Those without an id get one that is not taken elsewhere, the same at
 * every start.
 * @throws MockError when two records have the same id
 */
export function createCollection(
  records: readonly JsonRecord[],
  options: CollectionOptions,
  isTaken?: (id: string) => boolean,
): Collection {
  const collection = open(createState(), options)
  const random = createRandom(options.name)
  collection.note(records)
  for (const [at, record] of records.entries()) {
    const refused = refusalOf(record, collection, collection.get)
    if (refused) throw wrongRecord(refused, at, records, options)
    collection.insert(record, random, isTaken)
  }
  return collection
}

/** The error for a record that cannot be loaded, with where it stands, and its double, if any. */
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
      ? `"${idField}" of record ${at} is no text or number. Please give it another, or none`
      : `records ${first} and ${at} both have the ${idField} "${id}". Please give one of them another`
  return wrongFixture(name, reason, cause)
}

function open(
  state: CollectionState,
  options: CollectionOptions,
  known?: readonly JsonRecord[],
): Collection {
  const { name, idField } = options
  let list = known && { version: state.version, records: known }
  let shortcuts: Shortcuts | undefined

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
      for (const record of records()) noteKeys(state, record)
    }
    return state.keys
  }

  function get(id: string): JsonRecord | undefined {
    // No record has the slot -1.
    return state.slots.get(state.ids.get(id) ?? -1)
  }

  function existing(id: string): JsonRecord {
    const record = get(id)
    if (record) return record
    throw new MockError(`Failed to find "${id}" in "${name}".`, { status: 404, code: 'NOT_FOUND' })
  }

  function overwrite(id: string, record?: JsonRecord): void {
    const before = existing(id)
    const slot = state.ids.get(id) ?? 0
    notePaths(state.paths, before, '', record)
    shortcuts?.indexes.note(slot, before)
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
    slotOf: state.ids.get,
    at: state.slots.get,
    get length() {
      return state.slots.length
    },
    each: state.slots.each,
    get shortcuts() {
      return (shortcuts ??= createShortcuts(collection))
    },
    records,
    keys,
    hasPath(path) {
      if (path.length === 1) return keys().has(path[0] ?? '')
      const key = path.reduce(pathTo, '')
      const { version, paths, noted } = state
      const isFound =
        paths.has(key) ||
        (noted !== version && records().some((record) => notePaths(paths, record).has(key)))
      if (!isFound) state.noted = version
      return isFound
    },
    note(brought) {
      for (const record of brought) {
        const id = record[idField]
        if (isId(id)) noteId(state.history, id)
      }
    },
    insert(record, random, isTaken) {
      const given = ownValue(record, idField)
      const id = isId(given) ? given : nextId(state.history, random, get, isTaken)
      const stored = given === id ? record : withId(record, idField, id)
      noteKeys(state, stored)
      noteId(state.history, id)
      const slot = state.slots.push(stored)
      state.ids.set(String(id), slot)
      shortcuts?.indexes.note(slot, undefined)
      state.size++
      state.version = nextVersion()
      return stored
    },
    replace(id, record) {
      const own = existing(id)[idField]
      const stored = isId(own) && record[idField] !== own ? withId(record, idField, own) : record
      overwrite(id, stored)
      noteKeys(state, stored)
      return stored
    },
    remove(id) {
      overwrite(id)
      state.ids.delete(id)
      state.size--
    },
    fork: () => open(forkState(state), options),
    derive: (next, change) => open(change(forkState(state)), options, next),
  }
  return collection
}

/** The record with that id: in the place of the one it has, else in front. */
function withId(record: JsonRecord, field: string, id: string | number): JsonRecord {
  return Object.hasOwn(record, field) ? { ...record, [field]: id } : { [field]: id, ...record }
}

/** The id of a record as paths and keys are compared with it. */
export function keyOf(collection: Collection, record: JsonRecord): string {
  return idOf(record, collection.idField) ?? ''
}
