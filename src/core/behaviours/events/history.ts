import type { Change } from '../../store/changes.ts'

/** A change, and its number among the changes of the mock. */
export interface Event {
  number: number
  change: Change
}

/** The past events that a stream replays for `Last-Event-ID`. */
export interface History {
  /** Adds a change as the next event, and removes the oldest events above the limits. */
  add(change: Change): Event
  /** The id of an event in the stream. */
  idOf(event: Event): string
  /** The events after the event of this id; a `reset` if the history lacks some of them, or the id. */
  eventsAfter(id: string): readonly Event[]
}

/**
 * Creates a history of at most `maxCount` events, whose changes have at most `maxSize` characters of JSON
 * together. Ids begin with `run`, so that an id from before a restart is unknown.
 */
export function createHistory(maxCount: number, maxSize: number, run: string): History {
  const past: (Event & { size: number })[] = []
  let totalSize = 0
  let last = 0
  const toId = (number: number): string => `${run}-${number}`
  return {
    add(change) {
      const event = { number: ++last, change }
      const size = JSON.stringify(change).length
      past.push({ ...event, size })
      totalSize += size
      while (past.length > maxCount || totalSize > maxSize) totalSize -= past.shift()?.size ?? 0
      return event
    },
    idOf: ({ number }) => toId(number),
    eventsAfter(id) {
      const at = past.findIndex(({ number }) => toId(number - 1) === id)
      if (at >= 0) return past.slice(at)
      return id === toId(last) ? [] : [{ number: last, change: { type: 'reset' } }]
    },
  }
}
