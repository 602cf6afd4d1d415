import { define, isRecord, type Json } from '../../json/json.ts'
import { createRedactor } from '../../log/redact.ts'
import type { Param, ParsedExchange, RecordedFile } from '../parse-exchange.ts'
import { createPrivateNames, type PrivateNames } from './private-names.ts'
import { substitute, substituteEmails, substituteText } from './substitute.ts'

/** Replaces private values, so that none gets into files; `redact` names further fields. */
export function createPrivacy(redact: readonly string[] = []): Privacy {
  const names = createPrivateNames(redact)
  const { redactUrl } = createRedactor()
  const hideEmails = (text: string): string =>
    text.includes('@') && !names.keepsPersonal ? substituteEmails(text) : text

  /** Replaces the values of private fields, emails, and the texts that are private in another place. */
  function protectAll(value: Json, privateTexts: ReadonlySet<string>): Json {
    if (typeof value === 'string') return protectText(value, privateTexts)
    if (Array.isArray(value)) return value.map((inner) => protectAll(inner, privateTexts))
    if (!isRecord(value)) return value
    const keys = Object.keys(value)
    const copy: Record<string, Json> = {}
    for (const [key, inner] of Object.entries(value)) {
      const isHidden = isReplaceable(key, inner, names) && names.isPrivate(key, keys)
      define(copy, hideEmails(key), isHidden ? substitute(inner) : protectAll(inner, privateTexts))
    }
    return copy
  }

  function protectText(text: string, privateTexts: ReadonlySet<string>): string {
    if (privateTexts.has(text) || credential.test(text)) return substituteText(text)
    return hideEmails(text.includes('?') ? redactUrl(text) : text)
  }

  function protectQuery(query: readonly Param[], privateTexts: ReadonlySet<string>): Param[] {
    return query.flatMap(([name, value]): Param[] => {
      if (names.isSecret(name)) return []
      const isHidden = names.isPrivate(name, [])
      return [[name, isHidden ? substituteText(value) : protectText(value, privateTexts)]]
    })
  }

  /** Removes credentials from the body of a request, so that a client with other credentials gets the same answer. */
  function protectSent(
    sent: Json | undefined,
    privateTexts: ReadonlySet<string>,
  ): Json | undefined {
    if (!isRecord(sent)) return sent === undefined ? undefined : protectAll(sent, privateTexts)
    const open = Object.entries(sent).filter(([name]) => !names.isSecret(name))
    return protectAll(Object.fromEntries(open), privateTexts)
  }

  function protectParts<Parts extends RequestParts>(
    parts: Parts,
    privateTexts: ReadonlySet<string>,
  ): Parts {
    const segments = parts.segments.map((segment) => protectText(segment, privateTexts))
    const isSame = segments.every((segment, at) => segment === parts.segments[at])
    return {
      ...parts,
      segments,
      path: isSame ? parts.path : `/${segments.map(encodeURIComponent).join('/')}`,
      query: protectQuery(parts.query, privateTexts),
      sent: protectSent(parts.sent, privateTexts),
    }
  }

  function protectFile(file: RecordedFile | undefined): RecordedFile | undefined {
    return file && 'text' in file ? { text: hideEmails(file.text) } : file
  }

  return {
    protect(exchanges) {
      const privateTexts = new Set<string>()
      for (const { json, sent } of exchanges) {
        collectPrivate(json, names, privateTexts)
        collectPrivate(sent, names, privateTexts)
      }
      return exchanges.map((exchange) => ({
        ...protectParts(exchange, privateTexts),
        json: exchange.json === undefined ? undefined : protectAll(exchange.json, privateTexts),
        file: protectFile(exchange.file),
        headers: exchange.headers.map(([name, value]): [string, string] => [
          name,
          protectText(value, privateTexts),
        ]),
      }))
    },
    protectRequest: (parts) => protectParts(parts, new Set()),
  }
}

/** Replaces credentials and personal data by substitutes. */
export interface Privacy {
  /** A text that is private in one place is replaced everywhere, so that relations hold. */
  protect(exchanges: readonly ParsedExchange[]): ParsedExchange[]
  /** Replaces the private values of a request as `protect` does, to compare it with a recorded request. */
  protectRequest<Parts extends RequestParts>(parts: Parts): Parts
}

/** The parts of a request that identify a recorded answer. */
export type RequestParts = Pick<ParsedExchange, 'path' | 'segments' | 'query' | 'sent'>

/** Credentials by their form: JSON Web Tokens, keys of well-known services, and private keys. */
const credential =
  /^(?:Bearer )?eyJ[\w-]+\.eyJ[\w-]+\.|^(?:sk|pk|rk)_(?:live|test)_|^gh[opsu]_\w{20}|^github_pat_|^xox[abp]-|^AKIA[\dA-Z]{12}|-----BEGIN [A-Z ]*PRIVATE KEY/

function collectPrivate(
  value: Json | undefined,
  names: PrivateNames,
  privateTexts: Set<string>,
): void {
  if (Array.isArray(value)) for (const inner of value) collectPrivate(inner, names, privateTexts)
  else if (isRecord(value)) {
    const keys = Object.keys(value)
    for (const [key, inner] of Object.entries(value)) {
      const isHidden = isReplaceable(key, inner, names) && names.isPrivate(key, keys)
      if (!isHidden) collectPrivate(inner, names, privateTexts)
      else for (const text of [inner].flat()) if (isIdentifying(text)) privateTexts.add(text)
    }
  }
}

function isIdentifying(text: unknown): text is string {
  return typeof text === 'string' && text.length >= 5 && /[@\s\d]/.test(text)
}

/** Whether the value of a private field is replaced as a whole; the fields of an object are checked one by one. */
function isReplaceable(key: string, value: Json, { isSecret }: PrivateNames): boolean {
  if (typeof value === 'string') return true
  // A number under a secret name, such as a token count, is no credential, and may be the id of a record.
  if (typeof value === 'number') return !isSecret(key) || /pin|otp|code/i.test(key)
  return Array.isArray(value) && value.every((inner) => typeof inner === 'string')
}
