import type { Answer } from '../../dialects/contract/dialect.ts'
import { type Check, checkOptions, isAmount, isEither, isName, isText } from '../../errors/check.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Behaviour } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { ExtraRoute, Hook, Hooks, LoginOptions } from '../../http/contract/hooks.ts'
import { type MockResponse, tryOr } from '../../http/contract/messages.ts'
import { answerMethods } from '../../http/routing/wrong-method.ts'
import { createIsActive } from '../auth/users.ts'
import { issuersOf } from '../shared/issuers.ts'
import { checkNames } from '../shared/resources.ts'
import { createLoginEndpoints } from './authorize.ts'
import { createEndpoints } from './endpoints.ts'
import { answerFailure } from './errors.ts'
import {
  type EndpointName,
  type Endpoints,
  type OidcOptions,
  type Paths,
  toSettings,
} from './options.ts'
import { answerPage, messagePage } from './pages.ts'
import type { Preset } from './presets.ts'
import { cookieName, createProvider, type Provider, type ProviderUsers } from './provider.ts'
import { findClient, originOf, refused, unknownClient } from './request.ts'
import { stateOf } from './state.ts'
import { createTokenEndpoints } from './token.ts'

/**
 * Makes the mock an OpenID Connect provider (OpenID Connect Core 1.0) over its users, with a login page. Applications
 * log in unchanged, and `auth` accepts the access tokens.
 * @throws MockError when an option is wrong
 * @example oidc({ clients: [{ client_id: 'shop', redirect_uris: ['http://localhost:5173/callback'] }] })
 */
export function oidc(options: OidcOptions = {}): Behaviour {
  return createOidc(options)
}

/** Creates the behaviour `oidc`, or an extension of it: a provider of another preset with further endpoints. */
export function createOidc(options: OidcOptions, extension?: Extension): Behaviour {
  const settings = toSettings(options, extension?.preset)
  const checkStore = checkNames('oidc', [settings.users])
  const routes = toRoutes(settings.paths)
  return {
    name: 'oidc',
    create(world) {
      const { service, redactor, host } = world
      checkStore(world)
      for (const name of secretNames) redactor.addSecret(name)
      const state = stateOf(world)
      const isActive = createIsActive(world, settings.users)
      const users: ProviderUsers = {
        get: (id, exchange) => users.all(exchange).find((user) => users.idOf(user) === id),
        all(exchange) {
          const records = service.store.collection(settings.users).records()
          return exchange ? records.filter((user) => isActive(user, exchange)) : [...records]
        },
        idOf: (user) =>
          `${user[service.store.collection(settings.users).idField] as string | number}`,
      }
      const provider = createProvider(settings, state, users, world)
      const others = createEndpoints(provider)
      const endpoints: Endpoints<EndpointName> = {
        ...createLoginEndpoints(provider),
        ...createTokenEndpoints(provider),
        ...others,
        logoutToo: others.logout,
        cookieResult: others.cookieCheck,
      }
      const extended = extension?.extend(provider)
      const issuers = issuersOf(world)
      const routeOf = (method: string, below: string): Route | undefined => {
        const route = routes.find(({ path }) => path === below)
        if (method !== 'POST' || !route) return route
        // The path of Cognito's logout, a GET, is also that of the logout of `auth`, a POST.
        const isTaken = host().behaviours.some(
          ({ name, routes = [] }) =>
            name === 'auth' &&
            routes.some(({ path, methods }) => path === below && methods.includes('POST')),
        )
        return isTaken ? undefined : route
      }
      const notifyEnd = (): void => issuers.onEnd.forEach((notify) => notify())
      issuers.list.push({
        scheme: 'oidc',
        owns: (method, path) => routeOf(method, path) !== undefined,
        async verify(token) {
          const found = await provider.verify(token)
          if (typeof found !== 'object') return found
          const { userId = '', sid, due } = found
          return { userId, session: sid, due }
        },
      })
      return {
        at: {
          auth(exchange) {
            const route = routeOf(exchange.method, exchange.path.slice(service.base.length))
            if (!route) return extended?.answer(exchange)
            const { endpoint, methods } = route
            const answer = answerMethods(exchange, methods)
            if (answer) return answer
            const isPage = pages.includes(endpoint)
            return tryOr<Answer | MockResponse>(
              async () => {
                const response = await endpoints[endpoint](exchange)
                if (endings.includes(endpoint)) notifyEnd()
                return response
              },
              (error) => (isPage ? showError(exchange, error) : answerFailure(exchange, error)),
            )
          },
        },
        login: createLogin(provider),
        page: { title: 'Login page', path: service.base + settings.paths.page },
        describe: () => ({
          securitySchemes: {
            oidc: {
              type: 'openIdConnect',
              openIdConnectUrl: provider.urlOf('', settings.paths.discovery),
            },
          },
        }),
        routes: [...routes, ...(extended?.routes ?? [])],
        saved: { ...state },
        reset() {
          provider.reset()
          notifyEnd()
        },
      }
    },
  }
}

