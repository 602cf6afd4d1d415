import { isIP } from 'node:net'
import { createAccessCheck } from '../../../core/http/cors/access.ts'
import type { Access } from '../../../core/http/contract/answerer.ts'
import { MockError } from '../../../core/errors/mock-error.ts'
import type { AccessOptions } from '../../../core/mock/serve-options.ts'
import { isLocal, listOf, toOrigins } from '../../web/origins.ts'
import { createHostCheck } from './host.ts'
import { createOriginOf, type OriginOf } from './origin.ts'

/**
 * Creates the access rules of a server that listens on `host`, from the options of `serve`: which origins and
 * host names are allowed, which token the control API needs, and whether the headers of proxies count.
 * @throws MockError when an allowed origin or host name is invalid
 */
export function toAccess(host: string, options: AccessOptions): ServerAccess {
  const { corsOrigin = 'loopback', allowHost = [], token = '' } = options
  const origins = toOrigins(corsOrigin)
  const isKnownHost = createHostCheck(host, listOf(allowHost).map(toHost))
  const check = createAccessCheck(isKnownHost, origins)
  const originOf = createOriginOf(options.trustProxy)
  const access = { origins, isKnownHost, check, originOf, root: '/' }
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
  throw new MockError(
    `Failed to allow the host "${text}": it is not a host name. Please write it as api.test, or as .api.test to include its subdomains.`,
    { code: 'CONFIG_INVALID' },
  )
}
