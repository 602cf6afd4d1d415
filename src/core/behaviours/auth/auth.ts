import type { Behaviour } from '../../http/contract/behaviour.ts'
import {
  bindStream,
  onLeave,
  type ResponseHook,
  type ViewHook,
} from '../../http/contract/exchange.ts'
import { andThen, headerOf } from '../../http/contract/messages.ts'
import { createCookies } from './cookies.ts'
import { describeAuth } from './describe.ts'
import { createEndpoints, routesOf } from './endpoints.ts'
import { createStreamLogins, type Logins } from './logins.ts'
import { type AuthOptions, type AuthSettings, toSettings } from './options.ts'
import { createPermissions } from './permissions.ts'
import { createAuthenticate, createRefusals, credentialHeaders, credentialsOf } from './schemes.ts'
import { createTokens } from './tokens.ts'
import { checkUsers, createIsActive, createUsers, toCredential } from './users.ts'
import { issuersOf } from '../shared/issuers.ts'
import { checkNames, checkPatterns } from '../shared/resources.ts'
import { createMapsState } from '../shared/world-state.ts'

/**
 * Authenticates requests by bearer token, API key, basic credentials or cookie against a collection of
 * users, and authorizes requests by the roles of the user and the owner of the record. Responds to refused
 * requests with 401 or 403 as RFC 6750 §3 defines.
 * @throws MockError when an option is wrong
 * @example auth({ scheme: 'bearer', users: 'users', protect: ['POST *', 'orders'] })
 */
export function auth(options: AuthOptions = {}): Auth {
  const given = toSettings(options)
  const loginsOf = createMapsState<Logins>(['access', 'refresh', 'sessions', 'cookies'])
  return {
    name: 'auth',
    settings: given,
    owned: Object.keys(options.owners ?? {}),
    withOwners: (owners) => auth({ ...options, owners: { ...options.owners, ...owners } }),
    create(world) {
      const settings = toSettings({ ...world.service.dialect.auth, ...options })
      const { service, clock, random, redactor } = world
      const { store } = service
      const logins = loginsOf(world)
      const patterns = settings.roles.map(([pattern]) => pattern)
      checkPatterns('auth', [...settings.protect, ...settings.public, ...patterns])(world)
      const names = [settings.users, ...Object.keys(settings.owners)]
      if (checkNames('auth', names)(world)) checkUsers(settings, store)
      const isActive = createIsActive(world, settings.users)
      const users = createUsers(settings, store, isActive)
      const issuers = issuersOf(world)
      const tokens = createTokens(settings, logins, clock, random, issuers)
      const cookies = createCookies(settings, logins, clock, random)
      const refusals = createRefusals(settings)
      const parts = { settings, users, tokens, cookies, refusals }
      const authenticate = createAuthenticate(parts)
      const streams = createStreamLogins(authenticate, clock)
      store.changes.subscribe((change) => {
        if (change.type === 'reset' || change.collection === settings.users) streams.recheck()
      }, 'check the logins of streams')
      issuers.onEnd.push(streams.recheck)
      const endpoints = createEndpoints(parts, streams.recheck)
      const permissions = createPermissions(settings, users, refusals, service)
      for (const name of users.secrets) redactor.addSecret(name)
      if (settings.schemes.includes('apiKey')) {
        const { header, query } = settings.key
        for (const name of [header.toLowerCase(), `?${query}`, `&${query}`])
          redactor.addSecret(name)
      }
      const vary = credentialHeaders(settings).join(', ')
      /** Responses that caches may store without a new request depend on the credentials (RFC 9110 §12.5.5). */
      const varyByCredentials: ResponseHook = (response) => {
        const cacheControl = headerOf(response.headers, 'Cache-Control') ?? ''
        if (/\bno-(?:cache|store)\b/i.test(cacheControl)) return response
        return { ...response, headers: [...response.headers, ['Vary', vary]] }
      }
      const view: ViewHook = (collection, exchange) => {
        const permitted = permissions.view(collection, exchange)
        if (collection !== settings.users) return permitted
        return { ...permitted, present: users.withoutSecrets, toStored: users.keepSecrets }
      }
      return {
        at: {
          auth(exchange) {
            exchange.unauthorized = refusals.anonymous
            const path = exchange.path.slice(service.base.length)
            if (issuers.list.some(({ owns }) => owns(exchange.method, path))) return undefined
            onLeave(exchange, varyByCredentials)
            return andThen(endpoints.answer(exchange), (response) => {
              if (response || exchange.method === 'OPTIONS') return response
              exchange.login = (user) => endpoints.logIn(exchange, user)
              const account = endpoints.accountOf(exchange)
              // A registration ignores credentials, as a login does.
              if (account === 'register') return endpoints.enter(exchange)
              // Streams authenticate again later, with the token that `authenticate` removes from the query.
              const { params, search } = exchange
              return andThen(authenticate(exchange), (login) => {
                if (login) {
                  exchange.user = users.withoutSecrets(login.user)
                  exchange.userCollection = settings.users
                  bindStream(exchange, (end) =>
                    streams.bind({ ...exchange, params, search }, login, end),
                  )
                }
                if (account === 'me') {
                  if (!login) throw refusals.anonymous()
                  return endpoints.enter(exchange, login)
                }
                exchange.authorize = permissions.check
                permissions.check(exchange)
                return undefined
              })
            })
          },
          resource: endpoints.answerAccount,
        },
        view,
        publish: (collection, record) =>
          collection === settings.users ? users.withoutSecrets(record) : record,
        beforeWrite: permissions.checkPrevious,
        write: permissions.setOwner,
        check: permissions.checkRecord,
        controls: {
          GET: () => ({ users: settings.users }),
          POST(input) {
            const user = store.collection(settings.users).existing(toCredential(input) ?? '')
            return credentialsOf(user, parts)
          },
        },
        routes: routesOf(settings),
        describe: () => describeAuth(settings, users, store, issuers.list),
        saved: { ...logins },
        reset() {
          for (const entries of Object.values(logins)) entries.clear()
          streams.recheck()
        },
      }
    },
  }
}

/** The behaviour that {@link auth} creates, which the option `resources` can extend. */
export interface Auth extends Behaviour {
  settings: AuthSettings
  /** The resources with an entry in `owners`. */
  readonly owned: readonly string[]
  /** Creates the behaviour with further owners. */
  withOwners(owners: NonNullable<AuthOptions['owners']>): Behaviour
}
