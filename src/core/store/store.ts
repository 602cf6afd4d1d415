import { MockError } from '../errors/mock-error.ts'
import type { Json, JsonRecord } from '../json/json.ts'
import { createListeners, type Listeners } from '../structures/listeners.ts'
import { suggest } from '../errors/nearest.ts'
import type { Random } from '../time/random.ts'
import {
  createLayerMaps,
  forkLayerMaps,
  type LayerMaps,
  createLayers,
  type Layers,
} from './layers.ts'
import { type Collection, keyOf } from './records/collection.ts'
import { idOf, findIdError } from './records/ids.ts'
import { createResource, type Resource } from './records/resource.ts'
import type { Layer, ResourceFactory } from './reload.ts'

/** The data of a mock by resource name. All writes go through the store, which reports each change. */
export interface Store extends ResourceFactory, Layers {
  readonly resources: ReadonlyMap<string, Resource>
  /** The same resources as their fixtures last had them. */
  readonly pristine: ReadonlyMap<string, Resource>
  /** The data of removed fixtures, which `reload` merges when a fixture is back. */
  readonly removed: ReadonlyMap<string, Layer>
  readonly changes: Changes
  /** A number that changes with every write to any resource, and with every reload and reset. */
  readonly version: number
  /** @throws MockError 404 that suggests the nearest name */
  collection(name: string): Collection
  insert(name: string, record: JsonRecord): JsonRecord
  /** Inserts all of the records, or no record if the id of one is refused. */
  insertAll(name: string, records: readonly JsonRecord[]): JsonRecord[]
  replace(name: string, id: string, record: JsonRecord): JsonRecord
  remove(name: string, id: string): JsonRecord
  replaceSingleton(name: string, record: JsonRecord): JsonRecord
  /** Sets which resources `reset` keeps, because persistence writes their data to the fixtures. */
  keepOnReset(isKept: (name: string) => boolean): void
  /** Restores the fixtures as last loaded. */
  reset(): void
  /** Creates a store with the same content, whose later writes this store does not see; it draws ids from `random`. */
  fork(random?: Random): Store
  /** Restores the content of a fork, for the resources that the fixtures still have. */
  restore(from: Store): void
}

interface StoreOptions {
  /** The field that identifies the records of a collection. */
  idField(collection: string): string
  /** Converts a fixture to the value that is stored; undefined leaves the fixture out. */
  load?: ((name: string, value: Json, idField: string) => Json | undefined) | undefined
  /** Called with the error of a listener; `doing` completes *Failed to ...*. */
  onFailure(error: unknown, doing: string): void
}

/** Creates a store from fixtures by resource name. */
export function createStore(
  fixtures: ReadonlyMap<string, Json>,
  options: StoreOptions,
  random: Random,
): Store {
  const store = openStore(createLayerMaps(), options, random)
  for (const [name, fixture] of fixtures) store.reload(name, fixture)
  return store
}

