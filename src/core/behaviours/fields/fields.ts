import {
  type Check,
  isEither,
  isFlag,
  isListOf,
  isObject,
  isOneOf,
  isText,
} from '../../errors/check.ts'
import type { Clock } from '../../time/clock.ts'
import type { Behaviour } from '../../http/contract/behaviour.ts'
import type { Exchange, Write } from '../../http/contract/exchange.ts'
import { createRequestState } from '../../http/contract/request-state.ts'
import { define, isSame, type Json, type JsonRecord, ownValue, toJson } from '../../json/json.ts'
import { invalid, type Issue } from '../shared/invalid.ts'
import { checkByResource } from '../shared/resources.ts'
import { isTimestamps, stamp, type Timestamps, toTimestamps } from './timestamps.ts'
import { createTaken } from './unique.ts'

/** What the fields of a resource's records are held to. */
export interface FieldOptions {
  /** Fields that have to be there, and not null. */
  required?: readonly string[]
  /** Values for fields that a new or replacing record leaves out; where a function gives undefined, none. */
  defaults?: Readonly<Record<string, Json | ((record: JsonRecord) => Json | undefined)>>
  /** Fields that requests cannot set. */
  readOnly?: readonly string[]
  /** What becomes of a request that would set a read-only field: it goes on without, or 422. @default 'ignore' */
  onReadOnly?: 'ignore' | 'refuse'
  /** Fields, or groups of fields, whose values no two records share; missing and null do not count. */
  unique?: readonly (string | readonly string[])[]
  /** When a record was made and when it was last written. @default false */
  timestamps?: boolean | Timestamps
}

const isTexts = isListOf(isText)

const checks: Readonly<Record<keyof FieldOptions, Check>> = {
  required: isTexts,
  defaults: isObject,
  readOnly: isTexts,
  onReadOnly: isOneOf('ignore', 'refuse'),
  unique: isListOf(isEither(isText, isTexts)),
  timestamps: isEither(isFlag, isTimestamps),
}

/**
 * Keeps the fields of records, by resource: required, defaults, read-only, unique, timestamps.
 * @throws MockError when an option is wrong
 * @example fields({ users: { timestamps: true, unique: ['email'], readOnly: ['role'] } })
 */
export function fields(options: Readonly<Record<string, FieldOptions>>): Behaviour {
  const checkStore = checkByResource('fields', options, checks)
  const optionsOf = ({ action, resource }: Write): FieldOptions | undefined =>
    action === 'remove' ? undefined : ownValue(options, resource.name)
  return {
    name: 'fields',
    create({ clock, service }) {
      checkStore(service.store)
      const findTaken = createTaken()
      // Whether the record may be written at all comes before what is wrong with it.
      const refused = createRequestState<Map<Write, readonly string[]>>()
      return {
        beforeWrite(write, exchange) {
          const own = optionsOf(write)
          if (!own) return
          const names = removeReadOnly(own, write, exchange)
          if (names.length === 0) return
          if (own.onReadOnly === 'refuse') {
            const byWrite = refused.get(exchange) ?? new Map<Write, readonly string[]>()
            refused.set(exchange, byWrite.set(write, names))
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
            ...(refused.get(exchange)?.get(write) ?? []).map((name) => ({
              path: [name],
              message: 'is read-only',
            })),
            ...findMissing(own, write),
            ...findTaken(own.unique ?? [], write, writes, exchange),
          ]
          if (issues.length > 0) throw invalid(write, issues, exchange)
        },
      }
    },
  }
}

/** Takes out what requests cannot set. Returns the fields that this one would have set. */
function removeReadOnly(own: FieldOptions, write: Write, exchange: Exchange): string[] {
  const { createdAt } = toTimestamps(own.timestamps)
  const { previous = {} } = write
  const record = { ...write.record }
  const readOnly = (own.readOnly ?? []).filter((name) => !isOwn(name, write, exchange))
  const sent = readOnly.filter((name) => sets(write, name))
  for (const name of readOnly) keep(name, record, previous)
  if (createdAt !== false) keep(createdAt, record, previous)
  write.record = record
  return sent
}

/** Whether the mock sets a field by itself: by an action, or as the key of the parent in the path. */
function isOwn(name: string, { own = [] }: Write, { target }: Exchange): boolean {
  const parent = target?.kind === 'collection' ? target.parent : undefined
  return own.includes(name) || name === parent?.related.relation?.key
}

/** Puts in what requests need not send. */
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

/** Whether a write would change a field; one that it leaves out stays as it is. */
function sets({ record = {}, previous = {} }: Write, name: string): boolean {
  return Object.hasOwn(record, name) && !isSame(record[name], ownValue(previous, name))
}

/** Gives a field the value that it has had, or none. */
function keep(name: string, record: JsonRecord, previous: JsonRecord): void {
  if (Object.hasOwn(previous, name)) define(record, name, previous[name])
  else delete record[name]
}

function findMissing({ required = [] }: FieldOptions, { record = {} }: Write): Issue[] {
  return required
    .filter((name) => !Object.hasOwn(record, name) || record[name] === null)
    .map((name) => ({ path: [name], message: 'is required' }))
}
