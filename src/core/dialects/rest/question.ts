import type { Path } from '../../json/path.ts'
import type { Embed, SortKey } from '../../query/tree.ts'
import type { Params } from '../../url/params.ts'
import type {
  CollectionView,
  ListRequest,
  MemberRequest,
  NamedDependent,
  SplitParams,
  Unused,
} from '../contract/dialect.ts'
import { maxNames } from '../shared/name-limit.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { isKnown } from './filter.ts'
import { parsePaging } from './paging.ts'
import { parsePresentation, toJoins } from './presentation.ts'
import { type ParameterName, type Spelling, splitParams, splitValues } from './spelling.ts'
import { conditionsOf, parseWhere, plainTree, withoutConditions } from './where.ts'

/**
 * Parses the parameters of a list; those without a meaning of their own may be filters. A parameter that names
 * a field which no record has had is without effect. `naming` names a parameter in errors.
 * @throws MockError 400 that names the invalid parameter
 */
export function parseList(
  params: Params,
  collection: CollectionView,
  spelling: Spelling,
  naming?: (name: string) => string,
): ListRequest {
  const split = splitParams(params, spelling, naming)
  const { where: filters, unused } = spelling.parseFilters(split.others, collection)
  const trees = split.known['where']
  const where = trees && parseWhere(trees, collection, spelling)
  const known = where && withoutConditions(where, ({ path }) => !isKnown(path, collection))
  if (known) filters.push(known)
  const ownSort = parseSort(split, collection, spelling)
  const sort = ownSort.length > 0 ? ownSort : (collection.sort ?? [])
  const presentation = parsePresentation(split, collection, spelling)
  const toPath = <T>({ path }: { path: T }): T => path
  const unknown = (parameter: ParameterName, paths: readonly Path[]): UnusedEntry[] =>
    findUnknown(split.nameOf(parameter), paths, collection, presentation.embed)
  const entries: UnusedEntry[] = [
    ...unused.map((name) => [name] as const),
    ...findUnknown(split.nameOf('sort'), ownSort.map(toPath), collection),
    ...(where
      ? findUnknown(split.nameOf('where'), conditionsOf(where).map(toPath), collection)
      : []),
    ...unknown('fields', presentation.fields ?? []),
  ]
  const { paging, ...part } = parsePaging(split, spelling, sort.length)
  const read = [...filters.flatMap(conditionsOf), ...sort].map(toPath)
  const joins = collection.related ? toJoins(read, collection) : []
  const query = {
    joins: joins.length > 0 ? joins : undefined,
    where: filters.length > 0 ? { and: filters } : undefined,
    search: split.known['q']?.[0]?.parts['value'] || undefined,
    sort: sort.length > 0 ? sort : undefined,
    ...part,
    ...presentation,
  }
  return { query, paging, split, ...toUnused(entries) }
}

/** Parses the parameters of a request for one record: what to embed and which fields to send. */
export function parseMember(
  params: Params,
  collection: CollectionView,
  spelling: Spelling,
): MemberRequest {
  if (params.length === 0) return {}
  const split = splitParams(params, spelling)
  const presentation = parsePresentation(split, collection, spelling)
  const { embed, fields = [] } = presentation
  const unused = [
    ...unusedOf(split, ['embed', 'fields']),
    ...findUnknown(split.nameOf('fields'), fields, collection, embed),
  ]
  return { ...presentation, ...toUnused(unused, spelling, ['embed', 'fields']) }
}

/** Parses the names of the collections whose child records are deleted with a record. */
export function parseDependents(params: Params, spelling: Spelling): NamedDependent[] {
  const split = splitParams(params, spelling)
  const names = splitValues(split, 'dependent').filter((text) => text !== '')
  return names.map((name) => ({ name, parameter: split.nameOf('dependent') }))
}

/** Finds the parameters without effect in a write, or in a GET of a document. */
export function unusedParams(params: Params, method: string, spelling: Spelling): Unused {
  const used: ParameterName[] = method === 'DELETE' ? ['dependent'] : []
  return toUnused(unusedOf(splitParams(params, spelling), used), spelling, used)
}

/** Parses `-views,author.name`; a parameter of orders (`desc,asc`) or a suffix (`views,desc`) can give directions. */
function parseSort(split: SplitParams, collection: CollectionView, spelling: Spelling): SortKey[] {
  const orders = splitValues(split, 'order').map((order) => order.toLowerCase())
  const wrong = orders.find((order) => order !== '' && order !== 'asc' && order !== 'desc')
  if (wrong !== undefined) {
    throw wrongParameter(split.nameOf('order'), 'has to be asc or desc')
  }
  const keys = split.known['sort']?.flatMap(({ parts }) => spelling.toSortTexts(parts)) ?? []
  if (keys.length > maxNames) {
    throw wrongParameter(split.nameOf('sort'), `names more than ${maxNames} fields`)
  }
  return keys.flatMap(([text, order], at) =>
    text === ''
      ? []
      : [toSortKey(text.replace(/^\+/, ''), order ?? orders[at], collection, spelling)],
  )
}

/** Parses a sort field; it is descending if it starts with a minus or if `order` is `desc`. */
export function toSortKey(
  field: string,
  order: string | undefined,
  collection: { hasPath(path: Path): boolean },
  { toPath }: Pick<Spelling, 'toPath'> = plainTree,
): SortKey {
  const hasMinus = field.startsWith('-')
  return {
    path: toPath(hasMinus ? field.slice(1) : field, collection),
    descending: hasMinus || order === 'desc',
  }
}

/** A parameter without effect, and the unknown field in its value; a strict mock refuses the request. */
type UnusedEntry = readonly [parameter: string, field?: string]

function unusedOf({ names }: SplitParams, used: readonly string[]): UnusedEntry[] {
  return [...names].flatMap(([name, parameter = '']) => (used.includes(parameter) ? [] : [[name]]))
}

/** The first path of a parameter at which no record has had a value, outside of embedded records. */
function findUnknown(
  parameter: string,
  paths: readonly Path[],
  collection: CollectionView,
  embed: readonly Embed[] = [],
): UnusedEntry[] {
  const unknown = paths.find(
    (path) => !isKnown(path, collection) && !embed.some(({ name }) => name === path[0]),
  )
  return unknown ? [[parameter, unknown.join('.')]] : []
}

/** Describes parameters without effect; `used` has those with an effect, if they are few. */
function toUnused(
  entries: readonly UnusedEntry[],
  spelling?: Spelling,
  used: readonly ParameterName[] = [],
): Unused {
  const fields = entries.flatMap(([parameter, field]) =>
    field === undefined ? [] : [[parameter, field] as const],
  )
  return {
    ignored: [...new Set(entries.map(([parameter]) => parameter))],
    ...(fields.length > 0 && { unknownFields: Object.fromEntries(fields) }),
    ...(spelling && {
      known: used.flatMap((one) => spelling.parameters[one].map(({ text }) => text)),
    }),
  }
}
