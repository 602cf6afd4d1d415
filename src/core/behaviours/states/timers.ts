import type { World } from '../../http/contract/behaviour.ts'
import { define, type Json, type JsonRecord } from '../../json/json.ts'
import { keyOf } from '../../store/records/collection.ts'
import { isRemoved, ofState, stateOf, type States } from './options.ts'

/**
 * Lets the records of a collection leave their states by themselves. Time begins when a record is first
 * seen in the state: at the start, after a reset, or when it gets there. Returns the end of it.
 */
export function createTimers(name: string, own: States, world: World): () => void {
  const { clock, service } = world
  const { store } = service
  const waiting = new Map<string, { state: Json | undefined; cancel: () => void }>()
  if (Object.keys(own.after).length === 0) return () => {}

  function watch(id: string, record: JsonRecord | undefined): void {
    const state = record && stateOf(record, own)
    const held = waiting.get(id)
    if (held && held.state === state) return
    held?.cancel()
    waiting.delete(id)
    const rule = ofState(own.after, state)
    if (!rule) return
    const leave = (): void => {
      waiting.delete(id)
      const record = find(id)
      if (!record || stateOf(record, own) !== state || isRemoved(record, own)) return
      const next = { ...record }
      define(next, own.field, rule.to)
      store.replace(name, id, next)
    }
    waiting.set(id, { state, cancel: clock.after(rule.in, leave, true) })
  }

  function find(id: string): JsonRecord | undefined {
    const resource = store.resources.get(name)
    return resource?.kind === 'collection' ? resource.get(id) : undefined
  }

  function watchAll(): void {
    const resource = store.resources.get(name)
    for (const id of waiting.keys()) watch(id, find(id))
    if (resource?.kind !== 'collection') return
    for (const record of resource.records()) watch(keyOf(resource, record), record)
  }

  function end(): void {
    for (const { cancel } of waiting.values()) cancel()
    waiting.clear()
  }

  store.changes.subscribe((change) => {
    if (change.type === 'reset') end()
    else if (change.collection !== name) return
    if ('id' in change && change.id !== undefined) watch(change.id, find(change.id))
    else watchAll()
  }, `look after the states of "${name}"`)
  watchAll()
  return end
}
