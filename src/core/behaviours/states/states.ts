import type { Behaviour, MockContext } from '../../http/contract/behaviour.ts'
import type { Write } from '../../http/contract/exchange.ts'
import { viewOf } from '../../http/resource/record-view.ts'
import { define, type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { keyOf } from '../../store/records/collection.ts'
import { checkByResource } from '../shared/resources.ts'
import { openStored } from '../shared/world-state.ts'
import { createActions, routesOf } from './actions.ts'
import { describeActions, describeStateOperation, describeStates } from './describe.ts'
import {
  checkTransition,
  entryOf,
  goneRecord,
  hasStates,
  isDeleted,
  stateChecks,
  stateOf,
  type StateOptions,
  type States,
  toStates,
  wrongTransition,
} from './state-machine.ts'

/**
 * Restricts the states of records to the transitions of a table, by collection. A state changes by a
 * write, by an action such as `POST /orders/1/ship`, or after a time.
 * @throws MockError when an option is wrong
 * @example states({ orders: { initial: 'placed', transitions: { placed: ['paid'], paid: ['shipped'] }, actions: { ship: 'shipped' } } })
 */
export function states(options: Readonly<Record<string, StateOptions>>): Behaviour {
  const checkStore = checkByResource('states', options, stateChecks)
  const all = Object.entries(options).map(([name, own]) => [name, toStates(name, own)] as const)
  const byName: Readonly<Record<string, States>> = Object.fromEntries(all)
  return {
    name: 'states',
    create(world) {
      const { clock } = world
      checkStore(world)
      const actions = createActions(all, world)
      const ends = all.map(([name, own]) => createTimers(name, own, world))
      return {
        at: { resource: actions.answer },
        view(name) {
          const own = ownValue(byName, name)
          if (own?.deletedField === undefined) return undefined
          return {
            includes: (record) => !isDeleted(record, own),
            refuse: () => goneRecord(name),
          }
        },
        publish(name, record) {
          const own = ownValue(byName, name)
          return own && isDeleted(record, own) ? undefined : record
        },
        write(write) {
          const own = ownValue(byName, write.resource.name)
          if (!own) return
          if (write.action === 'remove') softDelete(write, own, clock.now())
          else if (hasStates(own)) setInitial(write, own)
        },
        check(write, exchange) {
          const { name } = write.resource
          const own = ownValue(byName, name)
          if (!own || !hasStates(own) || write.action === 'remove') return
          checkState(write, own, viewOf(exchange, name).fieldName(own.field))
        },
        routes: all.flatMap(([name, own]) => routesOf(name, own)),
        describe: () => ({
          records: Object.fromEntries(all.map(([name, own]) => [name, describeStates(own)])),
          operation: (operation) => describeStateOperation(all, operation),
          routes: (schemaOf) => all.flatMap(([name, own]) => describeActions(name, own, schemaOf)),
        }),
        reset: actions.reset,
        end() {
          actions.reset()
          for (const end of ends) end()
        },
      }
    },
  }
}

function setInitial(write: Write, { field, initial }: States): void {
  const { record = {}, previous } = write
  // Null in an existing record is a transition; null in a new record is a missing state.
  if (previous ? Object.hasOwn(record, field) : (ownValue(record, field) ?? null) !== null) return
  const state = previous && Object.hasOwn(previous, field) ? previous[field] : initial
  if (state === undefined) return
  write.record = { ...record }
  define(write.record, field, state)
}

/** Checks the state of a written record; `field` is the name that the request uses for the state field. */
function checkState({ record = {}, previous }: Write, own: States, field: string): void {
  const to = stateOf(record, own)
  if (previous) {
    const isCleared =
      ownValue(record, own.field) === null && (ownValue(previous, own.field) ?? null) !== null
    return checkTransition(stateOf(previous, own), isCleared ? null : to, { ...own, field })
  }
  if (own.initial === undefined) return checkTransition(undefined, to, { ...own, field })
  if (to !== own.initial) throw wrongTransition(field, undefined, to, [own.initial])
}

function softDelete(write: Write, own: States, time: number): void {
  const { previous } = write
  if (own.deletedField === undefined || !previous) return
  write.record = { ...previous }
  if (isDeleted(previous, own)) return
  define(write.record, own.deletedField, new Date(time).toISOString())
}

/** Moves records on when `after` is over, since their change, the start or a reset. Returns a stop function. */
function createTimers(name: string, own: States, world: MockContext): () => void {
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
