import type { Change } from '../../store/changes.ts'

/**
 * Creates the history of the last changes, from which `events` sends a client that reconnects with
 * `Last-Event-ID` what it has missed. The history has at most `maxCount` events, whose changes have at most
 * `maxSize` characters of JSON together. Ids begin with `run`, so that an id from before a restart is unknown.
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

/** The past events of a mock. */
export interface History {
  /** Adds a change as the next event, and removes the oldest events above the limits. */
  add(change: Change): Event
  /** Returns the id of an event in the stream. */
  idOf(event: Event): string
  /** Returns the events after the event with this id; a `reset` if the history lacks the id or some events. */
  eventsAfter(id: string): readonly Event[]
}

/** A change, and its number among the changes of the mock. */
export interface Event {
  number: number
  change: Change
}
