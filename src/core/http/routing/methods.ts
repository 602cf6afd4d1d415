import type { Target } from './target.ts'

/**
 * The HTTP methods that each kind of target supports, in the order of the header `Allow`. HEAD is handled like
 * GET, without the body of the response.
 */
const methods: Record<Target['kind'], readonly string[]> = {
  collection: ['GET', 'HEAD', 'QUERY', 'POST', 'OPTIONS'],
  member: ['GET', 'HEAD', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  singleton: ['GET', 'HEAD', 'PUT', 'PATCH', 'OPTIONS'],
  document: ['GET', 'HEAD', 'OPTIONS'],
}

/** Returns the methods of a kind of target, in the order of `Allow`; a read-only mock has no writes. */
export function methodsOf(kind: Target['kind'], readOnly: boolean): string[] {
  return methods[kind].filter((one) => !readOnly || isSafe(one) || one === 'OPTIONS')
}

/** Whether the method only reads (RFC 9110 §9.2.1). */
export function isSafe(method: string): boolean {
  return method === 'GET' || method === 'HEAD' || method === 'QUERY'
}
