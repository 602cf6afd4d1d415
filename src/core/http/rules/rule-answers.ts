import { wrong, wrongValue } from '../../errors/check.ts'
import { toJson } from '../../json/json.ts'
import { headerOf, type HeaderList, isBytes, type MockBody } from '../contract/messages.ts'

/** What an answer may say besides its status and body. */
export interface ReplyOptions {
  /** Header lines, which win over the ones that are usual. */
  headers?: Readonly<Record<string, string>>
}

/** What an error may say besides its status. */
export interface FailOptions extends ReplyOptions {
  /** In place of the dialect's own: what `reply` takes. */
  body?: unknown
}

/** What a rule answers with, as data; status 0 drops the connection. */
export interface RuleAnswer {
  status: number
  headers: HeaderList
  /** Where it is left out, the dialect writes the error of that status. */
  body?: MockBody | (() => unknown)
}

/**
 * Makes what a rule answers with of a value of any kind; of none, where it is undefined.
 * @throws MockError when the status is none of 200 to 599, or a header or the body cannot be sent
 */
export function toRuleAnswer(
  status: number,
  value: unknown,
  { headers: lines = {} }: ReplyOptions = {},
): RuleAnswer {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw wrongValue('the status of a rule', status, 'one of 200 to 599')
  }
  const headers: HeaderList = Object.entries(lines)
  checkHeaders('a rule', headers)
  if (value === undefined) return { status, headers }
  if (status === 204 || status === 205 || status === 304) return { status, headers, body: null }
  const isWhole = isBody(value)
  const body = isWhole ? value : toText(value)
  if (typeof body === 'string' && headerOf(headers, 'Content-Type') === undefined) {
    const type = isWhole ? 'text/plain' : 'application/json'
    headers.push(['Content-Type', `${type}; charset=utf-8`])
  }
  return { status, headers, body }
}

/** @throws MockError when a value is no JSON */
function toText(value: unknown): string {
  try {
    return toJson(value)
  } catch {
    throw wrongValue('the body of a rule', value, 'JSON, a text, bytes or a stream')
  }
}

/** @throws MockError when one of these header lines cannot be sent */
export function checkHeaders(subject: string, headers: HeaderList): void {
  const unfit = headers.find(([name, value]) => !token.test(name) || !line.test(value))
  if (!unfit) return
  throw wrong(
    subject,
    `the header "${unfit[0]}" cannot be sent. Please give a name without spaces, and a value of one line in Latin-1.`,
  )
}

/** The name of a header (RFC 9110 §5.6.2). */
const token = /^[\w!#$%&'*+\-.^`|~]+$/

/** What may stand behind it (RFC 9110 §5.5). */
const line = /^[\t\x20-\x7E\x80-\xFF]*$/

/** Whether a value is a body as it is: a text, bytes, a stream, or what makes one for each request. */
function isBody(value: unknown): value is MockBody | (() => unknown) {
  if (typeof value === 'function') return true
  if (typeof value !== 'object' || value === null) return typeof value === 'string'
  // Not every browser can iterate over its streams.
  return isBytes(value) || Symbol.asyncIterator in value || 'getReader' in value
}
