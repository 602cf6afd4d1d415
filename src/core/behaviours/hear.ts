import type { World } from '../http/behaviour.ts'
import type { ChangeListener } from '../store/changes.ts'

/**
 * Hears of every change in a world, after it was made. What fails by it is told and is no reason for a
 * write to fail, as that is done. Returns the end of it.
 */
export function hear(
  { service, host }: World,
  doing: string,
  listener: ChangeListener,
): () => void {
  return service.store.changes.subscribe((change) => {
    try {
      listener(change)
    } catch (error) {
      host().onFailure(error, doing)
    }
  })
}
