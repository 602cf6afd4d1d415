import type { DescribedRoute } from '../../dialects/contract/description.ts'
import type { Answer } from '../../dialects/contract/dialect.ts'
import { toFieldErrors } from '../../errors/field-errors.ts'
import { MockError } from '../../errors/mock-error.ts'
import { asRecord, readBody, recordTypes } from '../../http/resource/body.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { viewOf } from '../../http/resource/record-view.ts'
import type { ExtraRoute } from '../../http/contract/hooks.ts'
import { answerMethods } from '../../http/routing/wrong-method.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { JsonSchema } from '../../types/json-schema.ts'
import type { Header } from '../../types/openapi.ts'
import type { Authenticate } from './logins.ts'
import type { AuthEndpoint, AuthSettings } from './options.ts'
import { type AuthParts, bearerToken } from './schemes.ts'
import { toCredential } from './users.ts'

/** Creates the function that answers `/login`, `/me` and the like; undefined for other paths. */
export function createEndpoints(
  parts: AuthParts,
  authenticate: Authenticate,
  onLogout: () => void,
): (exchange: Exchange) => MaybePromise<Answer | undefined> {
  const { settings, users, tokens, cookies, refusals } = parts
  const { password: field = 'password' } = settings
  const hasTokens = settings.schemes.includes('bearer')
  const hasCookies = settings.schemes.includes('cookie')
  const byPath = new Map(routesOf(settings).map((route) => [route.path, route]))

  function present(exchange: Exchange, user: JsonRecord): JsonRecord {
    return viewOf({ ...exchange, user }, settings.users).present(user)
  }

  function grant(exchange: Exchange, user: JsonRecord): MaybePromise<Answer> {
    const id = String(users.idOf(user))
    const headers: Answer['headers'] = hasCookies
      ? [['Set-Cookie', cookies.start(id, exchange)]]
      : []
    const value = { user: present(exchange, user) }
    if (!hasTokens) return { status: 200, headers, value }
    return andThen(tokens.issue(id, user), (tokens) => ({
      status: 200,
      headers,
      value: { ...tokens, ...value },
    }))
  }

  const endpoints: Record<AuthEndpoint, Endpoint> = {
    login: (exchange) =>
      andThen(readRecord(exchange), (body) => {
        const names = settings.by.map((field) => toCredential(body[field]))
        const name = names.find((value) => value !== undefined)
        const password = toCredential(body[field])
        const user = name === undefined ? undefined : users.byPassword(name, password, exchange)
        if (user) return grant(exchange, user)
        const [first = 'name'] = settings.by
        const missing = [
          ...(name === undefined ? [first] : []),
          ...(password === undefined ? [field] : []),
        ]
        if (missing.length > 0) throw missingFields(missing)
        throw refusals.wrongLogin()
      }),
    logout(exchange) {
      const headers: Answer['headers'] = hasCookies ? [['Set-Cookie', cookies.end(exchange)]] : []
      const done = (): Answer => {
        onLogout()
        return { status: 204, headers, value: undefined }
      }
      const token = hasTokens ? bearerToken(exchange, refusals) : undefined
      if (token === undefined) return done()
      return andThen(tokens.verify(token), (verdict) => {
        if (typeof verdict === 'object') tokens.end(verdict.session)
        return done()
      })
    },
    refresh(exchange) {
      const isToken = hasTokens && (!hasCookies || exchange.headers['content-type'] !== undefined)
      if (!isToken) {
        const session = cookies.read(exchange)
        const user = session && users.get(session.userId, exchange)
        const cookie = user ? cookies.renew(exchange) : undefined
        if (cookie === undefined) {
          throw refusals.anonymous(
            'Failed to renew the session: nobody is logged in. Please log in.',
          )
        }
        return { status: 204, headers: [['Set-Cookie', cookie]], value: undefined }
      }
      return andThen(readRecord(exchange), (body) => {
        const { refresh_token: token, refreshToken = token } = body
        if (typeof refreshToken !== 'string') throw missingFields(['refresh_token'])
        const redeemed = tokens.redeem(refreshToken)
        const isValid = typeof redeemed === 'object'
        const user = isValid ? users.get(redeemed.userId, exchange) : undefined
        if (!isValid || !user) {
          const message =
            'Failed to renew the token: the refresh token is invalid or expired. Please log in again.'
          throw refusals.wrongToken(message, redeemed === 'expired')
        }
        return andThen(tokens.renew(redeemed.session, redeemed.userId, user), (value) => ({
          status: 200,
          headers: [],
          value: { ...value, user: present(exchange, user) },
        }))
      })
    },
    me: (exchange) =>
      andThen(authenticate(exchange), (login) => {
        if (!login) throw refusals.anonymous()
        return { status: 200, headers: [], value: present(exchange, login.user) }
      }),
  }

  return (exchange) => {
    const { path, service } = exchange
    const route = byPath.get(path.slice(service.base.length).replace(/\/$/, ''))
    if (!route) return undefined
    const { endpoint, methods } = route
    return answerMethods(exchange, methods) ?? endpoints[endpoint](exchange)
  }
}

