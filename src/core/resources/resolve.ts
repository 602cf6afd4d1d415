import type { Auth } from '../behaviours/auth/auth.ts'
import type { AuthOptions } from '../behaviours/auth/options.ts'
import { fields } from '../behaviours/fields/fields.ts'
import type { FieldOptions } from '../behaviours/fields/options.ts'
import type { Schema } from '../behaviours/schema/schema.ts'
import {
  checkStandard,
  createValidation,
  describeStandard,
  fromStandard,
  isStandard,
  type StandardSchema,
} from '../behaviours/shared/standard-schema.ts'
import { toSortKey } from '../dialects/rest/question.ts'
import type { Dialect } from '../dialects/contract/dialect.ts'
import type { IdOption } from '../fixtures/id-field.ts'
import { wrong } from '../errors/check.ts'
import { ownValue } from '../json/json.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import type { ResourceRules } from '../http/contract/service.ts'
import type { SortKey } from '../query/tree.ts'
import { createConflicts, uniqueGroups } from './conflicts.ts'
import { createDataCheck, type DataCheck } from './check-data.ts'
import { actionsOf } from './action-options.ts'
import { bodyOptions, listOf, type ResourceOptions, subjectOf } from './options.ts'
import { createResources } from './resources.ts'

/** The option `resources` as rules of requests, and as behaviours around those of `use`. */
export interface ResolvedResources {
  rules: Readonly<Record<string, ResourceRules>>
  use: readonly Behaviour[]
  checkData: DataCheck
}

/** The options of a mock that the option `resources` adds to. */
interface ResolveFrom {
  use?: readonly Behaviour[]
  id?: IdOption
  dialect?: Dialect
}

/** Resolves the option `resources`, which was checked. @throws MockError for an option that also stands in `use` */
export function resolveResources(
  resources: Readonly<Record<string, ResourceOptions>>,
  { use = [], id, dialect }: ResolveFrom,
): ResolvedResources {
  const entries = Object.entries(resources)
  const named = fieldsOf(entries)
  checkUse(entries, named, use)
  checkDialect(entries, dialect)
  return {
    rules: Object.fromEntries(entries.map(([name, own]) => [name, toRules(name, own, id)])),
    use: [
      ...(entries.length > 0 ? [createResources(resources)] : []),
      ...(Object.keys(named).length > 0 ? [fields(named)] : []),
      ...withSchemas(entries, withOwners(entries, use)),
      ...createConflicts(resources),
    ],
    checkData: createDataCheck(resources),
  }
}

/** Returns a dialect with the bodies and pages of resources. @throws MockError if it has none, or some already */
export function withBodies(
  dialect: Dialect | undefined,
  resources: Readonly<Record<string, ResourceOptions>>,
): Dialect | undefined {
  const bodies = Object.entries(resources).flatMap(([name, own]) => {
    const given = bodyOptions.flatMap((option) => (own[option] === undefined ? [] : [option]))
    return given.length > 0 ? [{ name, own, given }] : []
  })
  const [first] = bodies
  if (!first) return dialect
  if (!dialect?.withResources) {
    const reason = `"${first.given.join('", "')}" needs the dialect "rest" of "fixtura/dialects".`
    throw wrong(subjectOf(first.name), `${reason} Please add "dialect: rest".`)
  }
  const twice = bodies.find(({ name }) => dialect.resources?.includes(name))
  if (twice) {
    const reason = `"${twice.given.join('", "')}" stands beside "resources" of the dialect.`
    throw wrong(subjectOf(twice.name), `${reason} Please keep one of them.`)
  }
  return dialect.withResources(
    Object.fromEntries(
      bodies.map(({ name, own, given }) => [
        name,
        Object.fromEntries(given.map((option) => [option, own[option]])),
      ]),
    ),
  )
}

type Entries = readonly [name: string, own: ResourceOptions][]

/** The options of the behaviour `fields`, to which fields that are unique without a status belong. */
function fieldsOf(entries: Entries): Record<string, FieldOptions> {
  return Object.fromEntries(
    entries.flatMap(([name, own]): [string, FieldOptions][] => {
      const plain = uniqueGroups(own).flatMap(({ fields: group, status }) =>
        status === undefined ? [group] : [],
      )
      const unique = [...(own.fields?.unique ?? []), ...plain]
      if (!own.fields && unique.length === 0) return []
      return [[name, { ...own.fields, ...(unique.length > 0 && { unique }) }]]
    }),
  )
}

/** @throws MockError for an option that stands in `resources` and in `use` */
function checkUse(
  entries: Entries,
  named: Readonly<Record<string, FieldOptions>>,
  use: readonly Behaviour[],
): void {
  for (const [name, { schema }] of entries) {
    const given = { fields: named[name], schema }
    const twice = use.find(
      (one) => one.resources?.includes(name) && given[one.name as keyof typeof given] !== undefined,
    )
    if (twice) throw inUse(name, twice.name)
  }
}

