/**
 * Resolves a reference against an absolute URI (RFC 3986 §5.2), such as a `$ref` against the URI of its JSON
 * Schema. The core has no `URL`, and `URL` cannot resolve fragments of URNs.
 */
export function resolveUri(reference: string, base: string): string {
  const target = splitUri(reference)
  if (target.scheme !== undefined) return joinUri(target)
  const { scheme, authority, path, query } = splitUri(base)
  if (target.authority !== undefined) return joinUri({ ...target, scheme })
  if (target.path === '') {
    return joinUri({ ...target, scheme, authority, path, query: target.query ?? query })
  }
  const folder = path.slice(0, path.lastIndexOf('/') + 1) || '/'
  const merged = target.path.startsWith('/') ? target.path : folder + target.path
  return joinUri({ ...target, scheme, authority, path: removeDots(merged) })
}

/** Splits any text as a URI reference; the components may hold characters that a URI may not. */
export function splitUri(text: string): UriParts {
  const [, scheme, authority, path = '', query, fragment] = components.exec(text) ?? []
  return { scheme, authority, path, query, fragment }
}

/** The components of a URI reference (RFC 3986, appendix B): undefined if absent, an absent path is empty. */
export interface UriParts {
  scheme: string | undefined
  authority: string | undefined
  path: string
  query: string | undefined
  fragment: string | undefined
}

const components = /^(?:([^:/?#]+):)?(?:\/\/([^/?#]*))?([^?#]*)(?:\?([^#]*))?(?:#(.*))?$/s

function joinUri({ scheme, authority, path, query, fragment }: UriParts): string {
  return [
    scheme === undefined ? '' : `${scheme}:`,
    authority === undefined ? '' : `//${authority}`,
    path,
    query === undefined ? '' : `?${query}`,
    fragment === undefined ? '' : `#${fragment}`,
  ].join('')
}

/** Removes `.` and `..` segments of an absolute path (RFC 3986 §5.2.4). */
function removeDots(path: string): string {
  const kept: string[] = []
  const segments = path.split('/')
  for (const [at, segment] of segments.entries()) {
    const isDot = segment === '.' || segment === '..'
    if (segment === '..' && kept.length > 1) kept.pop()
    if (!isDot) kept.push(segment)
    else if (at === segments.length - 1) kept.push('')
  }
  return kept.join('/')
}

/** Splits a URI at its fragment, which is empty if the URI has none. */
export function splitFragment(uri: string): [uri: string, fragment: string] {
  const at = uri.indexOf('#')
  return at === -1 ? [uri, ''] : [uri.slice(0, at), uri.slice(at + 1)]
}

/** Percent-encodes the characters that a URI may not have, so that two spellings of a URI become equal. */
export function withEscapes(uri: string): string {
  try {
    const escaped = encodeURI(uri).replaceAll('%25', '%')
    return escaped.replace(/%[0-9a-f]{2}/gi, (escape) => escape.toUpperCase())
  } catch {
    return uri
  }
}

/** Returns a path without a slash at its end. */
export function withoutSlash(path: string): string {
  return path.endsWith('/') ? path.slice(0, -1) : path
}
