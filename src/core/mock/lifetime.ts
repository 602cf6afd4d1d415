/**
 * Creates the lifetime of a mock or fork, which lasts until `end` is called: the fork of a session
 * (`X-Mock-Session`) ends when the session expires, and its event streams end, too.
 */
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

/** The end of a mock or fork, of which callbacks are notified. */
export interface Lifetime {
  end(): void
  /** Calls back at the end, at once if it has come. Returns a function that unsubscribes. */
  onEnd(callback: () => void): () => void
}
