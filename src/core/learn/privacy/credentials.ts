import { isRecord, type Json, tryJson } from '../../json/json.ts'
import { fromBase64 } from '../../text/base64.ts'
import { passwordCheck } from '../../text/stand-in.ts'
import { decode } from '../../url/pattern.ts'
import type { CredentialNote, Param, ParsedExchange, RecordedExchange } from '../parse-exchange.ts'
import { digestOf } from '../recorded/stored-answer.ts'
import type { PrivateNames } from './private-names.ts'

/** Returns the credentials in the headers, the URL and the bodies of an exchange. */
export function credentialsIn(
  exchange: RecordedExchange,
  parsed: ParsedExchange,
  names: PrivateNames,
): string[] {
  const { url, requestHeaders, requestBody = '', headers } = exchange
  const { segments, query, sent } = parsed
  const [, userInfo = ''] = /^\w+:\/\/([^/?#@]*)@/.exec(url) ?? []
  return [
    ...userInfo.split(':').slice(1).map(decode),
    ...[...requestHeaders, ...headers].flatMap(([name, value]) => ofHeader(name, value, names)),
    ...segments.filter((_, at) => names.isSecret(segments[at - 1] ?? '')),
    ...query.flatMap(([name, value]) => (names.isSecret(name) ? [value] : inTexts(value, names))),
    ...inTexts(sent, names),
    ...inParts(requestBody, names),
    ...inTexts(withoutMessages(parsed), names),
  ]
}

/** Returns the body of a response without the messages about fields that an error has, such as `errors: { password }`. */
export function withoutMessages({
  json,
  status,
}: Pick<ParsedExchange, 'json' | 'status'>): Json | undefined {
  if (status < 400 || !isRecord(json)) return json
  const data = Object.entries(json).filter(([key]) => !/^(?:errors?|violations)$/i.test(key))
  return Object.fromEntries(data)
}

/**
 * Whether a request has credentials: a header that is one, or a secret parameter. Cookies do not count, as no mock
 * of a recording sets the cookie of its login.
 */
export function hasCredentials(
  headers: readonly (readonly [name: string, value: unknown])[],
  query: readonly Param[],
  { isSecret }: Pick<PrivateNames, 'isSecret'>,
): boolean {
  return [...headers, ...query].some(([name]) => isSecret(name) && !/^cookie$/i.test(name))
}

/** Returns 12 bits of a hash of the passwords in a body; undefined without a password. */
export function checkOf(sent: Json | undefined): string | undefined {
  const passwords = passwordsIn(sent)
  if (passwords.length === 0) return undefined
  return passwordCheck(passwords)
}

/** Returns digests of the credentials that a request carries: tokens by their word, cookies, and secrets of its body. */
export function carriedBy(
  { requestHeaders }: RecordedExchange,
  { method, sent }: ParsedExchange,
  names: PrivateNames,
): CredentialNote[] {
  const inHeaders = requestHeaders.flatMap(([name, value]): CredentialNote[] => {
    if (/^cookie$/i.test(name)) return value.split(/;\s*/).flatMap(toCookieNote)
    const [, word = '', token] = /^(?:([\w.-]+)\s+)?(?:token=)?"?([^"\s]+)"?$/.exec(value) ?? []
    const isToken = /^authorization$/i.test(name) && token !== undefined
    return isToken ? [[word, toDigest(token)]] : []
  })
  const inBody = method === 'POST' ? inTexts(sent, names) : []
  return [...inHeaders, ...inBody.map((text) => ['body', toDigest(text)] as const)]
}

/** Returns digests of the texts of a response that later requests can carry: cookies, and of a POST those of its JSON. */
export function grantedBy(
  { headers }: RecordedExchange,
  { method, json }: ParsedExchange,
): CredentialNote[] {
  const cookies = headers.filter(([name]) => /^set-cookie$/i.test(name))
  return [
    ...cookies.flatMap(([, value]) => toCookieNote(value.replace(/;.*$/s, ''))),
    ...(method === 'POST' ? textsAt(json, []) : []),
  ]
}

