import { isRecord, type JsonRecord } from '../../json/json.ts'
import { isSuccess, type Param, type ParsedExchange } from '../parse-exchange.ts'
import {
  findList,
  findRecord,
  type FoundRecord,
  isMetaKey,
  isSpring,
  withoutContext,
  withoutLinks,
} from './envelope.ts'
import { hasId, idOf } from './ids.ts'
import { numberOf, roleOf } from './parameters.ts'
import type { ResourcePath, ResourcePaths } from './resource-paths.ts'

/** Creates a function that extracts the records of a collection; undefined if there are none. */
export function createExtractor(
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
): (exchange: ParsedExchange) => Extracted | undefined {
  const clean = isSpring(exchanges) ? withoutLinks : withoutContext
  return (exchange) => {
    if (!isSuccess(exchange)) return undefined
    const resourcePath = resourcePaths.find(exchange.segments)
    const extracted = resourcePath
      ? extractAny(exchange, resourcePath)
      : extractChanged(exchange, resourcePaths)
    if (extracted?.kind === 'list') return { ...extracted, records: extracted.records.map(clean) }
    return extracted && 'record' in extracted
      ? { ...extracted, record: clean(extracted.record) }
      : extracted
  }
}

/** With `isSent`, a `written` record is the body of the request, with the `id` of the path or of `Location`. */
export type Extracted =
  | { kind: 'list'; resourcePath: ResourcePath; records: JsonRecord[] }
  | { kind: 'member'; resourcePath: MemberPath; record: JsonRecord }
  | {
      kind: 'written'
      resourcePath: ResourcePath
      record: JsonRecord
      isSent: boolean
      id?: string
    }
  | { kind: 'removed'; resourcePath: MemberPath }

/** Returns the records that an exchange shows. */
export function shownRecords(extracted: Extracted): readonly JsonRecord[] {
  if (extracted.kind === 'list') return extracted.records
  return 'record' in extracted ? [extracted.record] : []
}

type MemberPath = ResourcePath & { kind: 'member' }

function extractAny(exchange: ParsedExchange, resourcePath: ResourcePath): Extracted | undefined {
  const { method } = exchange
  if (method === 'GET') return extractRead(exchange, resourcePath)
  if (resourcePath.kind === 'collection') {
    return method === 'POST' ? extractWritten(exchange, resourcePath) : undefined
  }
  if (method === 'DELETE') return { kind: 'removed', resourcePath }
  return /^(?:PUT|PATCH)$/.test(method) ? extractWritten(exchange, resourcePath) : undefined
}

/** Extracts the record that an action on it shows, such as `POST /tasks/7/complete`. */
function extractChanged(
  exchange: ParsedExchange,
  resourcePaths: ResourcePaths,
): Extracted | undefined {
  const { method, segments } = exchange
  const path = method === 'GET' ? undefined : resourcePaths.find(segments.slice(0, -1))
  if (path?.kind !== 'member') return undefined
  const record = findWritten(exchange, segments.at(-3))?.record
  if (!record || !hasId(record, path.id)) return undefined
  return { kind: 'written', resourcePath: path, record, isSent: false }
}

function extractRead(
  { json, segments, status }: ParsedExchange,
  resourcePath: ResourcePath,
): Extracted | undefined {
  if (status !== 200) return undefined
  if (resourcePath.kind === 'collection') {
    const found = findList(json, segments.at(-1))
    return found && { kind: 'list', resourcePath, records: found.items }
  }
  const found = findRecord(json, segments.at(-2))
  return found && { kind: 'member', resourcePath, record: found.record }
}

function extractWritten(
  exchange: ParsedExchange,
  resourcePath: ResourcePath,
): Extracted | undefined {
  const { json, sent, headers, segments } = exchange
  const name = resourcePath.kind === 'member' ? segments.at(-2) : segments.at(-1)
  const found = findWritten(exchange, name)
  if (found) return { kind: 'written', resourcePath, record: found.record, isSent: false }
  if (!isRecord(sent)) return undefined
  const location = headers.find(([header]) => /^location$/i.test(header))?.[1].replace(/\/+$/, '')
  const id =
    resourcePath.kind === 'member'
      ? resourcePath.id
      : (location?.slice(location.lastIndexOf('/') + 1) ?? idOf(findRecord(json, name)?.record))
  const { record } = findRecord(sent, name) ?? { record: sent }
  return id ? { kind: 'written', resourcePath, record, isSent: true, id } : undefined
}

/** Finds the record in the response to a write; a message, or an id alone, is no record. */
export function findWritten(
  { json, sent }: Pick<ParsedExchange, 'json' | 'sent'>,
  name?: string,
): FoundRecord | undefined {
  const found = findRecord(json, name)
  if (!found || found.key !== undefined) return found
  const { record } = found
  const asked = isRecord(sent) ? (findRecord(sent, name)?.record ?? {}) : {}
  const isMessage = Object.entries(record).every(
    ([key, value]) => isMetaKey(key) || value === null || key === 'id' || value === true,
  )
  return isMessage && !Object.keys(record).some((key) => key !== 'id' && key in asked)
    ? undefined
    : found
}

/** Returns the `source` of an {@link Observation}: the method, the kind of path, and the names of parameters. */
export function sourceOf({ method, query }: ParsedExchange, resourcePath: ResourcePath): string {
  const names = query.map(([name]) => name).filter((name) => !isPaging(name))
  return [
    method,
    resourcePath.kind,
    resourcePath.parent?.collection ?? '',
    ...names.toSorted(),
  ].join(' ')
}

function isPaging(name: string): boolean {
  return ['page', 'limit', 'start', 'end', 'cursor'].includes(roleOf(name, '1') ?? '')
}

/** Whether a read embeds other records. */
export function isExpanded(query: readonly Param[]): boolean {
  return query.some(([name, value]) => roleOf(name, value) === 'embed')
}

/** Whether a list has every record in the order of the collection, apart from its pages. */
export function isPlain(query: readonly Param[]): boolean {
  return query.every(([name]) => isPaging(name))
}

/** The number of the first page, and the page size of requests without a size. */
export interface PageRules {
  first: 0 | 1
  size: number
}

/** Returns the index of the first record of a page; undefined if the request does not determine the index. */
export function offsetOf(query: readonly Param[], { first, size }: PageRules): number | undefined {
  if (query.some(([name]) => roleOf(name, '1') === 'cursor')) return undefined
  const start = numberOf(query, 'start')
  if (start !== undefined) return start
  const page = numberOf(query, 'page')
  if (page === undefined) return 0
  return Math.max(0, page - first) * (numberOf(query, 'limit') ?? size)
}
