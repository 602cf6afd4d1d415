import { MockError } from '../../errors/mock-error.ts'
import type { AuthScheme, AuthSettings } from './options.ts'

/**
 * Creates the errors with which `auth` refuses requests: 400, 401 and 403, with the header `WWW-Authenticate`
 * as RFC 9110 §11.6.1 and RFC 6750 §3 define.
 */
export function createRefusals({ schemes, realm, cookie, key }: AuthSettings): Refusals {
  const challenges: Record<AuthScheme, string> = {
    bearer: `Bearer realm=${quote(realm)}`,
    basic: `Basic realm=${quote(realm)}, charset="UTF-8"`,
    // No RFC defines a scheme for API keys; the parameters say where the key belongs.
    apiKey: `ApiKey realm=${quote(realm)}, header=${quote(key.header)}, query=${quote(key.query)}`,
    cookie: `Cookie realm=${quote(realm)}, cookie-name=${quote(cookie)}`,
  }

  function challenge(parameters: readonly [name: string, value: string][]): string {
    const extra = parameters.map(([name, value]) => `, ${name}=${quote(value)}`).join('')
    return schemes
      .map((scheme) => challenges[scheme] + (scheme === 'bearer' ? extra : ''))
      .join(', ')
  }

  function refuse(status: number, message: string, error?: BearerError, scope?: string): MockError {
    const isBearer = schemes.includes('bearer')
    const parameters: [string, string][] = error
      ? [
          ['error', error],
          ['error_description', message],
          ...(scope ? [['scope', scope] satisfies [string, string]] : []),
        ]
      : []
    // Only a 401 must have `WWW-Authenticate`; RFC 6750 adds the header to 400 and 403.
    const hasChallenge = status === 401 || isBearer
    return new MockError(message, {
      status,
      code: { 400: 'CREDENTIALS_MALFORMED', 401: 'UNAUTHORIZED' }[status] ?? 'FORBIDDEN',
      headers: hasChallenge ? [['WWW-Authenticate', challenge(parameters)]] : [],
      extensions: error && isBearer ? { error } : {},
    })
  }

  return {
    unauthorized: (message, error) => refuse(401, message, error),
    anonymous: () =>
      refuse(401, 'Failed to authenticate: the request has no credentials. Please log in.'),
    wrongLogin: () =>
      refuse(401, 'Failed to log in: the name or the password is wrong. Please check both.'),
    malformed: (message) => refuse(400, message, 'invalid_request'),
    forbidden: (message, roles = []) => refuse(403, message, 'insufficient_scope', roles.join(' ')),
  }
}

/** Creates an error for each kind of failed authentication or authorization. */
export interface Refusals {
  /** 401: the credentials are invalid. */
  unauthorized(message: string, error?: BearerError): MockError
  /** 401: the request has no credentials. */
  anonymous(): MockError
  /** 401: a login with an unknown name or a wrong password. */
  wrongLogin(): MockError
  /** 400: malformed credentials. */
  malformed(message: string): MockError
  /** 403: the user lacks permission; `roles` are the roles that have it. */
  forbidden(message: string, roles?: readonly string[]): MockError
}

/** The error codes of RFC 6750 §3.1, which `WWW-Authenticate` sends as the parameter `error`. */
type BearerError = 'invalid_request' | 'invalid_token' | 'insufficient_scope'

/** Quotes a string, and replaces the characters that RFC 6750 §3 forbids inside. */
function quote(text: string): string {
  return `"${text.replaceAll('"', "'").replaceAll(/[^\x20-\x5B\x5D-\x7E]/g, '?')}"`
}
