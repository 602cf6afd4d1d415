import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import { toMilliseconds } from '../../time/duration.ts'
import type { Hook, ExtraRoute } from '../../http/contract/hooks.ts'
import type { MockContext } from '../../http/contract/behaviour.ts'
import { asRecord, keepText, readRecord } from '../../http/resource/body.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { viewOf, visibleMember } from '../../http/resource/record-view.ts'
import { answerMethods } from '../../http/routing/wrong-method.ts'
import { clone, define, type JsonRecord, ownValue } from '../../json/json.ts'
import { parsePattern } from '../../url/pattern.ts'
import {
  actionPath,
  checkRecordCall,
  type RecordCall,
  renderAction,
  storeAction,
} from '../shared/record-actions.ts'
import { createOperations, type Task } from './operations.ts'
import {
  checkStep,
  goneRecord,
  isDeleted,
  type StateAction,
  stateOf,
  type States,
} from './state-machine.ts'

/** Creates the handler of actions (`POST /orders/1/ship`) and of their progress. */
export function createActions(
  collections: readonly (readonly [name: string, own: States])[],
  world: MockContext,
): Actions {
  const { service } = world
  const operations = createOperations(world, (task) => (check) => resume(task, check))
  const actions = collections
    .filter(([, { actions }]) => Object.keys(actions).length > 0)
    .map(([name, own]) => {
      const path = actionPath(name)
      return { name, own, call: parsePattern(path), operation: parsePattern(`${path}/:operation`) }
    })

  const perform = (call: Call): MaybePromise<JsonRecord> =>
    storeAction(call, (previous) => changesOf(previous, call))

  /** Finishes an operation of an earlier process. Its request is gone, so that no write hook runs. */
  function resume({ name, id, action: title, fields }: Task, check: () => void): void {
    check()
    const [, own] = collections.find(([one]) => one === name) ?? []
    const action = own && ownValue(own.actions, title)
    if (!action) throw new MockError(`Failed to finish: "${name}" has no action "${title}".`)
    const previous = service.store.collection(name).existing(id)
    if (isDeleted(previous, own)) throw goneRecord(name)
    const set = changesOf(previous, { own, action, fields })
    service.store.replace(name, id, { ...previous, ...set })
  }

  function start(call: Call): MaybePromise<Answer> {
    const { exchange, path, name, id, title, action, fields } = call
    if (action.takes === undefined) {
      return andThen(perform(call), (stored) => renderAction(call, stored))
    }
    const milliseconds = toMilliseconds(action.takes)
    const task = { path, name, id, action: title, fields }
    return operations.start(task, exchange.origin, milliseconds, (check) => {
      // The preconditions are checked once, when the action starts.
      exchange.recheckPreconditions = check
      return perform(call)
    })
  }

  function answer(exchange: Exchange): MaybePromise<Answer | undefined> {
    const path = exchange.path.replace(/\/$/, '')
    const below = path.slice(service.base.length)
    for (const { name, own, call, operation } of actions) {
      const called = call.match(below)
      const found = called ?? operation.match(below)
      const action = found && ownValue(own.actions, found['action'] ?? '')
      if (!found || !action || (!called && action.takes === undefined)) continue
      const { id = '' } = found
      const writeMethods = service.readOnly ? [] : ['POST']
      const methods = called ? writeMethods : ['GET', 'HEAD']
      const options = answerMethods(exchange, [...methods, 'OPTIONS'])
      if (options) return options
      if (!called) {
        visibleMember(exchange, service.store.collection(name), id)
        return operations.answer(path)
      }
      const previous = checkRecordCall({ exchange, name, id })
      const field = viewOf(exchange, name).fieldName(own.field)
      checkStep(stateOf(previous, own), action.to, { ...own, field })
      return andThen(readFields(exchange, name, action), (fields) =>
        start({ exchange, path, name, own, id, title: found['action'] ?? '', action, fields }),
      )
    }
    return undefined
  }

  return { answer, reset: operations.reset }
}

/** The hook that responds to requests for actions, and a reset that cancels running actions. */
export interface Actions {
  answer: Hook
  reset(): void
}

/** Returns the routes of the actions of a collection. */
export function routesOf(name: string, { actions }: States): ExtraRoute[] {
  return Object.entries(actions).flatMap(([action, { takes }]) => {
    const path = `/${name}/:id/${action}`
    const route: ExtraRoute = { methods: ['POST', 'OPTIONS'], path }
    if (takes === undefined) return [route]
    return [route, { methods: ['GET', 'HEAD', 'OPTIONS'], path: `${path}/:operation` }]
  })
}

interface Call extends RecordCall {
  path: string
  own: States
  title: string
  action: StateAction
  /** The values that the request gives for the `fields` of the action. */
  fields: JsonRecord
}

function changesOf(
  previous: JsonRecord,
  { own, action, fields }: Pick<Call, 'own' | 'action' | 'fields'>,
): JsonRecord {
  checkStep(stateOf(previous, own), action.to, own)
  const set = { ...clone(action.set ?? {}), ...fields }
  define(set, own.field, action.to)
  return set
}

function readFields(
  exchange: Exchange,
  name: string,
  { fields = [] }: StateAction,
): MaybePromise<JsonRecord> {
  if (fields.length === 0) return {}
  return andThen(keepText(exchange), (text): MaybePromise<JsonRecord> => {
    if (text === '') return {}
    const types = ['application/json', 'application/x-www-form-urlencoded']
    return andThen(readRecord(exchange, name, types), (body) => {
      const given = viewOf(exchange, name).toStored(asRecord(body))
      const set: JsonRecord = {}
      for (const field of fields) {
        if (Object.hasOwn(given, field)) define(set, field, given[field] ?? null)
      }
      return set
    })
  })
}
