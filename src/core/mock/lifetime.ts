/** The lifetime of a mock: a fork that is discarded ends, and with it what belongs to the fork, such as streams. */
export interface Lifetime {
  end(): void
  /** Calls back at the end, at once if it has come. Returns a function that unsubscribes. */
  onEnd(callback: () => void): () => void
}

/** Creates the lifetime of a mock, which lasts until `end` is called. */
export function createLifetime(): Lifetime {
  const callbacks = new Set<() => void>()
  let isOver = false
  return {
    end() {
      isOver = true
      for (const callback of callbacks) callback()
      callbacks.clear()
    },
    onEnd(callback) {
      if (isOver) callback()
      else callbacks.add(callback)
      return () => void callbacks.delete(callback)
    },
  }
}
