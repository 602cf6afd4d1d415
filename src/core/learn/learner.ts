import { headerOf } from '../http/contract/messages.ts'
import { isRecord } from '../json/json.ts'
import { countOf } from '../text/count-of.ts'
import { baseName } from '../text/foreign-keys.ts'
import { parsePattern, resolveDots } from '../url/pattern.ts'
import { learnAll } from './learn-all.ts'
import type { ExchangeSummary, Learned } from './learned.ts'
import {
  compareExchanges,
  isSuccess,
  parseExchange,
  type ParsedExchange,
  type RecordedExchange,
  toAddress,
  withoutFinalSlashes,
} from './parse-exchange.ts'
import { carriedBy, credentialsIn, grantedBy, hasCredentials } from './privacy/credentials.ts'
import { createPrivacy } from './privacy/protect.ts'
import { createExtractor } from './recognize/extract-records.ts'
import { idOf, isAction } from './recognize/ids.ts'
import { findResourcePaths } from './recognize/resource-paths.ts'
import { requestKey } from './to-answers.ts'

/**
 * Creates a learner, which turns exchanges with a real API, from a proxy or a HAR, into fixtures, options and
 * recorded answers. The order in which exchanges are added does not matter, because each has its time.
 * @throws MockError for a pattern that could match no path
 * @example createLearner({ origin: 'https://api.example.com' }).add(exchange).text
 */
export function createLearner(options: LearnerOptions = {}): Learner {
  const patterns = (options.only ?? []).map(parsePattern)
  const privacy = createPrivacy(options.redact)
  /** The ids in the exchanges so far, by the name of their collection. */
  const idsByName = new Map<string, Set<string>>()
  /** The first and the latest exchange of each read with the same response, and every write. */
  const exchanges = new Map<string, readonly ParsedExchange[]>()
  /** The credentials in all exchanges, which other exchanges can have under any name. */
  const credentials = new Set<string>()
  /** The last exchange of each request, by its key in `exchanges`, and the news at that time. */
  const latest = new Map<string, { key: string; news: number }>()
  /** Counts the exchanges that differ from the last one of the same request. */
  let news = 0
  let current: Learned | undefined
  let origin = options.origin && (toAddress(options.origin)?.origin ?? options.origin)

  return {
    add(exchange) {
      const parsed = parseExchange(exchange)
      if (!parsed) return unused('no HTTP URL')
      for (const text of credentialsIn(exchange, parsed, privacy.names)) {
        if (!credentials.has(text)) current = undefined
        credentials.add(text)
      }
      const { path } = parsed
      origin ??= parsed.origin
      if (parsed.origin !== origin) return unused('another origin')
      if (patterns.length > 0 && !patterns.some(({ match }) => match(resolveDots(path)))) {
        return unused('not among the paths to learn')
      }
      const reason = reasonToIgnore(parsed)
      if (reason !== undefined) return unused(reason)
      const isAnonymous = !hasCredentials(exchange.requestHeaders, parsed.query, privacy.names)
      const carried = carriedBy(exchange, parsed, privacy.names)
      keep({ ...parsed, isAnonymous, carried, granted: grantedBy(exchange, parsed) })
      return summarize(parsed, idsByName)
    },
    learned() {
      if (current) return current
      const sorted = [...exchanges.values()].flat().toSorted(compareExchanges)
      return (current = learnAll(origin ?? '', privacy.protect(sorted, credentials)))
    },
  }

  function keep(parsed: ParsedExchange): void {
    const { at, method, status, json, file, isEmpty } = parsed
    const request = requestKey(parsed)
    const key = request + (method === 'GET' ? JSON.stringify([status, json, file, isEmpty]) : at)
    const known = (exchanges.get(key) ?? []).filter((one) => one.at !== at)
    const all = [...known, parsed].toSorted(compareExchanges)
    exchanges.set(key, all.length > 2 ? all.filter((_, index) => index !== 1) : all)
    const last = latest.get(request)
    // A request that is sent again and again, with the same response, shows nothing new.
    if (last?.key === key && last.news === news) return
    if (last?.key !== key) news++
    latest.set(request, { key, news })
    current = undefined
  }
}

