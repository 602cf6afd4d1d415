import type { Answer } from '../../dialects/contract/dialect.ts'
import { toFieldErrors } from '../../errors/field-errors.ts'
import { MockError } from '../../errors/mock-error.ts'
import { asRecord, readRecord, recordTypes } from '../../http/resource/body.ts'
import { checkPreconditions } from '../../http/pipeline/actions.ts'
import { checkAccept } from '../../http/response/accept.ts'
import { commit } from '../../http/resource/commit.ts'
import { checkHasPlace, patch, read, replace } from '../../http/resource/member.ts'
import {
  createRequestState,
  type Exchange,
  type LoginTokens,
  onLeave,
  type Write,
} from '../../http/contract/exchange.ts'
import { andThen, isSafe, type MaybePromise } from '../../http/contract/messages.ts'
import { viewOf } from '../../http/resource/record-view.ts'
import type { ExtraRoute } from '../../http/contract/hooks.ts'
import { answerMethods } from '../../http/routing/wrong-method.ts'
import { isRecord, type JsonRecord } from '../../json/json.ts'
import { fill, toLookup } from '../../text/template.ts'
import { loginVariables } from './answers.ts'
import type { Login } from './logins.ts'
import type { AnsweredEndpoint, AuthEndpoint, AuthSettings } from './options.ts'
import { type AuthParts, bearerToken } from './schemes.ts'
import type { Verdict } from './tokens.ts'
import { toCredential } from './users.ts'

