import { MockError } from '../../errors/mock-error.ts'
import type { SortKey, Where } from '../../query/tree.ts'
import type { Params } from '../../url/params.ts'
import type { CollectionView, ListRequest, MemberRequest, Unused } from '../contract/dialect.ts'
import { parseMember as parseRestMember } from '../rest/member-params.ts'
import { parseList as parseRestList } from '../rest/parameters.ts'
import { renameError } from '../rest/rename-error.ts'
import { maxNames } from '../shared/name-limit.ts'
import { wrongParameter } from '../shared/wrong-parameter.ts'
import { type GivenParams, restName, toGiven, wireName } from './given-params.ts'
import { type ParameterName, parameterNames } from './options.ts'
import { toPageParams } from './parse-pages.ts'
import { parseFilters, parseTree, toPath } from './parse-filters.ts'
import type { Settings } from './settings.ts'

/**
 * Parses the query parameters of a request for a list under the names that the options give them: converts them
 * to parameters of `rest`, which the parser of `rest` reads, and parses filters itself.
 * @throws MockError 400 that names the invalid parameter
 */
export function parseList(
  params: Params,
  collection: CollectionView,
  settings: Settings,
): ListRequest {
  const given = toGiven(params, settings)
  const { where, unused } = parseFilters(given.others, collection, settings)
  for (const { match } of given.own.where) {
    const name = wireName(given, 'where', settings)
    where.push(parseTree(match['value'] ?? '', name, collection, settings))
  }
  const sort = parseSort(given, collection, settings)
  const own: Params = [
    ...valuesOf(given, 'q').map((text) => ['q', text] as const),
    ...sort.map(toSortParam),
    ...presentationOf(given, collection, settings),
    ...toPageParams(given, settings),
  ]
  const asked = withNames(given, settings, (naming) => parseRestList(own, collection, naming))
  return {
    ...asked,
    query: { ...asked.query, where: joined(where) },
    ignored: [...new Set([...unused, ...asked.ignored])],
  }
}

/** Parses the parameters of a single record: relations to embed, and fields. */
export function parseMember(
  params: Params,
  collection: CollectionView,
  settings: Settings,
): MemberRequest {
  if (params.length === 0) return {}
  const given = toGiven(params, settings)
  const own = presentationOf(given, collection, settings)
  const asked = withNames(given, settings, () => parseRestMember(own, collection))
  return { ...asked, ...unusedBut(['embed', 'fields'], given, settings) }
}

/** Parses the collections whose child records are deleted with a record. */
export function parseDependents(params: Params, settings: Settings): string[] {
  return listOf(toGiven(params, settings), 'dependent')
}

/** Finds the parameters without effect in a write, or in a GET of a document. */
export function unusedParams(params: Params, method: string, settings: Settings): Unused {
  return unusedBut(method === 'DELETE' ? ['dependent'] : [], toGiven(params, settings), settings)
}

function unusedBut(
  used: readonly ParameterName[],
  { own, others }: GivenParams,
  { parameters }: Settings,
): Unused {
  const names = parameterNames.flatMap((one) =>
    used.includes(one) ? [] : own[one].map(({ name }) => name),
  )
  return {
    ignored: [...new Set([...others.map(([name]) => name), ...names])],
    known: used.flatMap((one) => parameters[one].map(({ text }) => text)),
  }
}

/** Runs a parser of `rest`, whose errors then have the names that the request uses. */
function withNames<Parsed>(
  given: GivenParams,
  settings: Settings,
  parse: (naming: (name: string) => string) => Parsed,
): Parsed {
  const naming = (name: string): string => {
    const parameter = parameterNames.find((one) => restName(one) === name)
    return parameter ? wireName(given, parameter, settings) : name
  }
  try {
    return parse(naming)
  } catch (error) {
    throw error instanceof MockError ? renameError(error, naming) : error
  }
}

function joined(where: Where[]): Where | undefined {
  return where.length > 0 ? { and: where } : undefined
}

function toSortParam({ path, descending }: SortKey): Params[number] {
  return ['_sort', (descending ? '-' : '') + path.join('.')]
}

/** Returns the fields of all sort parameters: `-views,title`, or with an order such as `views,desc`. */
function parseSort(given: GivenParams, collection: CollectionView, settings: Settings): SortKey[] {
  const orders = listOf(given, 'order').map((one) => one.toLowerCase())
  const wrong = orders.find((one) => one !== 'asc' && one !== 'desc')
  if (wrong !== undefined) {
    throw wrongParameter(wireName(given, 'order', settings), 'has to be asc or desc')
  }
  const keys = given.own.sort.flatMap(({ match }) => {
    const { field, order, value = '' } = match
    const parts = (field === undefined ? value : [field, order ?? match['value'] ?? ''].join(','))
      .split(',')
      .map((one) => one.trim())
      .filter((one) => one !== '')
    const direction = field === undefined ? undefined : /^(?:asc|desc)$/i.exec(parts.at(-1) ?? '')
    const fields = direction && parts.length > 1 ? parts.slice(0, -1) : parts
    const isDescending = direction?.[0].toLowerCase() === 'desc'
    return fields.map((one): SortKey => {
      const isMinus = one.startsWith('-')
      const name = isMinus ? one.slice(1) : one.replace(/^\+/, '')
      return { path: toPath(name, collection, settings), descending: isMinus || isDescending }
    })
  })
  if (keys.length > maxNames) {
    throw wrongParameter(wireName(given, 'sort', settings), `names more than ${maxNames} fields`)
  }
  return keys.map((key, at) => ({ ...key, descending: key.descending || orders[at] === 'desc' }))
}

/** Returns the relations to embed and the fields, as parameters of `rest`. */
function presentationOf(
  given: GivenParams,
  collection: CollectionView,
  settings: Settings,
): Params {
  const last = collection.name.slice(collection.name.lastIndexOf('/') + 1)
  const embeds = given.own.embed.flatMap(({ match }) => match['relation'] ?? match['value'] ?? [])
  const fields = given.own.fields
    .filter(({ match }) => (match['resource'] ?? last) === last)
    .flatMap(({ match }) => match['value'] ?? [])
    .flatMap((text) => text.split(','))
    .map((field) => toPath(field.trim(), collection, settings).join('.'))
  return [
    ...embeds.map((text) => ['_embed', text] as const),
    ...fields.map((text) => ['_fields', text] as const),
  ]
}

function valuesOf({ own }: GivenParams, parameter: ParameterName): string[] {
  return own[parameter].flatMap(({ match }) => match['value'] ?? [])
}

function listOf(given: GivenParams, parameter: ParameterName): string[] {
  return valuesOf(given, parameter)
    .flatMap((text) => text.split(','))
    .map((one) => one.trim())
    .filter((one) => one !== '')
}
