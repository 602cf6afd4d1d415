import { isIP } from 'node:net'
import { createAccessCheck } from '../../../core/http/cors/access.ts'
import type { Access } from '../../../core/http/contract/answerer.ts'
import type { AllowedOrigins } from '../../../core/http/cors/cors.ts'
import { MockError } from '../../../core/errors/mock-error.ts'
import { ownValue } from '../../../core/json/json.ts'
import type { AccessOptions } from '../../../core/mock/serve-options.ts'
import { createHostCheck, isLocal, isLocalOrigin } from './host.ts'

/** Who may talk to a server. */
export interface ServerAccess extends Access {
  /** Whether the server goes by that `Host`. */
  isKnownHost(host: string): boolean
}

/**
 * Makes the rules of who may talk to a server that listens on a host.
 * @throws MockError when an origin or a host is none
 */
export function toAccess(host: string, options: AccessOptions): ServerAccess {
  const { corsOrigin = 'loopback', allowHost = [], token = '' } = options
  const origins = toOrigins(listOf(corsOrigin))
  const isKnownHost = createHostCheck(host, listOf(allowHost).map(toHost))
  const check = createAccessCheck(isKnownHost, origins)
  const access = { origins, isKnownHost, check, root: '/' }
  // An empty one, as of a variable that is not set, would let everybody in.
  if (isLocal(host)) return token === '' ? access : { ...access, token }
  return { ...access, token: token === '' ? createToken() : token }
}

function createToken(): string {
  return process.getBuiltinModule('node:crypto').randomBytes(16).toString('hex')
}

/** The texts of an option that may be one, several, or several in one with commas. */
export function listOf(option: string | readonly string[]): string[] {
  return [option]
    .flat()
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

/** Words that stand for origins. */
const words: Readonly<Record<string, (origin: string) => boolean>> = {
  loopback: isLocalOrigin,
  none: () => false,
  null: (origin) => origin === 'null',
}

function toOrigins(list: readonly string[]): AllowedOrigins {
  if (list.includes('*')) return 'any'
  const rules = list.map((text) => ownValue(words, text) ?? toRule(text))
  return (origin) => rules.some((allows) => allows(origin))
}

function toRule(text: string): (origin: string) => boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && url.origin !== 'null' && url.pathname === '/' && url.search === '') {
    const allowed = url.origin
    return (origin) => origin === allowed
  }
  throw new MockError(
    `Failed to allow the origin "${text}": it is none. Please write it as http://localhost:5173.`,
    { code: 'CONFIG_INVALID' },
  )
}

/** A name as a `Host` without its port may have it; a scheme, a port or a star in it would meet none. */
function toHost(text: string): string {
  const name = text.toLowerCase()
  const address = name.replaceAll(/^\[|\]$/g, '')
  if (isIP(address) === 6) return `[${address}]`
  if (name === '*' || /^[^\s*/:?#@]+$/.test(name)) return name
  throw new MockError(
    `Failed to allow the host "${text}": it is none. Please write it as api.test, or as .api.test for all below it too.`,
    { code: 'CONFIG_INVALID' },
  )
}
