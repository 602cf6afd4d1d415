import type { Answerer } from './answerer.ts'
import type { MockRequest } from './messages.ts'

/** Names the mock that is to answer a request, or that owns a path where there is none yet. */
export type Diversion = (request?: MockRequest) => Answerer | undefined

/** The ways by which requests come to another mock. */
export interface Diversions {
  /** The first other mock that is named. */
  find: Diversion
  /** Adds a way. Returns the end of it. */
  add(choose: Diversion): () => void
}

/** Creates the ways that behaviours name, for more to come. */
export function createDiversions(
  behaviours: readonly { divert?(request: MockRequest): Answerer | undefined }[],
): Diversions {
  const all = new Set<Diversion>(
    behaviours.flatMap(({ divert }) => (divert ? (request) => request && divert(request) : [])),
  )
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
