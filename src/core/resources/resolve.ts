import { toSortKey } from '../dialects/rest/question.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import type { ResourceRules } from '../http/contract/service.ts'
import { fields } from '../behaviours/fields/fields.ts'
import { createConflicts, plainUnique } from './conflicts.ts'
import { createDataCheck, type DataCheck } from './check-data.ts'
import { listOf, type ResourceOptions } from './options.ts'
import { createResources } from './resources.ts'
import type { SortKey } from '../query/tree.ts'

/** What the option `resources` becomes: rules of requests, and the behaviours in front of `use`. */
export interface ResolvedResources {
  rules: Readonly<Record<string, ResourceRules>>
  behaviours: readonly Behaviour[]
  /** The behaviours behind `use`. */
  last: readonly Behaviour[]
  checkData: DataCheck
}

/** Resolves the option `resources`, which was checked. */
export function resolveResources(
  resources: Readonly<Record<string, ResourceOptions>> = {},
): ResolvedResources {
  const entries = Object.entries(resources)
  const rules = Object.fromEntries(entries.map(([name, own]) => [name, toRules(own)]))
  const unique = entries.flatMap(([name, own]) => {
    const groups = plainUnique(own)
    return groups.length > 0 ? [[name, { unique: groups }] as const] : []
  })
  const behaviours = [
    ...(entries.length > 0 ? [createResources(resources)] : []),
    ...(unique.length > 0 ? [fields(Object.fromEntries(unique))] : []),
  ]
  return {
    rules,
    behaviours,
    last: createConflicts(resources),
    checkData: createDataCheck(resources),
  }
}

function toRules({ sort, methods, filters, actions = {} }: ResourceOptions): ResourceRules {
  const open = Object.keys(actions).filter((key) => !actions[key]?.owner)
  return {
    ...(sort && { sort: toSort(sort) }),
    ...(methods && { methods }),
    ...(filters && { filters: Object.keys(filters) }),
    ...(open.length > 0 && { openActions: open }),
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
