import { MockError } from '../errors/mock-error.ts'

/**
 * Parses a query string such as `?a=1&b=x+y` into decoded name-value pairs; `+` is a space (WHATWG URL §5.1).
 * Unlike `URLSearchParams`, which the core does not have, reports an invalid percent-encoding.
 * @throws MockError 400 for an invalid percent-encoding, and for more parameters than `limit`
 */
export function parseParams(search: string, limit: number = 2 ** 31): Params {
  if (search.length < 2) return []
  const params: [string, string][] = []
  const parts = search.slice(1).split('&', limit + 1)
  if (parts.length > limit) {
    throw new MockError(
      `Failed to read the parameters: there are more than ${limit}. Please send fewer.`,
      { status: 400, code: 'QUERY_INVALID' },
    )
  }
  for (const part of parts) {
    if (part === '') continue
    const at = part.indexOf('=')
    const encoded = at < 0 ? part : part.slice(0, at)
    const name = decode(encoded, encoded)
    params.push([name, at < 0 ? '' : decode(part.slice(at + 1), name)])
  }
  return params
}

/**
 * The name-value pairs of a query string, decoded, in the order of the request; a repeated name has a pair for
 * each of its values.
 */
export type Params = readonly (readonly [name: string, value: string])[]

function decode(text: string, name: string): string {
  const spaced = text.includes('+') ? text.replaceAll('+', ' ') : text
  if (!spaced.includes('%')) return spaced
  try {
    return decodeURIComponent(spaced)
  } catch {
    throw new MockError(
      `Failed to read "${name}": it has a broken escape. Please write % as %25.`,
      { status: 400, code: 'QUERY_INVALID', errors: { [name]: 'has a broken escape' } },
    )
  }
}
