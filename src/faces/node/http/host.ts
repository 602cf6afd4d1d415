import { isIP } from 'node:net'

/** Names of this machine, of which no page can get one for itself (RFC 6761 §6.3). */
const local = /^(?:(?:[^:/]+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])$/

/**
 * Makes the check of `Host` that keeps pages from coming in by a name of their own (DNS rebinding):
 * it has to be a name of this machine, the one the server listens on, or one of the given; a dot in
 * front of one stands for every name below it, `*` for any. An address in numbers is nobody's to
 * rebind, and known where the server listens beyond this machine.
 */
export function createHostCheck(
  host: string,
  names: readonly string[],
): (asked: string) => boolean {
  const given = names.map(withoutRoot)
  const known = new Set([host.toLowerCase(), ...given])
  const isOpen = !isLocal(host)
  // Only HTTP/1.0 has no host, and no page speaks it.
  const isKnown = (name: string): boolean =>
    name === '' ||
    known.has('*') ||
    known.has(name) ||
    isLocal(name) ||
    (isOpen && isIP(name.replace(/^\[|\]$/g, '')) > 0) ||
    given.some((one) => one.startsWith('.') && (name.endsWith(one) || name === one.slice(1)))

  // The same client says the same again.
  let last = ''
  return (asked) => {
    if (asked === last) return true
    const isIn = isKnown(withoutRoot(asked.toLowerCase().replace(/:\d*$/, '')))
    if (isIn) last = asked
    return isIn
  }
}

/** A name without the dot behind it, which stands for the root of all names (RFC 3986 §3.2.2). */
function withoutRoot(name: string): string {
  return name.replace(/(?<=[^.])\.$/, '')
}

/** Whether what listens on a host can only be reached from this machine. */
export function isLocal(host: string): boolean {
  return host === '::1' || local.test(host)
}

/** Whether an origin is one of this machine, at any port. */
export function isLocalOrigin(origin: string): boolean {
  return local.test(/^https?:\/\/(.*?)(?::\d+)?$/.exec(origin)?.[1] ?? '')
}
