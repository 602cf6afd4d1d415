import { MockError } from '../../errors/mock-error.ts'
import type { Access } from '../contract/answerer.ts'
import { type AllowedOrigins, isAllowedOrigin } from './cors.ts'
import { isHandshake, type MockRequest } from '../contract/messages.ts'

/**
 * Creates the check of requests from the network. It refuses an unknown `Host`, by which DNS rebinding would
 * let any page in, and what a page can send without a preflight from an origin that is not allowed: a write, and a
 * handshake of a socket, which no CORS header hides from the page.
 */
export function createAccessCheck(
  isKnownHost: (host: string) => boolean,
  origins: AllowedOrigins,
): NonNullable<Access['check']> {
  return (request) => {
    const { host = '', origin } = request.headers
    if (!isKnownHost(host)) {
      throw refused(describeUnknownHost(host), 'HOST_UNKNOWN')
    }
    const isSocket = isHandshake(request)
    if ((request.method !== 'POST' && !isSocket) || isSameOrigin(request)) return
    const isTrusted =
      origin === undefined
        ? request.headers['sec-fetch-site'] !== 'cross-site'
        : isAllowedOrigin(origin, origins)
    const type = request.headers['content-type'] || 'text/plain'
    if (isTrusted || (!isSocket && !simpleContentTypes.test(type))) return
    throw refused(
      `a page of ${origin ?? 'another site'} sent it. Please allow its origin with --cors-origin`,
      'ORIGIN_FOREIGN',
    )
  }
}

/** Says that a `Host` is not known, with the option that allows it; only the name of a host goes into a command. */
export function describeUnknownHost(host: string): string {
  const [name = '<name>'] = /^(?:[\w.-]+|\[[\da-f:.]+\])(?=:\d*$|$)/i.exec(host) ?? []
  return `the host "${host}" is not known. Please allow it with --allow-host ${name}`
}

/** Whether a request comes from a page of the mock itself, or from no page at all. */
export function isSameOrigin({ headers, origin }: MockRequest): boolean {
  const site = headers['sec-fetch-site']
  return (
    (headers['origin'] === undefined || headers['origin'] === origin) &&
    (site === undefined || site === 'same-origin' || site === 'none')
  )
}

function refused(reason: string, code: string): MockError {
  return new MockError(`Failed to accept the request: ${reason}.`, { status: 403, code })
}

/** The media types that a page can send to any origin without a preflight (WHATWG Fetch §2.2.2). */
const simpleContentTypes =
  /^(?:text\/plain|application\/x-www-form-urlencoded|multipart\/form-data)\b/i
