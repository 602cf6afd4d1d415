import type { Answerer } from '../contract/answerer.ts'
import type { MockRequest } from '../contract/messages.ts'

/** Names the mock that is to answer a request, or that owns a path where there is none yet. */
export type Diversion = (request?: MockRequest) => Answerer | undefined

/** The ways by which requests come to another mock. */
export interface Diversions {
  /** The first other mock that is named. */
  find: Diversion
  /** Adds a way. Returns the end of it. */
  add(choose: Diversion): () => void
}

/** Creates the ways to other mocks, of which there are none yet. */
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
