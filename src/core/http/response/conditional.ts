import { MockError } from '../../errors/mock-error.ts'
import { headerOf, type MockRequest, type MockResponse } from '../contract/messages.ts'

/**
 * Answers a safe request as its preconditions say (RFC 9110 §13.2.2): 304 where the client holds what
 * it would get.
 * @throws MockError 412
 */
export function withConditions(request: MockRequest, response: MockResponse): MockResponse {
  const { headers } = request
  if (response.status !== 200 || !isConditional(headers)) return response
  const verdict = judge(headers, response.headers, true)
  if (verdict === 'failed') throw preconditionFailed(request)
  if (verdict === 'go') return response
  const kept = response.headers.filter(([name]) => name !== 'Content-Type')
  return { status: 304, headers: kept, body: null }
}

/**
 * Judges the preconditions against what is there, in the order of RFC 9110 §13.2.2: what is to be
 * answered, that it is `unmodified`, which fails a write as well, or that a precondition has `failed`.
 */
export function judge(
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

/** What answers a write, or a read with `If-Match`, whose precondition does not hold. */
export function preconditionFailed({ path }: MockRequest): MockError {
  return new MockError(
    `Failed to answer "${path}": it is not as the request's preconditions say. Please read it again.`,
    { status: 412, code: 'PRECONDITION_FAILED' },
  )
}

/** Whether a list of entity tags, or `*`, names a tag; weak ones only where the comparison is weak. */
function names(list: string, tag: string | undefined, isStrong: boolean): boolean {
  if (list.trim() === '*') return true
  if (tag === undefined) return false
  const tags = list.match(/(?:W\/)?"[^"]*"/g) ?? []
  return tags.some((one) => one === tag || (!isStrong && one === `W/${tag}`))
}

/** The three forms of a date in HTTP (RFC 9110 §5.6.7); all are in UTC. */
const dateForms =
  /^[A-Z][a-z]{2,8}(?:, \d\d[ -][A-Z][a-z]{2}[ -]\d{2,4} [\d:]{8} GMT| [A-Z][a-z]{2} [ \d]\d [\d:]{8} \d{4})$/

/** Milliseconds since 1970; NaN, with which nothing compares, where there is no date. */
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
