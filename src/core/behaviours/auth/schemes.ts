import { MockError } from '../../errors/mock-error.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { type JsonRecord, ownValue } from '../../json/json.ts'
import { fromBase64, toBase64Url } from '../../text/base64.ts'
import type { SecurityScheme } from '../../types/openapi.ts'
import { takeParameter } from '../shared/take-parameter.ts'
import type { Cookies } from './cookies.ts'
import type { Authenticate, Login } from './logins.ts'
import { type AuthScheme, type AuthSettings, isBearerToken } from './options.ts'
import type { Tokens } from './tokens.ts'
import { toCredential, type Users } from './users.ts'

interface Scheme {
  /** The headers that can hold the credentials. */
  headers(settings: AuthSettings): string[]
  /** Returns the user whose credentials a request has. @throws MockError for invalid credentials */
  authenticate(exchange: Exchange, parts: AuthParts): ReturnType<Authenticate>
  /** Returns the challenge; `parameters` tell why a bearer token is refused. */
  challenge(settings: AuthSettings, parameters: string): string
  /** Returns the security schemes of the OpenAPI document, by name. */
  describe(settings: AuthSettings): Readonly<Record<string, SecurityScheme>>
}

const schemes: Readonly<Record<AuthScheme, Scheme>> = {
  bearer: {
    headers: () => ['Authorization'],
    authenticate(exchange, parts) {
      const { tokens, users, refusals } = parts
      const token = bearerToken(exchange, parts)
      if (token === undefined) return undefined
      return andThen(tokens.verify(token), (verdict) => {
        const isValid = typeof verdict === 'object'
        const user = isValid ? users.get(verdict.userId, exchange) : undefined
        if (isValid && user) return { ...toLogin(users, user, verdict.due), token }
        const isExpired = verdict === 'expired'
        const reason = isExpired ? 'has expired' : 'is invalid'
        throw refusals.wrongToken(
          `Failed to log in: the token ${reason}. Please log in again.`,
          isExpired,
        )
      })
    },
    challenge: ({ realm, word }, parameters) =>
      [...(word ? [word] : []), 'Bearer']
        .map((one) => `${one} realm=${quote(realm)}${parameters}`)
        .join(', '),
    describe({ tokens, word }) {
      const format = tokens === 'jwt' ? { bearerFormat: 'JWT' } : {}
      return {
        ...(word && { [word]: inAuthorization(word, 'the token') }),
        bearer: { type: 'http', scheme: 'bearer', ...format },
      }
    },
  },
  basic: {
    headers: () => ['Authorization'],
    authenticate(exchange, { users, refusals }) {
      const sent = /^basic\s+(\S+)$/i.exec(exchange.headers['authorization'] ?? '')?.[1]
      if (sent === undefined) return undefined
      const text = fromBase64(sent) ?? ''
      const colon = text.indexOf(':')
      const name = text.slice(0, Math.max(0, colon))
      const user = users.byPassword(name, text.slice(colon + 1), exchange)
      if (user) return toLogin(users, user)
      throw refusals.wrongLogin()
    },
    challenge: ({ realm }) => `Basic realm=${quote(realm)}, charset="UTF-8"`,
    describe: () => ({ basic: { type: 'http', scheme: 'basic' } }),
  },
  apiKey: {
    headers: ({ key }) => ['Authorization', key.header],
    authenticate(exchange, { settings: { key }, users, refusals }) {
      const inQuery = takeParameter(exchange, key.query)
      const inScheme = /^apikey(?:\s+(.*))?$/i.exec(exchange.headers['authorization'] ?? '')
      const inHeader = inScheme ? (inScheme[1] ?? '') : exchange.headers[key.header.toLowerCase()]
      const sent = inHeader ?? inQuery
      if (sent === undefined) return undefined
      const user = users.byKey(sent, exchange)
      if (user) return toLogin(users, user)
      throw refusals.wrongKey()
    },
    // No RFC defines a scheme for API keys; the parameters say where else the key may be.
    challenge: ({ realm, key }) =>
      `ApiKey realm=${quote(realm)}, header=${quote(key.header)}, query=${quote(key.query)}`,
    describe: ({ key }) => ({
      apiKey: { type: 'apiKey', in: 'header', name: key.header },
      apiKeyInQuery: { type: 'apiKey', in: 'query', name: key.query },
      apiKeyInAuthorization: inAuthorization('ApiKey', 'the key'),
    }),
  },
  cookie: {
    headers: () => ['Cookie'],
    authenticate(exchange, { cookies, users }) {
      // A page cannot stop sending an expired cookie, so an expired cookie is ignored.
      const session = cookies.read(exchange)
      const user = session && users.get(session.userId, exchange)
      return user && toLogin(users, user, session.due)
    },
    challenge: ({ realm, cookie }) => `Cookie realm=${quote(realm)}, cookie-name=${quote(cookie)}`,
    describe: ({ cookie }) => ({ cookie: { type: 'apiKey', in: 'cookie', name: cookie } }),
  },
}

