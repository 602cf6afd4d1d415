import {
  type Check,
  checkOptions,
  isEither,
  isFlag,
  isListOf,
  isMapOf,
  isObject,
  isText,
  wrong,
} from '../../errors/check.ts'
import { type Duration, isDuration, toMilliseconds } from '../../time/duration.ts'
import { MockError } from '../../errors/mock-error.ts'
import { ownValue, type Json, type JsonRecord } from '../../json/json.ts'
import { suggest } from '../../errors/nearest.ts'

/** What a field holds to say which state its record is in: `'paid'`, `2`, `true`. */
export type State = string | number | boolean

/** How the records of a collection go from state to state. */
export interface StateOptions {
  /** The field that holds the state. @default 'status' */
  field?: string
  /** The state of a new record, and of one that has none. */
  initial?: State
  /** The states that each state may go to. A state that is only gone to is an end. */
  transitions?: Readonly<Record<string, readonly State[]>>
  /** Actions by name: `POST /orders/1/ship` for `{ ship: 'shipped' }`. */
  actions?: Readonly<Record<string, State | StateAction>>
  /** States that a record leaves by itself after a time. */
  after?: Readonly<Record<string, { to: State; in: Duration }>>
  /** Whether DELETE keeps the record, with the time in `deletedAt` or the field of that name. @default false */
  softDelete?: boolean | string
}

/** What an action does. */
export interface StateAction {
  /** The state that it leads to. */
  to: State
  /** Fields that it sets besides the state. */
  set?: Readonly<Record<string, Json>>
  /** Fields that it takes from the body of the request. */
  fields?: readonly string[]
  /** How long it takes. Then it is answered with 202 and the place to ask how far it is. */
  takes?: Duration
}

/** The options with their defaults. */
export interface States {
  field: string
  initial: State | undefined
  transitions: Readonly<Record<string, readonly State[]>>
  actions: Readonly<Record<string, StateAction>>
  /** Milliseconds. */
  after: Readonly<Record<string, { to: State; in: number }>>
  deletedField: string | undefined
}

const stateCheck: Check = [isState, 'a text, a number, or true or false']

/** What each option has to be. */
export const stateChecks: Readonly<Record<keyof StateOptions, Check>> = {
  field: isText,
  initial: stateCheck,
  transitions: isMapOf(isListOf(stateCheck)),
  actions: isMapOf(isEither(stateCheck, isObject)),
  after: isMapOf(isObject),
  softDelete: isEither(isFlag, isText),
}

/**
 * Reads options whose kinds have been checked.
 * @throws MockError when they name a state that there is not
 */
export function toStates(name: string, options: StateOptions): States {
  const { field = 'status', initial, transitions = {}, softDelete = false } = options
  const subject = `the options of "states" for "${name}"`
  const actions: Record<string, StateAction> = {}
  for (const [action, given] of Object.entries(options.actions ?? {})) {
    actions[action] = typeof given === 'object' ? given : { to: given }
    const checks = { to: stateCheck, set: isObject, fields: isListOf(isText), takes: isDuration }
    checkOptions(`${subject}, action "${action}"`, actions[action], checks, ['to'])
  }
  const after: Record<string, { to: State; in: number }> = {}
  for (const [state, given] of Object.entries(options.after ?? {})) {
    const checks = { to: stateCheck, in: isDuration }
    checkOptions(`${subject}, after "${state}"`, given, checks, ['to', 'in'])
    after[state] = { to: given.to, in: toMilliseconds(given.in) }
  }
  // The keys of an object are texts.
  const states = new Set([
    ...Object.keys(transitions),
    ...Object.values(transitions).flat().map(String),
  ])
  const named = [
    ...(initial === undefined ? [] : [initial]),
    ...Object.values(actions).map(({ to }) => to),
    ...Object.entries(after).flatMap(([state, { to }]) => [state, to]),
  ]
  for (const state of named.map(String)) {
    if (states.has(state)) continue
    throw wrong(subject, `no transition names the state "${state}". ${suggest(state, [...states])}`)
  }
  const deletedField = softDelete === true ? 'deletedAt' : softDelete || undefined
  return { field, initial, transitions, actions, after, deletedField }
}

/** The state of a record. */
export function stateOf(record: JsonRecord, { field, initial }: States): Json | undefined {
  return ownValue(record, field) ?? initial
}

/** Whether there are any states; without, a collection only keeps what is removed. */
export function hasStates({ transitions }: States): boolean {
  return Object.keys(transitions).length > 0
}

/** Whether a record has been removed and is only kept. */
export function isRemoved(record: JsonRecord, { deletedField }: States): boolean {
  return deletedField !== undefined && (record[deletedField] ?? null) !== null
}

/**
 * Makes sure that a record may stay in its state, or go to another.
 * @throws MockError 409 that lists those it may go to
 */
export function checkTransition(from: Json | undefined, to: Json | undefined, own: States): void {
  if (from !== to) checkStep(from, to, own)
}

/**
 * Makes sure that a record may go from one state to another; to the same only where that is said.
 * @throws MockError 409 that lists those it may go to
 */
export function checkStep(
  from: Json | undefined,
  to: Json | undefined,
  { field, transitions }: States,
): void {
  if (from === undefined) {
    if (ofState(transitions, to)) return
    throw refusal(field, from, to, Object.keys(transitions))
  }
  const allowed = ofState(transitions, from) ?? []
  if (!allowed.some((state) => state === to)) throw refusal(field, from, to, allowed)
}

function isState(value: unknown): value is State {
  return ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
}

/** What a table holds for a state; its keys are texts. */
export function ofState<Value>(
  table: Readonly<Record<string, Value>>,
  state: Json | undefined,
): Value | undefined {
  return isState(state) ? ownValue(table, String(state)) : undefined
}

/** The answer to a transition that is none: 409 with those that are. */
export function refusal(
  field: string,
  from: Json | undefined,
  to: Json | undefined,
  allowed: readonly State[],
): MockError {
  const start = from === undefined ? 'start' : `go from ${JSON.stringify(from)}`
  const way = `${start} ${from === undefined ? 'as' : 'to'} ${JSON.stringify(to)}`
  const advice = allowed.length > 0 ? `Please use ${allowed.join(' or ')}.` : 'It is an end.'
  return new MockError(`Failed to change "${field}": a record cannot ${way}. ${advice}`, {
    status: 409,
    code: 'TRANSITION_REFUSED',
    errors: { [field]: [`cannot ${way}`] },
    extensions: { allowed },
  })
}
