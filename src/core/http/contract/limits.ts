/** The limits on the size of a request; one beyond a limit is refused with status 400, 413 or 414. */
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
