import { isIP } from 'node:net'
import { isLocal } from '../../web/origins.ts'

/**
 * Creates the check of the `Host` header that prevents DNS rebinding, by which a page points its own host
 * name to this server. The check accepts names of this machine, the host that the server listens on, and the
 * allowed names: `.example.com` includes all subdomains, `*` is any name. It accepts an IP address, which
 * cannot be rebound, if other machines can reach the server.
 */
export function createHostCheck(
  host: string,
  names: readonly string[],
): (requested: string) => boolean {
  const allowed = names.map(withoutRoot)
  const known = new Set([host.toLowerCase(), ...allowed])
  const isExposed = !isLocal(host)
  // Only HTTP/1.0 has no host, and no browser sends it.
  const isKnown = (name: string): boolean =>
    name === '' ||
    known.has('*') ||
    known.has(name) ||
    isLocal(name) ||
    (isExposed && isIP(name.replace(/^\[|\]$/g, '')) > 0) ||
    allowed.some(
      (parent) => parent.startsWith('.') && (name.endsWith(parent) || name === parent.slice(1)),
    )

  // A client repeats its host, so the last accepted one is checked first.
  let last = ''
  return (requested) => {
    if (requested === last) return true
    const isAllowed = isKnown(withoutRoot(requested.toLowerCase().replace(/:\d*$/, '')))
    if (isAllowed) last = requested
    return isAllowed
  }
}

/** Removes the dot at the end of a name, which denotes the DNS root (RFC 3986 §3.2.2). */
function withoutRoot(name: string): string {
  return name.replace(/(?<=[^.])\.$/, '')
}
