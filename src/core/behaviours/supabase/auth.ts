import type { Answer } from '../../dialects/contract/dialect.ts'
import { MockError } from '../../errors/mock-error.ts'
import type { Behaviour, MockContext } from '../../http/contract/behaviour.ts'
import { bindStream, type Exchange } from '../../http/contract/exchange.ts'
import {
  andThen,
  bearerOf,
  type MaybePromise,
  type MockResponse,
} from '../../http/contract/messages.ts'
import { asRecord, keepText, readJson } from '../../http/resource/body.ts'
import { ownValue } from '../../json/json.ts'
import { fromBase64 } from '../../text/base64.ts'
import type { Auth } from '../auth/auth.ts'
import { createOidc, type Extension } from '../oidc/oidc.ts'
import { usual } from '../oidc/presets.ts'
import type { Provider } from '../oidc/provider.ts'
import { type Accounts, createAccounts } from './accounts.ts'
import { createAuthEndpoints } from './auth-endpoints.ts'
import { answerFailures, failure } from './failure.ts'

/**
 * Answers `/auth/v1` as the Auth server of Supabase does, over the users of `auth`; `use` are the behaviours of the
 * mock. Access tokens are those of an OpenID Connect provider, whose login page serves OAuth.
 */
export function supabaseAuth(
  { autoconfirm = true }: SupabaseAuthOptions = {},
  use: readonly Behaviour[] = [],
): Behaviour {
  const auth = use.find((one): one is Auth => one.name === 'auth')
  return {
    name: 'supabase-auth',
    create(world) {
      const accounts = createAccounts(auth?.settings, world)
      const { name, users, claimsOf } = accounts
      world.redactor.addSecret('apikey')
      const extend = (provider: Provider) => extendProvider(provider, accounts, autoconfirm, world)
      const provider = createOidc(
        {
          users: name,
          algorithm: 'ES256',
          expires: auth?.settings.expires ?? '1h',
          claims: claimsOf,
        },
        { preset, extend },
      )
      const { withoutSecrets: present, keepSecrets: toStored } = users
      return {
        ...provider.create(world),
        view: (collection) => (collection === name && !auth ? { present, toStored } : undefined),
        publish: (collection, record) => (collection === name ? present(record) : record),
      }
    },
  }
}

/** The options of the logins of Supabase. */
export interface SupabaseAuthOptions {
  /** Whether a sign-up logs in at once, or needs the link or the code of a mail. @default true */
  autoconfirm?: boolean
}

const root = '/auth/v1'

/** The Auth server as a provider of OpenID Connect; `session_id` and the like are claims of its access tokens. */
const preset = {
  ...usual,
  issuer: root,
  paths: {
    authorize: `${root}/oauth/authorize`,
    token: `${root}/oauth/token`,
    userinfo: `${root}/oauth/userinfo`,
    jwks: `${root}/.well-known/jwks.json`,
  },
  sendsIssuer: false,
  refresh: 'always',
  accessClaims: {
    aud: 'authenticated',
    role: 'authenticated',
    aal: 'aal1',
    amr: [{ method: '$grantType', timestamp: '$authTime' }],
    session_id: '$session',
  },
} as const

/** Adds the endpoints to the provider, and finds who sends requests to the other APIs. */
function extendProvider(
  provider: Provider,
  accounts: Accounts,
  autoconfirm: boolean,
  { service: { base, limits } }: MockContext,
): ReturnType<Extension['extend']> {
  /** Check the tokens of open streams again. */
  const checks = new Set<() => void>()
  const handlers = createAuthEndpoints(provider, accounts, autoconfirm, base + root)

  async function answerAuth(exchange: Exchange, path: string): Promise<Answer | MockResponse> {
    const [, id] = /^\/admin\/users\/([^/]+)$/.exec(path) ?? []
    const key = `${exchange.method} ${id === undefined ? path : '/admin/users/:id'}`
    const handler = ownValue(handlers, key)
    if (!handler) throw failure(404, 'not_found', `There is no ${exchange.method} ${path}.`)
    const text = exchange.method === 'GET' ? '' : await keepText(exchange)
    const body = text === '' ? {} : asRecord(readJson(text, limits))
    exchange.body = body
    const query = (name: string): string | undefined =>
      exchange.params.find(([one, value]) => one === name && value !== '')?.[1]
    const answer = await handler({ exchange, body, query, id })
    if (/^(?:DELETE|POST \/logout)/.test(key)) for (const check of checks) check()
    return answer
  }

  /** Finds the user of a request to another API. A key is no login, so that `auth` must not see it. */
  function identify(exchange: Exchange, token: string): MaybePromise<void> {
    if (roleOf(token) !== 'authenticated') {
      const { authorization: _key, ...headers } = exchange.headers
      exchange.headers = headers
      return undefined
    }
    return andThen(provider.verify(token), (found) => {
      const isExpired = found === 'expired'
      const user = isExpired ? undefined : accounts.users.get(found?.userId ?? '', exchange)
      if (!user) {
        const code = isExpired ? 'TOKEN_EXPIRED' : 'TOKEN_INVALID'
        const message = isExpired ? 'JWT expired' : 'JWSError JWSInvalidSignature'
        throw new MockError(message, { status: 401, code })
      }
      exchange.user = accounts.users.withoutSecrets(user)
      exchange.userCollection = accounts.name
      bindStream(exchange, (end) => {
        const check = () => andThen(provider.verify(token), (still) => still || end())
        checks.add(check)
        return () => void checks.delete(check)
      })
    })
  }

  return {
    answer(exchange) {
      if (exchange.method === 'OPTIONS') return undefined
      const { apikey = exchange.params.find(([name]) => name === 'apikey')?.[1] } = exchange.headers
      const token = bearerOf(exchange) ?? apikey
      exchange.isTrusted = token !== undefined && roleOf(token) === 'service_role'
      const path = exchange.path.slice(base.length)
      if (!path.startsWith(`${root}/`))
        return token === undefined ? undefined : identify(exchange, token)
      return answerFailures(
        exchange,
        () => answerAuth(exchange, path.slice(root.length)),
        (error_code, { status, message: msg }) => {
          const isWeak = error_code === 'weak_password'
          const value = { code: status, error_code, msg }
          return {
            status,
            value: { ...value, ...(isWeak && { weak_password: { reasons: ['length'] } }) },
          }
        },
      )
    },
    routes: Object.keys(handlers).map((key) => {
      const [method = '', path = ''] = key.split(' ')
      return { methods: [method], path: root + path }
    }),
  }
}

/** The role that a key or token claims: a mock knows neither the keys nor the secret of a project. */
export function roleOf(token: string): unknown {
  if (token.startsWith('sb_secret_')) return 'service_role'
  try {
    return asRecord(JSON.parse(fromBase64(token.split('.')[1] ?? '') ?? ''))['role']
  } catch {
    return 'anon'
  }
}
