import { atField } from '../../errors/field-errors.ts'
import { MockError } from '../../errors/mock-error.ts'
import { type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { isState, type State, type States } from './options.ts'

/**
 * Returns the state of a record: the value of its state field, or the initial state if the field is missing.
 */
export function stateOf(record: JsonRecord, { field, initial }: States): Json | undefined {
  return ownValue(record, field) ?? initial
}

/** Whether a record is soft-deleted. */
export function isDeleted(record: JsonRecord, { deletedField }: States): boolean {
  return deletedField !== undefined && (record[deletedField] ?? null) !== null
}

/**
 * Checks that a record may stay in its state or change to another state.
 * @throws MockError 409 that lists the allowed states
 */
export function checkTransition(from: Json | undefined, to: Json | undefined, own: States): void {
  if (from !== to) checkStep(from, to, own)
}

/**
 * Checks that `transitions` allows a change from one state to another, or to the same state.
 * @throws MockError 409 that lists the allowed states
 */
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
