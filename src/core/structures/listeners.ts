/** Who hears of something that happens. */
export interface Listeners<Event> {
  /** Tells everybody. */
  emit(event: Event): void
  /** Adds one more; `doing` is what it keeps from being done where it fails. Returns the end of it. */
  subscribe(listener: (event: Event) => void, doing?: string): () => void
}

/**
 * Creates the listeners of something that is done by the time they hear of it: that one of them throws
 * is told to `onFailure`, and is no reason for the others, or for what was done, to fail.
 */
export function createListeners<Event>(
  what: string,
  onFailure: (error: unknown, doing: string) => void,
): Listeners<Event> {
  const all = new Set<(event: Event) => void>()
  return {
    emit(event) {
      for (const listener of all) listener(event)
    },
    subscribe(listener, doing = `tell a listener of ${what}`) {
      const hear = (event: Event): void => {
        try {
          listener(event)
        } catch (error) {
          onFailure(error, doing)
        }
      }
      all.add(hear)
      return () => void all.delete(hear)
    },
  }
}
