import type { Controlled, World } from '../http/behaviour.ts'
import { hear } from './hear.ts'
import { content } from '../store/content.ts'
import { placeOf } from '../store/places.ts'
import { reload } from '../store/reload.ts'

/**
 * Forks the mock around a world for some of its callers, whose requests its log names as theirs. What
 * changes in the fixtures reaches the fork too, until it ends.
 */
export function forkFor(world: World, callers: string): Controlled {
  const { host, log, service } = world
  const fork = host().fork()
  fork.onRequest((entry) =>
    log.add({ ...entry, reason: [callers, entry.reason].filter(Boolean).join('; ') }),
  )
  const stop = hear(world, `take over what has changed for ${callers}`, (change) => {
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
