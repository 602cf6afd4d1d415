import type { LoggedExchange } from '../log/log.ts'
import type { Redactor } from '../log/redact.ts'
import { redactCookies, toRequestCookies } from './cookies.ts'
import type { HarPair, HarRequest } from './har.ts'
import { encodeRedacted, toParams } from './params.ts'
import { toRequestBody } from './request-body.ts'

/**
 * Converts a logged request to the request of a HAR, without secrets. Without `redactedBodies`, a body with
 * redacted secrets is left out.
 */
export function toHarRequest(
  exchange: LoggedExchange,
  redactor: Redactor,
  redactedBodies: boolean,
): HarRequest {
  const { method, origin, headers } = exchange
  const target = encodeRedacted(redactor.redactUrl(exchange.url))
  const queryStart = target.indexOf('?')
  const { postData, bodySize, comment, isRedacted } = toRequestBody(exchange, redactor)
  return {
    method,
    url: origin + target,
    httpVersion: toVersion(exchange),
    cookies: toRequestCookies(headers['cookie']),
    headers: toPairs(exchange, redactor),
    queryString: queryStart < 0 ? [] : toParams(target.slice(queryStart + 1)),
    ...(postData && (redactedBodies || !isRedacted) && { postData }),
    headersSize: -1,
    bodySize,
    ...(comment !== undefined && { comment }),
  }
}

/**
 * Returns the version of HTTP of an exchange; exchanges of faces without a connection have the usual version.
 */
export function toVersion({ httpVersion = '1.1' }: LoggedExchange): string {
  return `HTTP/${httpVersion}`
}

function toPairs({ headers }: LoggedExchange, redactor: Redactor): HarPair[] {
  const shown = redactor.redactHeaders(headers)
  if (headers['cookie'] !== undefined) shown['cookie'] = redactCookies(headers['cookie'])
  return Object.entries(shown).map(([name, value]) => ({ name, value }))
}