/** The peculiarities of a provider that is none of the presets, and what it answers besides. */
export interface Extension {
  preset: Preset
  extend(provider: Provider): { answer: Hook; routes: readonly ExtraRoute[] }
}

/** Names whose values are secret beside the usual ones; a code is secret as a parameter only. */
const secretNames = [
  '?code',
  '&code',
  '#code',
  'code_verifier',
  'client_assertion',
  'device_code',
  'user_code',
]

/** A route of the provider. */
interface Route extends ExtraRoute {
  endpoint: EndpointName
}

/** Creates the login without a page, for `mock.login`. @throws MockError 404 or 400 for an unknown user or client */
function createLogin(provider: Provider): NonNullable<Hooks['login']> {
  const { settings, startSession, toGrant } = provider
  const clients = settings.clients ?? []
  return async (hint, { origin = 'http://localhost', ...asked }) => {
    checkOptions('the login', { ...asked, origin, user: hint }, loginChecks, ['user'])
    const { client = clients[0]?.client_id ?? 'mock', scope = 'openid profile email' } = asked
    const user = provider.userBy(String(hint))
    if (!user) {
      throw refused(`no user of "${settings.users}" has the id, e-mail or username "${hint}"`, 404)
    }
    if (settings.clients && !findClient(clients, client)) throw unknownClient(client)
    const [value, session] = startSession(user)
    const grant = toGrant('authorization_code', { ...asked, client, scope }, session)
    const tokens = await provider.issue(grant, user, originOf(origin))
    return { ...tokens, cookie: { name: cookieName, value } }
  }
}

const loginChecks: Readonly<Record<keyof LoginOptions | 'user', Check>> = {
  user: isEither(isName, isAmount),
  client: isName,
  scope: isText,
  audience: isName,
  nonce: isText,
  origin: isName,
}

/** The endpoints that end tokens. */
const endings: readonly string[] = ['logout', 'logoutToo', 'revoke']

/** The endpoints that take a form alone, and those that take a form or a query. */
const formEndpoints: readonly string[] = ['token', 'introspect', 'revoke', 'device']
const freeEndpoints: readonly string[] = ['authorize', 'page', 'logout', 'logoutToo', 'userinfo']

/** The endpoints that a browser visits, whose errors are pages. */
const pages: readonly string[] = ['authorize', 'page', 'logout', 'logoutToo', 'verify']

function toRoutes(paths: Paths): Route[] {
  return (Object.keys(paths) as (keyof Paths)[]).flatMap((endpoint) => {
    const path = paths[endpoint]
    if (endpoint === 'issuer' || path === undefined) return []
    const reading = formEndpoints.includes(endpoint) ? [] : ['GET', 'HEAD']
    const hasForm = reading.length === 0 || freeEndpoints.includes(endpoint)
    return [{ endpoint, path, methods: [...reading, ...(hasForm ? ['POST'] : []), 'OPTIONS'] }]
  })
}

/** Shows an error that must not be redirected. */
function showError(exchange: Exchange, error: unknown): MockResponse {
  if (!(error instanceof MockError)) throw error
  exchange.reasons.push(error.message)
  return answerPage(error.status, messagePage('This login cannot go on', error.message))
}
