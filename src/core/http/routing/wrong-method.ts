import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { MockRequest } from '../contract/messages.ts'

type Asked = Pick<MockRequest, 'method' | 'path'>

/**
 * Creates the error with status 405 for a method that a target does not allow; the header `Allow` lists
 * the allowed methods (RFC 9110 §15.5.6).
 */
export function wrongMethod(
  { method, path }: Asked,
  reason: string,
  allowed: readonly string[],
  code = 'METHOD_UNKNOWN',
): MockError {
  const allow = allowed.join(', ')
  return new MockError(`Failed to ${method} "${path}": ${reason}. Please use one of ${allow}.`, {
    status: 405,
    code,
    headers: [['Allow', allow]],
  })
}

/**
 * Answers OPTIONS for a route that belongs to no resource; returns undefined for an allowed method.
 * @throws MockError 405 for any other method
 */
export function answerMethods(asked: Asked, allowed: readonly string[]): Answer | undefined {
  if (asked.method === 'OPTIONS') {
    return { status: 204, headers: [['Allow', allowed.join(', ')]], value: undefined }
  }
  if (allowed.includes(asked.method)) return undefined
  throw wrongMethod(asked, 'it has no such method', allowed)
}
