/**
 * The two ends of a proxy: the origin that clients send requests to, and the origin of the server behind the
 * proxy, both without a slash at the end.
 */
export interface Ends {
  /** The origin of the proxy, as the client wrote it: `http://localhost:3000`. */
  own: string
  /** The origin of the server behind the proxy: `https://api.example.com`. */
  upstream: string
}

/** Replaces the origin of a URL, if it is `from`; another URL, or a path, is returned as it is. */
export function moveUrl(url: string, from: string, to: string): string {
  const withoutScheme = (origin: string): string => origin.slice(origin.indexOf('//'))
  for (const [start, replacement] of [
    [from, to],
    // A reference without a scheme (RFC 3986 §4.2).
    [withoutScheme(from), withoutScheme(to)],
  ] as const) {
    const isFrom = url.slice(0, start.length).toLowerCase() === start.toLowerCase()
    if (isFrom && /^(?:[/?#]|$)/.test(url.slice(start.length))) {
      return replacement + url.slice(start.length)
    }
  }
  return url
}

/** The host of an origin, with its port. */
export function hostOfOrigin(origin: string): string {
  return origin.slice(origin.indexOf('//') + 2)
}
