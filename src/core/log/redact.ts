import { unicodePattern } from '../text/unicode-pattern.ts'
import { isRecord } from '../json/json.ts'
import { sessionHeader } from '../text/session-name.ts'
import { decode } from '../url/pattern.ts'

/** Replaces secrets by `[redacted]` in URLs, headers and bodies, by names of fields; shared with the forks of a mock. */
export interface Redactor {
  /**
   * Declares the values of a field, header or parameter of this name to be secret, beside the names that
   * always are. With `?` and `&` in front, as in `?key` and `&key`, the name is that of a parameter alone.
   */
  addSecret(name: string): void
  /** Declares another name of a field, whose values are secret if those of the field are. */
  addAlias(name: string, alias: string): void
  /** Whether the values under a name are secret. */
  isSecret(name: string): boolean
  /** Redacts parameters in the query and in the fragment; a parameter that holds a URL or a tree of conditions is replaced as a whole. */
  redactUrl(url: string): string
  /** Redacts headers, and URLs in headers; the scheme of an `Authorization` stays. */
  redactHeaders(headers: Readonly<Record<string, string | undefined>>): Record<string, string>
  /** Redacts fields of a JSON value at any depth, and the values of a JSON Patch by their paths. */
  redactBody(value: unknown): unknown
}

/** Replaces the value of a secret. */
export const redacted = '[redacted]'

/** Matches names with secret values, also as `token:eq`, `user[pin]` or `password2`. */
const secretName =
  /passw|passphrase|(?:secret|token(?!_type)|jwt|(?:api|access|private|secret).?key|cookie|(?:^|[^a-z])(?:pwd|authorization|credentials?|session(?:.?id)?|otp|pin))(?![a-z])/i

const sessionName = sessionHeader.toLowerCase()

/** The most names whose result is cached, and their length. */
const maxNames = 1000
const maxLength = 64

/** Creates a redactor that knows the usual names of secrets. */
export function createRedactor(): Redactor {
  const declared = new Set<string>()
  const aliases = new Map<string, Set<string>>()
  // Every request has the same few names.
  const results = new Map<string, boolean>()
  let declaredName: RegExp | undefined

  function containsSecret(text: string): boolean {
    return secretName.test(text) || declaredName?.test(text) === true
  }

  function isSecret(name: string): boolean {
    const known = results.get(name)
    if (known !== undefined) return known
    // A session is data, and no login: whoever reads the log may name it.
    const result = name.toLowerCase() !== sessionName && containsSecret(name)
    if (results.size < maxNames && name.length <= maxLength) {
      // A copy, because a part of a long text would hold the whole text in memory.
      results.set(Array.from(name).join(''), result)
    }
    return result
  }

  /** Applies the declared names to the requests of the log, also to those that came before. */
  function update(): void {
    const renamed = [...aliases].flatMap(([alias, names]) =>
      [...names].some((name) => secretName.test(name) || declared.has(name)) ? [alias] : [],
    )
    declaredName = toNamePattern([...declared, ...renamed])
    results.clear()
  }

  function redactUrl(url: string): string {
    return url.replace(/([?&#][^?&#=]+)=([^&#]*)/g, (part, name: string, value: string) =>
      isSecret(decode(name)) || (/[{?]|%(?:7b|3f)/i.test(value) && containsSecret(decode(part)))
        ? `${name}=${redacted}`
        : part,
    )
  }

  function redactHeader(name: string, value: string): string {
    if (!isSecret(name)) return /[?#]/.test(value) ? redactUrl(value) : value
    const scheme = name === 'authorization' ? /^\S+\s/.exec(value)?.[0] : undefined
    return (scheme ?? '') + redacted
  }

  function redactBody(value: unknown): unknown {
    if (Array.isArray(value)) return value.map(redactBody)
    if (!isRecord(value)) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, inner]) => {
        // A step of a JSON Patch names the field in its path.
        const name = key === 'value' ? JSON.stringify(value['path'] ?? '') : key
        return [key, isSecret(name) ? redacted : redactBody(inner)]
      }),
    )
  }

  return {
    addSecret(name) {
      declared.add(name)
      update()
    },
    addAlias(name, alias) {
      aliases.set(alias, (aliases.get(alias) ?? new Set()).add(name))
      update()
    },
    isSecret,
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

/** Matches any of some names as a whole, also as `key:eq`, `key_ne`, `user[key]`, `user.key`, or in JSON. */
function toNamePattern(names: readonly string[]): RegExp | undefined {
  if (names.length === 0) return undefined
  const escaped = names.map((name) => name.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`))
  return unicodePattern(
    String.raw`(?<![\p{L}\p{N}_-])(?:${escaped.join('|')})(?![\p{L}\p{N}-])`,
    'u',
  )
}
