import {
  type Check,
  checkOptions,
  isCallable,
  isEither,
  isFlag,
  isListOf,
  isMapOf,
  isName,
  isObject,
  isOneOf,
  wrong,
} from '../errors/check.ts'
import { isRecord, type Json, type JsonRecord } from '../json/json.ts'
import type { Clock } from '../time/clock.ts'
import type { CollectionDb } from '../types/db-types.ts'

/** What a mock knows of one resource, in the option `resources`. Every option is optional. */
export interface ResourceOptions {
  /** The order of a list whose request names none: `-createdAt`, or several fields. */
  sort?: string | readonly string[]
  /** The relations that every response embeds: `author`, `author.team`, or several. */
  embed?: string | readonly string[]
  /** The allowed methods; others are refused (405). GET allows HEAD and QUERY, and OPTIONS is always allowed. */
  methods?: readonly ResourceMethod[]
  /** Fields that every response has and no record stores, by name: rules or functions. */
  computed?: Readonly<Record<string, ComputedRule | ComputedFunction>>
}

/** A method that `methods` can allow. */
export type ResourceMethod = (typeof resourceMethods)[number]

/** The methods that `methods` can allow. */
export const resourceMethods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const

/** The value of a computed field, as data: what it is made of, and of which values. */
export interface ComputedRule extends Partial<Record<Aggregate, string>> {
  /** Only elements that a filter finds: `{ approved: true }`, `{ stars: { gte: 4 } }`. */
  where?: Readonly<Record<string, Json>>
  /**
   * Only what belongs to the user who asks: the id or record of the user, or a record that references the user by a
   * foreign key or by the field of this name. Without a user the value is false, 0 or null.
   */
  viewer?: boolean | string
  /** The field of each element to read: `{ sum: 'items', field: 'price' }` is `{ sum: 'items.price' }`. */
  field?: string
  /** The value that `includes` looks for. */
  value?: Json
}

/** What a computed field is made of a list: a list field of the record, or a relation. */
export type Aggregate = (typeof aggregates)[number]

/** The kinds of computed fields. */
export const aggregates = [
  'count',
  'sum',
  'min',
  'max',
  'first',
  'last',
  'includes',
  'exists',
] as const

/** Computes a field. A field whose function returns undefined is left out. */
export type ComputedFunction = (context: ComputedContext) => unknown

/** What the function of a computed field can read. */
export interface ComputedContext {
  /** A copy of the stored record, with the computed fields before this one. */
  record: JsonRecord
  /** The user who asks; undefined without a login. */
  user: JsonRecord | undefined
  /** The data, without a request. */
  db: Readonly<Record<string, CollectionDb>>
  clock: Clock
}

const isNames = isEither(isName, isListOf(isName))

/** The checks of {@link ResourceOptions}. */
const resourceChecks: Readonly<Record<keyof ResourceOptions, Check>> = {
  sort: isNames,
  embed: isNames,
  methods: isListOf(isOneOf(...resourceMethods)),
  computed: isMapOf(isEither(isCallable, isObject)),
}

const ruleChecks: Readonly<Record<keyof ComputedRule, Check>> = {
  ...(Object.fromEntries(aggregates.map((name) => [name, isName])) as Record<Aggregate, Check>),
  where: isObject,
  viewer: isEither(isFlag, isName),
  field: isName,
  value: [() => true, 'a value'],
}

/** The check of the option `resources`, which throws the error of an option of a resource. */
export const areResources: Check = [
  (value) => {
    if (!isRecord(value)) return false
    checkResourceOptions(value as Readonly<Record<string, ResourceOptions>>)
    return true
  },
  'an object of options by resource, such as {"articles":{"sort":"-createdAt"}}',
]

/** Checks the option `resources`. @throws MockError that names the resource and the nearest option */
export function checkResourceOptions(resources: Readonly<Record<string, ResourceOptions>>): void {
  for (const [name, own] of Object.entries(resources)) {
    const subject = subjectOf(name)
    checkOptions(subject, own, resourceChecks)
    for (const [field, rule] of Object.entries(own.computed ?? {})) {
      if (isRecord(rule)) checkRule(`${subject}, computed field "${field}"`, rule)
    }
  }
}

/** Names the options of a resource in messages. */
export function subjectOf(name: string): string {
  return `the option "resources" for "${name}"`
}

function checkRule(subject: string, rule: object): void {
  checkOptions(subject, rule, ruleChecks)
  const given = aggregates.filter((name) => Object.hasOwn(rule, name))
  if (given.length !== 1) {
    const fault = given.length === 0 ? 'it names no values' : `it has ${given.join(' and ')}`
    throw wrong(subject, `${fault}. Please give one of ${aggregates.join(', ')}.`)
  }
  const { viewer = false, value } = rule as ComputedRule
  if (given[0] === 'includes' && viewer === false && value === undefined) {
    throw wrong(subject, '"includes" looks for nothing. Please give "viewer": true, or a "value".')
  }
}

/** Returns the texts of an option that is one text or a list. */
export function listOf(option: string | readonly string[] = []): readonly string[] {
  return typeof option === 'string' ? [option] : option
}