/** Creates the function that finds the user of a request, by the schemes in their order. */
export function createAuthenticate(parts: AuthParts): Authenticate {
  function authenticateFrom(
    exchange: Exchange,
    [name, ...others]: readonly AuthScheme[],
  ): MaybePromise<Login | undefined> {
    if (name === undefined) return undefined
    return andThen(
      schemes[name].authenticate(exchange, parts),
      (login) => login ?? authenticateFrom(exchange, others),
    )
  }

  return (exchange) => authenticateFrom(exchange, parts.settings.schemes)
}

/** Returns the header that makes a request one of a user, by the first scheme; null if only a cookie does. */
export function credentialsOf(
  user: JsonRecord,
  { settings: { schemes, by, password = '', key }, tokens, users }: AuthParts,
): MaybePromise<[name: string, value: string] | null> {
  const textOf = (field: string): string => toCredential(ownValue(user, field)) ?? ''
  const scheme = schemes.find((one) => one !== 'cookie')
  if (scheme === undefined) return null
  if (scheme === 'apiKey') return [key.header, textOf(key.field)]
  if (scheme === 'basic') {
    const name = by.map(textOf).find((one) => one !== '') ?? ''
    return ['Authorization', `Basic ${toBase64Url(`${name}:${textOf(password)}`)}`]
  }
  return andThen(tokens.issue(String(users.idOf(user)), user), ({ token_type, access_token }) => [
    'Authorization',
    `${token_type} ${access_token}`,
  ])
}

/** The parts of a mock's `auth`, which its schemes and its endpoints share. */
export interface AuthParts {
  settings: AuthSettings
  users: Users
  tokens: Tokens
  cookies: Cookies
  refusals: Refusals
}

/** Returns the headers that can hold the credentials of a request. */
export function credentialHeaders(settings: AuthSettings): string[] {
  return [...new Set(settings.schemes.flatMap((name) => schemes[name].headers(settings)))]
}

/** Describes the accepted schemes for the OpenAPI document. */
export function describeSchemes(settings: AuthSettings): Record<string, SecurityScheme> {
  return Object.assign({}, ...settings.schemes.map((name) => schemes[name].describe(settings)))
}

/** Reads the header, or the query for an `EventSource` (RFC 6750 §2). @throws MockError 400 if malformed */
export function bearerToken(
  exchange: Exchange,
  { refusals, settings: { word = 'Bearer' } }: Pick<AuthParts, 'refusals' | 'settings'>,
): string | undefined {
  const given = exchange.headers['authorization'] ?? ''
  // With an empty word, the header is the token alone.
  const sent = /^([\w.-]+)(?:\s+(.*))?$/.exec(
    word === '' && isBearerToken(given) ? `Bearer ${given}` : given,
  )
  const isBearer = ['bearer', word.toLowerCase()].includes(sent?.[1]?.toLowerCase() ?? '')
  const header = isBearer ? sent : undefined
  const inQuery = takeParameter(exchange, 'access_token')
  if (!header && inQuery === undefined) return undefined
  if (header && inQuery !== undefined) {
    throw refusals.malformed(
      'Failed to log in: the header and the query both have a token. Please send one token.',
    )
  }
  // Rails sends the token as a parameter: `Token token="abc"`.
  const token = header ? (header[2] ?? '').replace(/^token="?(.*?)"?$/, '$1') : (inQuery ?? '')
  if (isBearerToken(token)) return token
  throw refusals.malformed(
    'Failed to log in: the token is malformed. Please send the access token of a login.',
  )
}

