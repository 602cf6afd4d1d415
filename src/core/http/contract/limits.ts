import { MockError } from '../../errors/mock-error.ts'
import type { MockRequest } from './messages.ts'

/**
 * The limits on the size of a request; a request that exceeds a limit is refused with status 400, 413
 * or 414.
 */
export interface Limits {
  /** The largest body, in bytes. @default 10485760 (10 MiB) */
  maxBody: number
  /** The deepest nesting of a body. @default 100 */
  maxDepth: number
  /** The longest URL, in characters of path and query. @default 16384 */
  maxUrl: number
  /** The most parameters of a query or fields of a form. @default 1000 */
  maxParams: number
}

/** Adds the default of each limit that is not given. */
export function toLimits(given: Partial<Limits>): Limits {
  const { maxBody = 10_485_760, maxDepth = 100, maxUrl = 16_384, maxParams = 1000 } = given
  return { maxBody, maxDepth, maxUrl, maxParams }
}

/** @throws MockError 414 when the URL is too long */
export function checkUrl({ path, search }: MockRequest, { maxUrl }: Limits): void {
  if (path.length + search.length <= maxUrl) return
  throw new MockError(
    `Failed to read the URL: it has more than ${maxUrl} characters. Please send the query in the body of QUERY.`,
    { status: 414, code: 'URL_TOO_LONG' },
  )
}
