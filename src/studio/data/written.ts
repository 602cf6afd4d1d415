import type { Resource, Row } from '../app/state.ts'

/** Shows a record that the page has just written. */
type Listener = (resource: Resource, record: Row) => void

const listeners = new Set<Listener>()

/** Calls a function with each record that the page writes. Returns the end of the calls. */
export function onWritten(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows a record that was written in all views, so that the next edit begins with it. */
export function showWritten(resource: Resource, record: Row): void {
  for (const listener of listeners) listener(resource, record)
}