/** Creates the errors with which `auth` refuses requests (RFC 9110 §11.6.1, RFC 6750 §3). */
export function createRefusals(settings: AuthSettings): Refusals {
  const isBearer = settings.schemes.includes('bearer')

  function refuse(
    status: number,
    code: string,
    message: string,
    error?: BearerError,
    scope = '',
  ): MockError {
    const parameters = Object.entries({ error, error_description: error && message, scope })
      .map(([name, value = '']) => (value === '' ? '' : `, ${name}=${quote(value)}`))
      .join('')
    const challenges = settings.schemes.map((name) => schemes[name].challenge(settings, parameters))
    // Only a 401 must have `WWW-Authenticate`; RFC 6750 adds the header to 400 and 403.
    const hasChallenge = status === 401 || isBearer
    return new MockError(message, {
      status,
      code,
      headers: hasChallenge ? [['WWW-Authenticate', challenges.join(', ')]] : [],
      extensions: error && isBearer ? { error } : {},
    })
  }

  return {
    anonymous: (
      message = 'Failed to authenticate: the request has no credentials. Please log in.',
    ) => refuse(401, 'UNAUTHORIZED', message),
    wrongToken: (message, isExpired = false) =>
      refuse(401, isExpired ? 'TOKEN_EXPIRED' : 'TOKEN_INVALID', message, 'invalid_token'),
    wrongKey() {
      const message = `Failed to log in: the API key is invalid. Please send the "${settings.key.field}" of a user.`
      return refuse(401, 'KEY_INVALID', message)
    },
    wrongLogin() {
      const message = 'Failed to log in: the name or the password is wrong. Please check both.'
      return refuse(401, 'LOGIN_FAILED', message)
    },
    malformed: (message) => refuse(400, 'CREDENTIALS_MALFORMED', message, 'invalid_request'),
    forbidden: (message, roles = []) =>
      refuse(403, 'FORBIDDEN', message, 'insufficient_scope', roles.join(' ')),
  }
}

/** Creates an error for each kind of failed authentication or authorization. */
export interface Refusals {
  /** 401: the request has no credentials. */
  anonymous(message?: string): MockError
  /** 401: the token is invalid, or has expired. */
  wrongToken(message: string, isExpired?: boolean): MockError
  /** 401: the API key is invalid. */
  wrongKey(): MockError
  /** 401: a login with an unknown name or a wrong password. */
  wrongLogin(): MockError
  /** 400: malformed credentials. */
  malformed(message: string): MockError
  /** 403: the user lacks permission; `roles` are the roles that have it. */
  forbidden(message: string, roles?: readonly string[]): MockError
}

/** The error codes of RFC 6750 §3.1, which `WWW-Authenticate` sends as the parameter `error`. */
type BearerError = 'invalid_request' | 'invalid_token' | 'insufficient_scope'

function toLogin(users: Users, user: JsonRecord, due = Infinity): Login {
  return { user, id: users.idOf(user), due }
}

/** Quotes a string, and replaces the characters that RFC 6750 §3 forbids inside. */
function quote(text: string): string {
  return `"${text.replaceAll('"', "'").replaceAll(/[^\x20-\x5B\x5D-\x7E]/g, '?')}"`
}

/** A scheme with a word that is not registered, which tools refuse as a scheme of HTTP: a key in the header. */
function inAuthorization(word: string, subject: string): SecurityScheme {
  const description = `The word \`${word}\`, a space and ${subject}.`
  return { type: 'apiKey', in: 'header', name: 'Authorization', description }
}
