import type { LearnedResource, RecordedAnswer } from './learned.ts'
import type { WriteSample } from './writes/write-samples.ts'
import { compareTexts, isSuccess, type Param, type ParsedExchange } from './parse-exchange.ts'
import { toCanonicalJson } from '../json/canonical-json.ts'
import { type Accounts, toUserPath } from './auth/find-logins.ts'
import type { ResourcePaths } from './recognize/resource-paths.ts'
import { isExpanded } from './recognize/extract-records.ts'

/** Returns the last response to each GET, for comparison, with the resources that it contains. */
export function toReads(
  exchanges: readonly ParsedExchange[],
  resourcePaths: ResourcePaths,
  names: ReadonlyMap<string, string>,
  accounts?: Accounts,
): RecordedAnswer[] {
  const reads = exchanges.filter(({ method }) => method === 'GET')
  const lastWrites = new Map<string, number>()
  for (const exchange of exchanges) {
    const { segments } = exchange
    const path = resourcePaths.find(segments) ?? resourcePaths.find(segments.slice(0, -1))
    const user = accounts && toUserPath(exchange, accounts)
    const resourcePath = isWrite(exchange)
      ? user === 'other'
        ? undefined
        : (user ?? path)
      : undefined
    if (resourcePath) lastWrites.set(names.get(resourcePath.collection) ?? '', exchange.at)
  }
  return lastOfEach(reads).map((exchange) => {
    const user = accounts && toUserPath(exchange, accounts)
    const resourcePath = typeof user === 'object' ? user : resourcePaths.find(exchange.segments)
    const found = [resourcePath?.collection, resourcePath?.parent?.collection].flatMap(
      (path) => names.get(path ?? '') ?? [],
    )
    const shown = found.length > 0 && isExpanded(exchange.query) ? [...names.values()] : found
    const resources = [...new Set(shown)].toSorted()
    const isOutdated = resources.some((name) => (lastWrites.get(name) ?? -Infinity) > exchange.at)
    const own = typeof user === 'object' && user.kind === 'member' ? { user: user.id } : {}
    return { ...exchange, resources, isOutdated, ...own }
  })
}

/** Returns the last response to each write or computation of no resource, and those to removals of records. */
export function toAnswers(
  rest: readonly ParsedExchange[],
  writes: readonly WriteSample[],
  resources: readonly LearnedResource[],
): RecordedAnswer[] {
  const successes = writes.filter(({ exchange }) => isSuccess(exchange))
  const written = new Set(successes.map(({ exchange }) => requestKey(exchange)))
  // A write that was refused after a logout, say, and that was accepted otherwise, is a write.
  const others = rest.filter(
    (one) =>
      one.method !== 'GET' &&
      /^[A-Z]+$/.test(one.method) &&
      !(isDenied(one) && !one.isAnonymous && written.has(requestKey(one))),
  )
  const removals = writes.flatMap(({ exchange, kind, name, id }): RecordedAnswer[] => {
    const isGone = resources.some((one) => one.name === name && one.removed.includes(id ?? ''))
    const isRemoval = kind === 'remove' && isSuccess(exchange) && isGone
    return isRemoval ? [{ ...exchange, resources: [], isOutdated: false, missing: name }] : []
  })
  const last = new Map(removals.map((removal) => [removal.path, removal]))
  return [
    ...lastOfEach(others).map((one) => ({ ...one, resources: [], isOutdated: false })),
    ...last.values(),
  ]
}

function isWrite(exchange: ParsedExchange): boolean {
  return /^(?:POST|PUT|PATCH|DELETE)$/.test(exchange.method) && isSuccess(exchange)
}

/**
 * Returns the last exchange of each request; a transient error doesn't replace an earlier response. Refused passwords,
 * and requests that are refused without credentials, are requests of their own.
 */
function lastOfEach(exchanges: readonly ParsedExchange[]): AnsweredExchange[] {
  const keys = exchanges.map(requestKey)
  const open = new Set<string>()
  const accepted = new Set<string>()
  exchanges.forEach(({ status, isAnonymous, check }, at) => {
    if (status >= 400) return
    if (isAnonymous) open.add(keys[at] ?? '')
    if (check !== undefined) accepted.add(keys[at] ?? '')
  })
  const guarded = new Set(
    exchanges.flatMap(({ path, check, ...one }, at) => {
      const isRefused = one.status >= 400 && (isDenied(one) || accepted.has(keys[at] ?? ''))
      return check !== undefined && isRefused ? [path] : []
    }),
  )
  const last = new Map<string, AnsweredExchange>()
  exchanges.forEach(({ check, ...exchange }, at) => {
    const key = keys[at] ?? ''
    const isOpen = check !== undefined || open.has(key)
    const answered = {
      ...exchange,
      ...(guarded.has(exchange.path) && check !== undefined && { check }),
      ...(exchange.isAnonymous && isDenied(exchange) && !isOpen && { anonymous: true as const }),
    }
    const ownKey = key + credentialsKey(answered)
    const before = last.get(ownKey)
    const isWorse = before && !isTransient(before.status) && isTransient(exchange.status)
    if (!isWorse) last.set(ownKey, answered)
  })
  return [...last].toSorted(([a], [b]) => compareTexts(a, b)).map(([, exchange]) => exchange)
}

/** An exchange whose response is for requests without credentials, or with one of some passwords. */
interface AnsweredExchange extends ParsedExchange {
  anonymous?: true
  check?: string
}

function isDenied({ status }: Pick<ParsedExchange, 'status'>): boolean {
  return status === 401 || status === 403
}

/** Identifies a recorded answer: by its request, and by credentials where they count. */
export function answerKey(request: AnsweredRequest): string {
  return requestKey(request) + credentialsKey(request)
}

function credentialsKey({
  anonymous = false,
  check = '',
}: Pick<AnsweredRequest, 'anonymous' | 'check'>): string {
  return anonymous ? ' anonymous' : check && ` ${check}`
}

/** A request, and the credentials that its answer is for. */
export interface AnsweredRequest {
  method: string
  path: string
  query: readonly Param[]
  sent?: unknown
  anonymous?: boolean
  check?: string | undefined
}

/** Whether the same request can get another status later: after a login, a rate limit, an error of the server. */
function isTransient(status: number): boolean {
  return status === 401 || status === 403 || status === 429 || status >= 500
}

/** Identifies a request by method, path, query in any order, and body. */
export function requestKey(parts: Omit<AnsweredRequest, 'anonymous' | 'check'>): string {
  const { method, path, query, sent } = parts
  const hasBody = method !== 'GET' && sent !== undefined
  return toCanonicalJson([method, path, sortQuery(query), ...(hasBody ? [sent] : [])])
}

/** Sorts parameters by name; the values of one name stay in order. */
export function sortQuery(query: readonly Param[]): Param[] {
  return query.toSorted(([a], [b]) => compareTexts(a, b))
}
