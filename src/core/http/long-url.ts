import { MockError } from '../errors.ts'
import type { Limits } from './limits.ts'
import type { MockRequest } from './messages.ts'

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
