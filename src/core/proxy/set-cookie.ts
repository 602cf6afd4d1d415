import { type Ends, hostOf, moveUrl, pathOf } from './ends.ts'

/**
 * Rewrites a `Set-Cookie` (RFC 6265 §4.1) of the server behind a proxy, so that clients of the proxy store the
 * cookie and send it back: without the `Domain` of that server and, over plain http, without `Secure`,
 * `Partitioned` and `SameSite=None`, which need https. A cookie whose name begins with `__Host-` or `__Secure-`
 * keeps these, as clients refuse it otherwise.
 */
export function toOwnCookie(line: string, { own, upstream }: Ends): string {
  const [pair = '', ...attributes] = line.split(';')
  const needsSecure = /^\s*__(?:host|secure)-/i.test(pair)
  const isPlain = own.startsWith('http:') && !needsSecure
  const kept = attributes.flatMap((attribute) => {
    const [name = '', value = ''] = attribute.split('=').map((part) => part.trim().toLowerCase())
    if (name === 'path' && pathOf(upstream) !== '') return [toOwnPath(attribute, { own, upstream })]
    if (name === 'domain' && coversHost(value, upstream)) return []
    if (isPlain && (name === 'secure' || name === 'partitioned')) return []
    return isPlain && name === 'samesite' && value === 'none' ? [' SameSite=Lax'] : [attribute]
  })
  return [pair, ...kept].join(';')
}

/** Returns the path of a cookie without the path of the server behind the proxy. */
function toOwnPath(attribute: string, { own, upstream }: Ends): string {
  return attribute.replace(/(=\s*)(\S+)/, (_, start: string, path: string) => {
    return start + moveUrl(path, upstream, own)
  })
}

/** Whether the domain of a cookie covers the host of an origin (RFC 6265 §5.1.3). */
function coversHost(domain: string, origin: string): boolean {
  const host = hostOf(origin).replace(/:\d*$/, '').toLowerCase()
  const parent = domain.replace(/^\./, '')
  return host === parent || host.endsWith(`.${parent}`)
}
