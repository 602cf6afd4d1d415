import { MockError } from '../../errors/mock-error.ts'

/**
 * Creates the error with status 400 for a request body that cannot be read: *Failed to read the body:
 * reason. advice*.
 */
export function invalidBody(reason: string, advice: string, cause?: unknown): MockError {
  return new MockError(`Failed to read the body: ${reason}. ${advice}`, {
    status: 400,
    code: 'BODY_INVALID',
    cause,
  })
}

/** Creates the error with status 413 for a body with more than `limit` bytes, or another unit. */
export function bodyTooLarge(limit: number, unit = 'bytes'): MockError {
  return new MockError(
    `Failed to read the body: it has more than ${limit} ${unit}. Please send less.`,
    { status: 413, code: 'BODY_TOO_LARGE' },
  )
}