/** Learns from the exchanges that are added. */
export interface Learner {
  add(exchange: RecordedExchange): ExchangeSummary
  /**
   * Returns everything learned so far, without credentials: the same object while no exchange has shown anything new.
   * Takes time in proportion to the number of exchanges.
   */
  learned(): Learned
}

/** The options of a learner. */
export interface LearnerOptions {
  /** The origin of the real API; exchanges with other origins are ignored. @default the origin of the first exchange */
  origin?: string
  /** Patterns of the paths to learn from: `/api/*`. @default all */
  only?: readonly string[]
  /** Fields to replace besides those that look private; `none` keeps personal data. */
  redact?: readonly string[]
}

function unused(reason: string): ExchangeSummary {
  return { kind: 'nothing', text: `nothing: ${reason}` }
}

function reasonToIgnore(exchange: ParsedExchange): string | undefined {
  const { method, status, headers, json, isEmpty } = exchange
  if (/^(?:HEAD|OPTIONS|CONNECT|TRACE)$/.test(method)) return `a ${method} shows no record`
  if (status < 200 || status === 304 || status === 206) return `status ${status}`
  if (isRedirectToSelf(exchange)) return 'a redirect to the same path'
  const type = headerOf(headers, 'Content-Type') ?? ''
  if (json === undefined && isSuccess(exchange) && pageType.test(type)) return 'a part of a page'
  // The body of such a response is missing: it was too long, or the archive lacks it.
  const isLost = method === 'GET' && status === 200 && isEmpty && /json/i.test(type)
  return isLost ? 'no JSON' : undefined
}

/** Whether a redirect only adds a slash, or changes the origin: answers to both paths are the same. */
function isRedirectToSelf({ status, headers, origin, path }: ParsedExchange): boolean {
  const location = status >= 300 && status < 400 ? headerOf(headers, 'Location') : undefined
  if (location === undefined) return false
  const target = toAddress(location.startsWith('/') ? origin + location : location)
  return target !== undefined && withoutFinalSlashes(target.path) === path
}

/** The media types of the parts of a page: documents, scripts, styles and fonts, which no API serves. */
const pageType = /^text\/html|javascript|^text\/css|^font\/|wasm/i

/** Summarizes one exchange for the log of `mock record`; with all exchanges, the learner can decide otherwise. */
function summarize(exchange: ParsedExchange, idsByName: Map<string, Set<string>>): ExchangeSummary {
  const extracted = createExtractor([exchange], findResourcePaths([exchange]))(exchange)
  if (!extracted) {
    const { method, segments, json, status } = exchange
    const last = segments.at(-1) ?? ''
    const isSingleton = method === 'GET' && status === 200 && isRecord(json) && !isAction(last)
    return isSingleton ? { kind: 'records', text: `1 record: ${last}` } : answer
  }
  const { kind, resourcePath } = extracted
  const name = baseName(resourcePath.collection)
  const known = idsByName.get(name) ?? new Set()
  idsByName.set(name, known)
  if (kind === 'removed') {
    known.delete(resourcePath.id)
    return { kind, text: `1 record of ${name} removed` }
  }
  const records = kind === 'list' ? extracted.records : [extracted.record]
  const statedId = 'id' in extracted ? extracted.id : undefined
  const id = resourcePath.kind === 'member' ? resourcePath.id : statedId
  const ids = records.flatMap((record) => id ?? idOf(record) ?? [])
  if (ids.length < records.length) return answer
  const fresh = new Set(ids.filter((id) => !known.has(id))).size
  for (const id of ids) known.add(id)
  const text = `${countOf(ids.length, 'record')} of ${name}`
  return { kind: 'records', text: fresh === 0 ? text : `${text} (${fresh} new)` }
}

const answer: ExchangeSummary = { kind: 'answer', text: 'recorded answer' }
