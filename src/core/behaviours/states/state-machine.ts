import {
  type Check,
  checkOptions,
  isEither,
  isFlag,
  isListOf,
  isMapOf,
  isName,
  isObject,
  isText,
  wrong,
} from '../../errors/check.ts'
import { type Duration, isDuration, toMilliseconds } from '../../time/duration.ts'
import { type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { suggest } from '../../errors/nearest.ts'
import { atField } from '../../errors/field-errors.ts'
import { MockError } from '../../errors/mock-error.ts'

/** The state machine of a collection, the actions that change states, and soft deletion. */
export interface StateOptions {
  /** The field that holds the state. @default 'status' */
  field?: string
  /** The state of a new record, and of a record without the field. */
  initial?: State
  /** The allowed next states, by state. A state that is no key of the table is final. */
  transitions?: Readonly<Record<string, readonly State[]>>
  /** Actions by name: `POST /orders/1/ship` for `{ ship: 'shipped' }`. */
  actions?: Readonly<Record<string, State | StateAction>>
  /** States that change to another state after a time. */
  after?: Readonly<Record<string, { to: State; in: Duration }>>
  /**
   * Whether DELETE keeps the record and sets the time of deletion, in `deletedAt` or in a field of this
   * name. @default false
   */
  softDelete?: boolean | string
}

/** An action on a record, which a client runs by a POST to a path of its own. */
export interface StateAction {
  /** The next state. */
  to: State
  /** Further fields to set. */
  set?: Readonly<Record<string, Json>>
  /** Fields to copy from the body of the request. */
  fields?: readonly string[]
  /** How long the action runs. The response is then 202 with the URL of its progress in `Location`. */
  takes?: Duration
}

/** The state of a record: the value of its state field, such as `'paid'`, `2` or `true`. */
export type State = string | number | boolean

/** The options of `states` for one collection, with their defaults. */
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

/** The checks of {@link StateOptions}. */
export const stateChecks: Readonly<Record<keyof StateOptions, Check>> = {
  field: isName,
  initial: stateCheck,
  transitions: isMapOf(isListOf(stateCheck)),
  actions: isMapOf(isEither(stateCheck, isObject)),
  after: isMapOf(isObject),
  softDelete: isEither(isFlag, isName),
}

/** Fills in the defaults of checked options. @throws MockError when an option names an unknown state */
export function toStates(name: string, options: StateOptions): States {
  const { field = 'status', initial, transitions = {}, softDelete = false } = options
  const subject = `the options of "states" for "${name}"`
  const actions: Record<string, StateAction> = {}
  for (const [action, given] of Object.entries(options.actions ?? {})) {
    if (action === '' || action.includes('/')) {
      throw wrong(subject, `an action cannot be named "${action}". Please give one path segment.`)
    }
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
  // The keys of `transitions` are strings, whatever the type of the states.
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

/** Whether the options define states; options with only `softDelete` don't. */
export function hasStates({ transitions }: States): boolean {
  return Object.keys(transitions).length > 0
}

function isState(value: unknown): value is State {
  return ['string', 'boolean'].includes(typeof value) || Number.isFinite(value)
}

/** Returns the state of a record: the value of its state field, or the initial state if the field is missing. */
export function stateOf(record: JsonRecord, { field, initial }: States): Json | undefined {
  return ownValue(record, field) ?? initial
}

/** Whether a record is soft-deleted. */
export function isDeleted(record: JsonRecord, { deletedField }: States): boolean {
  return deletedField !== undefined && (record[deletedField] ?? null) !== null
}

/** Checks a change of state, or none. @throws MockError 409 that lists the allowed states */
export function checkTransition(from: Json | undefined, to: Json | undefined, own: States): void {
  if (from !== to) checkStep(from, to, own)
}

/** Checks that `transitions` allows a change. @throws MockError 409 with the allowed states */
export function checkStep(
  from: Json | undefined,
  to: Json | undefined,
  { field, transitions }: States,
): void {
  if (from === undefined) {
    if (entryOf(transitions, to)) return
    throw wrongTransition(field, from, to, Object.keys(transitions))
  }
  const allowed = entryOf(transitions, from) ?? []
  if (!allowed.some((state) => state === to)) throw wrongTransition(field, from, to, allowed)
}

/** Returns the entry of a table for a state; the keys of the table are strings. */
export function entryOf<Value>(
  table: Readonly<Record<string, Value>>,
  state: Json | undefined,
): Value | undefined {
  return isState(state) ? ownValue(table, String(state)) : undefined
}

/** Creates the error for a transition that is not allowed: 409 with the allowed states. */
export function wrongTransition(
  field: string,
  from: Json | undefined,
  to: Json | undefined,
  allowed: readonly State[],
): MockError {
  const change =
    from === undefined
      ? `start as ${JSON.stringify(to)}`
      : `go from ${JSON.stringify(from)} to ${JSON.stringify(to)}`
  const advice = allowed.length > 0 ? `Please use ${allowed.join(' or ')}.` : 'The state is final.'
  const { extensions, ...fault } = atField(field, `cannot ${change}`)
  return new MockError(`Failed to change "${field}": a record cannot ${change}. ${advice}`, {
    status: 409,
    code: 'TRANSITION_REFUSED',
    ...fault,
    extensions: { ...extensions, allowed },
  })
}

/** Creates the error 410 for a record that was removed and is still stored, by the option `softDelete`. */
export function goneRecord(name: string): MockError {
  return new MockError(`Failed to find the record in "${name}": it was removed.`, {
    status: 410,
    code: 'GONE',
  })
}
