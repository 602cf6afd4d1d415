import type { Answerer } from '../contract/answerer.ts'
import type { MockRequest } from '../contract/messages.ts'

/**
 * Chooses another mock to answer a request in place of this mock; undefined if this mock answers.
 * Without a request, chooses the mock that is asked which paths it owns.
 */
export type Diversion = (request?: MockRequest) => Answerer | undefined

/** The functions that may send a request to another mock. */
export interface Diversions {
  /** The first mock that a function chooses. */
  find: Diversion
  /** Adds a function. Returns a function that removes it. */
  add(choose: Diversion): () => void
}

/** Creates an empty list of diversions. */
export function createDiversions(): Diversions {
  const all = new Set<Diversion>()
  return {
    find(request) {
      for (const choose of all) {
        const other = choose(request)
        if (other) return other
      }
      return undefined
    },
    add(choose) {
      all.add(choose)
      return () => void all.delete(choose)
    },
  }
}
