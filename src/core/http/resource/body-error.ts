import { MockError } from '../../errors/mock-error.ts'

/** What answers a body that cannot be read (400): *Failed to read the body: reason. advice*. */
export function wrongBody(reason: string, advice: string, cause?: unknown): MockError {
  return new MockError(`Failed to read the body: ${reason}. ${advice}`, {
    status: 400,
    code: 'BODY_INVALID',
    cause,
  })
}

/** What answers a body that is too large (413), in bytes or in what `unit` says. */
export function largeBody(limit: number, unit = 'bytes'): MockError {
  return new MockError(
    `Failed to read the body: it has more than ${limit} ${unit}. Please send less.`,
    { status: 413, code: 'BODY_TOO_LARGE' },
  )
}
