import { MockError } from '../../errors/mock-error.ts'
import { judge, preconditionFailed } from './conditional.ts'
import type { Routed } from '../contract/exchange.ts'
import type { MockResponse } from '../contract/messages.ts'
import { isConditional } from '../pipeline/plain.ts'

/**
 * Makes the check of a write's preconditions against what is there at the moment (RFC 9110 §13.2.2);
 * undefined where it has none.
 * @throws MockError 428 where it has to have some (RFC 6585 §3)
 */
export function toPreconditions(
  { request, target, service }: Routed,
  read: () => MockResponse,
): (() => void) | undefined {
  const { headers } = request
  const isCollection = target.kind === 'collection'
  const hasMatch = headers['if-match'] !== undefined || headers['if-unmodified-since'] !== undefined
  const { preconditions } = service
  const isNeeded =
    preconditions === true || (preconditions && preconditions.includes(target.resource.name))
  if (!isCollection && !hasMatch && isNeeded) {
    // What is missing is missing, with or without them.
    read()
    throw preconditionRequired(request.method, request.path)
  }
  if (!isConditional(headers)) return undefined
  // A collection is always there: `If-None-Match: *` is about the record that is to be created.
  const asked = isCollection ? { ...headers, 'if-none-match': undefined } : headers
  return () => {
    if (judge(asked, read().headers, false) !== 'go') throw preconditionFailed(request)
  }
}

function preconditionRequired(method: string, path: string): MockError {
  return new MockError(
    `Failed to ${method} "${path}": it takes no write without a precondition. Please send If-Match with the ETag of the last GET.`,
    { status: 428, code: 'PRECONDITION_REQUIRED' },
  )
}
