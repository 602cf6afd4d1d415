import type { Exchange } from '../contract/exchange.ts'
import {
  type HeaderList,
  type MockRequest,
  type MockResponse,
  headerOf,
  isSafe,
} from '../contract/messages.ts'
import { MockError } from '../../errors/mock-error.ts'

/**
 * Applies the conditional headers of a read, whose response becomes 304 if the client already has the body
 * (RFC 9110 §13) and no fault needs the body; or the header `Prefer` of a write, whose response becomes 204 for
 * `return=minimal` (RFC 7240 §4.2). A dialect can ignore some of these headers.
 * @throws MockError 412 for a read whose precondition does not hold
 */
export function settle(exchange: Exchange, response: MockResponse): MockResponse {
  const { request, method, needsBody = false } = exchange
  const { dialect } = exchange.service
  const asked = dialect.conditions
    ? { ...request, headers: dialect.conditions(request.headers) }
    : request
  if (!isSafe(method)) return withPreference(asked, response)
  const settled = withConditions(asked, response)
  return needsBody && settled.status === 304 ? response : settled
}

/** Applies `Prefer: return=...` to the response of a write (RFC 7240 §4.2). */
function withPreference({ headers }: MockRequest, response: MockResponse): MockResponse {
  const preferred = headers['prefer']
  if (preferred === undefined || response.status >= 300) return response
  const wanted = parsePrefer(preferred).get('return')?.toLowerCase() ?? ''
  if (!['minimal', 'representation'].includes(wanted)) return response
  const applied = `return=${wanted}`
  const kept: HeaderList = [...response.headers, ['Preference-Applied', applied]]
  if (applied !== 'return=minimal') return { ...response, headers: kept }
  return { status: 204, headers: kept.filter(([name]) => name !== 'Content-Type'), body: null }
}

/**
 * Evaluates the conditional headers of a safe request, such as `If-None-Match`, against its 200
 * response (RFC 9110 §13.2.2): returns 304 if the client already has the representation, otherwise the
 * response.
 * @throws MockError 412 if `If-Match` or `If-Unmodified-Since` does not hold
 */
export function withConditions(request: MockRequest, response: MockResponse): MockResponse {
  const { headers } = request
  if (response.status !== 200 || !isConditional(headers)) return response
  const verdict = evaluateConditions(headers, response.headers, true)
  if (verdict === 'failed') throw preconditionFailed(request)
  if (verdict === 'go') return response
  const kept = response.headers.filter(([name]) => name !== 'Content-Type')
  return { status: 304, headers: kept, body: null }
}

/** Evaluates preconditions (RFC 9110 §13.2.2): `unmodified` is 304 for a read and 412 for a write, `failed` 412. */
export function evaluateConditions(
  asked: MockRequest['headers'],
  current: MockResponse['headers'],
  isSafe: boolean,
): 'go' | 'unmodified' | 'failed' {
  const tag = headerOf(current, 'ETag')
  const modified = parseDate(headerOf(current, 'Last-Modified'))
  const match = asked['if-match']
  const noneMatch = asked['if-none-match']
  if (match !== undefined) {
    if (!names(match, tag, true)) return 'failed'
  } else if (modified > parseDate(asked['if-unmodified-since'])) return 'failed'
  if (noneMatch !== undefined) {
    if (names(noneMatch, tag, false)) return 'unmodified'
  } else if (isSafe && modified <= parseDate(asked['if-modified-since'])) return 'unmodified'
  return 'go'
}

/** Creates the 412 for a write, or for a read with `If-Match`, whose precondition does not hold. */
export function preconditionFailed({ path }: MockRequest): MockError {
  return new MockError(
    `Failed to answer "${path}": a precondition of the request does not hold. Please read the resource again.`,
    { status: 412, code: 'PRECONDITION_FAILED' },
  )
}

/** Whether a list of entity tags, or `*`, matches a tag; weak tags match only in a weak comparison. */
function names(list: string, tag: string | undefined, isStrong: boolean): boolean {
  if (list.trim() === '*') return true
  if (tag === undefined) return false
  const tags = list.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.some((one) => one === tag || (!isStrong && one === `W/${tag}`))
}

/** The three date formats of HTTP (RFC 9110 §5.6.7), all in UTC. */
const dateForms =
  /^[A-Z][a-z]{2,8}(?:, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT| [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/

/** Returns milliseconds since 1970, or NaN, which every comparison rejects, for a text that is no valid date. */
function parseDate(text: string | undefined): number {
  if (text === undefined || !dateForms.test(text)) return Number.NaN
  return Date.parse(text.endsWith('GMT') ? text : `${text} GMT`)
}

/** Whether a request has a precondition (RFC 9110 §13.1). */
export function isConditional(headers: MockRequest['headers']): boolean {
  const first =
    headers['if-none-match'] ??
    headers['if-match'] ??
    headers['if-modified-since'] ??
    headers['if-unmodified-since']
  return first !== undefined
}

/**
 * Parses a `Prefer` header (RFC 7240 §2): a list of preferences, each a token, which ignores case, with an
 * optional value (a token or a quoted string) and parameters, which are left out. Of several preferences with
 * one name, the first counts; a malformed preference is ignored.
 * @example parsePrefer('return=minimal, wait="2"; x').get('wait') // '2'
 */
export function parsePrefer(header: string): ReadonlyMap<string, string> {
  const preferences = new Map<string, string>()
  for (const element of header.match(elements) ?? []) {
    const [, name, token, quoted = ''] = preference.exec(element) ?? []
    if (name === undefined) continue
    const key = name.toLowerCase()
    if (!preferences.has(key)) preferences.set(key, token ?? quoted.replaceAll(/\\(.)/g, '$1'))
  }
  return preferences
}

const preference =
  /^[ \t]*([\w!#$%&'*+\-.^`|~]+)[ \t]*(?:=[ \t]*(?:([\w!#$%&'*+\-.^`|~]+)|"((?:[^"\\]|\\.)*)")[ \t]*)?(?:;|$)/

/** Matches the elements of a list: commas separate them, but not inside of quoted strings. */
const elements = /(?:"(?:[^"\\]|\\.)*(?:"|\\?$)|[^,"])+/g
