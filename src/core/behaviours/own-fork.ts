import type { Controlled, World } from '../http/behaviour.ts'
import { content } from '../store/content.ts'
import { placeOf } from '../store/places.ts'
import { reload } from '../store/reload.ts'

/**
 * Forks the mock around a world for some of its callers, whose requests its log names as theirs. What
 * changes in the fixtures reaches the fork too, until it ends.
 */
export function forkFor({ host, log, service }: World, callers: string): Controlled {
  const fork = host().fork()
  fork.onRequest((entry) =>
    log.add({ ...entry, reason: [callers, entry.reason].filter(Boolean).join('; ') }),
  )
  const stop = service.store.changes.subscribe((change) => {
    if (change.type !== 'reloaded') return
    const { pristine } = placeOf(service.store, change.collection)
    reload(fork.store, change.collection, pristine && content(pristine))
  })
  const { end } = fork
  return Object.assign(fork, {
    end() {
      stop()
      end()
    },
  })
}
