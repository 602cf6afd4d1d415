import type { Controlled, World } from '../../http/contract/behaviour.ts'
import { content } from '../../store/records/content.ts'
import { placeOf } from '../../store/overlay/places.ts'
import { reload } from '../../store/reload/reload.ts'

/** A fork for some of the callers of a mock. */
export interface OwnFork {
  host: Controlled
  /** Takes over what has changed in the fixtures since it was last called. */
  follow(): void
  end(): void
}

/** Forks the mock around a world for some of its callers, whose requests its log names as theirs. */
export function forkFor({ host, log, service }: World, callers: string): OwnFork {
  const fork = host().fork()
  fork.onRequest((entry) =>
    log.add({ ...entry, reason: [callers, entry.reason].filter(Boolean).join('; ') }),
  )
  // Nobody waits for those who do not ask: there may be many of them.
  const stale = new Set<string>()
  const stop = service.store.changes.subscribe((change) => {
    if (change.type === 'reloaded') stale.add(change.collection)
  })
  return {
    host: fork,
    follow() {
      for (const name of stale) {
        const { pristine } = placeOf(service.store, name)
        reload(fork.store, name, pristine && content(pristine))
      }
      stale.clear()
    },
    end() {
      stop()
      fork.end()
    },
  }
}
