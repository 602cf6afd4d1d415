import { isSame, type Json, type JsonRecord } from '../../json/json.ts'
import { scalarText } from '../../json/scalar-text.ts'
import { addToMultimap } from '../../structures/add-to-multimap.ts'
import { baseName } from '../../text/foreign-keys.ts'
import type { LearnedOption } from '../learned.ts'
import { isSuccess, type ParsedExchange } from '../parse-exchange.ts'
import { findList } from './envelope.ts'
import { isPlain } from './extract-records.ts'
import { idOf, isIdLike } from './ids.ts'
import type { ResourcePaths } from './resource-paths.ts'

/** Finds the lists whose records are those of a collection at another path: `/employees/7/reports`, `/users/search`. */
export function findAliases(
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
): Alias[] {
  /** The records that lists show, by collection and id. */
  const records = new Map<string, Map<string, JsonRecord>>()
  const groups = new Map<string, (ParsedExchange & { own: string })[]>()
  const top = new Set<string>()
  for (const exchange of exchanges) {
    const { segments, json, method } = exchange
    const { collection = '', parent, kind } = resourcePaths.find(segments) ?? {}
    if (kind && !parent) top.add(collection)
    if (method !== 'GET' || !isSuccess(exchange)) continue
    const last = segments.at(-1) ?? ''
    if (kind === 'collection') {
      const known = records.get(collection) ?? new Map<string, JsonRecord>()
      records.set(collection, known)
      for (const item of findList(json, last)?.items ?? []) known.set(idOf(item) ?? '', item)
      const pattern = `${parent?.collection}/:id/${last}`
      if (parent) addToMultimap(groups, pattern, { ...exchange, own: collection })
    } else if (segments.length > 1 && !segments.some(isIdLike)) {
      addToMultimap(groups, segments.join('/'), { ...exchange, own: '' })
    }
  }
  return [...groups].flatMap(([pattern, lists]): Alias[] => {
    const [{ own } = { own: '' }] = lists
    const isNested = own !== ''
    for (const [target, known] of top.has(own) ? [] : records) {
      const folder = target.slice(0, -baseName(target).length)
      if (target === own || (isNested && folder + baseName(own) !== own)) continue
      const items = itemsOf(lists, target)
      if (!items || !isShown(items, known)) continue
      const plain = isNested
        ? []
        : (itemsOf(
            lists.filter(({ query }) => isPlain(query)),
            target,
          ) ?? [])
      const ids = new Set(plain.map((item) => idOf(item)))
      const others = [...known].flatMap(([id, record]) => (ids.has(id) ? [] : [record]))
      if (ids.size === 0 || others.length === 0) return [{ pattern, target, isNested }]
      const where = Object.entries(plain[0] ?? {}).find(
        ([field, value]) =>
          (value === null || typeof value !== 'object') &&
          plain.every((item) => isSame(item[field] ?? null, value)) &&
          others.every((record) => !isSame(record[field] ?? null, value)),
      )
      return where ? [{ pattern, target, isNested, where }] : []
    }
    return []
  })
}

/** A path with lists of another collection; `where` is the field whose value these records alone have in common. */
export interface Alias {
  /** The path, in which `:id` stands for the id of a parent. */
  pattern: string
  /** The path of the collection. */
  target: string
  isNested: boolean
  where?: readonly [field: string, value: Json]
}

/** Returns the exchanges as if their paths named the collections. */
export function withAliases(
  exchanges: readonly ParsedExchange[],
  aliases: readonly Alias[],
): readonly ParsedExchange[] {
  return exchanges.map((exchange) => {
    const { segments, query, method } = exchange
    const alias = aliases.find(({ pattern }) => {
      const parts = pattern.split('/')
      const isAt = (part: string, at: number): boolean => part === ':id' || part === segments[at]
      return parts.length === segments.length && parts.every(isAt)
    })
    if (!alias || method !== 'GET') return exchange
    const { target, where, isNested } = alias
    return {
      ...exchange,
      segments: isNested ? [...segments.slice(0, -1), baseName(target)] : target.split('/'),
      query: where ? [...query, [where[0], scalarText(where[1])] as const] : query,
    }
  })
}

/** Returns the views and routes that serve aliases. */
export function toAliasOptions(
  aliases: readonly Alias[],
  nameOf: (path: string) => string,
): LearnedOption[] {
  return aliases.flatMap(({ pattern, target, isNested, where }): LearnedOption[] => {
    const [name, view] = [nameOf(pattern), nameOf(target)]
    const evidence = `its lists have records of ${view}`
    // The second group of the pattern matches the rest of the path, with the query.
    const route = `/${name.replace(/[^/]+$/, baseName(target))}$2`
    if (isNested) return [{ path: ['routes', `GET /${name}*`], value: route, evidence }]
    const options = { view, ...(where && { where: { [where[0]]: where[1] } }) }
    return Object.entries(options).map(([key, value]) => {
      const own = key === 'view' ? evidence : 'no other record has this value'
      return { path: ['resources', name, key], value, evidence: own }
    })
  })
}

/** Returns the items of lists whose envelopes can be those of a collection; undefined if one cannot. */
function itemsOf(lists: readonly ParsedExchange[], collection: string): JsonRecord[] | undefined {
  const found = lists.map(({ json }) => findList(json, baseName(collection))?.items)
  return found.includes(undefined) ? undefined : found.flatMap((items) => items ?? [])
}

/** Whether all items are records of a collection, most of them with equal fields. */
function isShown(items: readonly JsonRecord[], known: ReadonlyMap<string, JsonRecord>): boolean {
  const pairs = items.map((item) => [item, known.get(idOf(item) ?? '') ?? {}] as const)
  const isPart = pairs.every(([item, one]) => isSame(Object.keys(item), Object.keys(one)))
  return isPart && pairs.filter(([item, one]) => isSame(item, one)).length * 2 > pairs.length
}
