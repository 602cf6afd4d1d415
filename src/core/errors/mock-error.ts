/** What went wrong with which field or parameter: `{ title: ['is required'] }`. */
export type FieldErrors = Record<string, string[]>

/** What a {@link MockError} may carry besides its message. */
export interface MockErrorOptions {
  /** The HTTP status that answers it. @default 500 */
  status?: number
  /** A stable name for programs: `FIXTURES_INVALID`, `NOT_FOUND`. */
  code?: string
  cause?: unknown
  errors?: FieldErrors | undefined
  /** Response headers that belong to it, such as `Allow`. */
  headers?: [name: string, value: string][]
  /** Further members of the problem document (RFC 9457 §3.2). */
  extensions?: Record<string, unknown>
}

/** The one error of the package: an expected failure, with the status that answers it. */
export class MockError extends Error {
  override readonly name = 'MockError'

  /** A configuration may have come with another copy of the package, so that the name decides. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'MockError'
  }

  /** The HTTP status that answers it. */
  declare readonly status: number
  /** A stable name for programs: `FIXTURES_INVALID`, `NOT_FOUND`. */
  declare readonly code: string
  declare readonly errors: FieldErrors | undefined
  /** Response headers that belong to it. */
  declare readonly headers: [name: string, value: string][]
  /** Further members of the problem document. */
  declare readonly extensions: Record<string, unknown>

  constructor(
    message: string,
    {
      status = 500,
      code = 'ERROR',
      cause,
      errors,
      headers = [],
      extensions = {},
    }: MockErrorOptions = {},
  ) {
    super(message, { cause })
    Object.assign(this, { status, code, errors, headers, extensions })
  }
}
