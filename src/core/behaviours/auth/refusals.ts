import { MockError } from '../../errors/mock-error.ts'
import type { AuthScheme, AuthSettings } from './options.ts'

/** The errors of RFC 6750 §3.1. */
type BearerError = 'invalid_request' | 'invalid_token' | 'insufficient_scope'

/** The answers to those who may not. */
export interface Refusals {
  /** 401: who somebody is was not said so that it could be believed. */
  unauthorized(message: string, error?: BearerError): MockError
  /** 401: nobody has said who they are. */
  anonymous(): MockError
  /** 401: a login that names nobody, or with another's password. */
  wrongLogin(): MockError
  /** 400: credentials that cannot be read. */
  malformed(message: string): MockError
  /** 403: a user who may not, with the roles that might. */
  forbidden(message: string, roles?: readonly string[]): MockError
}

/** Creates the answers, each with what RFC 6750 §3 and RFC 9110 §11.6.1 want in `WWW-Authenticate`. */
export function createRefusals({ schemes, realm, cookie }: AuthSettings): Refusals {
  const challenges: Record<AuthScheme, string> = {
    bearer: `Bearer realm=${quote(realm)}`,
    basic: `Basic realm=${quote(realm)}, charset="UTF-8"`,
    apiKey: `ApiKey realm=${quote(realm)}`,
    cookie: `Cookie realm=${quote(realm)}, cookie-name=${quote(cookie)}`,
  }

  function challenge(parameters: readonly [name: string, value: string][]): string {
    const extra = parameters.map(([name, value]) => `, ${name}=${quote(value)}`).join('')
    return schemes.map((one) => challenges[one] + (one === 'bearer' ? extra : '')).join(', ')
  }

  function refuse(
    status: number,
    message: string,
    error: BearerError | undefined,
    scope?: string,
  ): MockError {
    const isBearer = schemes.includes('bearer')
    const parameters: [string, string][] = error
      ? [
          ['error', error],
          ['error_description', message],
          ...(scope ? [['scope', scope] satisfies [string, string]] : []),
        ]
      : []
    // Only a 401 has to name a scheme; what else it says is for bearers alone.
    const isSaid = status === 401 || isBearer
    return new MockError(message, {
      status,
      code: { 400: 'CREDENTIALS_MALFORMED', 401: 'UNAUTHORIZED' }[status] ?? 'FORBIDDEN',
      headers: isSaid ? [['WWW-Authenticate', challenge(parameters)]] : [],
      extensions: error && isBearer ? { error } : {},
    })
  }

  return {
    unauthorized: (message, error) => refuse(401, message, error),
    anonymous: () => refuse(401, 'Failed to let you in: please log in.', undefined),
    wrongLogin: () =>
      refuse(
        401,
        'Failed to log in: the name or the password is wrong. Please check both.',
        undefined,
      ),
    malformed: (message) => refuse(400, message, 'invalid_request'),
    forbidden: (message, roles = []) => refuse(403, message, 'insufficient_scope', roles.join(' ')),
  }
}

/** A quoted string with only the signs that RFC 6750 §3 lets stand in it. */
function quote(text: string): string {
  return `"${text.replaceAll('"', "'").replaceAll(/[^\x20-\x5B\x5D-\x7E]/g, '?')}"`
}
