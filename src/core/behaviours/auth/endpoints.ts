import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import { asRecord, readBody, recordTypes } from '../../http/resource/body.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import { after, type MaybePromise } from '../../http/contract/messages.ts'
import { viewOf } from '../../http/resource/record-view.ts'
import type { ExtraRoute } from '../../http/routing/routes.ts'
import { answerMethods } from '../../http/routing/wrong-method.ts'
import type { JsonRecord } from '../../json/json.ts'
import type { AuthPlace, AuthSettings } from './options.ts'
import { type Authenticate, type AuthParts, bearerToken } from './schemes.ts'
import { toCredential } from './users.ts'

type Place = (exchange: Exchange) => MaybePromise<Answer>

const methods: Record<AuthPlace, readonly string[]> = {
  login: ['POST', 'OPTIONS'],
  logout: ['POST', 'OPTIONS'],
  refresh: ['POST', 'OPTIONS'],
  me: ['GET', 'HEAD', 'OPTIONS'],
}

/** The places at which clients log in and so on, where their scheme has need of them. */
export function routesOf({ paths, schemes }: AuthSettings): (ExtraRoute & { place: AuthPlace })[] {
  const hasLogin = schemes.includes('bearer') || schemes.includes('cookie')
  return (Object.keys(methods) as AuthPlace[]).flatMap((place) => {
    const path = paths[place]
    if (path === false || (!hasLogin && place !== 'me')) return []
    return [{ place, methods: methods[place], path: `/${path.replaceAll(/^\/|\/$/g, '')}` }]
  })
}

/** Creates what answers at those places; nothing for any other path. */
export function createPlaces(
  parts: AuthParts,
  authenticate: Authenticate,
): (exchange: Exchange) => MaybePromise<Answer | undefined> {
  const { settings, users, tokens, cookies, refusals } = parts
  const { password: field = 'password' } = settings
  const hasTokens = settings.schemes.includes('bearer')
  const hasCookies = settings.schemes.includes('cookie')
  const byPath = new Map(routesOf(settings).map((route) => [route.path, route]))

  function show(exchange: Exchange, user: JsonRecord): JsonRecord {
    return viewOf({ ...exchange, user }, settings.users).present(user)
  }

  function grant(exchange: Exchange, user: JsonRecord): MaybePromise<Answer> {
    const id = String(users.idOf(user))
    const headers: Answer['headers'] = hasCookies
      ? [['Set-Cookie', cookies.start(id, exchange)]]
      : []
    const value = { user: show(exchange, user) }
    if (!hasTokens) return { status: 200, headers, value }
    return after(tokens.issue(id, user), (tokens) => ({
      status: 200,
      headers,
      value: { ...tokens, ...value },
    }))
  }

  const places: Record<AuthPlace, Place> = {
    login: (exchange) =>
      after(readRecord(exchange), (body) => {
        const names = settings.by.map((one) => toCredential(body[one]))
        const name = names.find((one) => one !== undefined)
        const password = toCredential(body[field])
        const user = name === undefined ? undefined : users.byPassword(name, password, exchange)
        if (user) return grant(exchange, user)
        const [first = 'name'] = settings.by
        const lacking = [
          ...(name === undefined ? [first] : []),
          ...(password === undefined ? [field] : []),
        ]
        if (lacking.length > 0) throw missing(lacking)
        throw refusals.wrongLogin()
      }),
    logout(exchange) {
      const headers: Answer['headers'] = hasCookies ? [['Set-Cookie', cookies.end(exchange)]] : []
      const done: Answer = { status: 204, headers, value: undefined }
      const token = hasTokens ? bearerToken(exchange, refusals) : undefined
      if (token === undefined) return done
      return after(tokens.verify(token), (verdict) => {
        if (typeof verdict === 'object') tokens.end(verdict.session)
        return done
      })
    },
    refresh(exchange) {
      const isToken = hasTokens && (!hasCookies || exchange.headers['content-type'] !== undefined)
      if (!isToken) {
        const userId = cookies.read(exchange)
        const isThere = userId !== undefined && users.get(userId, exchange)
        const cookie = isThere ? cookies.renew(exchange) : undefined
        if (cookie === undefined)
          throw refusals.unauthorized('Failed to go on: nobody is logged in. Please log in.')
        return { status: 204, headers: [['Set-Cookie', cookie]], value: undefined }
      }
      return after(readRecord(exchange), (body) => {
        const { refresh_token: token, refreshToken = token } = body
        if (typeof refreshToken !== 'string') {
          throw missing(['refresh_token'])
        }
        const held = tokens.redeem(refreshToken)
        const user = held && users.get(held.userId, exchange)
        if (!held || !user) {
          const message =
            'Failed to go on: the refresh token is not good any more. Please log in again.'
          throw refusals.unauthorized(message, 'invalid_token')
        }
        return after(tokens.renew(held.session, held.userId, user), (value) => ({
          status: 200,
          headers: [],
          value: { ...value, user: show(exchange, user) },
        }))
      })
    },
    me: (exchange) =>
      after(authenticate(exchange), (user) => {
        if (!user) throw refusals.anonymous()
        return { status: 200, headers: [], value: show(exchange, user) }
      }),
  }

  return (exchange) => {
    const { path, service } = exchange
    const route = byPath.get(path.slice(service.base.length).replace(/\/$/, ''))
    if (!route) return undefined
    const { place, methods } = route
    return answerMethods(exchange, methods) ?? places[place](exchange)
  }
}

function readRecord(exchange: Exchange): MaybePromise<JsonRecord> {
  const { request, service } = exchange
  return after(readBody(request, recordTypes, service.limits), (body) => {
    exchange.sent = body
    return asRecord(body)
  })
}

function missing(names: readonly string[]): MockError {
  const words = names.map((name) => `${name} is required`)
  return new MockError(`Failed to log in: ${words.join(', ')}.`, {
    status: 422,
    code: 'LOGIN_INVALID',
    errors: Object.fromEntries(names.map((name) => [name, ['is required']])),
  })
}
