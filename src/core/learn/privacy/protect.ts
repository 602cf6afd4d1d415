import { define, isRecord, type Json } from '../../json/json.ts'
import { createRedactor } from '../../log/redact.ts'
import type { Param, ParsedExchange } from '../parse/parsed-exchange.ts'
import { createPrivateNames, type PrivateNames } from './private-names.ts'
import { substitute, substituteEmails, substituteText } from './substitute.ts'

/** The parts of a request that identify a recorded answer. */
export type RequestParts = Pick<ParsedExchange, 'path' | 'segments' | 'query' | 'sent'>

/** Replaces credentials and personal data by substitutes. */
export interface Privacy {
  /**
   * Replaces the private values of exchanges. A text that is private in one place is replaced in all places,
   * so that relations hold.
   */
  protect(exchanges: readonly ParsedExchange[]): ParsedExchange[]
  /** Replaces the private values of a request as `protect` does, to compare it with a recorded request. */
  protectRequest<Parts extends RequestParts>(parts: Parts): Parts
}

/** Creates the replacement; `redact` names fields beside those that look private. */
export function createPrivacy(redact: readonly string[] = []): Privacy {
  const names = createPrivateNames(redact)
  const { redactUrl } = createRedactor()
  const hideEmails = (text: string): string =>
    text.includes('@') && !names.keepsPersonal ? substituteEmails(text) : text

  /** Replaces private values; without `seen`, of fields and emails alone. */
  function protectAll(value: Json, seen: ReadonlySet<string>): Json {
    if (typeof value === 'string') return protectText(value, seen)
    if (Array.isArray(value)) return value.map((inner) => protectAll(inner, seen))
    if (!isRecord(value)) return value
    const keys = Object.keys(value)
    const copy: Record<string, Json> = {}
    for (const [key, inner] of Object.entries(value)) {
      const isHidden = isReplaceable(key, inner, names) && names.isPrivate(key, keys)
      define(copy, hideEmails(key), isHidden ? substitute(inner) : protectAll(inner, seen))
    }
    return copy
  }

  function protectText(text: string, seen: ReadonlySet<string>): string {
    if (seen.has(text) || credential.test(text)) return substituteText(text)
    return hideEmails(text.includes('?') ? redactUrl(text) : text)
  }

  function protectQuery(query: readonly Param[], seen: ReadonlySet<string>): Param[] {
    return query.flatMap(([name, value]): Param[] => {
      if (names.isSecret(name)) return []
      const isHidden = names.isPrivate(name, [])
      return [[name, isHidden ? substituteText(value) : protectText(value, seen)]]
    })
  }

  /** Removes credentials from the body of a request, so that a client with other credentials gets the same answer. */
  function protectSent(sent: Json | undefined, seen: ReadonlySet<string>): Json | undefined {
    if (!isRecord(sent)) return sent === undefined ? undefined : protectAll(sent, seen)
    const open = Object.entries(sent).filter(([name]) => !names.isSecret(name))
    return protectAll(Object.fromEntries(open), seen)
  }

  function protectParts<Parts extends RequestParts>(
    parts: Parts,
    seen: ReadonlySet<string>,
  ): Parts {
    const segments = parts.segments.map((segment) => protectText(segment, seen))
    const isSame = segments.every((segment, at) => segment === parts.segments[at])
    return {
      ...parts,
      segments,
      path: isSame ? parts.path : `/${segments.map(encodeURIComponent).join('/')}`,
      query: protectQuery(parts.query, seen),
      sent: protectSent(parts.sent, seen),
    }
  }

  return {
    protect(exchanges) {
      const seen = new Set<string>()
      for (const { json, sent } of exchanges) {
        collect(json, names, seen)
        collect(sent, names, seen)
      }
      return exchanges.map((exchange) => ({
        ...protectParts(exchange, seen),
        json: exchange.json === undefined ? undefined : protectAll(exchange.json, seen),
        headers: exchange.headers.map(([name, value]): Param => [name, protectText(value, seen)]),
      }))
    },
    protectRequest: (parts) => protectParts(parts, new Set()),
  }
}

/** Credentials by their form: JSON Web Tokens, keys of well-known services, and private keys. */
const credential =
  /^(?:Bearer )?eyJ[\w-]+\.eyJ[\w-]+\.|^(?:sk|pk|rk)_(?:live|test)_|^gh[opsu]_\w{20}|^github_pat_|^xox[abp]-|^AKIA[\dA-Z]{12}|-----BEGIN [A-Z ]*PRIVATE KEY/

/** Adds the private texts of a value that are unlikely to mean anything else in other places. */
function collect(value: Json | undefined, names: PrivateNames, seen: Set<string>): void {
  if (Array.isArray(value)) for (const inner of value) collect(inner, names, seen)
  else if (isRecord(value)) {
    const keys = Object.keys(value)
    for (const [key, inner] of Object.entries(value)) {
      const isHidden = isReplaceable(key, inner, names) && names.isPrivate(key, keys)
      if (!isHidden) collect(inner, names, seen)
      else for (const text of [inner].flat()) if (isTelling(text)) seen.add(text)
    }
  }
}

/** Whether a text is long enough to identify a person or a credential wherever it stands. */
function isTelling(text: unknown): text is string {
  return typeof text === 'string' && text.length >= 5 && /[@\s\d]/.test(text)
}

/** Whether a value under a private name is replaced as a whole; fields of objects are looked at one by one. */
function isReplaceable(key: string, value: Json, { isSecret }: PrivateNames): boolean {
  if (typeof value === 'string') return true
  // The number of a session or a token count is no credential, but may refer to a record.
  if (typeof value === 'number') return !isSecret(key) || /pin|otp|code/i.test(key)
  return Array.isArray(value) && value.every((inner) => typeof inner === 'string')
}
