import { MockError } from '../errors/mock-error.ts'

/**
 * Reads a segment of a path as it was sent.
 * @throws MockError 400 when an escape is broken
 */
export function decodeSegment(segment: string): string {
  try {
    return decodeURIComponent(segment)
  } catch {
    throw new MockError(
      `Failed to read the path: "${segment}" has a broken escape. Please write % as %25.`,
      { status: 400, code: 'PATH_INVALID' },
    )
  }
}
