import { MockError } from '../errors/mock-error.ts'

/** Decodes one segment of a URL path (RFC 3986 §2.1). @throws MockError 400 for an invalid percent-encoding */
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
