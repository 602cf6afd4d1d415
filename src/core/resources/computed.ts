import { toWhere } from '../dialects/rest/where.ts'
import type { CollectionView } from '../dialects/contract/dialect.ts'
import { toMessage } from '../errors/error-details.ts'
import type { MockContext } from '../http/contract/behaviour.ts'
import type { Exchange } from '../http/contract/exchange.ts'
import { compareValues } from '../json/compare.ts'
import { clone, define, isRecord, type Json, type JsonRecord, toJson } from '../json/json.ts'
import type { Path } from '../json/path.ts'
import { toPredicate } from '../query/select.ts'
import type { SchemaObject } from '../types/json-schema.ts'
import { type Aggregate, aggregates, type ComputedFunction, type ComputedRule } from './options.ts'
import type { Found, RelatedValues } from './related-values.ts'

/** Creates the functions that compute the fields of a resource, in the order of the option. */
export function compileComputed(
  resource: string,
  options: Readonly<Record<string, ComputedRule | ComputedFunction>>,
  world: MockContext,
): ComputedField[] {
  return Object.entries(options).map(([name, one]) => ({
    name,
    schema: typeof one === 'function' ? undefined : schemas[aggregateOf(one)],
    compute:
      typeof one === 'function'
        ? fromFunction(resource, name, one, world)
        : fromRule(one, `resources.${resource}.computed.${name}.where`),
  }))
}

/** A computed field: its name, and the function that computes its value. */
export interface ComputedField {
  name: string
  /** The schema of all values, if the option decides it. */
  schema: SchemaObject | undefined
  /** Returns the value of the field; undefined leaves the field out. */
  compute(source: ComputedSource): Json | undefined
}

/** The source of a computed field. */
export interface ComputedSource {
  /** The stored record. */
  stored: Found
  /** The stored record, with the computed fields before this one. */
  record: JsonRecord
  exchange: Pick<Exchange, 'user'>
  values: RelatedValues
  /** The form in which a related record is shown; undefined if it would contain the record itself. */
  present(found: Found): Json | undefined
}

/** The paths that a rule reads, for the check at the start. */
export function pathOfRule(rule: ComputedRule): Path {
  return (rule[aggregateOf(rule)] ?? '').split('.')
}

/** The kind of a rule, which was checked to have one. */
export function aggregateOf(rule: ComputedRule): Aggregate {
  return aggregates.find((name) => rule[name] !== undefined) ?? 'count'
}

function fromRule(rule: ComputedRule, place: string): ComputedField['compute'] {
  const { viewer = false, field, where, value } = rule
  const kind = aggregateOf(rule)
  const path = pathOfRule(rule)
  const key = typeof viewer === 'string' ? viewer : undefined
  const matches = where && toPredicate({ where: toWhere(where, anyCollection, place) })
  const isWanted = ({ value: one }: Found): boolean =>
    value === undefined || JSON.stringify(one) === JSON.stringify(value)
  const combine = combinations[kind]
  return ({ stored, values, present }) => {
    const found = values
      .at(stored, path)
      .filter((one) => one.value !== null)
      .filter((one) => !matches || (isRecord(one.value) && matches(one.value)))
      .filter((one) => viewer === false || values.isViewers(one, key))
    const read =
      field === undefined ? found : found.flatMap((one) => values.at(one, field.split('.')))
    return combine(value === undefined ? read : read.filter(isWanted), present)
  }
}

/** For filters of options: keys with dots are paths, as no collection says otherwise. */
export const anyCollection: CollectionView = {
  name: '',
  idField: '',
  hasPath: () => false,
  keys: () => new Set<string>(),
}

/** The result of each kind of rule for the values. */
const combinations: Readonly<
  Record<
    Aggregate,
    (found: readonly Found[], present: ComputedSource['present']) => Json | undefined
  >
> = {
  count: (found) => found.length,
  sum: (found) =>
    toSum(found.map(({ value }) => value).filter((value) => typeof value === 'number')),
  min: (found) => sorted(found)[0] ?? null,
  max: (found) => sorted(found).at(-1) ?? null,
  first: ([first], present) => (first ? present(first) : null),
  last: (found, present) => {
    const last = found.at(-1)
    return last ? present(last) : null
  },
  includes: (found) => found.length > 0,
  exists: (found) => found.length > 0,
}

/** The schemas of the values of each kind of rule; undefined if they depend on the data. */
const schemas: Readonly<Record<Aggregate, SchemaObject | undefined>> = {
  count: { type: 'integer', minimum: 0 },
  sum: { type: 'number' },
  includes: { type: 'boolean' },
  exists: { type: 'boolean' },
  min: undefined,
  max: undefined,
  first: undefined,
  last: undefined,
}

/** The sum, without the error of binary fractions: 0.1 and 0.2 are 0.3. */
function toSum(numbers: readonly number[]): number {
  return Number(numbers.reduce((sum, one) => sum + one, 0).toPrecision(15))
}

function sorted(found: readonly Found[]): Json[] {
  return found
    .map(({ value }) => value)
    .filter((value) => typeof value === 'number' || typeof value === 'string')
    .toSorted((left, right) => compareValues(left, right, false))
}

function fromFunction(
  resource: string,
  name: string,
  compute: ComputedFunction,
  { db, clock }: MockContext,
): ComputedField['compute'] {
  return ({ record, exchange: { user } }) => {
    try {
      const value = compute({ record: clone(record), user: user && clone(user), db, clock })
      return value === undefined ? undefined : (JSON.parse(toJson(value)) as Json)
    } catch (cause) {
      // No MockError, as the client gets the id of the failure alone; the stack has the place in the function.
      const failure = new Error(
        `Failed to compute "${name}" of "${resource}": ${toMessage(cause)}`,
        { cause },
      )
      if (cause instanceof Error && cause.stack !== undefined) failure.stack = cause.stack
      throw failure
    }
  }
}

/** Adds computed fields to a copy of a record. */
export function addComputed(
  copy: JsonRecord,
  fields: readonly ComputedField[],
  source: Omit<ComputedSource, 'record'>,
): void {
  for (const { name, compute } of fields) {
    const value = compute({ ...source, record: copy })
    if (value === undefined) delete copy[name]
    else define(copy, name, value)
  }
}
