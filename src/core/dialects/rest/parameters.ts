import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { Params } from '../../url/params.ts'
import type { Path } from '../../json/path.ts'
import type { Embed, Query, SortKey, Where } from '../../query/tree.ts'
import type { CollectionView, ListRequest } from '../contract/dialect.ts'
import { maxNames } from '../shared/name-limit.ts'
import { pathOf } from './condition.ts'
import { isKnown, parseFilter } from './filter.ts'
import { parsePaging } from './parse-paging.ts'
import { toSortKey } from './sort-key.ts'
import { parseWhereText, conditionsOf } from './where-text.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'

/**
 * The query parameters that have a meaning of their own; `parseList` reads every other parameter as a
 * filter on a field.
 */
const reserved = new Set(
  'q _sort _order _page _limit _per_page _start _end _cursor _embed _expand _fields _where _dependent'.split(
    ' ',
  ),
)

/** Returns the name that a request uses for a parameter, for messages. */
type Naming = (name: string) => string

const unchanged: Naming = (name) => name

/**
 * Parses the parameters of a list.
 * @throws MockError 400 that names the invalid parameter
 */
export function parseList(
  params: Params,
  collection: CollectionView,
  naming: Naming = unchanged,
): ListRequest {
  const values = group(params)
  const ignored: string[] = []
  const filters: Where[] = []
  for (const [name, texts] of values) {
    if (reserved.has(name)) continue
    const filter = parseFilter(name, texts, collection)
    if (filter) filters.push(filter)
    else ignored.push(name)
  }
  const tree = values.get('_where')?.at(-1)
  const where = tree === undefined ? [] : [parseWhereText(tree, collection)]
  filters.push(...where)
  const sort = parseSort(values, collection)
  const member = parseMember(params, collection, naming)
  const { embed = [], fields = [] } = member
  const isUnknown = (path: Path): boolean => !isKnown(path, collection)
  const isForeign = (path: Path): boolean =>
    isUnknown(path) && !embed.some(({ name }) => name === path[0])
  if (sort.some(({ path }) => isUnknown(path))) ignored.push(naming('_sort'))
  const unknown = [
    ...(where.flatMap(conditionsOf).some(({ path }) => isUnknown(path)) ? ['_where'] : []),
    ...(fields.some(isForeign) ? ['_fields'] : []),
  ].map(naming)
  const { paging, ...part } = parsePaging((name) => values.get(name)?.at(-1), sort.length)
  const query = {
    where: filters.length > 0 ? { and: filters } : undefined,
    search: values.get('q')?.[0] || undefined,
    sort: sort.length > 0 ? sort : undefined,
    ...part,
    ...member,
  }
  return { query, paging, ignored, unknown }
}

/** Parses the parameters of a single record: relations to embed, and fields. */
export function parseMember(
  params: Params,
  collection: CollectionView,
  naming: Naming = unchanged,
): Pick<Query, 'embed' | 'fields'> {
  if (params.length === 0) return {}
  const values = group(params)
  const embed: Embed[] = []
  for (const name of ['_embed', '_expand']) toEmbeds(listed(values, name), naming(name), embed)
  const fields = listed(values, '_fields')
  return {
    ...(embed.length > 0 && { embed }),
    ...(fields.length > 0 && { fields: fields.map((field) => pathOf(field, collection)) }),
  }
}

/** Parses the collections whose child records are deleted with a record. */
export function parseDependents(params: Params): string[] {
  return listed(group(params), '_dependent')
}

/** Merges names such as `comments.author` and `comments.likes` into a tree of relations. */
export function toEmbeds(
  names: readonly string[],
  parameter: string,
  embeds: Embed[] = [],
): Embed[] {
  for (const name of names) {
    let level = embeds
    const steps = name.split('.')
    if (steps.length > 8) throw wrongParameter(parameter, 'is nested deeper than 8 relations')
    for (const step of steps) {
      let next = level.find((embed) => embed.name === step)
      if (!next) level.push((next = { name: step, parameter, embed: [] }))
      level = next.embed
    }
  }
  return embeds
}

/** Parses `_sort=-views,author.name`, or `_sort=views,title` with `_order=desc,asc`. */
function parseSort(values: Map<string, string[]>, collection: CollectionView): SortKey[] {
  const orders = splitValues(values, '_order').map((order) => order.toLowerCase())
  const wrong = orders.find((order) => order !== '' && order !== 'asc' && order !== 'desc')
  if (wrong !== undefined) throw wrongParameter('_order', 'has to be asc or desc')
  const fields = splitValues(values, '_sort')
  if (fields.length > maxNames) {
    throw wrongParameter('_sort', `names more than ${maxNames} fields`)
  }
  return fields.flatMap((field, at) =>
    field === '' ? [] : [toSortKey(field, orders[at], collection)],
  )
}

/** Groups values by name; `tags[0]`, `tags[]` and `tags` are the same name. */
function group(params: Params): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [name, value] of params) {
    addToMultimap(values, name.replace(/\[\d*\]$/, ''), value)
  }
  return values
}

/** The non-empty values of a parameter that can be repeated, bracketed or comma-separated. */
function listed(values: Map<string, string[]>, name: string): string[] {
  return splitValues(values, name).filter((text) => text !== '')
}

/** The comma-separated values of a parameter, including empty strings. */
function splitValues(values: Map<string, string[]>, name: string): string[] {
  return values.get(name)?.flatMap((text) => text.split(',').map((one) => one.trim())) ?? []
}
