import type { JsonRecord } from '../json.ts'

/** Something that has happened to the data. `collection` also names singletons. */
export type Change =
  | { type: 'created'; collection: string; id: string; record: JsonRecord }
  | { type: 'updated'; collection: string; id?: string; record: JsonRecord; previous: JsonRecord }
  | { type: 'deleted'; collection: string; id: string; previous: JsonRecord }
  | { type: 'reloaded'; collection: string }
  | { type: 'reset' }

/** Hears of every change, after it was made. */
export type ChangeListener = (change: Change) => void

/** Who listens to a store. */
export interface Changes {
  emit(change: Change): void
  /** Returns the function that ends it. */
  subscribe(listener: ChangeListener): () => void
}

/** Creates a list of listeners; one that throws does not keep the others from hearing. */
export function createChanges(): Changes {
  const listeners = new Set<ChangeListener>()
  return {
    emit(change) {
      let failure: { error: unknown } | undefined
      for (const listener of listeners) {
        try {
          listener(change)
        } catch (error) {
          failure ??= { error }
        }
      }
      if (failure) throw failure.error
    },
    subscribe(listener) {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}
