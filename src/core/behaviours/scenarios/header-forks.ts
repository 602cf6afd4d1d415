import type { MockInternals } from '../../http/contract/internals.ts'
import type { MockContext } from '../../http/contract/behaviour.ts'
import { forkFor, type OwnFork } from '../shared/own-fork.ts'

/**
 * Creates the forks of a mock that handle requests whose header (by default `X-Mock-Scenario`) names another
 * scenario than the active one: one fork for each scenario. `activate` activates the scenario of a new fork.
 */
export function createHeaderForks(
  world: MockContext,
  activate: (fork: MockInternals, name: string) => void,
): HeaderForks {
  const forks = new Map<string, OwnFork>()

  function open(name: string): OwnFork {
    const fork = forkFor(world, `scenario ${name}`)
    activate(fork.host, name)
    forks.set(name, fork)
    return fork
  }

  return {
    enter(name) {
      const fork = forks.get(name) ?? open(name)
      fork.updateFixtures()
      return fork.host
    },
    endUnless(isKept) {
      for (const [name, fork] of forks) {
        if (isKept(name)) continue
        fork.end()
        forks.delete(name)
      }
    },
  }
}

/** The forks by scenario. */
export interface HeaderForks {
  /** Returns the fork of a scenario, which the first request creates. */
  enter(name: string): MockInternals
  /** Ends the forks of the scenarios for which `isKept` returns false. */
  endUnless(isKept: (name: string) => boolean): void
}
