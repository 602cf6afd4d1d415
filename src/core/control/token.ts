import type { MockRequest } from '../http/contract/messages.ts'
import { parseParams } from '../url/params.ts'

/** Whether a request has the token of the control, in a header or in the query. */
export function hasToken(request: MockRequest, token: string): boolean {
  return tokensOf(request).some((sent) => isSame(sent, token))
}

/** The tokens of a request: beside that in the query, `read` can have a token for `auth` in the header. */
function tokensOf(request: MockRequest): string[] {
  const sent = /^Bearer\s+(\S+)$/i.exec(request.headers['authorization'] ?? '')?.[1]
  return [sent, paramOf(request, 'token')].filter((one) => one !== undefined)
}

/** The first value of a parameter in the query. */
export function paramOf({ search }: MockRequest, wanted: string): string | undefined {
  return parseParams(search).find(([name]) => name === wanted)?.[1]
}

/** Compares strings in constant time, so that the time does not reveal the position of a difference. */
function isSame(left: string, right: string): boolean {
  let difference = left.length ^ right.length
  for (let at = 0; at < right.length; at++) difference |= left.charCodeAt(at) ^ right.charCodeAt(at)
  return difference === 0
}
