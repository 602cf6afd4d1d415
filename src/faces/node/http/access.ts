import { isIP } from 'node:net'
import { configError } from '../../../core/errors/mock-error.ts'
import type { Access } from '../../../core/http/contract/answerer.ts'
import { createAccessCheck } from '../../../core/http/cors/access.ts'
import type { AccessOptions } from '../../../core/mock/serve-options.ts'
import { type OriginOf, createOriginOf } from './origin.ts'
import { isLocal, listOf, toOrigins } from '../../web/origins.ts'

/** Creates the access of a server that listens on `host`. @throws MockError for an invalid origin or host name */
export function toAccess(host: string, options: AccessOptions): ServerAccess {
  const { corsOrigin = 'loopback', allowHost = [], token = '' } = options
  const origins = toOrigins(corsOrigin)
  const isKnownHost = createHostCheck(host, listOf(allowHost).map(toHost))
  const check = createAccessCheck(isKnownHost, origins)
  const originOf = createOriginOf(options.trustProxy)
  const access = { origins, isKnownHost, check, originOf, root: '/', hasSockets: true }
  // An empty token, as from an unset variable, would give everyone access.
  if (isLocal(host)) return token === '' ? access : { ...access, token }
  return { ...access, token: token === '' ? createToken() : token }
}

/** The access rules of a server: those of every face, and the checks of the `Host` header and the origin. */
export interface ServerAccess extends Access {
  /** Whether the server accepts this value of `Host`. */
  isKnownHost(host: string): boolean
  /** Determines the origin that a request was sent to. */
  originOf: OriginOf
}

function createToken(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(16).toString('hex')
}

/** Checks a host name, which has no port. Names with a scheme, a port or `*` inside would never match. */
function toHost(text: string): string {
  const name = text.toLowerCase()
  const address = name.replaceAll(/^\[|\]$/g, '')
  if (isIP(address) === 6) return `[${address}]`
  if (name === '*' || /^[^\s*/:?#@]+$/.test(name)) return name
  throw configError(
    `Failed to allow the host "${text}": it is not a host name. Please write it as api.test, or as .api.test to include its subdomains.`,
  )
}

/**
 * Creates the check of `Host` against DNS rebinding. It accepts names of this machine, the host that the
 * server listens on, and the allowed names (`.example.com`, `*`); also an IP address, which cannot be rebound,
 * if other machines can reach the server.
 */
function createHostCheck(host: string, names: readonly string[]): (requested: string) => boolean {
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
