import { define, isRecord, isSame, type Json, type JsonRecord, tryJson } from '../../json/json.ts'
import { createRedactor } from '../../log/redact.ts'
import type { Param, ParsedExchange, RecordedFile } from '../parse-exchange.ts'
import { checkOf, withoutMessages } from './credentials.ts'
import { createKnownTexts, type KnownTexts } from './known-texts.ts'
import { createPrivateNames, type PrivateNames } from './private-names.ts'
import { substitute, substituteEmails, substituteText } from './substitute.ts'

/** Replaces private values, so that none gets into files; `redact` names further fields. */
export function createPrivacy(redact: readonly string[] = []): Privacy {
  const names = createPrivateNames(redact)
  const { redactUrl } = createRedactor()
  const hideEmails = (text: string): string =>
    text.includes('@') && !names.keepsPersonal ? substituteEmails(text) : text

  /**
   * Replaces the values of private fields, emails, and the texts that are private in another place; without `byName`
   * the names of fields do not count.
   */
  function protectAll(value: Json, known: KnownTexts, byName = true): Json {
    if (typeof value === 'string') return protectText(value, known)
    if (Array.isArray(value)) return value.map((inner) => protectAll(inner, known, byName))
    if (!isRecord(value)) return value
    const keys = Object.keys(value)
    const copy: Record<string, Json> = {}
    for (const [key, inner] of Object.entries(value)) {
      const isHidden = byName && isReplaceable(key, inner, names) && names.isPrivate(key, keys)
      const replaced = isHidden ? substitute(inner) : protectAll(inner, known, byName)
      define(copy, protectText(key, known), replaced)
    }
    return copy
  }

  function protectJson(exchange: ParsedExchange, known: KnownTexts): Json | undefined {
    const { json } = exchange
    const data = withoutMessages(exchange)
    if (data === undefined || json === undefined) return undefined
    const own = protectAll(data, known)
    if (data === json || !isRecord(own)) return own
    return { ...(protectAll(json, known, false) as JsonRecord), ...own }
  }

  function protectText(text: string, known: KnownTexts): string {
    if (known.has(text) || credential.test(text)) return substituteText(text)
    const inner = /^\s*[[{]/.test(text) ? tryJson(text) : undefined
    if (inner !== undefined) return protectInner(text, inner, known)
    return hideEmails(known.replace(text.includes('?') ? redactUrl(text) : text))
  }

  /** JSON inside of a text keeps its layout if it has no private value. */
  function protectInner(text: string, inner: Json, known: KnownTexts): string {
    const replaced = protectAll(inner, known)
    return isSame(replaced, inner) ? text : JSON.stringify(replaced)
  }

  function protectQuery(query: readonly Param[], known: KnownTexts): Param[] {
    return query.flatMap(([name, value]): Param[] => {
      if (names.isSecret(name)) return []
      const isHidden = names.isPrivate(name, [])
      return [[name, isHidden ? substituteText(value) : protectText(value, known)]]
    })
  }

  /** Removes credentials from the body of a request, so that a client with other credentials gets the same answer. */
  function protectSent(sent: Json | undefined, known: KnownTexts): Json | undefined {
    if (!isRecord(sent)) return sent === undefined ? undefined : protectAll(sent, known)
    const open = Object.entries(sent).filter(([name]) => !names.isSecret(name))
    return protectAll(Object.fromEntries(open), known)
  }

  function protectParts<Parts extends RequestParts>(parts: Parts, known: KnownTexts): Parts {
    const segments = parts.segments.map((segment) => protectText(segment, known))
    const isSame = segments.every((segment, at) => segment === parts.segments[at])
    return {
      ...parts,
      segments,
      path: isSame ? parts.path : `/${segments.map(encodeURIComponent).join('/')}`,
      query: protectQuery(parts.query, known),
      sent: protectSent(parts.sent, known),
      check: checkOf(parts.sent),
    }
  }

  function protectFile(file: RecordedFile, known: KnownTexts): RecordedFile {
    if ('base64' in file) return { base64: known.replace(file.base64, true) }
    return { text: hideEmails(known.replace(file.text)) }
  }

  return {
    names,
    protect(exchanges, credentials) {
      const known = createKnownTexts()
      for (const text of credentials) known.addSecret(text)
      for (const exchange of exchanges) {
        const { sent, query } = exchange
        collectPrivate(withoutMessages(exchange), names, known)
        collectPrivate(sent, names, known)
        for (const [name, value] of query) {
          if (names.isPrivate(name, [])) known.addPersonal(value)
        }
      }
      return exchanges.map((exchange) => ({
        ...protectParts(exchange, known),
        json: protectJson(exchange, known),
        file: exchange.file && protectFile(exchange.file, known),
        headers: exchange.headers.map(([name, value]): [string, string] => [
          name,
          protectText(value, known),
        ]),
      }))
    },
    protectRequest: (parts) => protectParts(parts, createKnownTexts()),
  }
}

/** Replaces credentials and personal data by substitutes. */
export interface Privacy {
  /** A text that is private in one place is replaced everywhere, so that relations hold. */
  protect(exchanges: readonly ParsedExchange[], credentials: Iterable<string>): ParsedExchange[]
  names: PrivateNames
  /** Replaces the private values of a request as `protect` does, to compare it with a recorded request. */
  protectRequest<Parts extends RequestParts>(parts: Parts): Parts
}

/** The parts of a request that identify a recorded answer. */
export type RequestParts = Pick<ParsedExchange, 'path' | 'segments' | 'query' | 'sent' | 'check'>

/** Credentials by their form: JSON Web Tokens, keys of well-known services, and private keys. */
const credential =
  /^(?:Bearer )?eyJ[\w-]+\.eyJ[\w-]+\.|^(?:sk|pk|rk)_(?:live|test)_|^gh[opsu]_\w{20}|^github_pat_|^xox[abp]-|^AKIA[\dA-Z]{12}|-----BEGIN [A-Z ]*PRIVATE KEY/

function collectPrivate(value: Json | undefined, names: PrivateNames, known: KnownTexts): void {
  if (Array.isArray(value)) for (const inner of value) collectPrivate(inner, names, known)
  else if (typeof value === 'string' && /^\s*[[{]/.test(value)) {
    collectPrivate(tryJson(value), names, known)
  } else if (isRecord(value)) {
    const keys = Object.keys(value)
    for (const [key, inner] of Object.entries(value)) {
      const isHidden = isReplaceable(key, inner, names) && names.isPrivate(key, keys)
      if (!isHidden) collectPrivate(inner, names, known)
      else for (const text of [inner].flat()) if (typeof text === 'string') known.addPersonal(text)
    }
  }
}

/** Whether the value of a private field is replaced as a whole; the fields of an object are checked one by one. */
function isReplaceable(key: string, value: Json, { isSecret }: PrivateNames): boolean {
  if (typeof value === 'string') return true
  // A number under a secret name, such as a token count, is no credential, and may be the id of a record.
  if (typeof value === 'number') return !isSecret(key) || /pin|otp|code/i.test(key)
  return Array.isArray(value) && value.every((inner) => typeof inner === 'string')
}
