import type { Dialect } from '../dialects/dialect.ts'
import { createPart, type Part } from '../part.ts'
import type * as Later from './later.ts'

/** What no plain read needs. */
export const later: Part<typeof Later> = createPart(() => import('./later.ts'))

/** Where requests wait for the parts that they take. */
export interface Gate {
  /** Whether there is nothing to wait for, ever again. */
  isOpen(): boolean
  /** What is being loaded; undefined for nothing. */
  pending(): Promise<void> | undefined
  /** Loads all there is; undefined where it is at hand. */
  load(): Promise<void> | undefined
}

/** Creates the gate of a mock; all who wait go on in the order in which they came. */
export function createGate({ prepare }: Dialect): Gate {
  let isLoaded = false
  let loading: Promise<void> | undefined

  async function end(loads: readonly Promise<void>[]): Promise<void> {
    try {
      await Promise.all(loads)
    } finally {
      loading = undefined
    }
  }

  return {
    isOpen: () => isLoaded,
    pending: () => loading,
    load() {
      if (isLoaded || loading) return loading
      const loads = [later.load(), prepare?.()].filter((load) => load !== undefined)
      isLoaded = loads.length === 0
      if (!isLoaded) loading = end(loads)
      return loading
    },
  }
}
