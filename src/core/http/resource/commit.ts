import { define, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { isId } from '../../store/records/ids.ts'
import { keyOf } from '../../store/records/collection.ts'
import { childrenByKey } from '../../store/relations.ts'
import type { Service } from '../contract/service.ts'
import { throwIfEnded } from '../contract/early-end.ts'
import type { Exchange, Write } from '../contract/exchange.ts'
import type { MaybePromise } from '../contract/messages.ts'

/**
 * Stores the writes of a request, all or none, after every write hook; `plan` runs again if the data has
 * changed while a hook was asynchronous.
 * @throws MockError when the request has ended early, or a precondition no longer holds
 */
export function commit(exchange: Exchange, plan: () => Write[]): MaybePromise<JsonRecord[]> {
  const { store } = exchange.service
  throwIfEnded(exchange)
  exchange.recheckPreconditions?.()
  const writes = plan()
  const { version } = store
  const approved = runHooks(exchange, writes, 0)
  if (!(approved instanceof Promise)) return apply(exchange.service, writes)
  return approved.then(() => {
    throwIfEnded(exchange)
    return store.version === version ? apply(exchange.service, writes) : commit(exchange, plan)
  })
}

/** Runs each hook over all writes before the next hook, so that checks see what other hooks changed. */
function runHooks(exchange: Exchange, writes: readonly Write[], from: number): MaybePromise<void> {
  const hooks = exchange.records.writes
  for (let at = from; at < hooks.length * writes.length; at++) {
    const write = writes[at % writes.length]
    const ran = write && hooks[Math.floor(at / writes.length)]?.(write, exchange, writes)
    if (ran instanceof Promise) return ran.then(() => runHooks(exchange, writes, at + 1))
  }
}

function apply({ store, links }: Service, writes: readonly Write[]): JsonRecord[] {
  const [first] = writes
  const isAdded = ({ action, resource }: Write): boolean =>
    action === 'create' && resource === first?.resource
  if (first && writes.every(isAdded)) {
    return store.insertAll(
      first.resource.name,
      writes.map(({ record = {} }) => record),
    )
  }
  return writes.map(({ action, resource: { name }, id, record, isRenamed }) => {
    if (action === 'create') return store.insert(name, record ?? {})
    if (id === undefined) return store.replaceSingleton(name, record ?? {})
    if (record && isRenamed) return rename({ store, links }, name, id, record)
    return record ? store.replace(name, id, record) : store.remove(name, id)
  })
}

/** Replaces a record by one with another id, and its id in the records that reference it. */
function rename(
  { store, links }: Pick<Service, 'store' | 'links'>,
  name: string,
  id: string,
  record: JsonRecord,
): JsonRecord {
  const { idField } = store.collection(name)
  store.remove(name, id)
  const stored = store.insert(name, record)
  const to = (one: Json): Json => (isId(one) && String(one) === id ? (stored[idField] ?? one) : one)
  for (const relation of links.relations().childrenOf(name)) {
    const child = store.collection(relation.child)
    for (const one of childrenByKey(child, relation, [id]).flat()) {
      const changed = { ...one }
      for (const key of relation.keys) {
        const value = ownValue(one, key)
        if (value === undefined) continue
        define(changed, key, Array.isArray(value) ? value.map(to) : to(value))
      }
      store.replace(child.name, keyOf(child, one), changed)
    }
  }
  // The record may have referenced itself.
  const own = store.collection(name)
  return own.get(keyOf(own, stored)) ?? stored
}
