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

/** A behaviour that may lead requests to another mock. */
interface Diverting {
  name: string
  divert?(request: MockRequest): Answerer | undefined
}

/** Creates the ways that behaviours name, for more to come. */
export function createDiversions(behaviours: readonly Diverting[]): Diversions {
  const all = new Set<Diversion>(
    behaviours.flatMap((one) =>
      one.divert ? (request) => request && divertOnce(one, request) : [],
    ),
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

/** A fork has the behaviours of its origin, which must not fork again for the same request. */
function divertOnce({ name, divert }: Diverting, request: MockRequest): Answerer | undefined {
  const { diverted = [] } = request
  const other = diverted.includes(name) ? undefined : divert?.(request)
  if (!other) return undefined
  return {
    base: other.base,
    owns: (path) => other.owns(path),
    handle: (request, access) =>
      other.handle({ ...request, diverted: [...diverted, name] }, access),
  }
}
