import type { Clock } from '../../time/clock.ts'
import type { Behaviour } from '../../http/contract/behaviour.ts'
import type { Exchange, Write } from '../../http/contract/exchange.ts'
import { createRequestState } from '../../http/contract/request-state.ts'
import { define, isSame, type Json, type JsonRecord, ownValue, toJson } from '../../json/json.ts'
import type { Issue } from '../../errors/mock-error.ts'
import { invalid } from '../shared/invalid.ts'
import { checkByResource } from '../shared/resources.ts'
import { isOn, isWrite } from '../shared/coverage.ts'
import { describeFields } from './describe.ts'
import { fieldChecks, type FieldOptions } from './options.ts'
import { stamp, toTimestamps } from './timestamps.ts'
import { createFindDuplicates } from './unique.ts'

/**
 * Validates and completes the fields of records, by resource: required, unique and read-only fields,
 * defaults and timestamps.
 * @throws MockError when an option is wrong
 * @example fields({ users: { timestamps: true, unique: ['email'], readOnly: ['role'] } })
 */
export function fields(options: Readonly<Record<string, FieldOptions>>): Behaviour {
  const checkStore = checkByResource('fields', options, fieldChecks)
  const optionsOf = ({ action, resource }: Write): FieldOptions | undefined =>
    action === 'remove' ? undefined : ownValue(options, resource.name)
  return {
    name: 'fields',
    create(world) {
      const { clock } = world
      checkStore(world)
      const findDuplicates = createFindDuplicates()
      // Reported at `check`, after behaviours such as `auth` have refused the write with 403.
      const refusedFields = createRequestState<Map<Write, readonly string[]>>()
      return {
        beforeWrite(write, exchange) {
          const own = optionsOf(write)
          if (!own) return
          const names = restoreReadOnly(own, write, exchange)
          if (names.length === 0) return
          if (own.onReadOnly === 'refuse') {
            const byWrite = refusedFields.get(exchange) ?? new Map<Write, readonly string[]>()
            refusedFields.set(exchange, byWrite.set(write, names))
          } else exchange.reasons.push(`ignored ${names.join(', ')}: read-only`)
        },
        write(write) {
          const own = optionsOf(write)
          if (own) complete(own, write, clock)
        },
        check(write, exchange, writes) {
          const own = optionsOf(write)
          if (!own) return
          const issues = [
            ...(refusedFields.get(exchange)?.get(write) ?? []).map((name) => ({
              path: [name],
              message: 'is read-only',
            })),
            ...findMissing(own, write),
            ...findDuplicates(own.unique ?? [], write, writes, exchange),
          ]
          if (issues.length > 0) throw invalid(write, issues, exchange)
        },
        describe: () => ({
          records: Object.fromEntries(
            Object.entries(options).map(([name, own]) => [name, describeFields(own)]),
          ),
          operation: (operation) =>
            isWrite(operation) && Object.keys(options).some((name) => isOn(name, operation))
              ? { errors: { 422: 'A field is invalid.' } }
              : undefined,
        }),
      }
    },
  }
}

/** Restores read-only fields to their previous values. Returns the fields that the request tried to change. */
function restoreReadOnly(own: FieldOptions, write: Write, exchange: Exchange): string[] {
  const { createdAt } = toTimestamps(own.timestamps)
  const { previous = {} } = write
  const record = { ...write.record }
  const readOnly = (own.readOnly ?? []).filter((name) => !isSetByMock(name, write, exchange))
  const sent = readOnly.filter((name) => changes(write, name))
  for (const name of readOnly) restore(name, record, previous)
  if (createdAt !== false) restore(createdAt, record, previous)
  write.record = record
  return sent
}

/** Whether the mock sets a field: in an action, or as the key of the parent in the path. */
function isSetByMock(name: string, { own = [] }: Write, { target }: Exchange): boolean {
  const parent = target?.kind === 'collection' ? target.parent : undefined
  return own.includes(name) || name === parent?.related.relation?.key
}

/** Adds defaults and timestamps to a record that is written. */
function complete(own: FieldOptions, write: Write, clock: Clock): void {
  const { defaults = {}, timestamps } = own
  const record = { ...write.record }
  for (const [name, given] of Object.entries(defaults)) {
    if (write.action === 'patch' || Object.hasOwn(record, name)) continue
    const value = typeof given === 'function' ? given(record) : given
    if (value !== undefined) define(record, name, JSON.parse(toJson(value)))
  }
  stamp(toTimestamps(timestamps), record, write.action === 'create', clock.now())
  write.record = record
}

/** Whether a write contains a field with a new value. */
function changes({ record = {}, previous = {} }: Write, name: string): boolean {
  return Object.hasOwn(record, name) && !isSame(record[name], ownValue(previous, name))
}

/** Sets a field to its previous value, or deletes a field that had none. */
function restore(name: string, record: JsonRecord, previous: JsonRecord): void {
  if (Object.hasOwn(previous, name)) define(record, name, previous[name])
  else delete record[name]
}

function findMissing({ required = [], onEmpty }: FieldOptions, { record = {} }: Write): Issue[] {
  const isMissing = (value: Json): boolean =>
    value === null || (value === '' && onEmpty === 'refuse')
  return required
    .filter((name) => isMissing(ownValue(record, name) ?? null))
    .map((name) => ({ path: [name], message: 'is required', keyword: 'required' }))
}
