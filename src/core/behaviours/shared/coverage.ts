import type { OperationFacts } from '../../http/contract/description.ts'
import { isMatched, parsePattern, splitPattern } from '../../url/pattern.ts'

/** Returns how many requests of an operation of the OpenAPI document some patterns match. */
export function coverageOf(
  patterns: readonly string[],
  operation: OperationFacts,
  isByResource = false,
): Coverage {
  const each = patterns.map((text) => coverageOfOne(text, operation, isByResource))
  return each.find((one) => one === 'all') ?? each.find((one) => one === 'some') ?? 'none'
}

/** Whether patterns match all requests of an operation, some requests, or no request. */
export type Coverage = 'all' | 'some' | 'none'

/** With `isByResource`, the name of a resource also matches nested paths that end at the resource. */
function coverageOfOne(
  text: string,
  { method, path, resource }: OperationFacts,
  isByResource: boolean,
): Coverage {
  const pattern = parsePattern(text)
  const [, written] = splitPattern(text)
  const segments = path.split('/')
  const own = (written.startsWith('/') ? written : `/${written}`).split('/')
  const fill = (valueAt: (index: number) => string): string =>
    segments.map((one, index) => (one.startsWith(':') ? valueAt(index) : one)).join('/')
  const isName = isByResource && resource !== undefined && /^[^/*]/.test(written)
  const anyPath = fill(() => '-')
  if (isMatched(pattern, method, anyPath)) return 'all'
  if (isName && isMatched(pattern, method, `/${resource}`)) return 'all'
  const pathOfPattern = fill((index) => literalIn(own[index]) ?? '-')
  return isMatched(pattern, method, pathOfPattern) ? 'some' : 'none'
}

function literalIn(segment = ''): string | undefined {
  return /^[^:*]/.test(segment) ? segment : undefined
}

/** Whether an operation is on a resource, at its own path or below. */
export function isOn(name: string, { path, resource }: OperationFacts): boolean {
  return resource === name || path === `/${name}` || path.startsWith(`/${name}/`)
}

/** Whether an operation can store a record. */
export function isWrite({ method }: OperationFacts): boolean {
  return method === 'POST' || method === 'PUT' || method === 'PATCH'
}
