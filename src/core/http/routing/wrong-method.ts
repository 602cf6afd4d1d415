import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { MockRequest } from '../contract/messages.ts'

/** Creates the error 405 (RFC 9110 §15.5.6); `problem` completes "Failed to …", `known` are possible requests. */
export function wrongMethod(
  problem: string,
  allowed: readonly string[],
  known: readonly string[] = allowed,
  code = 'METHOD_UNKNOWN',
): MockError {
  return new MockError(`Failed to ${problem}. Please use one of ${known.join(', ')}.`, {
    status: 405,
    code,
    headers: [['Allow', allowed.join(', ')]],
  })
}

/** Answers OPTIONS for a route of no resource; undefined for an allowed method. @throws MockError 405 for others */
export function answerMethods(
  { method, path }: Pick<MockRequest, 'method' | 'path'>,
  allowed: readonly string[],
): Answer | undefined {
  if (method === 'OPTIONS') {
    return { status: 204, headers: [['Allow', allowed.join(', ')]], value: undefined }
  }
  if (allowed.includes(method)) return undefined
  throw wrongMethod(`${method} "${path}": it has no such method`, allowed)
}