/** Creates the endpoints of `auth`, such as `/login` and `/me`. */
export function createEndpoints(parts: AuthParts, onLogout: () => void): Endpoints {
  const { settings, users, tokens, cookies, refusals } = parts
  const { password: field = 'password' } = settings
  const hasTokens = settings.schemes.includes('bearer')
  const hasCookies = settings.schemes.includes('cookie')
  const routes = routesOf(settings)
  const atAccount = createRequestState<AccountEndpoint>()

  function present(exchange: Exchange, user: JsonRecord): JsonRecord {
    const { dialect, store } = exchange.service
    const shown = viewOf({ ...exchange, user }, settings.users).present(user)
    return dialect.embedded?.(shown, store.collection(settings.users)) ?? shown
  }

  /** Returns the body of a response: by the template of the options, else with the names of OAuth 2.0. */
  function bodyOf(
    endpoint: AnsweredEndpoint,
    exchange: Exchange,
    record: JsonRecord,
    tokens: Partial<LoginTokens>,
  ): unknown {
    const template = settings.answers[endpoint]
    if (template === null) return undefined
    const user = present(exchange, record)
    if (template === undefined) return { ...tokens, user }
    return fill(template, toLookup(loginVariables, { user, tokens }))
  }

  /** Logs a user in: issues the tokens and the cookie of the schemes. */
  function grant(exchange: Exchange, user: JsonRecord): MaybePromise<Grant> {
    const id = String(users.idOf(user))
    const headers: Answer['headers'] = hasCookies
      ? [['Set-Cookie', cookies.start(id, exchange)]]
      : []
    return andThen(hasTokens ? tokens.issue(id, user) : {}, (tokens) => ({ headers, tokens }))
  }

  function answerLogin(
    endpoint: AnsweredEndpoint,
    exchange: Exchange,
    user: JsonRecord,
    status: number,
  ): MaybePromise<Answer> {
    return andThen(grant(exchange, user), ({ headers, tokens }) => ({
      status,
      headers,
      value: bodyOf(endpoint, exchange, user, tokens),
    }))
  }

  /** Creates the user whom the body describes, with the write hooks of every POST, and logs the user in. */
  function register(exchange: Exchange): MaybePromise<Answer> {
    const resource = exchange.service.store.collection(settings.users)
    checkAccept(exchange.headers['accept'])
    return andThen(readRecord(exchange, settings.users, recordTypes), (body) => {
      const plan = (): Write[] => {
        const record = viewOf(exchange, settings.users).toStored(asRecord(body))
        checkHasPlace(record, resource.idField)
        return [{ action: 'create', resource, record }]
      }
      return andThen(commit(exchange, plan), ([user = {}]) =>
        answerLogin('register', exchange, user, settings.statuses.register ?? 201),
      )
    })
  }

  /** Reads or changes the user who asks, as a request for the record does. */
  function answerMe(exchange: Exchange, { user, token }: Login): MaybePromise<Answer> {
    const { method, service } = exchange
    const routed = exchange as Parameters<typeof replace>[0]
    if (!isSafe(method)) {
      checkAccept(exchange.headers['accept'])
      checkPreconditions(routed, routed)
    }
    const actions = { PUT: replace, PATCH: patch } as const
    const action = method === 'PUT' || method === 'PATCH' ? actions[method] : read
    return andThen(action(routed), (result) => {
      if (settings.answers.me === undefined && !service.dialect.serve) {
        return service.dialect.render(result, exchange)
      }
      const stored = users.get(String(users.idOf(user)), exchange) ?? user
      const tokens = token === undefined ? {} : { access_token: token }
      const value =
        settings.answers.me === undefined
          ? present(exchange, stored)
          : bodyOf('me', exchange, stored, tokens)
      return { status: 200, headers: [], value }
    })
  }

  const endpoints: Record<Exclude<AuthEndpoint, 'me'>, Endpoint> = {
    login: (exchange) =>
      andThen(readRecord(exchange, settings.users, recordTypes), (sent) => {
        const body = asRecord(sent)
        const names = settings.identifiers.map((field) => toCredential(body[field]))
        const name = names.find((value) => value !== undefined)
        const password = toCredential(body[field])
        const standIns = settings.by.map((field) => exchange.standInOf?.(field, name ?? ''))
        const user = [name, ...standIns].reduce<JsonRecord | undefined>(
          (found, one) =>
            found ?? (one === undefined ? undefined : users.byPassword(one, password, exchange)),
          undefined,
        )
        if (user) return answerLogin('login', exchange, user, settings.statuses.login ?? 200)
        const [first = 'name'] = settings.identifiers
        const missing = [
          ...(name === undefined || name === '' ? [first] : []),
          ...(password === undefined || password === '' ? [field] : []),
        ]
        if (missing.length > 0) throw missingFields(missing)
        throw refusals.wrongLogin()
      }),
    logout(exchange) {
      const headers: Answer['headers'] = hasCookies ? [['Set-Cookie', cookies.end(exchange)]] : []
      const done = (verdict: Verdict): Answer => {
        if (typeof verdict === 'object') tokens.end(verdict.session)
        onLogout()
        const { logout: template = null } = settings.answers
        const value = template === null ? undefined : fill(template, () => undefined)
        const usual = value === undefined ? 204 : 200
        return { status: settings.statuses.logout ?? usual, headers, value }
      }
      const token = hasTokens ? bearerToken(exchange, parts) : undefined
      return andThen(token === undefined ? 'unknown' : tokens.verify(token), done)
    },
    refresh(exchange) {
      if (settings.isRefreshedByAccess) {
        const token = bearerToken(exchange, parts)
        return andThen(token === undefined ? 'unknown' : tokens.verify(token), (verdict) =>
          renew(exchange, verdict),
        )
      }
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
      return andThen(readRecord(exchange, settings.users, recordTypes), (sent) => {
        const { refresh_token: token, refreshToken = token } = asRecord(sent)
        if (typeof refreshToken !== 'string') throw missingFields(['refresh_token'])
        return renew(exchange, tokens.redeem(refreshToken))
      })
    },
  }

  /** Issues new tokens for a verified one. @throws MockError 401 for any other */
  function renew(exchange: Exchange, verdict: Verdict): MaybePromise<Answer> {
    const isValid = typeof verdict === 'object'
    const user = isValid ? users.get(verdict.userId, exchange) : undefined
    if (!isValid || !user) {
      const message =
        'Failed to renew the token: the refresh token is invalid or expired. Please log in again.'
      throw refusals.wrongToken(message, verdict === 'expired')
    }
    return andThen(tokens.renew(verdict.session, verdict.userId, user), (value) => ({
      status: 200,
      headers: [],
      value: bodyOf('refresh', exchange, user, value),
    }))
  }

  /** Finds the routes at the path of a request. At the path of a collection, only POST registers. */
  function routesAt({ method, path, request, service, target }: Exchange): AuthRoute[] {
    const below = [path, request.path].map((one) =>
      one.slice(service.base.length).replace(/\/$/, ''),
    )
    return routes.filter(
      (route) =>
        below.includes(route.path) &&
        (route.endpoint !== 'register' || !target || method === 'POST'),
    )
  }

  return {
    answer(exchange) {
      const all = routesAt(exchange)
      const route = all.find(({ methods }) => methods.includes(exchange.method)) ?? all[0]
      if (!route) return undefined
      const { endpoint } = route
      const methods = [...new Set(all.flatMap((one) => one.methods))]
      const { readOnly } = exchange.service
      const isAccount = endpoint === 'me' || endpoint === 'register'
      const allowed = isAccount && readOnly ? methods.filter(isReading) : methods
      const answer = answerMethods(exchange, allowed)
      if (answer) return answer
      if (!isAccount) return endpoints[endpoint](exchange)
      atAccount.set(exchange, { endpoint })
      return undefined
    },
    accountOf: (exchange) => atAccount.get(exchange)?.endpoint,
    enter(exchange, login) {
      const resource = exchange.service.store.collection(settings.users)
      delete exchange.notFound
      exchange.target = login
        ? { kind: 'member', resource, id: String(login.id) }
        : { kind: 'collection', resource }
      if (login) atAccount.set(exchange, { endpoint: 'me', login })
    },
    answerAccount(exchange) {
      const account = atAccount.get(exchange)
      if (!account) return undefined
      return account.login ? answerMe(exchange, account.login) : register(exchange)
    },
    logIn(exchange, given) {
      const id = String(isRecord(given) ? users.idOf(given) : given)
      const user = users.get(id, exchange)
      if (!user) {
        throw new MockError(
          `Failed to log in "${id}": "${settings.users}" has no such record. Please give the record or the id of a user.`,
        )
      }
      return andThen(grant(exchange, user), ({ headers, tokens }) => {
        onLeave(exchange, (response) => ({
          ...response,
          headers: [...response.headers, ...headers],
        }))
        return tokens
      })
    },
  }
}