type Endpoint = (exchange: Exchange) => MaybePromise<Answer>

/** Returns the routes that the options enable; schemes without a login have `me` alone. */
export function routesOf({
  paths,
  schemes,
}: AuthSettings): (ExtraRoute & { endpoint: AuthEndpoint })[] {
  const hasLogin = schemes.includes('bearer') || schemes.includes('cookie')
  return (Object.keys(methods) as AuthEndpoint[]).flatMap((endpoint) => {
    const path = paths[endpoint]
    if (path === false || (!hasLogin && endpoint !== 'me')) return []
    return [{ endpoint, methods: methods[endpoint], path: `/${path.replaceAll(/^\/|\/$/g, '')}` }]
  })
}

const methods: Record<AuthEndpoint, readonly string[]> = {
  login: ['POST', 'OPTIONS'],
  logout: ['POST', 'OPTIONS'],
  refresh: ['POST', 'OPTIONS'],
  me: ['GET', 'HEAD', 'OPTIONS'],
}

function readRecord(exchange: Exchange): MaybePromise<JsonRecord> {
  const { request, service } = exchange
  return andThen(readBody(request, recordTypes, service.limits), (body) => {
    exchange.body = body
    return asRecord(body)
  })
}

function missingFields(names: readonly string[]): MockError {
  const messages = names.map((name) => `${name} is required`)
  return new MockError(`Failed to log in: ${messages.join(', ')}.`, {
    status: 422,
    code: 'LOGIN_INVALID',
    ...toFieldErrors(
      names.map((name) => ({ path: [name], message: 'is required', keyword: 'required' })),
    ),
  })
}

const text = { type: 'string' }

/** Describes the operations of the endpoints for the OpenAPI document; `user` is the schema of users. */
export function describeEndpoints(settings: AuthSettings, user: JsonSchema): DescribedRoute[] {
  const { schemes, by, password = 'password' } = settings
  const hasTokens = schemes.includes('bearer')
  const hasCookies = schemes.includes('cookie')
  const headers: Readonly<Record<string, Header>> = hasCookies
    ? { 'Set-Cookie': { description: 'The cookie of the session.', schema: text } }
    : {}
  const granted = {
    ...(hasTokens && {
      access_token: text,
      token_type: { type: 'string', enum: ['Bearer'] },
      expires_in: { type: 'integer', description: 'Seconds.' },
      refresh_token: text,
    }),
    user,
  }
  const login = { type: 'object', required: Object.keys(granted), properties: granted }
  const bodyOf = (names: readonly string[]): Record<string, JsonSchema> => {
    const properties = Object.fromEntries(names.map((name) => [name, text]))
    return Object.fromEntries(recordTypes.map((type) => [type, { type: 'object', properties }]))
  }
  const bodyErrors = {
    413: 'The body is too large.',
    415: 'The media type of the body is not supported.',
    422: 'A field is missing.',
  }
  const known: Record<AuthEndpoint, Omit<DescribedRoute, 'path'>> = {
    login: {
      method: 'POST',
      operationId: 'login',
      summary: 'Log in',
      body: bodyOf([...by, password]),
      responses: { 200: { description: 'The user is logged in.', schema: login, headers } },
      errors: { ...bodyErrors, 401: 'The name or the password is wrong.' },
    },
    logout: {
      method: 'POST',
      operationId: 'logout',
      summary: 'Log out',
      responses: { 204: { description: 'The user is logged out.', headers } },
    },
    refresh: {
      method: 'POST',
      operationId: 'refresh',
      summary: 'Renew the login',
      ...(hasTokens && { body: bodyOf(['refresh_token']), isBodyRequired: !hasCookies }),
      responses: {
        ...(hasTokens && { 200: { description: 'New tokens.', schema: login } }),
        ...(hasCookies && { 204: { description: 'The session is extended.', headers } }),
      },
      errors: { ...(hasTokens && bodyErrors), 401: 'The login has ended.' },
    },
    me: {
      method: 'GET',
      operationId: 'getMe',
      summary: 'Get the user who is logged in',
      responses: { 200: { description: 'The user.', schema: user } },
    },
  }
  return routesOf(settings).map(({ endpoint, path }) => ({ ...known[endpoint], path }))
}
