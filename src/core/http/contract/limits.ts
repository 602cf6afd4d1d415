import { MockError } from '../../errors/mock-error.ts'
import type { MockRequest } from './messages.ts'

/** What a request may be at most. */
export interface Limits {
  /** The largest body, in bytes. @default 10485760 (10 MiB) */
  maxBody: number
  /** How far a body may be nested. @default 100 */
  maxDepth: number
  /** The longest URL, in characters of path and query. @default 16384 */
  maxUrl: number
  /** The most parameters of a query, and fields of a form. @default 1000 */
  maxParams: number
}

/** Fills in the defaults. */
export function toLimits(given: Partial<Limits>): Limits {
  const { maxBody = 10_485_760, maxDepth = 100, maxUrl = 16_384, maxParams = 1000 } = given
  return { maxBody, maxDepth, maxUrl, maxParams }
}

/**
 * Makes sure that a URL is not too long.
 * @throws MockError 414
 */
export function checkUrl({ path, search }: MockRequest, { maxUrl }: Limits): void {
  if (path.length + search.length <= maxUrl) return
  throw new MockError(
    `Failed to read the URL: it has more than ${maxUrl} characters. Please ask in the body of QUERY.`,
    { status: 414, code: 'URL_TOO_LONG' },
  )
}