function inUse(name: string, option: string): Error {
  const reason = `"${option}" of "${name}" stands in "resources" and in "use".`
  return wrong(subjectOf(name), `${reason} Please keep one of them.`)
}

/** Adds owners to the behaviour `auth`. @throws MockError without it, and for owners that it already has */
function withOwners(entries: Entries, use: readonly Behaviour[]): readonly Behaviour[] {
  const owners: NonNullable<AuthOptions['owners']> = Object.fromEntries(
    entries.flatMap(([name, own]) => (own.owners === undefined ? [] : [[name, own.owners]])),
  )
  const [name] = Object.keys(owners)
  if (name === undefined) return use
  const known = use.find((one): one is Auth => 'withOwners' in one)
  if (!known) throw wrong(subjectOf(name), '"owners" needs users. Please add auth() to "use".')
  const twice = Object.keys(owners).find((one) => known.owned.includes(one))
  if (twice !== undefined) throw inUse(twice, 'owners')
  return use.map((one) => (one === known ? known.withOwners(owners) : one))
}

/** Adds schemas to the behaviour `schema`; validators need none. @throws MockError for JSON Schemas without it */
export function withSchemas(entries: Entries, use: readonly Behaviour[]): readonly Behaviour[] {
  const given = entries.flatMap(([name, { schema }]) =>
    schema === undefined ? [] : [[name, schema] as const],
  )
  const [first] = given
  if (!first) return use
  const known = use.find((one): one is Schema => 'extend' in one)
  if (known) {
    const extended = known.extend(Object.fromEntries(given))
    return use.map((one) => (one === known ? extended : one))
  }
  const validators = given.map(([name, schema]): [string, StandardSchema] => {
    if (isStandard(schema)) return [name, schema]
    const reason = 'a JSON Schema needs the behaviour "schema". Please add schema() to "use".'
    throw wrong(subjectOf(name), reason)
  })
  return [createValidators(validators), ...use]
}

/** Creates the behaviour that validates records by Standard Schemas, without the code for JSON Schemas. */
function createValidators(schemas: readonly [name: string, schema: StandardSchema][]): Behaviour {
  for (const [name, one] of schemas) checkStandard(name, one)
  const validators = Object.fromEntries(schemas.map(([name, one]) => [name, fromStandard(one)]))
  return {
    name: 'schema',
    create: () => ({
      check: createValidation(validators),
      describe: () => ({
        records: Object.fromEntries(
          schemas.flatMap(([name, one]) => {
            const schema = describeStandard(one)
            return schema === undefined ? [] : [[name, { schema }]]
          }),
        ),
      }),
    }),
  }
}

/** @throws MockError for a view with a dialect that has paths of its own */
function checkDialect(entries: Entries, dialect: Dialect | undefined): void {
  const made = entries.find(([, own]) => own.view !== undefined || own.distinct !== undefined)
  if (!made || !(dialect?.serve ?? dialect?.locate)) return
  const [name, { view }] = made
  const option = view === undefined ? 'distinct' : 'view'
  const reason = `the dialect "${dialect.name}" has no "${option}".`
  throw wrong(subjectOf(name), `${reason} Please use "rest".`)
}

function toRules(name: string, own: ResourceOptions, ids: IdOption | undefined): ResourceRules {
  const { sort, nested, filters, hidden, view, distinct = '' } = own
  const methods = view === undefined ? own.methods : ['GET']
  const [of = '', ...path] = distinct.split('.')
  const open = Object.entries(actionsOf(own)).flatMap(([key, { owner }]) => (owner ? [] : key))
  return {
    ...(sort && { sort: toSort(sort) }),
    ...(methods && { methods }),
    ...(nested && { nested }),
    ...(filters && { filters: Object.keys(filters) }),
    ...(open.length > 0 && { openActions: open }),
    ...(hidden && { hidden }),
    ...(view !== undefined && {
      view: { of: view, key: typeof ids === 'object' ? ownValue(ids, name) : undefined },
    }),
    ...(path.length > 0 && { distinct: { of, path } }),
  }
}

/** The order of a list; of records that are equal in a descending order, the later record is first. */
function toSort(sort: string | readonly string[]): SortKey[] {
  const keys = listOf(sort)
    .flatMap((one) => one.split(','))
    .map((field) => toSortKey(field.trim(), undefined, { hasPath: () => false }))
  const descending = keys.at(-1)?.descending ?? false
  return descending ? [...keys, { path: [], descending }] : keys
}
