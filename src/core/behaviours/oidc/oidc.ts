import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Behaviour } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { ExtraRoute } from '../../http/contract/hooks.ts'
import { type MaybePromise, type MockResponse, tryOr } from '../../http/contract/messages.ts'
import { answerMethods } from '../../http/routing/wrong-method.ts'
import { createIsActive } from '../auth/users.ts'
import { issuersOf } from '../shared/issuers.ts'
import { checkNames } from '../shared/resources.ts'
import { createWorldState } from '../shared/world-state.ts'
import { createLoginEndpoints } from './authorize.ts'
import { createEndpoints } from './endpoints.ts'
import { answerFailure } from './errors.ts'
import { type OidcOptions, type Paths, toSettings } from './options.ts'
import { answerPage, messagePage } from './pages.ts'
import { createProvider, type ProviderUsers } from './provider.ts'
import { copyState, openState } from './state.ts'
import { createTokenEndpoints } from './token.ts'

/**
 * Makes the mock an OpenID Connect provider (OpenID Connect Core 1.0) over its users, with a login page. Applications
 * log in unchanged, and `auth` accepts the access tokens.
 * @throws MockError when an option is wrong
 * @example oidc({ clients: [{ client_id: 'shop', redirect_uris: ['http://localhost:5173/callback'] }] })
 */
export function oidc(options: OidcOptions = {}): Behaviour {
  const settings = toSettings(options)
  const checkStore = checkNames('oidc', [settings.users])
  const stateOf = createWorldState(openState, copyState)
  const routes = toRoutes(settings.paths)
  return {
    name: 'oidc',
    create(world) {
      const { service, redactor } = world
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
        idOf(user) {
          const id = user[service.store.collection(settings.users).idField]
          return typeof id === 'string' ? id : JSON.stringify(id)
        },
      }
      const provider = createProvider(settings, state, users, world)
      const logins = createLoginEndpoints(provider)
      const others = createEndpoints(provider, logins)
      const endpoints: Endpoints = {
        ...logins,
        page: logins.choose,
        ...createTokenEndpoints(provider, logins),
        ...others,
        logoutToo: others.logout,
      }
      const issuers = issuersOf(world)
      const routeOf = (exchange: Exchange): Route | undefined => {
        const below = exchange.path.slice(service.base.length)
        return routes.find(({ path }) => path === below)
      }
      const notifyEnd = (): void => issuers.onEnd.forEach((notify) => notify())
      issuers.list.push({
        owns: (exchange) => routeOf(exchange) !== undefined,
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
            const route = routeOf(exchange)
            if (!route) return undefined
            const { endpoint, methods } = route
            const answer = answerMethods(exchange, methods)
            if (answer) return answer
            const isPage = pages.includes(endpoint)
            return tryOr<Answer | MockResponse>(
              async () => {
                const response = await endpoints[endpoint](exchange)
                if (endpoint === 'logout' || endpoint === 'revoke') notifyEnd()
                return response
              },
              (error) => (isPage ? showError(exchange, error) : answerFailure(exchange, error)),
            )
          },
        },
        routes,
        saved: { ...state },
        reset() {
          provider.reset()
          notifyEnd()
        },
      }
    },
  }
}

/** Names whose values are secret beside the usual ones; a code is secret as a parameter only. */
const secretNames = ['?code', '&code', '#code', 'code_verifier', 'device_code', 'user_code']

type EndpointName = Exclude<keyof Paths, 'issuer'>
type Endpoints = Readonly<
  Record<EndpointName, (exchange: Exchange) => MaybePromise<Answer | MockResponse>>
>

/** A route of the provider. */
interface Route extends ExtraRoute {
  endpoint: EndpointName
}

const methodsOf: Readonly<Partial<Record<EndpointName, readonly string[]>>> = {
  authorize: ['GET', 'HEAD', 'POST'],
  logout: ['GET', 'HEAD', 'POST'],
  logoutToo: ['GET', 'HEAD', 'POST'],
  userinfo: ['GET', 'HEAD', 'POST'],
  page: ['POST'],
  token: ['POST'],
  introspect: ['POST'],
  revoke: ['POST'],
  device: ['POST'],
}

/** The endpoints that a browser visits, whose errors are pages. */
const pages: readonly string[] = ['authorize', 'page', 'logout', 'logoutToo', 'verify']

function toRoutes(paths: Paths): Route[] {
  const names = Object.keys(paths) as (keyof Paths)[]
  return names.flatMap((endpoint) => {
    if (endpoint === 'issuer') return []
    const path = paths[endpoint]
    const methods = [...(methodsOf[endpoint] ?? ['GET', 'HEAD']), 'OPTIONS']
    return path === undefined ? [] : [{ endpoint, path, methods }]
  })
}

/** Shows an error that must not be redirected. */
function showError(exchange: Exchange, error: unknown): MockResponse {
  if (!(error instanceof MockError)) throw error
  exchange.reasons.push(error.message)
  return answerPage(error.status, messagePage('This login cannot go on', error.message))
}
