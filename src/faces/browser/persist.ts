import type { Change } from '../../core/store/changes.ts'
import {
  applySaved,
  fingerprint,
  redo,
  type Saved,
  toSaved,
} from '../../core/store/reload/saved.ts'
import type { Store } from '../../core/store/store.ts'

/** Where a page can keep something. */
export type Place = 'session' | 'local'

interface Kept {
  /** Which fixtures it belongs to. */
  fixtures: string
  saved: Saved
}

/**
 * Does again what requests had done before the page was loaded, and keeps what they do from now on.
 * Where the fixtures have changed in between, it is dropped. Pages with one storage are kept in step.
 * Returns the end of it.
 */
export function keep(store: Store, place: Place, key: string): () => void {
  const tell = createTeller()
  let fixtures = fingerprint(store)
  let timer: ReturnType<typeof setTimeout> | undefined
  let isTaking = false
  /** What is not kept yet. */
  let changes: Change[] = []

  function save(): void {
    if (timer === undefined) return
    clearTimeout(timer)
    timer = undefined
    changes = []
    const saved = toSaved(store)
    const kept: Kept = { fixtures, saved }
    try {
      const storage = open(place)
      if (Object.keys(saved).length === 0) storage.removeItem(key)
      else storage.setItem(key, JSON.stringify(kept))
    } catch (error) {
      tell(`Failed to keep what requests did in the ${place} storage`, error)
    }
  }

  /** Takes over what another page has kept, which else the next thing kept here would undo. */
  function take({ key: kept, newValue, storageArea }: StorageEvent): void {
    if (kept !== key || storageArea !== open(place)) return
    isTaking = true
    try {
      follow(store, newValue, fixtures, changes)
    } catch (error) {
      tell('Failed to take over what requests did in another tab', error)
    }
    isTaking = false
  }

  try {
    restore(store, open(place), key, fixtures)
  } catch (error) {
    tell(`Failed to bring back what requests did from the ${place} storage`, error)
  }
  const unsubscribe = store.changes.subscribe((change) => {
    if (isTaking) return
    if (change.type === 'reloaded') fixtures = fingerprint(store)
    changes.push(change)
    // Many writes at once are kept once; a page that is left does not wait.
    timer ??= setTimeout(save, 50)
  })
  addEventListener('pagehide', save)
  addEventListener('storage', take)
  return () => {
    unsubscribe()
    removeEventListener('pagehide', save)
    removeEventListener('storage', take)
    save()
  }
}

function open(place: Place): Storage {
  return place === 'local' ? localStorage : sessionStorage
}

function restore(store: Store, storage: Storage, key: string, fixtures: string): void {
  const text = storage.getItem(key)
  if (text === null) return
  const kept = JSON.parse(text) as Kept
  if (kept.fixtures === fixtures) return applySaved(store, kept.saved)
  storage.removeItem(key)
  console.info('The fixtures have changed: what requests did before is dropped.')
}

/**
 * Brings a store to what another page has kept, and does again what has changed in this one since,
 * unless that has other fixtures; null is nothing.
 */
function follow(
  store: Store,
  text: string | null,
  fixtures: string,
  changes: readonly Change[],
): void {
  const kept: Kept = text === null ? { fixtures, saved: {} } : (JSON.parse(text) as Kept)
  if (kept.fixtures !== fixtures) return
  const fresh = store.fork()
  fresh.reset()
  applySaved(fresh, kept.saved)
  for (const change of changes) redo(fresh, change)
  store.restore(fresh)
}

/** Says that something failed, once. */
function createTeller(): (what: string, error: unknown) => void {
  let hasTold = false
  return (what, error) => {
    if (hasTold) return
    hasTold = true
    console.warn(`${what}, so that a reload loses it:`, error)
  }
}
