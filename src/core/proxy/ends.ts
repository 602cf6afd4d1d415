/** The two ends of a proxy, between which the URLs in headers are translated; without a slash at the end. */
export interface Ends {
  /** The origin that clients send requests to, as they write it: `http://localhost:3000`. */
  own: string
  /** The URL of the server behind the proxy; its path begins all paths there: `https://api.example.com/v1`. */
  upstream: string
}

/** Replaces the beginning of a URL, if that is `from`; any other URL is returned as it is. */
export function moveUrl(url: string, from: string, to: string): string {
  const beginnings: [from: string, to: string][] = [
    [from, to],
    // A reference without a scheme (RFC 3986 §4.2).
    [withoutScheme(from), withoutScheme(to)],
  ]
  const path = pathOf(from)
  if (path !== '') beginnings.push([path, pathOf(to)])
  for (const [start, replacement] of beginnings) {
    const rest = url.slice(start.length)
    const isFrom = url.slice(0, start.length).toLowerCase() === start.toLowerCase()
    if (isFrom && /^(?:[/?#]|$)/.test(rest)) return replacement + rest || '/'
  }
  return url
}

/** Returns the host of a URL, with its port. */
export function hostOf(url: string): string {
  return withoutScheme(url).slice(2).split('/', 1)[0] ?? ''
}

/** Returns the scheme and the host of a URL. */
export function originOf(url: string): string {
  return url.slice(0, url.length - pathOf(url).length)
}

/** Returns the path of a URL; empty for a URL that ends with its host. */
export function pathOf(url: string): string {
  return withoutScheme(url).slice(2 + hostOf(url).length)
}

function withoutScheme(url: string): string {
  return url.slice(url.indexOf('//'))
}
