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