type Endpoint = (exchange: Exchange) => MaybePromise<Answer>

/** The tokens of a login, and the header that sets its cookie. */
interface Grant {
  headers: Answer['headers']
  tokens: Partial<LoginTokens>
}

/** The endpoints of `auth`: some answer at once, and those of accounts as requests for records do. */
export interface Endpoints {
  /** Answers requests to log in, log out or refresh; undefined for others. @throws MockError 405 */
  answer(exchange: Exchange): MaybePromise<Answer | undefined>
  /** Returns the endpoint of a request that reads or writes a user, after `answer`. */
  accountOf(exchange: Exchange): AccountEndpoint['endpoint'] | undefined
  /** Sets the target of such a request: the user of the login, or the collection for a new user. */
  enter(exchange: Exchange, login?: Login): void
  /** Answers requests that have entered. */
  answerAccount(exchange: Exchange): MaybePromise<Answer | undefined>
  /** Logs a user in, by record or id. */
  logIn: (
    exchange: Exchange,
    user: JsonRecord | string | number,
  ) => MaybePromise<Partial<LoginTokens>>
}

/** An endpoint whose requests read or write a user, with the login of `me`. */
interface AccountEndpoint {
  endpoint: 'me' | 'register'
  login?: Login
}

/** A route of `auth`. */
interface AuthRoute extends ExtraRoute {
  endpoint: AuthEndpoint | 'register'
}

/** Returns the routes that the options enable; only schemes with a login can log in and out. */
export function routesOf({ paths, schemes, isMeWritable }: AuthSettings): AuthRoute[] {
  const hasLogin = schemes.includes('bearer') || schemes.includes('cookie')
  const methods: Readonly<Record<AuthRoute['endpoint'], readonly string[]>> = {
    login: ['POST', 'OPTIONS'],
    logout: ['POST', 'OPTIONS'],
    refresh: ['POST', 'OPTIONS'],
    me: ['GET', 'HEAD', ...(isMeWritable ? ['PUT', 'PATCH'] : []), 'OPTIONS'],
    register: ['POST', 'OPTIONS'],
  }
  return (Object.keys(methods) as AuthRoute['endpoint'][]).flatMap((endpoint) => {
    const path = paths[endpoint]
    const isAccount = endpoint === 'me' || endpoint === 'register'
    if (path === false || (!hasLogin && !isAccount)) return []
    const [, method, name = ''] = /^(?:([A-Z]+) )?\/?(.*?)\/?$/.exec(path) ?? []
    const own = method === undefined ? methods[endpoint] : [method, 'OPTIONS']
    return [{ endpoint, methods: own, path: `/${name}` }]
  })
}

function isReading(method: string): boolean {
  return isSafe(method) || method === 'OPTIONS'
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
