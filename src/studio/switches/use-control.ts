import { ask } from '../control.ts'
import { attempt, inTurn } from '../app/notices.ts'
import { refresh, revision } from '../app/state.ts'
import { useLoaded } from '../parts/use-loaded.ts'

/** The value of a control, which is fetched again after changes; `initial` until it is known. */
export function useControl<Value>(path: string, initial: Value): Value {
  return useLoaded(async () => ask<Value>(path), [path, revision.value]) ?? initial
}

/** Sends a change to a control after the changes before, and shows the new state. Returns whether it was made. */
export async function change(path: string, method: string, input?: unknown): Promise<boolean> {
  return attempt(async () => {
    await inTurn(async () => ask(path, { method, input }))
    await refresh()
  })
}
