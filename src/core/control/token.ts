import type { MockRequest } from '../http/contract/messages.ts'
import { paramOf } from './param-of.ts'

/**
 * Whether a request has the token of the control API, in the header `Authorization` or in the query. A server
 * requires the token if other machines can reach it.
 */
export function hasToken(request: MockRequest, token: string): boolean {
  return tokensOf(request).some((sent) => isSame(sent, token))
}

/**
 * Returns the tokens of a request. A request to `/__mock/read` can have the token in the query, because its
 * header may hold a token of the behaviour `auth`.
 */
function tokensOf(request: MockRequest): string[] {
  const sent = /^Bearer\s+(\S+)$/i.exec(request.headers['authorization'] ?? '')?.[1]
  return [sent, paramOf(request, 'token')].filter((one) => one !== undefined)
}

/** Compares strings in constant time, so that the time does not reveal the position of a difference. */
function isSame(left: string, right: string): boolean {
  let difference = left.length ^ right.length
  for (let at = 0; at < right.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at)
  return difference === 0
}
