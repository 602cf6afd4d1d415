import { MockError } from '../../errors/mock-error.ts'

/** The 400 for a body that cannot be read: *Failed to read the body: reason. advice*. */
export function wrongBody(reason: string, advice: string, cause?: unknown): MockError {
  return new MockError(`Failed to read the body: ${reason}. ${advice}`, {
    status: 400,
    code: 'BODY_INVALID',
    cause,
  })
}

/** The 413 for a body that is too large, counted in bytes or in another unit. */
export function largeBody(limit: number, unit = 'bytes'): MockError {
  return new MockError(
    `Failed to read the body: it has more than ${limit} ${unit}. Please send less.`,
    { status: 413, code: 'BODY_TOO_LARGE' },
  )
}