function openStore(maps: LayerMaps, options: StoreOptions, random: Random): Store {
  const { resources, pristine, removed } = maps
  const changes = createListeners<Change>('a change', options.onFailure)
  let version = 0
  let isKept = (_name: string): boolean => false

  function notify(change: Change): void {
    version++
    changes.emit(change)
  }

  function collection(name: string): Collection {
    const resource = resources.get(name)
    if (resource?.kind === 'collection') return resource
    const known = [...resources.keys()].filter((key) => resources.get(key)?.kind === 'collection')
    throw new MockError(`Failed to find the collection "${name}". ${suggest(name, known)}`, {
      status: 404,
      code: 'NOT_FOUND',
    })
  }

  function insertAll(name: string, records: readonly JsonRecord[]): JsonRecord[] {
    const target = collection(name)
    const givenIds = new Set<string | undefined>()
    for (const record of records) {
      const error = findIdError(record, target, (id) => givenIds.has(id) || target.get(id))
      if (error) throw error
      givenIds.add(idOf(record, target.idField))
    }
    target.reserveIds(records)
    const added = records.map((one) => target.insert(one, random, (id) => givenIds.has(id)))
    for (const record of added) {
      notify({ type: 'created', collection: name, id: keyOf(target, record), record })
    }
    return added
  }

  function restore(from?: Store): void {
    const restored = new Map([...pristine, ...[...resources].filter(([name]) => isKept(name))])
    resources.clear()
    for (const name of removed.keys()) if (!isKept(name)) removed.delete(name)
    for (const [name, one] of restored)
      resources.set(name, (from?.resources.get(name) ?? one).fork())
    notify({ type: 'reset' })
  }

  const factory: ResourceFactory = {
    load: (name, fixture) =>
      options.load ? options.load(name, fixture, options.idField(name)) : fixture,
    make: (name, value, isTaken) => createResource(name, value, options.idField(name), isTaken),
  }

  const { overlay, fixtureLayer, reload, rebase } = createLayers(
    maps,
    factory,
    (name, isServed) => {
      const change: Change = { type: 'reloaded', collection: name }
      // Nothing that is served has changed if an overlay covers the fixture, but listeners may depend on the fixture.
      if (isServed) notify(change)
      else changes.emit(change)
    },
  )

  // No spread: V8 creates a literal with spreads and a getter slowly, and every session forks the store.
  return {
    load: factory.load,
    make: factory.make,
    overlay,
    fixtureLayer,
    reload,
    rebase,
    resources,
    pristine,
    removed,
    changes,
    get version() {
      return version
    },
    collection,
    insertAll,
    insert: (name, record) => insertAll(name, [record])[0] ?? record,
    replace(name, id, record) {
      const target = collection(name)
      const previous = target.existing(id)
      const stored = target.replace(id, record)
      notify({ type: 'updated', collection: name, id, record: stored, previous })
      return stored
    },
    remove(name, id) {
      const target = collection(name)
      const previous = target.existing(id)
      target.remove(id)
      notify({ type: 'deleted', collection: name, id, previous })
      return previous
    },
    replaceSingleton(name, record) {
      const resource = resources.get(name)
      if (resource?.kind !== 'singleton') {
        throw new MockError(`Failed to find the singleton "${name}".`, { status: 404 })
      }
      const previous = resource.get()
      const stored = resource.replace(record)
      notify({ type: 'updated', collection: name, record: stored, previous })
      return stored
    },
    keepOnReset(test) {
      isKept = test
    },
    reset: () => restore(),
    fork: (other = random) => openStore(forkLayerMaps(maps), options, other),
    restore,
  }
}

/** A change that was already made; `collection` is the resource, also if it is a singleton. */
export type Change =
  | { type: 'created'; collection: string; id: string; record: JsonRecord }
  | { type: 'updated'; collection: string; id?: string; record: JsonRecord; previous: JsonRecord }
  | { type: 'deleted'; collection: string; id: string; previous: JsonRecord }
  | { type: 'reloaded'; collection: string }
  | { type: 'reset' }

/** The listeners of a store, which are notified after every change. */
export type Changes = Listeners<Change>

/** Copies of all data of a store by name, to which it can be restored. */
interface Snapshots {
  /** Saves the state under a name, which replaces an earlier snapshot of that name. */
  save(name: string): void
  /** Returns the state of a snapshot. @throws MockError 404 that suggests the nearest name */
  get(name: string): Store
  names(): string[]
  /** Removes a snapshot, if there is one of that name. */
  remove(name: string): void
}

/** Creates the snapshots of a store. A snapshot takes memory only for records that change after it. */
export function createSnapshots(store: Store): Snapshots {
  const forks = new Map<string, Store>()
  return {
    save: (name: unknown) => void forks.set(String(name), store.fork()),
    get(snapshot: unknown) {
      const name = String(snapshot)
      const fork = forks.get(name)
      if (fork) return fork
      throw new MockError(
        `Failed to find the snapshot "${name}". ${suggest(name, [...forks.keys()])}`,
        { status: 404, code: 'SNAPSHOT_UNKNOWN' },
      )
    },
    names: () => [...forks.keys()],
    remove: (name: string) => void forks.delete(name),
  }
}
