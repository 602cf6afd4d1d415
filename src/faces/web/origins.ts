import { configError } from '../../core/errors/mock-error.ts'
import type { AllowedOrigins } from '../../core/http/cors/cors.ts'
import { ownValue } from '../../core/json/json.ts'

/** Converts `corsOrigin`: origins, `loopback`, `none`, `null` and `*`. @throws MockError for a text that is no origin */
export function toOrigins(option: string | readonly string[]): AllowedOrigins {
  const list = listOf(option)
  if (list.includes('*')) return 'any'
  const rules = list.map((text) => ownValue(keywords, text) ?? toRule(text))
  return (origin) => rules.some((allows) => allows(origin))
}

/** Whether a server that listens on this host can be reached from this machine only. */
export function isLocal(host: string): boolean {
  return host === '::1' || local.test(host)
}

/** Splits an option that is a text, a text with commas, or a list of these. */
export function listOf(option: string | readonly string[]): string[] {
  return [option]
    .flat()
    .flatMap((text) => text.split(','))
    .map((text) => text.trim())
    .filter((text) => text !== '')
}

/** Names of this machine, which no other site can register (RFC 6761 §6.3). */
const local = /^(?:(?:[^:/]+\.)?localhost\.?|127(?:\.\d{1,3}){3}|\[::1\])$/

/** The keywords of `corsOrigin`. */
const keywords: Readonly<Record<string, (origin: string) => boolean>> = {
  loopback: isLocalOrigin,
  none: () => false,
  null: (origin) => origin === 'null',
}

/** Whether an origin is on this machine, at any port. */
export function isLocalOrigin(origin: string): boolean {
  return local.test(/^https?:\/\/(.*?)(?::\d+)?$/.exec(origin)?.[1] ?? '')
}

function toRule(text: string): (origin: string) => boolean {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && url.origin !== 'null' && url.pathname === '/' && url.search === '') {
    const allowed = url.origin
    return (origin) => origin === allowed
  }
  throw configError(
    `Failed to allow the origin "${text}": it is not an origin. Please write it as http://localhost:5173.`,
  )
}
