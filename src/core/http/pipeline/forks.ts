import type { ForkChooser, NamedHooks } from '../contract/hooks.ts'
import { internalsOf, type MockInternals } from '../contract/internals.ts'
import type { MockRequest } from '../contract/messages.ts'

/** Creates the choice of a mock that answers in place of this one: forks of `isolate`, then the hooks `divert`. */
export function createForks(behaviours: readonly NamedHooks[]): Forks {
  const added = new Set<ForkChooser>()
  const diverting = behaviours.flatMap(({ name, divert }) => (divert ? [{ name, divert }] : []))
  return {
    add(choose) {
      added.add(choose)
      return () => void added.delete(choose)
    },
    find(request) {
      for (const choose of added) {
        const fork = choose(request)
        if (fork) return { mock: internalsOf(fork), diverted: request?.diverted ?? [] }
      }
      if (!request) return undefined
      // A fork has the behaviours of its origin, which must not fork again for the same request.
      const { diverted = [] } = request
      for (const { name, divert } of diverting) {
        const fork = diverted.includes(name) ? undefined : divert(request)
        if (fork) return { mock: internalsOf(fork), diverted: [...diverted, name] }
      }
      return undefined
    },
  }
}

/** The functions that choose the fork for a request, of which the first that chooses one decides. */
export interface Forks {
  /** Adds a function. Returns a function that removes it. */
  add(choose: ForkChooser): () => void
  /** The chosen mock, and `diverted` of the request to pass on; undefined if the mock itself answers. */
  find(request?: MockRequest): { mock: MockInternals; diverted: readonly string[] } | undefined
}
