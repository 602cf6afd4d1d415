import type { PeerRequest } from './exchange.ts'
import type { Random } from './random.ts'

const past = 'Thu, 01 Jan 1970 00:00:00 GMT'

/** Headers that turn some responses into a 304, a 412 or a 204, by a server that supports them. */
const conditions: readonly Record<string, string>[] = [
  { 'if-none-match': '*' },
  { 'if-none-match': '*', 'cache-control': 'no-cache' },
  { 'if-none-match': '"x", W/"y"' },
  { 'if-match': '"x"' },
  { 'if-match': '"x"', 'if-none-match': '*' },
  { 'if-modified-since': past },
  { 'if-unmodified-since': past },
  { prefer: 'return=minimal' },
  { prefer: 'return=representation' },
]

/** Adds conditional headers or `Prefer` to a few requests. */
export function withConditions(random: Random, request: PeerRequest): PeerRequest {
  if (!random.chance(0.05)) return request
  return { ...request, headers: { ...request.headers, ...random.pick(conditions) } }
}
