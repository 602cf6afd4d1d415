import type { Behaviour } from '../../http/contract/behaviour.ts'
import type { ViewHook } from '../../http/contract/exchange.ts'
import { after } from '../../http/contract/messages.ts'
import { viewOf } from '../../http/resource/record-view.ts'
import { secrecy } from '../../log/redact.ts'
import { createPermissions } from './permissions.ts'
import { type CookieState, createCookies } from './cookies.ts'
import { type AuthOptions, type AuthSettings, toSettings } from './options.ts'
import { createPlaces, routesOf } from './endpoints.ts'
import { createRefusals } from './refusals.ts'
import { createAuthenticate } from './schemes.ts'
import { createTokens, toTokenState, type TokenState } from './tokens.ts'
import { checkUsers, createUsers, type IsThere } from './users.ts'
import { checkNames, checkPatterns } from '../shared/resources.ts'
import { createWorldState } from '../shared/world-state.ts'

/**
 * Lets only those in who may: by bearer token, API key, basic credentials or cookie, with logins from
 * a collection of users, roles and owners. Answers 401 and 403 as RFC 6750 says.
 * @throws MockError when an option is wrong
 * @example auth({ scheme: 'bearer', users: 'users', protect: ['POST *', 'orders'] })
 */
export function auth(options: AuthOptions = {}): Behaviour {
  const settings = toSettings(options)
  const checkStore = checkNames('auth', [settings.users, ...Object.keys(settings.owners)])
  const checkPaths = checkPatterns('auth', [
    ...settings.protect,
    ...settings.public,
    ...settings.roles.map(([pattern]) => pattern),
  ])
  // Who is logged in is so in a fork, too.
  const loginsIn = createWorldState<Logins>(
    () => ({ tokens: toTokenState({}), cookies: new Map() }),
    ({ tokens, cookies }) => ({ tokens: toTokenState(tokens), cookies: new Map(cookies) }),
  )
  return {
    name: 'auth',
    create(world) {
      const { service, clock, random } = world
      const { store } = service
      const logins = loginsIn(world)
      checkPaths(store)
      if (checkStore(store)) checkUsers(settings, store)
      // Who was removed and is only kept cannot log in; whom a user may read is another matter.
      const isThere: IsThere = (user, exchange) =>
        exchange.records.views.every(
          (one) => one === view || (one(settings.users, exchange)?.includes?.(user) ?? true),
        )
      const users = createUsers(settings, store, isThere)
      const tokens = createTokens(settings, logins.tokens, clock, random)
      const cookies = createCookies(settings, logins.cookies, clock, random)
      const refusals = createRefusals(settings)
      const parts = { settings, users, tokens, cookies, refusals }
      const authenticate = createAuthenticate(parts)
      const answer = createPlaces(parts, authenticate)
      const permissions = createPermissions(settings, users, refusals, service)
      for (const name of [...users.secrets, ...keyNames(settings)]) secrecy.set(name, true)
      const view: ViewHook = (collection, exchange) => {
        const seen = permissions.view(collection, exchange)
        if (collection !== settings.users) return seen
        return {
          ...seen,
          present: users.withoutSecrets,
          toStored(user, previous) {
            // The log may tell them no more under the names that a version has for them.
            for (const one of users.secrets)
              secrecy.set(viewOf(exchange, collection).fieldName(one), true)
            return users.keepSecrets(user, previous)
          },
        }
      }
      return {
        at: {
          auth: (exchange) =>
            after(answer(exchange), (answered) => {
              if (answered || exchange.method === 'OPTIONS') return answered
              return after(authenticate(exchange), (user) => {
                if (user) exchange.user = users.withoutSecrets(user)
                const refusal = permissions.judge(exchange)
                if (refusal) throw refusal
                // Who may not act need not learn how the record stands.
                permissions.reach(exchange)
                return undefined
              })
            }),
        },
        view,
        publish: (collection, record) =>
          collection === settings.users ? users.withoutSecrets(record) : record,
        beforeWrite: permissions.admit,
        write: permissions.own,
        check: permissions.check,
        routes: routesOf(settings),
        reset() {
          tokens.reset()
          cookies.reset()
        },
      }
    },
  }
}

/** Who is logged in. */
interface Logins {
  tokens: TokenState
  cookies: CookieState
}

/** What stands in front of a key in a request. */
function keyNames({ schemes, key: { header, query } }: AuthSettings): string[] {
  return schemes.includes('apiKey') ? [header.toLowerCase(), `?${query}`, `&${query}`] : []
}
