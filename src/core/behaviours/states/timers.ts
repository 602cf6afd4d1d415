import type { MockContext } from '../../http/contract/behaviour.ts'
import { define, type Json, type JsonRecord } from '../../json/json.ts'
import { keyOf } from '../../store/records/collection.ts'
import { openStored } from '../shared/stored-map.ts'
import type { States } from './options.ts'
import { entryOf, isDeleted, stateOf } from './transitions.ts'

/**
 * Changes the state of each record in a collection after the time that the option `after` of `states` sets
 * for the state. The time starts when the record enters the state, or when the mock starts or is reset.
 * Returns a function that cancels the timers.
 */
export function createTimers(name: string, own: States, world: MockContext): () => void {
  const { clock, service } = world
  const { store } = service
  const timers = new Map<string, { state: Json | undefined; cancel: () => void }>()
  /** When the records leave their states, in milliseconds since 1970, for a later process. */
  const dues = openStored<{ state: Json; at: number }>(world, name)
  if (Object.keys(own.after).length === 0) return () => {}

  function watch(id: string, record: JsonRecord | undefined): void {
    const state = record && stateOf(record, own)
    const timer = timers.get(id)
    if (timer && timer.state === state) return
    timer?.cancel()
    timers.delete(id)
    const rule = entryOf(own.after, state)
    const known = dues.get(id)
    if (!rule || state === undefined) return void (known && dues.delete(id))
    const now = clock.now()
    const at = known?.state === state ? known.at : now + rule.in
    if (known?.at !== at) dues.set(id, { state, at })
    const leave = (): void => {
      timers.delete(id)
      dues.delete(id)
      const record = find(id)
      if (!record || stateOf(record, own) !== state || isDeleted(record, own)) return
      const next = { ...record }
      define(next, own.field, rule.to)
      store.replace(name, id, next)
    }
    timers.set(id, { state, cancel: clock.after(Math.max(0, at - now), leave, true) })
  }

  function find(id: string): JsonRecord | undefined {
    const resource = store.resources.get(name)
    return resource?.kind === 'collection' ? resource.get(id) : undefined
  }

  function watchAll(): void {
    const resource = store.resources.get(name)
    for (const id of timers.keys()) watch(id, find(id))
    if (resource?.kind !== 'collection') return
    for (const record of resource.records()) watch(keyOf(resource, record), record)
  }

  function end(): void {
    for (const { cancel } of timers.values()) cancel()
    timers.clear()
    dues.clear()
  }

  store.changes.subscribe((change) => {
    if (change.type === 'reset') end()
    else if (change.collection !== name) return
    if ('id' in change && change.id !== undefined) watch(change.id, find(change.id))
    else watchAll()
  }, `update the timers of "${name}"`)
  watchAll()
  return end
}
