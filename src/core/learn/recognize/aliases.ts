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
  const records = new Map<string, Map<string, JsonRecord>>()
  const groups = new Map<string, ListExchange[]>()
  const top = new Set<string>()
  for (const exchange of exchanges) {
    const { segments, json, method } = exchange
    const found = resourcePaths.find(segments)
    if (found && !found.parent) top.add(found.collection)
    const last = segments.at(-1) ?? ''
    // The key of the records can be the name of their collection.
    const names = method === 'GET' && isSuccess(exchange) ? [last, ...segments.slice(-3, -1)] : []
    const list = names.flatMap((name) => findList(json, name) ?? [])[0]
    if (!list) continue
    const { collection = '', parent, kind } = found ?? {}
    if (kind === 'collection') {
      const known = records.get(collection) ?? new Map<string, JsonRecord>()
      records.set(collection, known)
      for (const item of list.items) known.set(idOf(item) ?? '', item)
    }
    if (kind === 'collection' && parent) {
      addToMultimap(groups, `${parent.collection}/:id/${last}`, {
        exchange,
        ...list,
        own: collection,
      })
    } else if (kind !== 'collection' && segments.length > 1 && !segments.some(isIdLike)) {
      addToMultimap(groups, segments.join('/'), { exchange, ...list, own: '' })
    }
  }
  return [...groups].flatMap(([pattern, lists]): Alias[] => {
    const own = lists[0]?.own ?? ''
    if (top.has(own)) return []
    const target = [...records.keys()].find(
      (name) => name !== own && shows(baseName(name), records.get(name), lists),
    )
    if (target === undefined) return []
    if (own !== '') return folderOf(target) === folderOf(own) ? [{ pattern, target }] : []
    const plain = lists.filter(({ exchange }) => isPlain(exchange.query))
    if (plain.length === 0) return [{ pattern, target }]
    const ids = new Set(plain.flatMap(({ items }) => items.map((item) => idOf(item))))
    const all = [...(records.get(target)?.values() ?? [])]
    const others = all.filter((record) => !ids.has(idOf(record)))
    if (others.length === 0) return [{ pattern, target }]
    const where = conditionOf(
      plain.flatMap(({ items }) => items),
      others,
    )
    return where ? [{ pattern, target, where }] : []
  })
}

/** A path with lists of another collection; `where` is the field that these records have in common. */
export interface Alias {
  /** The path, in which `:id` stands for the id of a parent. */
  pattern: string
  /** The path of the collection. */
  target: string
  where?: readonly [field: string, value: Json]
}

interface ListExchange {
  exchange: ParsedExchange
  items: readonly JsonRecord[]
  /** The collection that a nested path names; empty for another path. */
  own: string
}

/** Returns the exchanges as if their paths named the collections. */
export function withAliases(
  exchanges: readonly ParsedExchange[],
  aliases: readonly Alias[],
): readonly ParsedExchange[] {
  if (aliases.length === 0) return exchanges
  return exchanges.map((exchange) => {
    const { segments, query, method } = exchange
    const alias = aliases.find(({ pattern }) => matches(pattern.split('/'), segments))
    if (!alias || method !== 'GET') return exchange
    const { target, where, pattern } = alias
    const isNested = pattern.includes('/:id/')
    return {
      ...exchange,
      segments: isNested ? [...segments.slice(0, -1), baseName(target)] : target.split('/'),
      query: where ? [...query, [where[0], scalarText(where[1])] as const] : query,
    }
  })
}

/** Returns the aliases that views serve. */
export function viewsIn(aliases: readonly Alias[]): Alias[] {
  return aliases.filter(({ pattern }) => !pattern.includes('/:id/'))
}

/** Returns the views and routes that serve aliases. */
export function toAliasOptions(
  aliases: readonly Alias[],
  nameOf: (path: string) => string,
): LearnedOption[] {
  return aliases.flatMap(({ pattern, target, where }): LearnedOption[] => {
    const [name, view] = [nameOf(pattern), nameOf(target)]
    const evidence = `its lists have records of ${view}`
    if (pattern.includes('/:id/')) {
      const children = name.replace(/[^/]+$/, baseName(target))
      // The second group of the pattern matches the rest of the path, with the query.
      return [{ path: ['routes', `GET /${name}*`], value: `/${children}$2`, evidence }]
    }
    const options = { view, ...(where && { where: { [where[0]]: where[1] } }) }
    return Object.entries(options).map(([key, value]) => ({
      path: ['resources', name, key],
      value,
      evidence,
    }))
  })
}

/** Whether all items of lists are records of a collection, most of them with equal fields. */
function shows(
  name: string,
  known: ReadonlyMap<string, JsonRecord> | undefined,
  lists: readonly ListExchange[],
): boolean {
  const pairs = lists.flatMap(({ items }) =>
    items.map((item) => [item, known?.get(idOf(item) ?? '')] as const),
  )
  const isNamed = lists.every(({ exchange }) => findList(exchange.json, name) !== undefined)
  const isPart = pairs.every(
    ([item, record]) => record && isSame(Object.keys(item), Object.keys(record)),
  )
  const equal = pairs.filter(([item, record]) => isSame(item, record ?? null)).length
  return isNamed && pairs.length > 0 && isPart && equal * 2 > pairs.length
}

/** Returns a field with one value in all records of lists, which no other record has. */
function conditionOf(items: readonly JsonRecord[], others: readonly JsonRecord[]): Alias['where'] {
  return Object.entries(items[0] ?? {}).find(
    ([field, value]) =>
      (value === null || typeof value !== 'object') &&
      items.every((item) => isSame(item[field] ?? null, value)) &&
      others.every((record) => !isSame(record[field] ?? null, value)),
  )
}

function matches(pattern: readonly string[], segments: readonly string[]): boolean {
  return (
    pattern.length === segments.length &&
    pattern.every((part, at) => part === ':id' || part === segments[at])
  )
}

function folderOf(path: string): string {
  return path.slice(0, path.lastIndexOf('/') + 1)
}
