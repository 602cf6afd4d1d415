import type { JsonRecord } from '../../json/json.ts'
import type { Store } from '../../store/store.ts'
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
  if (!(approved instanceof Promise)) return apply(store, writes)
  return approved.then(() => {
    throwIfEnded(exchange)
    return store.version === version ? apply(store, writes) : commit(exchange, plan)
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

function apply(store: Store, writes: readonly Write[]): JsonRecord[] {
  const [first] = writes
  if (first?.action === 'create') {
    return store.insertAll(
      first.resource.name,
      writes.map(({ record = {} }) => record),
    )
  }
  return writes.map(({ resource: { name }, id, record }) => {
    if (id === undefined) return store.replaceSingleton(name, record ?? {})
    return record ? store.replace(name, id, record) : store.remove(name, id)
  })
}
