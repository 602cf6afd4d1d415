import { isHeaderValue, isToken, wrong, wrongValue } from '../../errors/check.ts'
import { toJson } from '../../json/json.ts'
import {
  headerOf,
  type HeaderList,
  isBodiless,
  isBytes,
  type MockBody,
} from '../contract/messages.ts'

/**
 * Creates the response of a rule of `mock.on` from a status and a body of any kind; undefined leaves the body
 * out.
 * @throws MockError when the status is not between 200 and 599, or a header or the body cannot be sent
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
  if (isBodiless(status)) return { status, headers, body: null }
  const isWhole = isBody(value)
  const body = isWhole ? value : toText(value)
  if (typeof body === 'string' && headerOf(headers, 'Content-Type') === undefined) {
    const type = isWhole ? 'text/plain' : 'application/json'
    headers.push(['Content-Type', `${type}; charset=utf-8`])
  }
  return { status, headers, body }
}

/** The response of a rule as data; status 0 drops the connection. */
export interface RuleAnswer {
  status: number
  headers: HeaderList
  /** Without a body, the dialect writes the error of the status. */
  body?: MockBody | (() => unknown)
}

/** The options of `reply` and `fail` of a rule. */
export interface ReplyOptions {
  /** Headers, which replace default headers of the same name. */
  headers?: Readonly<Record<string, string>>
}

/** The options of `fail` of a rule. */
export interface FailOptions extends ReplyOptions {
  /** A body in place of the dialect's error, of any kind that `reply` accepts. */
  body?: unknown
}

/** @throws MockError when the value cannot be written as JSON */
function toText(value: unknown): string {
  try {
    return toJson(value)
  } catch {
    throw wrongValue('the body of a rule', value, 'JSON, a text, bytes or a stream')
  }
}

/** @throws MockError that names the first header that HTTP cannot carry; `subject` names the option */
export function checkHeaders(subject: string, headers: HeaderList): void {
  const unfit = headers.find(([name, value]) => !isToken(name) || !isHeaderValue(value))
  if (!unfit) return
  throw wrong(
    subject,
    `the header "${unfit[0]}" cannot be sent. Please give a name without spaces, and a value of one line in Latin-1.`,
  )
}

/** Whether a value is sent as it is: a string, bytes, a stream, or a function that makes a body for each request. */
function isBody(value: unknown): value is MockBody | (() => unknown) {
  if (typeof value === 'function') return true
  if (typeof value !== 'object' || value === null) return typeof value === 'string'
  // Some browsers have no async iterator on ReadableStream.
  return isBytes(value) || Symbol.asyncIterator in value || 'getReader' in value
}
