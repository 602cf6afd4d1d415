/**
 * The error class of the package, for expected failures, such as an invalid option or a missing record. A request
 * during which this error is thrown gets an error response with its status, code and message; any other error is
 * reported, and its response is a 500 with nothing but an id.
 * @example throw new MockError('Failed to find "7".', { status: 404, code: 'NOT_FOUND' })
 */
export class MockError extends Error {
  override readonly name = 'MockError'

  /** Compares by name, as a configuration can throw errors of another copy of the package. */
  static override [Symbol.hasInstance](value: unknown): boolean {
    return value instanceof Error && value.name === 'MockError'
  }

  /** The HTTP status of the error response. */
  declare readonly status: number
  /** A stable, machine-readable name: `FIXTURES_INVALID`, `NOT_FOUND`. */
  declare readonly code: string
  declare readonly errors: FieldErrors | undefined
  /** Additional headers of the error response. */
  declare readonly headers: [name: string, value: string][]
  /** Extension members of the problem details. */
  declare readonly extensions: Record<string, unknown>
  /** The faults of fields in the body of the request, from which dialects make texts of their own. */
  declare readonly issues?: readonly Issue[]
  /** The resource whose record is missing, for a 404; the resource of the path if it is not given. */
  declare readonly missing?: string

  constructor(
    message: string,
    {
      status = 500,
      code = 'ERROR',
      cause,
      errors,
      headers = [],
      extensions = {},
      issues,
      missing,
    }: MockErrorOptions = {},
  ) {
    super(message, { cause })
    Object.assign(this, { status, code, errors, headers, extensions })
    if (issues) Object.assign(this, { issues })
    if (missing !== undefined) Object.assign(this, { missing })
  }
}

/** Creates the error for a wrong configuration, option or argument. */
export function configError(message: string, cause?: unknown): MockError {
  return new MockError(message, { code: 'CONFIG_INVALID', cause })
}

/** The options of a {@link MockError}. */
export interface MockErrorOptions {
  /** The HTTP status of the error response. @default 500 */
  status?: number
  /** A stable, machine-readable name: `FIXTURES_INVALID`, `NOT_FOUND`. @default 'ERROR' */
  code?: string
  cause?: unknown
  errors?: FieldErrors | undefined
  /** Additional headers of the error response, such as `Allow`. */
  headers?: [name: string, value: string][]
  /** Extension members of the problem details (RFC 9457 §3.2). */
  extensions?: Record<string, unknown>
  issues?: readonly Issue[]
  /** The resource whose record is missing. @default the resource of the path */
  missing?: string
}

/** A fault of a field: the keys that lead from the body of the request to the field, and a message. */
export interface Issue {
  path: readonly (string | number)[]
  /** The message without the name of the field: `is required`. */
  message: string
  /** The keyword of JSON Schema that the value fails: `minLength`; missing for other reasons. */
  keyword?: string
  /** The value of the keyword, such as the limit 3; missing for a keyword without one, such as `required`. */
  limit?: unknown
}

/**
 * One text for each invalid field or parameter, by its dotted path: `{ 'author.name': 'is required' }`.
 * Error responses contain this object as `errors`; forms of react-admin and refine show its texts.
 */
export type FieldErrors = Record<string, string>