/** A digest that names the stand-in of a credential too. */
function toDigest(text: string): string {
  return `${passwordCheck([text])} ${digestOf(text)}`
}

function toCookieNote(text: string): CredentialNote[] {
  const [, name = '', value = ''] = /^([^=]+)="?([^"]+)"?$/.exec(text) ?? []
  // A token against forged requests is no login.
  return value === '' || /[cx]srf/i.test(name) ? [] : [[`cookie ${name}`, toDigest(value)]]
}

function textsAt(value: Json | undefined, path: readonly string[]): CredentialNote[] {
  if (typeof value === 'string') {
    return value.length < 8 ? [] : [[JSON.stringify(path), toDigest(value)]]
  }
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, inner]) => textsAt(inner, [...path, key]))
}

/** Whether a field holds a password. */
export function isPasswordName(name: string): boolean {
  return /passw|passphrase|pwd|^pin$|otp/i.test(name)
}

function passwordsIn(value: Json | undefined): Json[] {
  if (Array.isArray(value)) return value.flatMap(passwordsIn)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([name, inner]) =>
    isPasswordName(name) && !isRecord(inner) ? [inner] : passwordsIn(inner),
  )
}

function ofHeader(name: string, value: string, names: PrivateNames): string[] {
  if (/^(?:proxy-)?authorization$/i.test(name)) {
    const text = value.replace(/^\S+\s+/, '')
    const [, password] = /^basic /i.test(value) ? (fromBase64(text)?.split(/:(.*)/s) ?? []) : []
    return password === undefined ? [text] : [text, password]
  }
  if (/^cookie$/i.test(name)) return value.split(/;\s*/).flatMap((one) => ofCookie(one, names))
  if (/^set-cookie$/i.test(name)) return ofCookie(value, names)
  if (names.isSecret(name)) return [value]
  // A redirect can have a token in its parameters or behind the hash sign.
  return Array.from(value.matchAll(/[?&#]([^=&#\s]+)=([^&#\s>]+)/g)).flatMap(
    ([, key = '', text = '']) => (names.isSecret(key) ? [text, decode(text)] : []),
  )
}

/** A cookie of a usual name, a cookie that scripts cannot read, or a random value is a credential. */
function ofCookie(text: string, { isSecret }: PrivateNames): string[] {
  const [, name = '', value = '', attributes = ''] = /^([^=;]*)="?([^;"]*)"?(.*)$/s.exec(text) ?? []
  const isRandom = /^(?=.*\d)(?=.*[A-Za-z])[\w%.~+/=-]{16,}$/.test(value)
  const isNamed = /sess|sid|auth|csrf|xsrf|login|remember/i.test(name) || isSecret(name)
  return isNamed || isRandom || /;\s*httponly/i.test(attributes) ? [value, decode(value)] : []
}

/** Returns the texts under secret names in JSON, also in JSON inside of a text. */
function inTexts(value: Json | undefined, names: PrivateNames): string[] {
  if (Array.isArray(value)) return value.flatMap((inner) => inTexts(inner, names))
  if (typeof value === 'string' && /^\s*[[{]/.test(value)) return inTexts(tryJson(value), names)
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    names.isSecret(key) ? textsIn(inner) : inTexts(inner, names),
  )
}

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(textsIn)
  return isRecord(value) ? Object.values(value).flatMap(textsIn) : []
}

/** Returns the secret fields of a form with parts (RFC 7578). */
function inParts(body: string, { isSecret }: PrivateNames): string[] {
  const parts = body.matchAll(/name="([^"]*)"[^\r\n]*\r?\n(?:[^\r\n]+\r?\n)*\r?\n([^\r\n]*)/g)
  return [...parts].flatMap(([, name = '', value = '']) => (isSecret(name) ? [value] : []))
}
