import type { Params } from '../../url/params.ts'
import type { SortKey, Where } from '../../query/tree.ts'
import type { CollectionView, ListRequest } from '../contract/dialect.ts'
import { maxNames } from '../shared/name-limit.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { isKnown, parseFilter } from './filter.ts'
import { type GroupedParams, groupParams, splitValues } from './grouped-params.ts'
import { parsePresentation } from './member-params.ts'
import { parsePaging } from './parse-paging.ts'
import { toSortKey } from './sort-key.ts'
import { findUnknown, toUnused, type UnusedEntry } from './unused.ts'
import { conditionsOf, parseWhereText, withoutConditions } from './where-text.ts'

/**
 * Parses the query parameters of a request for a list. Reads every parameter without a meaning of its own as a
 * filter on a field. A parameter, a condition of `_where` or a name in `_sort` and `_fields` has no effect if no
 * record has had the field. `naming` returns the name that the request uses for a parameter, for messages.
 * @throws MockError 400 that names the invalid parameter
 */
export function parseList(
  params: Params,
  collection: CollectionView,
  naming: (name: string) => string = (name) => name,
): ListRequest {
  const values = groupParams(params)
  const unused: UnusedEntry[] = []
  const filters: Where[] = []
  for (const [name, texts] of values) {
    if (reserved.has(name)) continue
    const filter = parseFilter(name, texts, collection)
    if (filter) filters.push(filter)
    else unused.push([name])
  }
  const tree = values.get('_where')?.at(-1)
  const where = tree === undefined ? undefined : parseWhereText(tree, collection)
  const known = where && withoutConditions(where, ({ path }) => !isKnown(path, collection))
  if (known) filters.push(known)
  const sort = parseSort(values, collection)
  const presentation = parsePresentation(values, collection, naming)
  const { embed, fields = [] } = presentation
  const toPath = <T>({ path }: { path: T }): T => path
  unused.push(
    ...findUnknown(naming('_sort'), sort.map(toPath), collection),
    ...findUnknown(naming('_where'), where ? conditionsOf(where).map(toPath) : [], collection),
    ...findUnknown(naming('_fields'), fields, collection, embed),
  )
  const { paging, ...part } = parsePaging((name) => values.get(name)?.at(-1), sort.length)
  const query = {
    where: filters.length > 0 ? { and: filters } : undefined,
    search: values.get('q')?.[0] || undefined,
    sort: sort.length > 0 ? sort : undefined,
    ...part,
    ...presentation,
  }
  return { query, paging, ...toUnused(unused) }
}

/** The query parameters with a meaning of their own. */
const reserved = new Set(
  'q _sort _order _page _limit _per_page _start _end _cursor _embed _expand _fields _where _dependent'.split(
    ' ',
  ),
)

/** Parses `_sort=-views,author.name`, or `_sort=views,title` with `_order=desc,asc`. */
function parseSort(values: GroupedParams, collection: CollectionView): SortKey[] {
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
