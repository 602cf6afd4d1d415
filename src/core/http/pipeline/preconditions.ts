import { MockError } from '../../errors/mock-error.ts'
import type { Exchange, Routed } from '../contract/exchange.ts'
import type { MockResponse } from '../contract/messages.ts'
import { isConditional, judge, preconditionFailed } from '../response/conditional.ts'
import { render } from '../response/render.ts'
import { readOf } from './actions.ts'

/**
 * Checks the conditional headers of a write, such as `If-Match`, against the `ETag` and `Last-Modified` of its
 * target: now, and again when the write is stored (RFC 9110 §13.2.2). `routed` has the target of the write.
 * @throws MockError 412, or 428 if the resource requires a precondition (RFC 6585 §3)
 */
export function checkPreconditions(exchange: Exchange, routed: Routed): void {
  exchange.recheckPreconditions = toCheck(routed)
  exchange.recheckPreconditions?.()
}

function toCheck(routed: Routed): (() => void) | undefined {
  const { request, target, service } = routed
  const { headers } = request
  const { preconditions } = service
  const isCollection = target.kind === 'collection'
  const hasMatch = headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined
  const isRequired =
    preconditions === true || (preconditions && preconditions.includes(target.resource.name))
  if (!isCollection && !hasMatch && isRequired) {
    // A record that does not exist is 404, with or without a precondition.
    currentHeaders(routed)
    throw preconditionRequired(request.method, request.path)
  }
  if (!isConditional(headers)) return undefined
  // On a collection `If-None-Match: *` is about the record to be created, as the collection exists.
  const asked = isCollection ? { ...headers, 'if-none-match': undefined } : headers
  return () => {
    if (judge(asked, currentHeaders(routed), false) !== 'go') throw preconditionFailed(request)
  }
}

/** Returns the headers that a GET of the target would respond with now. */
function currentHeaders(routed: Routed): MockResponse['headers'] {
  const read: Routed = { ...routed, method: 'GET', reasons: [] }
  return render(read, readOf(read)).headers
}

function preconditionRequired(method: string, path: string): MockError {
  return new MockError(
    `Failed to ${method} "${path}": it takes no write without a precondition. Please send If-Match with the ETag of the last GET.`,
    { status: 428, code: 'PRECONDITION_REQUIRED' },
  )
}
