import { isRecord } from './json.ts'

/** Stands in the place of a secret. */
const hidden = '[redacted]'

/** Names of parameters and fields whose values nobody else should read. */
const secretName =
  /^(?:.*[_.-])?(?:password|passwd|pwd|secret|token|api[_-]?key|authorization|credentials?|session(?:[_-]?id)?|otp|pin)$|(?:Password|Secret|Token|ApiKey)$/i

/** A path and query whose secrets cannot be read. */
export function redactUrl(url: string): string {
  return url.replace(/([?&])([^?&=]+)=[^&]*/g, (part, sign: string, name: string) =>
    secretName.test(name) ? `${sign}${name}=${hidden}` : part,
  )
}

/** Headers whose secrets cannot be read; of an `Authorization` its scheme stays. */
export function redactHeaders(
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const redacted: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    redacted[name] = isSecretHeader(name) ? hide(name, value) : value
  }
  return redacted
}

/** What was found out about names of headers: every request has the same few. */
const secrecy = new Map<string, boolean>()

function isSecretHeader(name: string): boolean {
  const known = secrecy.get(name)
  if (known !== undefined) return known
  if (secrecy.size >= 1000) secrecy.clear()
  const isSecret = /^(?:set-)?cookie$/.test(name) || secretName.test(name)
  secrecy.set(name, isSecret)
  return isSecret
}

function hide(name: string, value: string): string {
  const scheme = name === 'authorization' ? /^\S+\s/.exec(value)?.[0] : undefined
  return (scheme ?? '') + hidden
}

/** A JSON value whose secrets, at any depth, cannot be read. */
export function redactBody(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactBody)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      secretName.test(key) ? hidden : redactBody(inner),
    ]),
  )
}
