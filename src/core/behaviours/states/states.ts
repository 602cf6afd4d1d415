import type { Behaviour } from '../../http/contract/behaviour.ts'
import type { Write } from '../../http/contract/exchange.ts'
import { viewOf } from '../../http/resource/record-view.ts'
import { define, ownValue } from '../../json/json.ts'
import { checkByResource } from '../shared/resources.ts'
import { createActions, routesOf } from './actions.ts'
import { describeStates } from './describe-records.ts'
import { describeActions, describeStateOperation } from './describe-operations.ts'
import { hasStates, stateChecks, type StateOptions, type States, toStates } from './options.ts'
import { createTimers } from './timers.ts'
import { checkTransition, goneRecord, isDeleted, stateOf, wrongTransition } from './transitions.ts'

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

/** Sets the initial state of a new record, and the previous state of a record that is sent without one. */
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

/** Turns a removal into a write that sets the time of deletion, once. */
function softDelete(write: Write, own: States, time: number): void {
  const { previous } = write
  if (own.deletedField === undefined || !previous) return
  write.record = { ...previous }
  if (isDeleted(previous, own)) return
  define(write.record, own.deletedField, new Date(time).toISOString())
}
