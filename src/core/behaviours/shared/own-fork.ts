import type { MockInternals } from '../../http/contract/internals.ts'
import type { MockContext } from '../../http/contract/behaviour.ts'
import { content } from '../../store/records/resource.ts'

/** Forks a mock for a session or scenario; the log of the mock lists its requests with `label`. */
export function forkFor({ host, log, service }: MockContext, label: string): OwnFork {
  const fork = host().fork()
  fork.onExchange((exchange) =>
    log.insert({ ...exchange, reason: [label, exchange.reason].filter(Boolean).join('; ') }),
  )
  // A fork without requests need not be updated at once: there may be many such forks.
  const stale = new Set<string>()
  const stop = service.store.changes.subscribe((change) => {
    if (change.type === 'reloaded') stale.add(change.collection)
  })
  return {
    host: fork,
    updateFixtures() {
      for (const name of stale) {
        const { pristine } = service.store.fixtureLayer(name)
        fork.store.reload(name, pristine && content(pristine))
      }
      stale.clear()
    },
    end() {
      stop()
      fork.end()
    },
  }
}

/** The fork of one session or scenario. */
export interface OwnFork {
  host: MockInternals
  /** Loads the fixtures that have changed since the last call. */
  updateFixtures(): void
  end(): void
}
