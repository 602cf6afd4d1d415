import { ownValue } from '../json/json.ts'
import { redacted } from '../log/redact.ts'
import type { HarCookie } from './har.ts'

/** Converts a `Cookie` header to the cookies of a HAR, with redacted values. */
export function toRequestCookies(header = ''): HarCookie[] {
  return header
    .split(';')
    .map((pair) => pair.split('=', 1)[0]?.trim() ?? '')
    .filter((name) => name !== '')
    .map((name) => ({ name, value: redacted }))
}

/** Redacts the values in a `Cookie` header. */
export function redactCookies(header: string): string {
  return toRequestCookies(header)
    .map(({ name, value }) => `${name}=${value}`)
    .join('; ')
}

/** Redacts the value in a `Set-Cookie` header; an empty value, which deletes the cookie, stays. */
export function redactSetCookie(line: string): string {
  const [pair = ''] = line.split(';', 1)
  const start = pair.indexOf('=') + 1
  return pair.slice(start).trim() === ''
    ? line
    : pair.slice(0, start) + redacted + line.slice(pair.length)
}

/** Converts a `Set-Cookie` header to a redacted cookie of a HAR; `time` is that of the response. */
export function toResponseCookie(line: string, time: number): HarCookie {
  const [pair = '', ...rest] = redactSetCookie(line).split(';')
  const cookie: HarCookie = toPair(pair)
  for (const part of rest) {
    const { name, value } = toPair(part)
    Object.assign(cookie, ownValue(attributes, name.toLowerCase())?.(value, time))
  }
  return cookie
}

/** The attributes of `Set-Cookie` that a HAR has, by lower-case name (RFC 6265 §5.2). */
const attributes: Readonly<
  Record<string, (value: string, time: number) => Partial<HarCookie> | undefined>
> = {
  path: (path) => ({ path }),
  domain: (domain) => ({ domain }),
  httponly: () => ({ httpOnly: true }),
  secure: () => ({ secure: true }),
  samesite: (sameSite) => ({ sameSite }),
  expires: (value) => toExpiry(Date.parse(value)),
  'max-age': (value, time) => toExpiry(time + Number(value) * 1000),
}

function toPair(text: string): { name: string; value: string } {
  const equals = text.indexOf('=')
  return equals < 0
    ? { name: text.trim(), value: '' }
    : { name: text.slice(0, equals).trim(), value: text.slice(equals + 1).trim() }
}

/** Returns the expiry in ISO 8601; undefined for a time that a date cannot have. */
function toExpiry(time: number): Pick<HarCookie, 'expires'> | undefined {
  const date = new Date(time)
  return Number.isNaN(date.getTime()) ? undefined : { expires: date.toISOString() }
}
