import { isRecord } from '../json/json.ts'
import { decode } from '../url/pattern.ts'

/**
 * Replaces secrets, such as passwords and tokens, by `[redacted]` in the URLs, headers and bodies of
 * the log. The name of a parameter, header or field decides whether its value is a secret. Each mock
 * shares its redactor with its forks.
 */
export interface Redactor {
  /**
   * Declares values under this name to be secret, beside the names that always are. The name of a
   * parameter includes the character in front of it: `?key` and `&key`.
   */
  addSecret(name: string): void
  /** Redacts parameters; a parameter that holds a URL or a tree of conditions is replaced as a whole. */
  redactUrl(url: string): string
  /** Redacts headers, and URLs in headers; the scheme of an `Authorization` stays. */
  redactHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string>
  /** Redacts fields of a JSON value at any depth, and the values of a JSON Patch by their paths. */
  redactBody(value: unknown): unknown
}

/** Replaces the value of a secret. */
const redacted = '[redacted]'

/**
 * Matches the names of parameters, headers and fields with secret values, also with an operator
 * (`token:eq`), in brackets (`user[pin]`) or with a number (`password2`).
 */
const secretName =
  /passw|passphrase|(?:secret|token|jwt|(?:api|access|private|secret).?key|cookie|(?:^|[^a-z])(?:pwd|authorization|credentials?|session(?:.?id)?|otp|pin))(?![a-z])/i

/** The most names whose result is cached. */
const maxNames = 1000

/** Creates a redactor that knows the usual names of secrets. */
export function createRedactor(): Redactor {
  // Every request has the same few names.
  const results = new Map<string, boolean>()

  function isSecret(name: string): boolean {
    const result = results.get(name) ?? secretName.test(name)
    if (results.size < maxNames) results.set(name, result)
    return result
  }

  function redactUrl(url: string): string {
    return url.replace(/([?&][^?&=]+)=([^&]*)/g, (part, name: string, value: string) =>
      isSecret(decode(name)) || (/[{?]|%(?:7b|3f)/i.test(value) && secretName.test(decode(part)))
        ? `${name}=${redacted}`
        : part,
    )
  }

  function redactHeader(name: string, value: string): string {
    if (!isSecret(name)) return value.includes('?') ? redactUrl(value) : value
    const scheme = name === 'authorization' ? /^\S+\s/.exec(value)?.[0] : undefined
    return (scheme ?? '') + redacted
  }

  function redactBody(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(redactBody)
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        // A step of a JSON Patch names the field in its path.
        const name = key === 'value' ? JSON.stringify(value['path']) : key
        return [key, isSecret(name) ? redacted : redactBody(inner)]
      }),
    )
  }

  return {
    addSecret: (name) => void results.set(name, true),
    redactUrl,
    redactHeaders(headers) {
      const shown: Record<string, string> = {}
      for (const [name, value] of Object.entries(headers)) {
        if (value !== undefined) shown[name] = redactHeader(name, value)
      }
      return shown
    },
    redactBody,
  }
}
