import { MockError } from '../../errors/mock-error.ts'
import type { Behaviour } from '../../http/contract/behaviour.ts'
import type { Write } from '../../http/contract/exchange.ts'
import { viewOf } from '../../http/resource/record-view.ts'
import { define, ownValue } from '../../json/json.ts'
import { checkByResource } from '../shared/resources.ts'
import { createActions, routesOf } from './actions.ts'
import {
  checkTransition,
  hasStates,
  isRemoved,
  refusal,
  stateChecks,
  type StateOptions,
  stateOf,
  type States,
  toStates,
} from './options.ts'
import { createTimers } from './timers.ts'

/**
 * Lets records go from state to state as a table allows, by collection: by what is written, by
 * actions, or by themselves after a time.
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
      const { service, clock } = world
      checkStore(service.store)
      const actions = createActions(all, world)
      const ends = all.map(([name, own]) => createTimers(name, own, world))
      return {
        at: { resource: actions.answer },
        view(name) {
          const own = ownValue(byName, name)
          if (own?.deletedField === undefined) return undefined
          return {
            includes: (record) => !isRemoved(record, own),
            refuse: () => gone(name),
          }
        },
        publish(name, record) {
          const own = ownValue(byName, name)
          return own && isRemoved(record, own) ? undefined : record
        },
        write(write) {
          const own = ownValue(byName, write.resource.name)
          if (!own) return
          if (write.action === 'remove') keepRemoved(write, own, clock.now())
          else if (hasStates(own)) setInitial(write, own)
        },
        check(write, exchange) {
          const { name } = write.resource
          const own = ownValue(byName, name)
          if (!own || !hasStates(own) || write.action === 'remove') return
          checkState(write, own, viewOf(exchange, name).fieldName(own.field))
        },
        routes: all.flatMap(([name, own]) => routesOf(name, own)),
        reset: actions.reset,
        end() {
          actions.reset()
          for (const end of ends) end()
        },
      }
    },
  }
}

/** Gives a record without a state the one it starts in, or the one it has had. */
function setInitial(write: Write, { field, initial }: States): void {
  const { record = {}, previous } = write
  // To leave a state for none is a transition; a new record has none to leave.
  if (previous ? Object.hasOwn(record, field) : (ownValue(record, field) ?? null) !== null) return
  const state = previous && Object.hasOwn(previous, field) ? previous[field] : initial
  if (state === undefined) return
  write.record = { ...record }
  define(write.record, field, state)
}

/** Makes sure of the state of a record; `field` is what the request calls the field that holds it. */
function checkState({ record = {}, previous }: Write, own: States, field: string): void {
  const to = stateOf(record, own)
  if (previous) {
    const isGone =
      ownValue(record, own.field) === null && (ownValue(previous, own.field) ?? null) !== null
    return checkTransition(stateOf(previous, own), isGone ? null : to, { ...own, field })
  }
  if (own.initial === undefined) return checkTransition(undefined, to, { ...own, field })
  if (to !== own.initial) throw refusal(field, undefined, to, [own.initial])
}

/** Turns a removal into a mark, which stays when its record is removed again. */
function keepRemoved(write: Write, own: States, time: number): void {
  const { previous } = write
  if (own.deletedField === undefined || !previous) return
  write.record = { ...previous }
  if (isRemoved(previous, own)) return
  define(write.record, own.deletedField, new Date(time).toISOString())
}

function gone(name: string): MockError {
  return new MockError(`Failed to find the record in "${name}": it was removed.`, {
    status: 410,
    code: 'GONE',
  })
}
