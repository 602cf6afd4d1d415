import type { Answer } from '../dialects/dialect.ts'
import { MockError } from '../errors.ts'
import type { Exchange } from './exchange.ts'
import {
  after,
  headerOf,
  type HeaderList,
  isBytes,
  type MaybePromise,
  type MockBody,
  type MockResponse,
} from './messages.ts'
import { later } from './parts.ts'

/** What an answer may say besides its status and body. */
export interface ReplyOptions {
  /** Header lines, which win over the ones that are usual. */
  headers?: Readonly<Record<string, string>>
}

/** What an error may say besides its status. */
export interface FailOptions extends ReplyOptions {
  /** In place of the dialect's own: JSON, or a text, bytes or a stream as they are. */
  body?: unknown
}

/**
 * Makes the answer with an error: the given body, or the one the dialect writes for that status.
 * @throws MockError when the status is none of 200 to 599
 */
export function toFailure(
  status: number,
  { body, headers }: FailOptions = {},
): (exchange: Exchange) => MaybePromise<MockResponse | Answer> {
  const reply = toReply(status, body, { ...(headers && { headers }) })
  if (body !== undefined) return reply
  return (exchange) => {
    const { dialect, gate } = exchange.service
    return after(gate.load(), () => {
      const detail = `${later.get().phraseOf(status)}, as the mock was told to answer.`
      const answer = dialect.renderError(new MockError(detail, { status, code: 'RULE' }), exchange)
      return { ...answer, headers: [...answer.headers, ...Object.entries(headers ?? {})] }
    })
  }
}

/**
 * Makes an answer with a body of any kind.
 * @throws MockError when the status is none of 200 to 599, or when a header cannot be sent
 */
export function toReply(
  status: number,
  value: unknown,
  { headers = {} }: ReplyOptions = {},
): () => MockResponse {
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    throw wrongRule(`${status} is no status of an answer. Please give one of 200 to 599`)
  }
  const given: HeaderList = Object.entries(headers)
  const wrong = given.find(([name, value]) => !token.test(name) || !line.test(value))
  if (wrong) {
    throw wrongRule(
      `the header "${wrong[0]}" cannot be sent. Please give a name without spaces, and a value of one line in Latin-1`,
    )
  }
  const isBodyless = value === undefined || status === 204 || status === 205 || status === 304
  const body = isBodyless ? null : isBody(value) ? value : JSON.stringify(value)
  const type = isBody(value) ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8'
  const isTyped = typeof body !== 'string' || headerOf(given, 'Content-Type') !== undefined
  return () => ({ status, headers: isTyped ? given : [...given, ['Content-Type', type]], body })
}

/** The error for a rule that cannot be. */
export function wrongRule(reason: string, rule = ''): MockError {
  return new MockError(`Failed to make a rule${rule}: ${reason}.`, {
    status: 400,
    code: 'RULE_INVALID',
  })
}

/** The name of a header (RFC 9110 §5.6.2). */
const token = /^[\w!#$%&'*+\-.^`|~]+$/

/** What may stand behind it (RFC 9110 §5.5). */
const line = /^[\t\x20-\x7E\x80-\xFF]*$/

/** Whether a value is a body as it is: a text, bytes or a stream. */
function isBody(value: unknown): value is MockBody {
  if (typeof value !== 'object' || value === null) return typeof value === 'string'
  // Not every browser can iterate over its streams.
  return isBytes(value) || Symbol.asyncIterator in value || 'getReader' in value
}
