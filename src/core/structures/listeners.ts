/** The listeners of one kind of event: adds and removes listeners, and calls all of them with an event. */
export interface Listeners<Event> {
  /** Calls every listener. */
  emit(event: Event): void
  /** Adds a listener; `doing` completes *Failed to ...* if the listener throws. Returns the unsubscribe function. */
  subscribe(listener: (event: Event) => void, doing?: string): () => void
}

/** Creates listeners of the event `what`; an error of one is reported to `onFailure`, and the others are called. */
export function createListeners<Event>(
  what: string,
  onFailure: (error: unknown, doing: string) => void,
): Listeners<Event> {
  const all = new Set<(event: Event) => void>()
  return {
    emit(event) {
      for (const listener of all) listener(event)
    },
    subscribe(listener, doing = `notify a listener of ${what}`) {
      const notify = (event: Event): void => {
        try {
          listener(event)
        } catch (error) {
          onFailure(error, doing)
        }
      }
      all.add(notify)
      return () => void all.delete(notify)
    },
  }
}
