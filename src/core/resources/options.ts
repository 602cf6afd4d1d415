import {
  type Check,
  checkOptions,
  isCallable,
  isEither,
  isFlag,
  isLine,
  isListOf,
  isMapOf,
  isName,
  isObject,
  isOneOf,
  isStatus,
  wrong,
} from '../errors/check.ts'
import { actionsOf, checkAction, type ResourceAction } from './action-options.ts'
import { type FieldOptions, fieldChecks } from '../behaviours/fields/options.ts'
import type { OwnerOptions } from '../behaviours/auth/options.ts'
import type { StandardSchema } from '../behaviours/shared/standard-schema.ts'
import type { ResourceNames } from '../dialects/rest-names/options.ts'
import { isRelation, type RelationOptions } from '../fixtures/relation-options.ts'
import type { JsonSchema } from '../types/json-schema.ts'
import { checkFilters, type FilterOption, isFilter } from './filter-rule.ts'
import { isRecord, type Json, type JsonRecord, ownValue } from '../json/json.ts'
import type { Clock } from '../time/clock.ts'
import type { CollectionDb } from '../types/db-types.ts'

/** The options of one resource, in the option `resources`; every option is optional. */
export interface ResourceOptions extends Omit<ResourceNames, 'hidden'> {
  /**
   * The collection whose records the resource shows under its own name, which is no fixture: `{ view: 'users', id:
   * 'username' }`. Options such as `hidden` and `computed` are those of the collection, unless the view has its own.
   */
  view?: string
  /** Only records of the view's collection that a filter finds: `{ state: 'open' }`, `{ 'author.following': true }`. */
  where?: Readonly<Record<string, Json>>
  /** The field whose distinct values the resource lists, which is no fixture: `articles.tagList`. */
  distinct?: string
  /** The id field, as the option `id` of a mock. */
  id?: string
  /** The foreign keys of the resource, as in the option `relations`: `{ authorId: 'users' }`. */
  relations?: RelationOptions[string]
  /** `Cache-Control` of responses, as the option `cacheControl`. */
  cacheControl?: string
  /** Whether writes require `If-Match`, as the option `preconditions`. */
  preconditions?: boolean
  /** Required and read-only fields, defaults and timestamps, as `fields()` has them. */
  fields?: FieldOptions
  /** A JSON Schema, which needs `schema()` in `use`, or a validator that implements Standard Schema. */
  schema?: JsonSchema | StandardSchema
  /** The field with the id of the owner, as `owners` of `auth()`, which has to be in `use`. */
  owners?: string | OwnerOptions
  /** Fields that no response has, also where the records are embedded; filters know them. */
  hidden?: readonly string[]
  /** The order of a list whose request names none: `-createdAt`, or several fields. */
  sort?: string | readonly string[]
  /** The relations that every response embeds: `author`, `author.team`, or several. */
  embed?: string | readonly string[]
  /** The allowed methods; others are refused (405). GET allows HEAD and QUERY, and OPTIONS is always allowed. */
  methods?: readonly ResourceMethod[]
  /** Whether only nested paths such as `/posts/1/comments` serve the collection; `/comments` is 404. @default false */
  nested?: boolean
  /**
   * Names of filters for paths of fields and relations, also with an operator:
   * `{ tag: 'tagList', author: 'author.username', minPrice: 'price:gte', search: ['title:contains', 'body:contains'] }`.
   */
  filters?: Readonly<Record<string, FilterOption>>
  /**
   * Fields, or groups of fields, whose values no two records share: a list (422), or the status of each, a group
   * being separated by commas: `{ title: 409, 'teamId,name': { POST: 409, PUT: 422 } }`.
   */
  unique?: readonly (string | readonly string[])[] | Readonly<Record<string, UniqueStatus>>
  /** The field that the slug of a new record is made of. The slug is the id, if `id` is no `id`, else the field `slug`. */
  slug?: string | SlugOptions
  /**
   * Actions on a record, by method and name: `{ 'POST publish': { set: { state: 'published' } } }`. A name with a list,
   * `{ favorite: 'favoritedBy' }`, is a POST that adds the user who asks and a DELETE that removes the user.
   */
  actions?: Readonly<Record<string, ResourceAction | string>>
  /** Fields that every response has and no record stores, by name: rules or functions. */
  computed?: Readonly<Record<string, ComputedRule | ComputedFunction>>
}

/** The status of a write with a taken value: one, or one by method. */
export type UniqueStatus = number | Readonly<Partial<Record<'POST' | 'PUT' | 'PATCH', number>>>

