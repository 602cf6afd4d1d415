import type { MockRequest } from '../../core/http/messages.ts'
import { withCookies } from './cookies.ts'
import { withPreflight } from './preflight.ts'

export { toSettingResponse } from './set-cookies.ts'

/** Puts back into a request what does not come with it where it is caught. */
export function complete(
  request: MockRequest,
  cookies: Readonly<Record<string, string>>,
): MockRequest {
  return withCookies(withPreflight(request), cookies)
}
