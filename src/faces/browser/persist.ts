import type { Step } from '../../core/fixtures/record-difference.ts'
import type { MockInternals } from '../../core/http/contract/internals.ts'
import type { Change, Store } from '../../core/store/store.ts'
import { apply, diffAll, fingerprintOf, toStep } from '../../core/store/differences.ts'
import { readStored, writeStored } from '../../core/text/stored-json.ts'
import { content } from '../../core/store/records/resource.ts'

/**
 * Keeps the changes by requests, and the logins, in the storage of the browser: restores those that are stored for the same fixtures,
 * saves further ones, and synchronizes pages that share the storage. Returns a function that saves the last and stops.
 */
export function persistChanges(
  mock: MockInternals,
  kind: StorageKind | PlainStorage,
  key: string,
): () => void {
  const { store } = mock
  const name = typeof kind === 'string' ? `${kind} storage` : 'the storage'
  const warn = createWarner()
  let fixtures = fingerprintOfFixtures(store)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isApplying = false
  /** The changes since the last save. */
  let unsaved: Change[] = []
  /** The state of behaviours that is stored, as JSON. */
  let savedState = ''

  function save(): void {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    unsaved = []
    const state = readState(mock)
    savedState = stateOf(mock)
    const stored: StoredChanges = { fixtures, steps: diffAll(store).map(toStep), state }
    try {
      const storage = storageOf(kind)
      if (stored.steps.length + state.length === 0) storage.removeItem(key)
      else storage.setItem(key, writeStored(stored))
    } catch (error) {
      warn(`Failed to save the changes made by requests in ${name}`, error)
    }
  }

  /** Writes within 50 ms share one save; `pagehide` saves at once. */
  function saveSoon(): void {
    timer ??= setTimeout(save, 50)
  }

  /** Applies the changes that another page has stored; the next save here would overwrite them. */
  function onStorage({ key: changedKey, newValue, storageArea }: StorageEvent): void {
    if (changedKey !== key || storageArea !== storageOf(kind)) return
    isApplying = true
    try {
      applyStored(mock, newValue, fixtures, unsaved)
      savedState = stateOf(mock)
    } catch (error) {
      warn('Failed to apply the changes made by requests in another tab', error)
    }
    isApplying = false
  }

  try {
    restore(mock, storageOf(kind), key, fixtures)
    savedState = stateOf(mock)
  } catch (error) {
    warn(`Failed to restore the changes made by requests from ${name}`, error)
  }
  const unsubscribe = store.changes.subscribe((change) => {
    if (isApplying) return
    if (change.type === 'reloaded') fixtures = fingerprintOfFixtures(store)
    unsaved.push(change)
    saveSoon()
  })
  const stopListening = mock.onRequest(() => {
    if (stateOf(mock) !== savedState) saveSoon()
  })
  // React Native has no pages.
  const page = globalThis as Partial<Pick<Window, 'addEventListener' | 'removeEventListener'>>
  page.addEventListener?.('pagehide', save)
  page.addEventListener?.('storage', onStorage)
  return () => {
    unsubscribe()
    stopListening()
    page.removeEventListener?.('pagehide', save)
    page.removeEventListener?.('storage', onStorage)
    save()
  }
}

/** The storage of the changes that requests made: `sessionStorage` of the tab, or `localStorage` of all tabs. */
export type StorageKind = 'session' | 'local'

/** A storage of texts that is neither. */
export type PlainStorage = Pick<Storage, 'getItem' | 'setItem' | 'removeItem'>

interface StoredChanges {
  /** The fingerprint of the fixtures that the changes belong to. */
  fixtures: string
  steps: Step[]
  /** The state of behaviours, such as logins. */
  state: SavedMap[]
}

/** A map of `saved` of a behaviour that has entries. */
type SavedMap = [behaviour: string, map: string, entries: [key: string, value: unknown][]]

function readState({ behaviours }: MockInternals): SavedMap[] {
  return behaviours.flatMap(({ name, saved = {} }) =>
    Object.entries(saved).flatMap(([map, entries]): SavedMap[] =>
      entries.size === 0 ? [] : [[name, map, [...entries]]],
    ),
  )
}

/** The state as a text that shows its changes: bytes are never changed, but have more added. */
function stateOf(mock: MockInternals): string {
  return JSON.stringify(readState(mock), (_, value: unknown) =>
    ArrayBuffer.isView(value) ? value.byteLength : value,
  )
}

function writeState({ behaviours }: MockInternals, state: readonly SavedMap[]): void {
  for (const { name, saved = {} } of behaviours) {
    for (const [map, entries] of Object.entries(saved)) {
      const stored = state.find((one) => one[0] === name && one[1] === map)?.[2] ?? []
      entries.clear()
      for (const [key, value] of stored) entries.set(key, value)
    }
  }
}

function fingerprintOfFixtures({ pristine }: Store): string {
  return fingerprintOf(Array.from(pristine, ([name, one]) => [name, content(one)])) ?? ''
}

function storageOf(kind: StorageKind | PlainStorage): PlainStorage {
  if (typeof kind === 'object') return kind
  return kind === 'local' ? localStorage : sessionStorage
}

function restore(mock: MockInternals, storage: PlainStorage, key: string, fixtures: string): void {
  const text = storage.getItem(key)
  if (text === null) return
  const stored = readStored(text) as StoredChanges
  if (stored.fixtures === fixtures) {
    writeState(mock, stored.state)
    return apply(mock.store, stored.steps)
  }
  storage.removeItem(key)
  console.info('The fixtures have changed, so the earlier changes made by requests are discarded.')
}

/** Replaces the changes by those of another page to the same fixtures, and repeats this page's on top. */
function applyStored(
  mock: MockInternals,
  text: string | null,
  fixtures: string,
  unsaved: readonly Change[],
): void {
  const stored: StoredChanges =
    text === null ? { fixtures, steps: [], state: [] } : (readStored(text) as StoredChanges)
  if (stored.fixtures !== fixtures) return
  const { store } = mock
  writeState(mock, stored.state)
  const fresh = store.fork()
  fresh.reset()
  apply(fresh, stored.steps)
  for (const change of unsaved) {
    if (change.type === 'reset') fresh.reset()
    else if (change.type !== 'reloaded') apply(fresh, [change])
  }
  store.restore(fresh)
}

function createWarner(): (failure: string, error: unknown) => void {
  let hasWarned = false
  return (failure, error) => {
    if (hasWarned) return
    hasWarned = true
    console.warn(`${failure}. A reload loses them.`, error)
  }
}
