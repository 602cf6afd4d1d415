import { ask } from '../control.ts'
import { attempt, inTurn } from '../app/notices.ts'
import { refresh, revision } from '../app/state.ts'
import { useLoaded } from '../parts/use-loaded.ts'

/**
 * Returns the JSON of a `GET` to the control API, which is fetched again after changes; `initial` until the
 * JSON is known.
 */
export function useControl<Value>(path: string, initial: Value): Value {
  return useLoaded(async () => ask<Value>(path), [path, revision.value]) ?? initial
}

/**
 * Sends a change to the control API after the changes that are on their way, and shows the new state. Returns
 * whether the change succeeded.
 */
export async function change(path: string, method: string, input?: unknown): Promise<boolean> {
  return attempt(async () => {
    await inTurn(async () => ask(path, { method, input }))
    await refresh()
  })
}
