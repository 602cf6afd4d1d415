import { MockError } from '../errors/mock-error.ts'
import { apply, diffAll, toStep } from '../store/differences.ts'
import type { Store } from '../store/store.ts'

/** Repeats what requests did to the data of one store in another, without the steps that do not fit there. */
export function keepChanges(from: Store, to: Store): void {
  const steps = diffAll(from).map(toStep)
  if (tryToApply(to, steps)) return
  for (const step of steps) tryToApply(to, [step])
}

function tryToApply(...[store, steps]: Parameters<typeof apply>): boolean {
  try {
    apply(store, steps)
    return true
  } catch (error) {
    if (error instanceof MockError) return false
    throw error
  }
}
