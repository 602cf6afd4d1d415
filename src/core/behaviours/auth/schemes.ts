import { fromBase64 } from '../../text/base64.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import type { JsonRecord } from '../../json/json.ts'
import { takeParameter } from '../shared/take-parameter.ts'
import type { Cookies } from './cookies.ts'
import { type AuthScheme, type AuthSettings, isBearerToken } from './options.ts'
import type { Refusals } from './refusals.ts'
import type { Tokens } from './tokens.ts'
import type { Users } from './users.ts'

/**
 * Creates the function that finds the user of a request by the credentials of the request, with the schemes
 * that the option `scheme` of `auth` names, in their order.
 */
export function createAuthenticate(parts: AuthParts): Authenticate {
  const { settings, users, tokens, cookies, refusals } = parts
  const { key } = settings

  const toLogin = (user: JsonRecord | undefined, due = Infinity): Login | undefined =>
    user && { user, id: users.idOf(user), due }

  const schemes: Record<AuthScheme, Authenticate> = {
    bearer(exchange) {
      const token = bearerToken(exchange, refusals)
      if (token === undefined) return undefined
      return andThen(tokens.verify(token), (verdict) => {
        const isValid = typeof verdict === 'object'
        const user = isValid ? users.get(verdict.userId, exchange) : undefined
        if (isValid && user) return toLogin(user, verdict.due)
        const reason = verdict === 'expired' ? 'has expired' : 'is invalid'
        throw refusals.unauthorized(
          `Failed to log in: the token ${reason}. Please log in again.`,
          'invalid_token',
        )
      })
    },
    basic(exchange) {
      const sent = /^basic\s+(\S+)$/i.exec(exchange.headers['authorization'] ?? '')?.[1]
      if (sent === undefined) return undefined
      const text = fromBase64(sent) ?? ''
      const at = text.indexOf(':')
      const user = users.byPassword(text.slice(0, Math.max(0, at)), text.slice(at + 1), exchange)
      if (user) return toLogin(user)
      throw refusals.wrongLogin()
    },
    apiKey(exchange) {
      const inQuery = takeParameter(exchange, key.query)
      const sent = exchange.headers[key.header.toLowerCase()] ?? inQuery
      if (sent === undefined) return undefined
      const user = users.byKey(sent, exchange)
      if (user) return toLogin(user)
      throw refusals.unauthorized(
        `Failed to log in: the API key is invalid. Please send the "${key.field}" of a user.`,
      )
    },
    cookie(exchange) {
      // A page cannot stop sending an expired cookie, so an expired cookie is ignored.
      const session = cookies.read(exchange)
      return session && toLogin(users.get(session.userId, exchange), session.due)
    },
  }

  function authenticateFrom(exchange: Exchange, at: number): MaybePromise<Login | undefined> {
    const name = settings.schemes[at]
    if (name === undefined) return undefined
    return andThen(schemes[name](exchange), (login) => login ?? authenticateFrom(exchange, at + 1))
  }

  return (exchange) => authenticateFrom(exchange, 0)
}

/**
 * Returns the user whose credentials a request has; undefined for a request without credentials, or with only
 * an invalid cookie. Throws MockError 401 for invalid and 400 for malformed credentials.
 */
export type Authenticate = (exchange: Exchange) => MaybePromise<Login | undefined>

/** A user whom the credentials of a request identify. */
export interface Login {
  user: JsonRecord
  id: string | number
  /** The expiry of the credentials, in milliseconds since 1970; Infinity if they do not expire. */
  due: number
}

/** The parts of a mock's `auth`, which its checks of requests and its endpoints share. */
export interface AuthParts {
  settings: AuthSettings
  users: Users
  tokens: Tokens
  cookies: Cookies
  refusals: Refusals
}

/**
 * Returns the bearer token of a request: from the header, or from the query for an `EventSource`
 * (RFC 6750 §2).
 * @throws MockError 400 for two tokens or a malformed token
 */
export function bearerToken(exchange: Exchange, refusals: Refusals): string | undefined {
  const header = /^bearer(?:\s+(.*))?$/i.exec(exchange.headers['authorization'] ?? '')
  const inQuery = takeParameter(exchange, 'access_token')
  if (!header && inQuery === undefined) return undefined
  if (header && inQuery !== undefined) {
    throw refusals.malformed(
      'Failed to log in: the header and the query both have a token. Please send one token.',
    )
  }
  const token = header ? (header[1] ?? '') : (inQuery ?? '')
  if (isBearerToken(token)) return token
  throw refusals.malformed(
    'Failed to log in: the token is malformed. Please send the access token of a login.',
  )
}
