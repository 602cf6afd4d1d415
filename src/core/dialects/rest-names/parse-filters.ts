import { isRecord, type Json } from '../../json/json.ts'
import type { Operand } from '../../json/equality.ts'
import type { Path } from '../../json/path.ts'
import type { Where } from '../../query/tree.ts'
import type { Params } from '../../url/params.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { CollectionView } from '../contract/dialect.ts'
import { pathOf } from '../rest/condition.ts'
import { isKnown } from '../rest/filter.ts'
import { tooManyComparisons } from '../rest/where-text.ts'
import { wrongTree } from '../rest/where-tree.ts'
import { toFilter } from './operators.ts'
import { withoutIndex } from './given-params.ts'
import type { Pattern } from './pattern.ts'
import type { Settings } from './settings.ts'

/**
 * Parses the filters of a list that query parameters contain, in the notations of the option `filters`, such as
 * `filter[views][gte]=10`.
 * @throws MockError 400 for an unknown operator or an invalid value
 */
export function parseFilters(
  params: Params,
  collection: CollectionView,
  settings: Settings,
): Filters {
  const all: Where[] = []
  const any: Where[] = []
  const unused: string[] = []
  // A repeated parameter compares with several values, unless each has an operator of its own.
  const repeated = new Map<string, string[]>()
  for (const [name, value] of params) {
    addToMultimap(repeated, /\[\d*\]$/.test(name) ? withoutIndex(name) : name, value)
  }
  for (const [name, values] of repeated) {
    for (const [patterns, target] of [
      [settings.filters, all],
      [settings.anyFilters, any],
    ] as const) {
      const found = filtersOf(name, values, patterns, collection, settings)
      target.push(...found)
      if (found.length > 0) break
      if (target === any) unused.push(name)
    }
  }
  if (any.length === 0) return { where: all, unused }
  const both = all.length > 0 ? [{ or: [{ and: all }, { and: any }] }] : [{ or: any }]
  return { where: both, unused }
}

/**
 * Parses a tree of filters in JSON, from the parameter with the meaning of `_where`: `and`, `or` and `not`, also
 * with a dollar sign, and fields with values or operators.
 * @throws MockError 400 that names the parameter
 */
export function parseTree(
  text: string,
  parameter: string,
  collection: CollectionView,
  settings: Settings,
): Where {
  let tree: Json
  try {
    tree = JSON.parse(text) as Json
  } catch (cause) {
    throw wrongTree(parameter, 'it is not JSON', cause)
  }
  const where = toWhere(tree, { parameter, collection, settings }, 0)
  const problem = tooManyComparisons(where)
  if (problem) throw wrongTree(parameter, `it ${problem}`)
  return where
}

/** Returns the path of a field: `author__name` in Django, `author.name` elsewhere. */
export function toPath(
  field: string,
  collection: CollectionView,
  { separator }: Pick<Settings, 'separator'>,
): Path {
  if (separator === '.' || !field.includes(separator)) return pathOf(field, collection)
  return collection.hasPath([field]) ? [field] : field.split(separator)
}

/** The filters of a request, and the names of the parameters that are no filters. */
export interface Filters {
  where: Where[]
  unused: string[]
}

function filtersOf(
  name: string,
  values: readonly string[],
  patterns: readonly Pattern[],
  collection: CollectionView,
  settings: Settings,
): Where[] {
  for (const pattern of patterns) {
    const hasOwnValue = pattern.text.includes('=')
    const found = (hasOwnValue ? values : [undefined]).flatMap((value) => {
      const match = pattern.match(name, value ?? '')
      const field = match?.['field']
      if (match === undefined || field === undefined) return []
      const path = toPath(field, collection, settings)
      if (!isKnown(path, collection)) return []
      const texts = value === undefined ? values : [match['value'] ?? '']
      const comparison = { path, values: texts, isWhole: false, parameter: name, collection }
      return toFilter(comparison, match['op'] ?? '', settings.operators)
    })
    if (found.length > 0) return found
  }
  return []
}

/** The most levels of a tree of filters. */
const maxDepth = 32

interface TreeContext {
  parameter: string
  collection: CollectionView
  settings: Settings
}

function toWhere(tree: Json, context: TreeContext, depth: number): Where {
  const { parameter, collection, settings } = context
  if (!isRecord(tree)) throw wrongTree(parameter, 'it has to be an object')
  if (depth > maxDepth) throw wrongTree(parameter, `it is nested deeper than ${maxDepth} levels`)
  const and = Object.entries(tree).flatMap(([key, value]): Where[] => {
    const word = key.replace(/^\$/, '')
    const inner = (one: Json): Where => toWhere(one, context, depth + 1)
    if (word === 'and' || word === 'or') {
      if (!Array.isArray(value)) throw wrongTree(parameter, `"${key}" takes a list`)
      const list = value.map(inner)
      return [word === 'and' ? { and: list } : { or: list }]
    }
    if (word === 'not' && isRecord(value)) return [{ not: inner(value) }]
    const path = toPath(key, collection, settings)
    return isKnown(path, collection) ? toConditions(path, value, context) : []
  })
  return { and }
}

/** Returns the conditions of a field: `{ "$gt": 1, "$lt": 9 }`, or a value. */
function toConditions(path: Path, value: Json, context: TreeContext): Where[] {
  const { parameter, collection, settings } = context
  const compare = (operand: Json, operator?: string): Where => {
    const list = Array.isArray(operand) ? operand : [operand]
    const values = list.map((one): Operand => {
      if (typeof one !== 'object' || one === null) return one
      throw wrongTree(parameter, 'fields compare with plain values only')
    })
    const comparison = { path, values, isWhole: Array.isArray(operand), parameter, collection }
    return operator === undefined
      ? toFilter(comparison, 'in', { in: 'in' })
      : toFilter(comparison, operator, settings.operators)
  }
  if (!isRecord(value)) return [compare(value)]
  return Object.entries(value).map(([operator, operand]) =>
    /^\$?or$/.test(operator) && isRecord(operand)
      ? { or: toConditions(path, operand, context) }
      : compare(operand, operator),
  )
}
