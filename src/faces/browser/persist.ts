import type { Step } from '../../core/fixtures/record-difference.ts'
import type { Change, Store } from '../../core/store/store.ts'
import { apply, diffAll, fingerprintOf, toStep } from '../../core/store/differences.ts'
import { content } from '../../core/store/records/resource.ts'

/**
 * Keeps the changes by requests in the storage of the browser: restores those that are stored for the same fixtures,
 * saves further ones, and synchronizes pages that share the storage. Returns a function that saves the last and stops.
 */
export function persistChanges(store: Store, kind: StorageKind, key: string): () => void {
  const warn = createWarner()
  let fixtures = fingerprintOfFixtures(store)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isApplying = false
  /** The changes since the last save. */
  let unsaved: Change[] = []

  function save(): void {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    unsaved = []
    const stored: StoredChanges = { fixtures, steps: diffAll(store).map(toStep) }
    try {
      const storage = storageOf(kind)
      if (stored.steps.length === 0) storage.removeItem(key)
      else storage.setItem(key, JSON.stringify(stored))
    } catch (error) {
      warn(`Failed to save the changes made by requests in ${kind} storage`, error)
    }
  }

  /** Applies the changes that another page has stored; the next save here would overwrite them. */
  function onStorage({ key: changedKey, newValue, storageArea }: StorageEvent): void {
    if (changedKey !== key || storageArea !== storageOf(kind)) return
    isApplying = true
    try {
      applyStored(store, newValue, fixtures, unsaved)
    } catch (error) {
      warn('Failed to apply the changes made by requests in another tab', error)
    }
    isApplying = false
  }

  try {
    restore(store, storageOf(kind), key, fixtures)
  } catch (error) {
    warn(`Failed to restore the changes made by requests from ${kind} storage`, error)
  }
  const unsubscribe = store.changes.subscribe((change) => {
    if (isApplying) return
    if (change.type === 'reloaded') fixtures = fingerprintOfFixtures(store)
    unsaved.push(change)
    // Writes within 50 ms share one save; `pagehide` saves at once.
    timer ??= setTimeout(save, 50)
  })
  addEventListener('pagehide', save)
  addEventListener('storage', onStorage)
  return () => {
    unsubscribe()
    removeEventListener('pagehide', save)
    removeEventListener('storage', onStorage)
    save()
  }
}

/** The storage of the changes that requests made: `sessionStorage` of the tab, or `localStorage` of all tabs. */
export type StorageKind = 'session' | 'local'

interface StoredChanges {
  /** The fingerprint of the fixtures that the changes belong to. */
  fixtures: string
  steps: Step[]
}

function fingerprintOfFixtures({ pristine }: Store): string {
  return fingerprintOf(Array.from(pristine, ([name, one]) => [name, content(one)])) ?? ''
}

function storageOf(kind: StorageKind): Storage {
  return kind === 'local' ? localStorage : sessionStorage
}

function restore(store: Store, storage: Storage, key: string, fixtures: string): void {
  const text = storage.getItem(key)
  if (text === null) return
  const stored = JSON.parse(text) as StoredChanges
  if (stored.fixtures === fixtures) return apply(store, stored.steps)
  storage.removeItem(key)
  console.info('The fixtures have changed, so the earlier changes made by requests are discarded.')
}

/** Replaces the changes by those of another page to the same fixtures, and repeats this page's on top. */
function applyStored(
  store: Store,
  text: string | null,
  fixtures: string,
  unsaved: readonly Change[],
): void {
  const stored: StoredChanges =
    text === null ? { fixtures, steps: [] } : (JSON.parse(text) as StoredChanges)
  if (stored.fixtures !== fixtures) return
  const fresh = store.fork()
  fresh.reset()
  apply(fresh, stored.steps)
  for (const change of unsaved) {
    if (change.type === 'reset') fresh.reset()
    else if (change.type !== 'reloaded') apply(fresh, [change])
  }
  store.restore(fresh)
}

/** Creates a function that prints the first warning only. */
function createWarner(): (failure: string, error: unknown) => void {
  let hasWarned = false
  return (failure, error) => {
    if (hasWarned) return
    hasWarned = true
    console.warn(`${failure}. A reload loses them.`, error)
  }
}
