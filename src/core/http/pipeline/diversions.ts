import type { Answerer } from '../contract/answerer.ts'
import type { MockRequest } from '../contract/messages.ts'

/**
 * Creates the list of functions that may send the requests of a mock to another mock. Test isolation
 * (`isolate`) adds a function that chooses the fork of the running test.
 */
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

/** The functions that may send a request to another mock, in the order in which they were added. */
export interface Diversions {
  /** The first mock that a function chooses. */
  find: Diversion
  /** Adds a function. Returns a function that removes it. */
  add(choose: Diversion): () => void
}

/**
 * Chooses the mock that answers a request in place of this mock; returns undefined if this mock answers.
 * Without a request, chooses the mock whose `owns` is asked.
 */
export type Diversion = (request?: MockRequest) => Answerer | undefined
