/** Where requests wait for the parts of the program that they take. */
export interface Gate {
  /** Whether nobody has ever waited for anything. */
  isUntouched(): boolean
  /** Loads all there is; undefined where it is at hand. */
  load(): Promise<void> | undefined
}

/** Creates the gate before some parts; all who wait go on in the order in which they came. */
export function createGate(parts: readonly (() => Promise<void> | undefined)[]): Gate {
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
    isUntouched: () => !isLoaded && !loading,
    load() {
      if (isLoaded || loading) return loading
      const loads = parts.map((load) => load()).filter((load) => load !== undefined)
      isLoaded = loads.length === 0
      if (!isLoaded) loading = end(loads)
      return loading
    },
  }
}
