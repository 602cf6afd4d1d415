import type { RecordView } from '../contract/record-view.ts'
import type { CollectionView, ListRequest, Result } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import { type JsonRecord, ownValue } from '../../json/json.ts'
import type { Path } from '../../json/path.ts'
import { embedAll } from '../../query/embed.ts'
import { present, run } from '../../query/run.ts'
import type { Condition, Query, Where } from '../../query/tree.ts'
import { type QuerySource, toPredicate } from '../../query/select.ts'
import { type Collection, keyOf } from '../../store/records/collection.ts'
import { mediaType, readBody, invalidBody } from './body.ts'
import type { Exchange, Routed } from '../contract/exchange.ts'
import { andThen, type MaybePromise } from '../contract/messages.ts'
import {
  toCollectionView,
  viewOf,
  visibleLinks,
  visibleMember,
  visibleRecords,
} from './record-view.ts'
import { noteUnused } from './unused.ts'
import type { Parent, Target } from '../routing/target.ts'

/** A request for the records of a collection. */
export type Listed = Routed<Extract<Target, { kind: 'collection' }>>

/**
 * Handles GET of a collection: the dialect parses the query parameters, and `run` filters, sorts, cuts and
 * embeds the records that the request may see. In strict mode an unknown parameter is a 400.
 */
export function list(exchange: Listed): Result {
  const { dialect } = exchange.service
  const parent = parentOf(exchange)
  return listRecords(exchange, (view) => dialect.parseList(exchange.params, view, parent))
}

function parentOf({ target }: Listed): string | undefined {
  return target.parent?.collection.name
}

/** The media types of the body of QUERY. */
export const queryTypes: readonly string[] = ['application/json']

/** Handles QUERY of a collection, which is a GET with the query in the body (RFC 10008). */
export function query(exchange: Listed): MaybePromise<Result> {
  const { params, service } = exchange
  const { dialect, limits } = service
  if (mediaType(exchange.request) === undefined) {
    throw invalidBody(
      'it has no Content-Type',
      'Please add the header "Content-Type: application/json".',
    )
  }
  return andThen(readBody(exchange.request, queryTypes, limits), (body) => {
    try {
      return listRecords(
        exchange,
        (view) =>
          dialect.parseQuery?.(body, view, params) ??
          dialect.parseList(params, view, parentOf(exchange)),
      )
    } catch (error) {
      throw error instanceof MockError && error.status === 400 ? toUnprocessable(error) : error
    }
  })
}

/** Creates the 422 for a query body that is JSON but cannot be processed (RFC 10008, RFC 9110 §15.5.21). */
function toUnprocessable(error: MockError): MockError {
  const { message, code, errors } = error
  return new MockError(message, { status: 422, code, cause: error, errors })
}

/** Lists the records that a request sees and that match a query, which `parse` makes. @throws MockError 404 for the parent */
export function listRecords(
  exchange: Listed,
  parse: (view: CollectionView) => ListRequest,
): Extract<Result, { type: 'list' }> {
  const { resource, parent } = exchange.target
  const whole = viewOf(exchange, resource.name)
  // The parent is checked before the parameters.
  if (parent) visibleMember(exchange, parent.collection, parent.id)
  const asked = parseRequest(exchange, whole, parse)
  const all = (): number => visibleRecords(exchange, resource, parent).length
  return { type: 'list', asked, all, ...runQuery(exchange, resource, asked.query, parent) }
}

/** Runs a query on the records of a collection, or of a parent, that the request sees. */
export function runQuery(
  exchange: Exchange,
  resource: Collection,
  wanted: Query,
  parent?: Parent,
): ReturnType<typeof run> {
  const whole = viewOf(exchange, resource.name)
  const isPageDerived = whole.derived !== undefined && !readsAny(wanted, whole.derived.names)
  const view = isPageDerived ? (whole.derived?.without ?? whole) : whole
  const isWhole = view.isIdentity && !parent
  const visible = isWhole ? undefined : visibleRecords(exchange, resource, parent, view)
  const lookup = visibleLinks(exchange)
  const given = (): readonly JsonRecord[] => visible ?? resource.records()
  const originals = wanted.joins && given()
  const copies = originals && embedAll(originals, wanted.joins ?? [], resource.name, lookup)
  const joined = copies && new Map(copies.map((copy, at) => [copy, originals[at] ?? copy]))
  const source: QuerySource = {
    name: resource.name,
    records: () => copies ?? given(),
    ordinalOf: (record) =>
      resource.ordinalOf(keyOf(resource, view.storedOf(joined?.get(record) ?? record))) ?? 0,
    ...(isWhole && !joined && !readsOthers(wanted) && { indexes: resource.indexes }),
  }
  if (!isPageDerived && !joined) return run(source, wanted, lookup)
  const { embed, fields, ...query } = wanted
  const found = run(source, query, lookup)
  const page = found.records.map((record) => {
    const own = joined?.get(record) ?? record
    return isPageDerived ? whole.present(view.storedOf(own)) : own
  })
  const records = present(page, { embed, fields }, resource.name, lookup)
  return { ...found, records }
}

function readsAny({ where, search, sort = [] }: Query, names: ReadonlySet<string>): boolean {
  const isRead = ({ path }: { path: Path }): boolean => names.has(path[0] ?? '')
  return search !== undefined || sort.some(isRead) || (where !== undefined && someIn(where, isRead))
}

function readsOthers({ where }: Query): boolean {
  return where !== undefined && someIn(where, ({ operator }) => operator.readsOthers ?? false)
}

function someIn(where: Where, test: (condition: Condition) => boolean): boolean {
  if ('and' in where) return where.and.some((one) => someIn(one, test))
  if ('or' in where) return where.or.some((one) => someIn(one, test))
  return 'not' in where ? someIn(where.not, test) : test(where)
}

/** Parses a list request, and passes it through the hooks. @throws MockError 400 */
function parseRequest(
  exchange: Listed,
  view: RecordView,
  parse: (view: CollectionView) => ListRequest,
): ListRequest {
  const { resource } = exchange.target
  const seen = toCollectionView(
    exchange,
    resource,
    view,
    ownValue(exchange.service.rules, resource.name),
  )
  const asked = parse(seen)
  asked.query.sort ??= seen.sort
  noteUnused(exchange, asked, seen)
  for (const hook of exchange.records.lists) hook(asked, exchange)
  return asked
}

/** Tests whether a list request has a record, regardless of pages. @throws MockError 400 for a malformed parameter */
export function createListFilter(exchange: Listed): (record: JsonRecord) => boolean {
  const { params, service } = exchange
  const { name } = exchange.target.resource
  const view = viewOf(exchange, name)
  const { query } = parseRequest(exchange, view, (seen) =>
    service.dialect.parseList(params, seen, parentOf(exchange)),
  )
  const { joins } = query
  const test = toPredicate(query)
  const lookup = visibleLinks(exchange)
  return joins ? (record) => embedAll([record], joins, name, lookup).some(test) : test
}
