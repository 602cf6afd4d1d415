import { MockError } from '../errors/mock-error.ts'
import type { Json, JsonRecord } from '../json/json.ts'
import { createListeners } from '../structures/listeners.ts'
import { suggest } from '../errors/nearest.ts'
import type { Random } from '../time/random.ts'
import type { Change, Changes } from './changes.ts'
import { type Collection, keyOf } from './records/collection.ts'
import { idOf, refusalOf } from './records/ids.ts'
import { createResource, type Resource } from './records/resource.ts'

/** Every resource by name; all writes go through it, so that those who watch hear of them. */
export interface Store {
  readonly resources: ReadonlyMap<string, Resource>
  /** The same as the fixtures last had it. */
  readonly pristine: ReadonlyMap<string, Resource>
  readonly changes: Changes
  /** Another number after every write to any resource, and after a reload or reset. */
  readonly version: number
  /** @throws MockError 404 that suggests the nearest name */
  collection(name: string): Collection
  insert(name: string, record: JsonRecord): JsonRecord
  /** Adds all of them or, when one cannot be added, none. */
  insertAll(name: string, records: readonly JsonRecord[]): JsonRecord[]
  replace(name: string, id: string, record: JsonRecord): JsonRecord
  remove(name: string, id: string): JsonRecord
  replaceSingleton(name: string, record: JsonRecord): JsonRecord
  /** A fixture's value as it goes into the store; undefined where it is left out. */
  load(name: string, fixture: Json): Json | undefined
  /** Makes a resource of such a value. No id is drawn that is taken. */
  make(name: string, value: Json, isTaken?: (id: string) => boolean): Resource
  /** Puts a resource, and the same as its fixture has it, in the place of another; undefined removes. */
  put(name: string, resource?: Resource, pristine?: Resource): void
  /** Takes a resource for what its fixture has now: that is where `reset` goes and what reloads start from. */
  rebase(name: string, resource: Resource): void
  /** From now on the fixtures of these resources follow the data, so that `reset` leaves them as they are. */
  follow(isFollowed: (name: string) => boolean): void
  /** Back to the fixtures as last loaded. */
  reset(): void
  /** A store with the same content, whose writes this one does not see; it draws ids from `random`. */
  fork(random?: Random): Store
  /** Takes over the content of a fork; which resources there are, the fixtures say. */
  restore(from: Store): void
}

/** What a store is made with. */
export interface StoreOptions {
  /** The field that identifies the records of a collection. */
  idField(collection: string): string
  /** Makes a fixture's value ready; undefined leaves it out. */
  load?: ((name: string, value: Json, idField: string) => Json | undefined) | undefined
  /** Hears of a listener that fails. */
  onFailure(error: unknown, doing: string): void
}

/** Creates a store from fixture data by resource name. */
export function createStore(
  fixtures: ReadonlyMap<string, Json>,
  options: StoreOptions,
  random: Random,
): Store {
  const store = open(new Map(), new Map(), options, random)
  for (const [name, fixture] of fixtures) {
    const value = store.load(name, fixture)
    const resource = value === undefined ? undefined : store.make(name, value)
    store.put(name, resource, resource?.fork())
  }
  return store
}

function set(into: Map<string, Resource>, name: string, resource: Resource | undefined): void {
  if (resource) into.set(name, resource)
  else into.delete(name)
}

function forkAll(resources: ReadonlyMap<string, Resource>): Map<string, Resource> {
  return new Map(Array.from(resources, ([name, resource]) => [name, resource.fork()]))
}

function open(
  resources: Map<string, Resource>,
  pristine: Map<string, Resource>,
  options: StoreOptions,
  random: Random,
): Store {
  const changes = createListeners<Change>('a change', options.onFailure)
  let version = 0
  let isFollowed = (_name: string): boolean => false

  function tell(change: Change): void {
    version++
    changes.emit(change)
  }

  function collection(name: string): Collection {
    const resource = resources.get(name)
    if (resource?.kind === 'collection') return resource
    const known = [...resources.values()].filter((one) => one.kind === 'collection')
    throw new MockError(
      `Failed to find the collection "${name}". ${suggest(
        name,
        known.map((one) => one.name),
      )}`,
      { status: 404, code: 'NOT_FOUND' },
    )
  }

  function insertAll(name: string, records: readonly JsonRecord[]): JsonRecord[] {
    const target = collection(name)
    const brought = new Set<string | undefined>()
    for (const record of records) {
      const refused = refusalOf(record, target, (id) => brought.has(id) || target.get(id))
      if (refused) throw refused
      brought.add(idOf(record, target.idField))
    }
    target.note(records)
    const added = records.map((one) => target.insert(one, random, (id) => brought.has(id)))
    for (const record of added) {
      tell({ type: 'created', collection: name, id: keyOf(target, record), record })
    }
    return added
  }

  function goBack(from?: Store): void {
    const back = new Map([...pristine, ...[...resources].filter(([name]) => isFollowed(name))])
    resources.clear()
    for (const [name, one] of back) resources.set(name, (from?.resources.get(name) ?? one).fork())
    tell({ type: 'reset' })
  }

  return {
    resources,
    pristine,
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
      tell({ type: 'updated', collection: name, id, record: stored, previous })
      return stored
    },
    remove(name, id) {
      const target = collection(name)
      const previous = target.existing(id)
      target.remove(id)
      tell({ type: 'deleted', collection: name, id, previous })
      return previous
    },
    replaceSingleton(name, record) {
      const resource = resources.get(name)
      if (resource?.kind !== 'singleton') {
        throw new MockError(`Failed to find the singleton "${name}".`, { status: 404 })
      }
      const previous = resource.get()
      const stored = resource.replace(record)
      tell({ type: 'updated', collection: name, record: stored, previous })
      return stored
    },
    load: (name, fixture) =>
      options.load ? options.load(name, fixture, options.idField(name)) : fixture,
    make: (name, value, isTaken) => createResource(name, value, options.idField(name), isTaken),
    put(name, resource, base) {
      set(resources, name, resource)
      set(pristine, name, base)
      tell({ type: 'reloaded', collection: name })
    },
    rebase: (name, resource) => void pristine.set(name, resource),
    follow(names) {
      isFollowed = names
    },
    reset: goBack,
    fork: (other = random) => open(forkAll(resources), forkAll(pristine), options, other),
    restore: goBack,
  }
}
