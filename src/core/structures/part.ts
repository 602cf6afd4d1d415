/** A part of the program that is loaded when it is first needed, and at hand from then on. */
export interface Part<T> {
  /** Loads it; undefined where it is at hand. Where that fails, the next call tries again. */
  load(): Promise<void> | undefined
  /** Whether it is at hand, or on its way. */
  isBegun(): boolean
  /** What was loaded. @throws TypeError where nothing was */
  get(): T
}

/** Creates a part from what loads it: `createPart(() => import('./part.ts'))`. */
export function createPart<T>(from: () => Promise<T>): Part<T> {
  let part: T | undefined
  let loading: Promise<void> | undefined
  async function begin(): Promise<void> {
    try {
      part = await from()
    } finally {
      loading = undefined
    }
  }

  return {
    load: () => (part ? undefined : (loading ??= begin())),
    isBegun: () => Boolean(part ?? loading),
    get() {
      if (part) return part
      throw new TypeError('Failed to use what is not loaded. Please await mock.prepare().')
    },
  }
}
