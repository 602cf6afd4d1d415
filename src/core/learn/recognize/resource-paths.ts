import { isSuccess, type ParsedExchange } from '../parse-exchange.ts'
import { isRecord, type JsonRecord } from '../../json/json.ts'
import { findList, findRecord } from './envelope.ts'
import { idOf, isId, isAction, isIdLike } from './ids.ts'

/** Finds the paths of lists and above single records; `/users/1/posts` also shows the collection `posts`. */
export function findResourcePaths(exchanges: readonly ParsedExchange[]): ResourcePaths {
  const candidates = new Map<string, readonly string[]>()
  const actions = new Set(
    exchanges.flatMap((one) => (createsElsewhere(one, exchanges) ? [one.segments.at(-1)] : [])),
  )
  for (const exchange of exchanges) {
    const { method, segments } = exchange
    const isAct = method === 'POST' && segments.length > 2 && actions.has(segments.at(-1))
    for (const path of toCandidates(exchange)) {
      if (!isAct || path.length < segments.length) candidates.set(path.join('/'), path)
    }
  }
  /** The collections that have no other collection in front, by path. */
  const roots = new Set<string>()
  /** The names of nested collections by the path of their root: `comments` of `posts`. */
  const nested = new Map<string, Set<string>>()
  const ascending = [...candidates.values()].toSorted((a, b) => a.length - b.length)
  for (const path of ascending) {
    const root = rootOf(path, roots)
    if (root === undefined) {
      roots.add(path.join('/'))
      continue
    }
    // Ids and names take turns behind the root: `1/comments/2/likes`.
    const rest = path.slice(root.split('/').length)
    if (rest.length % 2 !== 0) continue
    const names = nested.get(root) ?? new Set()
    nested.set(root, names)
    for (const [at, name] of rest.entries()) if (at % 2 === 1) names.add(name)
  }
  return {
    find(segments) {
      const root = rootOf(segments, roots)
      if (root === undefined) return undefined
      const folder = root.slice(0, root.lastIndexOf('/') + 1)
      let collection = root
      let parent: Ancestor | undefined
      for (let at = root.split('/').length; ; at += 2) {
        const id = segments[at]
        if (id === undefined) return { kind: 'collection', collection, parent }
        const name = segments[at + 1]
        if (name === undefined) return { kind: 'member', collection, id, parent }
        const path = folder + name
        if (!nested.get(root)?.has(name) && !roots.has(path)) return undefined
        parent = { collection, id }
        collection = path
      }
    },
  }
}

/** Finds the prefix of all paths, whose last segment names a resource; empty if they share none. */
export function findBase(paths: readonly (readonly string[])[]): string {
  const [first, ...others] = paths
  if (!first) return ''
  let length = first.length - 1
  for (const path of others) {
    length = Math.min(length, path.length - 1)
    while (length > 0 && !first.slice(0, length).every((one, at) => one === path[at])) length--
  }
  const segments = first.slice(0, Math.max(0, length))
  return segments.map((segment) => `/${segment}`).join('')
}

/** The record that a nested path begins with: user 1 in `/users/1/posts`. */
export interface Ancestor {
  collection: string
  id: string
}

/** The collection (by its full path, `api/v1/posts`) or the record that a path identifies. */
export type ResourcePath =
  | { kind: 'collection'; collection: string; parent?: Ancestor | undefined }
  | { kind: 'member'; collection: string; id: string; parent?: Ancestor | undefined }

/** The collections of an API. */
export interface ResourcePaths {
  find(segments: readonly string[]): ResourcePath | undefined
}

function rootOf(path: readonly string[], roots: ReadonlySet<string>): string | undefined {
  for (let end = 1; end <= path.length; end++) {
    const start = path.slice(0, end).join('/')
    if (roots.has(start)) return start
  }
  return undefined
}

function toCandidates(exchange: ParsedExchange): (readonly string[])[] {
  const { method, segments, json, sent, status } = exchange
  if (!isSuccess(exchange) || !segments.every(isName)) return []
  const last = segments.at(-1)
  if (last === undefined || isAction(last)) return []
  const above = segments.slice(0, -1)
  const inner = aboveIds(segments)
  if (method === 'GET' && findList(json, last)) {
    return isIdLike(last) ? [] : [...inner, segments]
  }
  const isMember =
    above.length > 0 && !isAction(above.at(-1) ?? '') && !isIdLike(above.at(-1) ?? '')
  if (method === 'GET') {
    const found = isMember ? findRecord(json, above.at(-1)) : undefined
    return found && namesId(found.record, last) ? [...inner, above] : []
  }
  if (['PUT', 'PATCH', 'DELETE'].includes(method)) {
    return isMember && isIdLike(last) ? [...inner, above] : []
  }
  // The response to a POST has the id that the API has given.
  const created = method === 'POST' && findRecord(json, last)
  if (!created || idOf(created.record) === undefined || !isRecord(sent)) return []
  // The record of the path itself is the result of an action: `POST /tasks/7/assign`.
  if (status !== 201 && idOf(created.record) === above.at(-1)) return inner
  return status === 201 || sharesField(created.record, sent) ? [...inner, segments] : []
}

/** Whether a POST below a record makes a record that lists of another name have: a refund, by `orders/7/refund`. */
function createsElsewhere(
  { method, json, segments }: ParsedExchange,
  exchanges: readonly ParsedExchange[],
): boolean {
  const name = segments.at(-1) ?? ''
  if (method !== 'POST' || segments.length < 3 || !isIdLike(segments.at(-2) ?? '')) return false
  const { record = {} } = findRecord(json, name) ?? {}
  const id = idOf(record)
  const isSame = (item: JsonRecord): boolean =>
    idOf(item) === id && Object.keys(record).every((key) => Object.hasOwn(item, key))
  return exchanges.some((other) => {
    const last = other.segments.at(-1)
    if (other.method !== 'GET' || last === name || id === undefined) return false
    const read = findRecord(other.json, other.segments.at(-2))?.record
    const items = findList(other.json, last)?.items ?? (read && last === id ? [read] : [])
    return items.some(isSame)
  })
}

/** Returns the paths in front of ids within a path: `users` in `/users/1/posts`. */
function aboveIds(segments: readonly string[]): (readonly string[])[] {
  const at = segments.findIndex((segment, index) => index > 0 && isIdLike(segment))
  return at < 0 || at === segments.length - 1 || isAction(segments[at - 1] ?? '')
    ? []
    : [segments.slice(0, at)]
}

/** Whether a segment can be a name or an id: the segment is neither empty nor has an encoded slash. */
function isName(segment: string): boolean {
  return segment !== '' && !segment.includes('/')
}

function sharesField(record: JsonRecord, sent: JsonRecord): boolean {
  return Object.keys(sent).some((key) => Object.hasOwn(record, key))
}

/** Compares any field with a segment that looks like an id, otherwise fields that are usually ids. */
function namesId(record: JsonRecord, segment: string): boolean {
  const isAny = isIdLike(segment)
  return Object.entries(record).some(
    ([key, value]) => isId(value) && String(value) === segment && (isAny || identifying.test(key)),
  )
}

const identifying =
  /^(?:.*id|uuid|guid|slug|key|code|(?:user)?name|login|handle|email|sku|isbn|symbol)$/i
