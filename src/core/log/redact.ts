import { isRecord } from '../json/json.ts'
import { decode } from '../url/pattern.ts'

/** Stands in the place of a secret. */
const hidden = '[redacted]'

/**
 * Names of parameters and fields whose values nobody else should read, also with what is asked of them
 * (`token:eq`), where they stand (`user[pin]`) or which of them they are (`password2`).
 */
const secretName =
  /passw|passphrase|(?:secret|token|jwt|(?:api|access|private|secret).?key|cookie|(?:^|[^a-z])(?:pwd|authorization|credentials?|session(?:.?id)?|otp|pin))(?![a-z])/i

/** A path and query whose secrets cannot be read; a URL or a tree of conditions with one is hidden whole. */
export function redactUrl(url: string): string {
  return url.replace(/([?&][^?&=]+)=([^&]*)/g, (part, name: string, value: string) =>
    isSecret(decode(name)) || (/[{?]|%(?:7b|3f)/i.test(value) && secretName.test(decode(part)))
      ? `${name}=${hidden}`
      : part,
  )
}

/** Headers whose secrets cannot be read; of an `Authorization` its scheme stays. */
export function redactHeaders(
  headers: Readonly<Record<string, string | undefined>>,
): Record<string, string> {
  const redacted: Record<string, string> = {}
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined) continue
    redacted[name] = isSecret(name)
      ? hide(name, value)
      : value.includes('?')
        ? redactUrl(value)
        : value
  }
  return redacted
}

/**
 * What is known of names: every request has the same few. Whoever gives a secret another name notes it
 * here, that of a parameter behind the sign in front of it.
 */
export const secrecy: Map<string, boolean> = new Map()

function isSecret(name: string): boolean {
  const known = secrecy.get(name) ?? secretName.test(name)
  if (secrecy.size < 1000) secrecy.set(name, known)
  return known
}

function hide(name: string, value: string): string {
  const scheme = name === 'authorization' ? /^\S+\s/.exec(value)?.[0] : undefined
  return (scheme ?? '') + hidden
}

/** A JSON value whose secrets, at any depth, cannot be read; a patch names them beside their values. */
export function redactBody(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(redactBody)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, inner]) => [
      key,
      isSecret(key === 'value' ? JSON.stringify(value['path']) : key) ? hidden : redactBody(inner),
    ]),
  )
}
