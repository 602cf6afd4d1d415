import type { Resource, Row } from '../app/state.ts'

/**
 * Subscribes a view of the studio to the records that the page itself writes: calls the listener with each record
 * that `publishLocalWrite` publishes after the mock has stored it, so that the view shows the record before the mock
 * reports the change. Returns a function that ends the subscription.
 */
export function onLocalWrite(listener: Listener): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** Shows a written record in all views, so that the next edit begins with this record. */
export function publishLocalWrite(resource: Resource, record: Row): void {
  for (const listener of listeners) listener(resource, record)
}

/** Shows a record that the page has just written. */
type Listener = (resource: Resource, record: Row) => void

const listeners = new Set<Listener>()