/** How the slug of a record is made. */
export interface SlugOptions {
  /** The field that the slug is made of. */
  from: string
  /** The field of the slug. @default the id field, if it is no `id`, else 'slug' */
  field?: string
  /** Whether another text makes another slug; references follow. @default false */
  follow?: boolean
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

/** The list that a computed field is made of: a list field of the record, or a relation. */
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

/** The data that the function of a computed field can read. */
export interface ComputedContext {
  /** A copy of the stored record, with the computed fields before this one. */
  record: JsonRecord
  /** The user who asks; undefined without a login. */
  user: JsonRecord | undefined
  /** The data, without a request. */
  db: Readonly<Record<string, CollectionDb>>
  clock: Clock
}

/** The options that the dialect `rest` has for single resources, and checks. */
export const bodyOptions: readonly BodyOption[] = [
  'pages',
  'unlisted',
  'list',
  'page',
  'cursor',
  'item',
  'record',
  'body',
  'created',
  'updated',
  'removed',
  'statuses',
]

/** The options that a view shares with the collection that it shows. */
const sharedOptions: readonly string[] = [
  ...bodyOptions,
  'hidden',
  'sort',
  'embed',
  'filters',
  'computed',
]

const viewOptions: readonly string[] = [...sharedOptions, 'id', 'cacheControl', 'actions']

type BodyOption = Exclude<keyof ResourceNames, 'hidden'>

const isAnything: Check = [() => true, 'a value']

const isNames = isEither(isName, isListOf(isName))

const isSchema: Check = [
  (value) => typeof value === 'boolean' || typeof value === 'function' || isRecord(value),
  'a JSON Schema or a validator',
]

const isErrorStatus = isStatus(400, 499)

const statusChecks: Readonly<Record<string, Check>> = {
  POST: isErrorStatus,
  PUT: isErrorStatus,
  PATCH: isErrorStatus,
}

/** The checks of {@link ResourceOptions}. */
const resourceChecks: Readonly<Record<keyof ResourceOptions, Check>> = {
  ...(Object.fromEntries(bodyOptions.map((name) => [name, isAnything])) as Record<
    BodyOption,
    Check
  >),
  view: isName,
  where: isObject,
  distinct: [
    (value) => typeof value === 'string' && /^[^.]+(?:\.[^.]+)+$/.test(value),
    'a collection and a field, such as articles.tags',
  ],
  id: isName,
  relations: isMapOf(isRelation),
  cacheControl: isLine,
  preconditions: isFlag,
  fields: isObject,
  schema: isSchema,
  owners: isEither(isName, isObject),
  hidden: isListOf(isName),
  sort: isNames,
  embed: isNames,
  methods: isListOf(isOneOf(...resourceMethods)),
  nested: isFlag,
  filters: isMapOf(isFilter),
  unique: isEither(
    isListOf(isEither(isName, isListOf(isName))),
    isMapOf(isEither(isErrorStatus, isObject)),
  ),
  slug: isEither(isName, isObject),
  actions: isMapOf(isEither(isName, isObject)),
  computed: isMapOf(isEither(isCallable, isObject)),
}

const ruleChecks: Readonly<Record<keyof ComputedRule, Check>> = {
  ...(Object.fromEntries(aggregates.map((name) => [name, isName])) as Record<Aggregate, Check>),
  where: isObject,
  viewer: isEither(isFlag, isName),
  field: isName,
  value: isAnything,
}

const slugChecks: Readonly<Record<keyof SlugOptions, Check>> = {
  from: isName,
  field: isName,
  follow: isFlag,
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
    checkMade(subject, own)
    if (own.fields) checkOptions(`${subject}, "fields"`, own.fields, fieldChecks)
    for (const [field, rule] of Object.entries(own.computed ?? {})) {
      if (isRecord(rule)) checkRule(`${subject}, computed field "${field}"`, rule)
    }
    checkFilters(subject, own.filters)
    for (const [group, status] of Object.entries(own.unique ?? {})) {
      if (isRecord(status)) checkOptions(`${subject}, "unique" of "${group}"`, status, statusChecks)
    }
    if (isRecord(own.slug)) checkOptions(`${subject}, "slug"`, own.slug, slugChecks, ['from'])
    for (const [action, given] of Object.entries(actionsOf(own))) {
      checkAction(`${subject}, action "${action}"`, action, given)
    }
  }
}

/** Checks that a resource made of a collection has no option of a resource that stores records. */
function checkMade(subject: string, { view, where, distinct, ...own }: ResourceOptions): void {
  const kind = view === undefined ? 'distinct' : 'view'
  const allowed: readonly string[] = view === undefined ? ['list', 'cacheControl'] : viewOptions
  if (view === undefined && distinct === undefined) {
    if (where) throw wrong(subject, '"where" needs a "view". Please name its collection.')
    return
  }
  const other = Object.keys(own).find((name) => !allowed.includes(name))
  if (view !== undefined && distinct !== undefined) {
    throw wrong(subject, 'it has "view" and "distinct". Please keep one of them.')
  }
  if (other !== undefined) {
    const reason = `"${other}" has no effect beside "${kind}", which stores nothing.`
    throw wrong(subject, `${reason} Please give one of ${allowed.join(', ')}.`)
  }
}

/** Adds the options of the collection that a view shows, which the view's own replace. */
export function withViewed(
  resources: Readonly<Record<string, ResourceOptions>>,
): Readonly<Record<string, ResourceOptions>> {
  return Object.fromEntries(
    Object.entries(resources).map(([name, own]) => {
      const source = own.view === undefined ? {} : (ownValue(resources, own.view) ?? {})
      const given = Object.entries(source).filter(([option]) => sharedOptions.includes(option))
      return [name, { ...Object.fromEntries(given), ...own }]
    }),
  )
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

/** Whether resources have bodies, which the dialect `rest` renders. */
export function hasBodies(resources: Readonly<Record<string, ResourceOptions>> = {}): boolean {
  return Object.values(resources).some(
    (own) =>
      bodyOptions.some((name) => own[name] !== undefined) ||
      Object.values(actionsOf(own)).some(({ answer }) => answer !== undefined),
  )
}
