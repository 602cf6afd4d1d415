import { addToMultimap } from '../../structures/add-to-multimap.ts'
import type { Params } from '../../url/params.ts'
import type { Path } from '../../json/path.ts'
import type { Embed, Query, SortKey, Where } from '../../query/tree.ts'
import type { CollectionView, ListRequest } from '../contract/dialect.ts'
import { maxNames } from '../shared/name-limit.ts'
import { pathOf } from './condition.ts'
import { isKnown, parseFilter } from './filter.ts'
import { parsePaging } from './paging.ts'
import { toSortKey } from './sort-key.ts'
import { parseWhereText, testsOf } from './where-text.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'

/** The parameters that are no filters. */
const reserved = new Set(
  'q _sort _order _page _limit _per_page _start _end _cursor _embed _expand _fields _where _dependent'.split(
    ' ',
  ),
)

/** What a parameter is called where it was sent. */
type Naming = (name: string) => string

const asItIs: Naming = (name) => name

/** Reads the parameters of a list. */
export function parseList(
  params: Params,
  collection: CollectionView,
  naming: Naming = asItIs,
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
  const shown = parseMember(params, collection, naming)
  const { embed = [], fields = [] } = shown
  const isUnknown = (path: Path): boolean => !isKnown(path, collection)
  const isForeign = (path: Path): boolean =>
    isUnknown(path) && !embed.some(({ name }) => name === path[0])
  if (sort.some(({ path }) => isUnknown(path))) ignored.push(naming('_sort'))
  const unknown = [
    ...(where.flatMap(testsOf).some(({ path }) => isUnknown(path)) ? ['_where'] : []),
    ...(fields.some(isForeign) ? ['_fields'] : []),
  ].map(naming)
  const { paging, ...part } = parsePaging((name) => values.get(name)?.at(-1), sort.length)
  const query = {
    where: filters.length > 0 ? { and: filters } : undefined,
    search: values.get('q')?.[0] || undefined,
    sort: sort.length > 0 ? sort : undefined,
    ...part,
    ...shown,
  }
  return { query, paging, ignored, unknown }
}

/** Reads what a request for one record may ask beside it. */
export function parseMember(
  params: Params,
  collection: CollectionView,
  naming: Naming = asItIs,
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

/** Reads the collections whose records go with a deleted one. */
export function parseDependents(params: Params): string[] {
  return listed(group(params), '_dependent')
}

/** Turns `comments.author` and `comments.likes` of a parameter into one tree, with what is in it. */
export function toEmbeds(
  names: readonly string[],
  parameter: string,
  embeds: Embed[] = [],
): Embed[] {
  for (const name of names) {
    let level = embeds
    const steps = name.split('.')
    if (steps.length > 8) throw wrongParameter(parameter, 'leads further than 8 relations')
    for (const step of steps) {
      let next = level.find((embed) => embed.name === step)
      if (!next) level.push((next = { name: step, parameter, embed: [] }))
      level = next.embed
    }
  }
  return embeds
}

/** Reads `-views,author.name`, or `views,title` beside `desc,asc`. */
function parseSort(values: Map<string, string[]>, collection: CollectionView): SortKey[] {
  const orders = cut(values, '_order').map((order) => order.toLowerCase())
  const wrong = orders.find((order) => order !== '' && order !== 'asc' && order !== 'desc')
  if (wrong !== undefined) throw wrongParameter('_order', 'has to be asc or desc')
  const fields = cut(values, '_sort')
  if (fields.length > maxNames) {
    throw wrongParameter('_sort', `names more than ${maxNames} fields`)
  }
  return fields.flatMap((field, at) =>
    field === '' ? [] : [toSortKey(field, orders[at], collection)],
  )
}

/** The values of each name, `tags[0]`, `tags[]` and `tags` being one. */
function group(params: Params): Map<string, string[]> {
  const values = new Map<string, string[]>()
  for (const [written, value] of params) {
    addToMultimap(values, written.replace(/\[\d*\]$/, ''), value)
  }
  return values
}

/** The values of a parameter that may be repeated, bracketed or separated by commas. */
function listed(values: Map<string, string[]>, name: string): string[] {
  return cut(values, name).filter((text) => text !== '')
}

/** What stands between commas, empty texts too. */
function cut(values: Map<string, string[]>, name: string): string[] {
  return values.get(name)?.flatMap((text) => text.split(',').map((one) => one.trim())) ?? []
}
