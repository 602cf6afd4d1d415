import type { Behaviour } from '../../http/contract/behaviour.ts'
import { type Exchange, type Write, createRequestState } from '../../http/contract/exchange.ts'
import {
  clone,
  define,
  isSame,
  type Json,
  type JsonRecord,
  ownValue,
  toJson,
} from '../../json/json.ts'
import { compareValues } from '../../json/compare.ts'
import type { Issue } from '../../errors/mock-error.ts'
import type { FieldDescription, RecordDescription } from '../../types/record-description.ts'
import type { SchemaObject } from '../../types/json-schema.ts'
import { countOf, formatCount } from '../../text/count.ts'
import { createFindDuplicates } from '../shared/duplicates.ts'
import { invalid } from '../shared/invalid.ts'
import { checkByResource } from '../shared/resources.ts'
import { isOn, isWrite } from '../shared/coverage.ts'
import { createMapsState } from '../shared/world-state.ts'
import {
  type DefaultFunction,
  fieldChecks,
  type FieldOptions,
  stamp,
  type Timestamps,
  toTimestamps,
} from './options.ts'

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
  const issuedIn = createMapsState<Record<'issued', Map<string, number>>>(['issued'])
  return {
    name: 'fields',
    resources: Object.keys(options),
    create(world) {
      const { db, clock } = world
      const { issued } = issuedIn(world)
      checkStore(world)
      const findDuplicates = createFindDuplicates()
      // Reported at `check`, after behaviours such as `auth` have refused the write with 403.
      const refusedFields = createRequestState<Map<Write, readonly string[]>>()
      /** Writes whose default functions run at `check`: a required field was missing, or a function has thrown. */
      const deferred = new WeakSet<Write>()

      function callDefaults(own: FieldOptions, write: Write, { user }: Exchange): void {
        const context = { db, user: clone(user), clock }
        fillIn(own, write, (given, record) =>
          typeof given === 'function' ? given(record, context) : undefined,
        )
      }

      const greatest = new Map<string, { version: number; count: number }>()

      /** Numbers a new record. */
      function count({ counters = {} }: FieldOptions, { resource, record = {} }: Write): void {
        if (resource.kind !== 'collection') return
        for (const [name, like] of Object.entries(counters)) {
          if (Object.hasOwn(record, name)) continue
          const key = `${resource.name} ${name}`
          const { version } = resource
          const known = greatest.get(key)
          const counts =
            known?.version === version
              ? [known.count]
              : resource.records().map((one) => countOf(ownValue(one, name) ?? null, like))
          const stored = counts.reduce((most, one) => Math.max(most, one), 0)
          greatest.set(key, { version, count: stored })
          const last = Math.max(issued.get(key) ?? 0, countOf(like, like), stored)
          issued.set(key, last + 1)
          define(record, name, formatCount(last + 1, like))
        }
      }

      function callDeferred(write: Write, exchange: Exchange): void {
        const own = optionsOf(write)
        if (!own || !deferred.has(write) || findMissing(own, write, hasNoFunction).length > 0)
          return
        deferred.delete(write)
        callDefaults(own, write, exchange)
      }

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
        write(write, exchange) {
          const own = optionsOf(write)
          if (!own) return
          write.record = { ...write.record }
          for (const name of own.emptyAsNull ?? []) {
            if (ownValue(write.record, name) === '') define(write.record, name, null)
          }
          for (const name of own.sorted ?? []) {
            const list = ownValue(write.record, name)
            if (Array.isArray(list)) define(write.record, name, list.toSorted(inOrder))
          }
          fillIn(own, write, (given) => (typeof given === 'function' ? undefined : given))
          const isCounter = (name: string): boolean => Object.hasOwn(own.counters ?? {}, name)
          const isWhole = findMissing(own, write, (name) => !isCounter(name)).length === 0
          if (write.action === 'create' && isWhole) count(own, write)
          deferred.add(write)
          try {
            callDeferred(write, exchange)
          } catch {
            // A later check may refuse the record that the function cannot cope with.
            deferred.add(write)
          }
          const { version } = own
          if (version !== undefined && !write.keepsTimes) {
            const before = Number(ownValue(write.previous ?? {}, version)) || 0
            define(write.record, version, before + 1)
          }
          if (!write.keepsTimes)
            stamp(
              toTimestamps(own.timestamps),
              write.record,
              write.action === 'create',
              clock.now(),
            )
        },
        check(write, exchange, writes) {
          const own = optionsOf(write)
          if (!own) return
          const early = [
            ...(refusedFields.get(exchange)?.get(write) ?? []).map((name) => ({
              path: [name],
              message: 'is read-only',
            })),
            ...findMissing(own, write, hasNoFunction),
          ]
          // The functions of all writes run before the search for duplicates among them.
          if (early.length === 0) for (const one of writes) callDeferred(one, exchange)
          const issues = [
            ...(early.length > 0 ? early : findMissing(own, write)),
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

function inOrder(left: Json, right: Json): number {
  return compareValues(left, right, false)
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

/** Fills in the fields that a record of a POST or PUT lacks; `valueOf` returns undefined to leave one out. */
function fillIn(
  { defaults = {} }: FieldOptions,
  { action, record = {} }: Write,
  valueOf: (given: Json | DefaultFunction, record: JsonRecord) => Json | undefined,
): void {
  if (action === 'patch') return
  for (const [name, given] of Object.entries(defaults)) {
    if (Object.hasOwn(record, name)) continue
    const value = valueOf(given, record)
    if (value !== undefined) define(record, name, JSON.parse(toJson(value)))
  }
}

function changes({ record = {}, previous = {} }: Write, name: string): boolean {
  return Object.hasOwn(record, name) && !isSame(record[name], ownValue(previous, name))
}

function restore(name: string, record: JsonRecord, previous: JsonRecord): void {
  if (Object.hasOwn(previous, name)) define(record, name, previous[name])
  else delete record[name]
}

/** Finds the required fields that a record lacks; an update is refused only for those that it takes away. */
function findMissing(
  own: FieldOptions,
  { record = {}, previous, action }: Write,
  isChecked: (name: string, own: FieldOptions) => boolean = () => true,
): Issue[] {
  const { required = [], onEmpty } = own
  const isMissing = (value: Json): boolean =>
    value === null || (value === '' && onEmpty === 'refuse')
  return required
    .filter((name) => {
      const value = ownValue(record, name) ?? null
      const wasMissing = action === 'patch' && isSame(value, ownValue(previous ?? {}, name) ?? null)
      return isChecked(name, own) && isMissing(value) && !wasMissing
    })
    .map((name) => ({ path: [name], message: 'is required', keyword: 'required' }))
}

/** Whether no default function provides a field; the functions run once all such required fields are there. */
function hasNoFunction(name: string, { defaults = {} }: FieldOptions): boolean {
  return typeof ownValue(defaults, name) !== 'function'
}

function describeFields(options: FieldOptions): RecordDescription {
  const { required = [], defaults = {}, readOnly = [], unique = [], timestamps, version } = options
  const { counters = {} } = options
  const fields = new Map<string, FieldDescription>()
  const add = (name: string, { schema, ...rest }: FieldDescription): void => {
    const before = fields.get(name)
    fields.set(name, { ...before, ...rest, schema: { ...before?.schema, ...schema } })
  }
  for (const name of required) add(name, { isRequired: true })
  for (const [name, value] of Object.entries(defaults)) {
    const schema = typeof value === 'function' ? {} : { default: value }
    add(name, { schema, isFilled: true })
  }
  const { createdAt, updatedAt, as } = toTimestamps(timestamps)
  for (const name of [createdAt, updatedAt]) {
    if (name !== false) add(name, { schema: { ...times[as], readOnly: true }, isFilled: true })
  }
  if (version !== undefined) {
    add(version, { schema: { type: 'integer', readOnly: true }, isFilled: true })
  }
  for (const name of Object.keys(counters)) add(name, { isFilled: true })
  for (const name of readOnly) add(name, { schema: { readOnly: true } })
  return {
    fields: Object.fromEntries(fields),
    unique: unique.map((group) => (typeof group === 'string' ? [group] : group)),
  }
}

const times: Readonly<Record<NonNullable<Timestamps['as']>, SchemaObject>> = {
  iso: { type: 'string', format: 'date-time' },
  'iso-seconds': { type: 'string', format: 'date-time' },
  date: { type: 'string', format: 'date' },
  seconds: { type: 'integer' },
  milliseconds: { type: 'integer' },
}
