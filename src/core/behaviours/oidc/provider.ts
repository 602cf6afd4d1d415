import type { MockContext } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { Login } from '../../http/contract/hooks.ts'
import type { HeaderList } from '../../http/contract/messages.ts'
import type { JsonRecord } from '../../json/json.ts'
import { addExpiring, drawNew } from '../auth/logins.ts'
import {
  type ClaimFacts,
  ownClaims,
  presetClaims,
  scopesOf,
  toProfile,
  userClaims,
} from './claims.ts'
import type { OidcSettings } from './options.ts'
import { cookiesOf } from '../../text/cookies.ts'
import { createSigner, sha256, type Signer } from './signing.ts'
import type { Grant, Issued, ProviderSession, ProviderState } from './state.ts'

/** Creates the provider of a mock or fork: its users and the tokens that it issues and verifies. */
export function createProvider(
  settings: OidcSettings,
  state: ProviderState,
  users: ProviderUsers,
  world: MockContext,
): Provider {
  const { clock, random, service } = world
  const { preset, paths, expires, refreshExpires } = settings
  const signer = createSigner(settings.algorithm, clock)
  /** Tokens that an earlier process signed, before this time in seconds, are accepted by their signature. */
  let trustedBefore = world.stored ? 0 : Math.floor(clock.now() / 1000)

  const urlOf = (origin: string, path: string): string =>
    (settings.origin ?? origin + service.base) + path
  const subjectOf = (id: string): string => preset.subject + id

  function factsOf(grant: Grant, user: JsonRecord | undefined, issuer: string): ClaimFacts {
    return { ...grant, id: grant.userId ?? grant.client, user, issuer }
  }

  async function issueAccess(issued: Issued, facts: ClaimFacts): Promise<string> {
    if (preset.access === 'opaque') return `ya29.${drawNew(random, 40, state.access)}`
    const { sid, userId } = issued
    const claims = {
      iss: facts.issuer,
      sub: userId === undefined ? issued.client : subjectOf(userId),
      ...presetClaims(settings, facts, 'accessClaims'),
      ...ownClaims(settings, facts),
      iat: Math.floor(clock.now() / 1000),
      exp: issued.due / 1000,
      jti: drawNew(random, 10, state.access),
      ...(userId !== undefined && { sid }),
    }
    return signer.sign(claims, 'at+jwt')
  }

  async function issueRefresh(grant: Grant, iss: string, now: number): Promise<string> {
    const due = now + refreshExpires
    const jti = drawNew(random, 40, state.refresh)
    const { userId: sub, client: azp, sid, scope } = grant
    const [iat, exp] = [Math.floor(now / 1000), Math.floor(due / 1000)]
    const claims = { iss, aud: iss, sub, typ: 'Refresh', azp, iat, exp, jti, sid, scope }
    const token = preset.refreshToken === 'jwt' ? await signer.sign(claims) : jti
    addExpiring(state.refresh, token, { ...grant, due, issuedAt: now, isUsed: false }, now)
    return token
  }

  function issueId(grant: Grant, facts: ClaimFacts, due: number, hash: string): Promise<string> {
    const { client, nonce, authTime, sid } = grant
    return signer.sign({
      iss: facts.issuer,
      sub: subjectOf(facts.id),
      aud: client,
      ...userClaims(settings, facts),
      iat: Math.floor(clock.now() / 1000),
      exp: due / 1000,
      auth_time: Math.floor(authTime / 1000),
      ...(nonce !== undefined && { nonce }),
      at_hash: hash,
      sid,
      ...(preset.refreshToken === 'jwt' && { session_state: sid }),
    })
  }

  const toGrant: Provider['toGrant'] = (grantType, asking, session) => {
    const { client, scope: asked, audience, nonce, isOffline = true } = asking
    const scope = scopesOf(`${asked} ${preset.scope}`).join(' ')
    const { userId, sid = '', authTime = clock.now() } = session ?? {}
    const hasRefresh = {
      always: true,
      access_type: isOffline,
      offline_access: scopesOf(scope).includes('offline_access'),
    }
    const grant = drawNew(random, 12, state.codes)
    const isRenewable = session !== undefined && hasRefresh[preset.refresh]
    const own = { grant, grantType, client, scope, audience, nonce }
    return { ...own, userId, sid, authTime, isRenewable }
  }

  return {
    settings,
    state,
    users,
    signer,
    world,
    urlOf,
    issuerOf: (exchange) => urlOf(exchange.origin, paths.issuer),
    subjectOf,
    sessionOf(exchange) {
      const cookies = cookiesOf(exchange.headers['cookie'], cookieName)
      const browser = cookies.find((one) => state.sessions.has(one)) ?? cookies[0]
      const session = browser === undefined ? undefined : state.sessions.get(browser)
      const isCurrent = session !== undefined && session.due > clock.now()
      const user = isCurrent ? users.get(session.userId, exchange) : undefined
      return { browser, ...(session && user && { session, user }) }
    },
    toCookie(exchange, value, seconds) {
      const isSecure = urlOf(exchange.origin, '').startsWith('https:')
      const attributes = `Path=${service.base || '/'}; Max-Age=${seconds}; HttpOnly; SameSite=Lax`
      return ['Set-Cookie', `${cookieName}=${value}; ${attributes}${isSecure ? '; Secure' : ''}`]
    },
    startSession(user) {
      const now = clock.now()
      const value = drawNew(random, 32, state.sessions)
      const sid = drawNew(random, 20, state.sessions)
      const session = { userId: users.idOf(user), sid, authTime: now, due: now + refreshExpires }
      addExpiring(state.sessions, value, session, now)
      return [value, session]
    },
    toGrant,
    userBy(hint, exchange) {
      const wanted = hint.toLowerCase()
      return users.all(exchange).find((user) => {
        const id = users.idOf(user)
        const { email, username } = toProfile(user, id)
        return id === hint || email?.toLowerCase() === wanted || username?.toLowerCase() === wanted
      })
    },
    async issue(grant, user, origin, renewedScope) {
      const now = clock.now()
      const issuer = urlOf(origin, paths.issuer)
      const due = Math.floor((now + expires) / 1000) * 1000
      const scope = renewedScope ?? grant.scope
      const facts = factsOf({ ...grant, scope }, user, issuer)
      const issued: Issued = { ...grant, scope, due, issuedAt: now }
      const accessToken = await issueAccess(issued, facts)
      addExpiring(state.access, accessToken, issued, now)
      const hasRefresh = grant.isRenewable && (renewedScope === undefined || preset.isRotating)
      const hasId = user !== undefined && scopesOf(scope).includes('openid')
      const refreshToken = hasRefresh ? await issueRefresh(grant, issuer, now) : undefined
      const idToken = hasId
        ? await issueId(grant, facts, due, await sha256(accessToken, true))
        : undefined
      return {
        access_token: accessToken,
        token_type: 'Bearer',
        expires_in: Math.floor((due - now) / 1000),
        ...(refreshToken !== undefined && { refresh_token: refreshToken }),
        ...(idToken !== undefined && { id_token: idToken }),
        scope,
        ...(preset.refreshToken === 'jwt' && {
          refresh_expires_in: Math.floor(refreshExpires / 1000),
          session_state: grant.sid,
          'not-before-policy': 0,
        }),
      }
    },
    claimsOf: (grant, user, origin) => ({
      sub: subjectOf(grant.userId ?? ''),
      ...userClaims(settings, factsOf(grant, user, urlOf(origin, paths.issuer))),
    }),
    async verify(token) {
      const now = clock.now()
      const issued = state.access.get(token)
      if (issued) return issued.due > now ? issued : 'expired'
      if (!token.includes('.') || trustedBefore === 0) return undefined
      const read = await signer.verify(token, 'at+jwt')
      const { sub, iat, exp, sid, scope = '', client_id: client = '' } = read?.claims ?? {}
      if (typeof sub !== 'string' || typeof iat !== 'number' || typeof exp !== 'number')
        return undefined
      if (iat >= trustedBefore || !sub.startsWith(preset.subject)) return undefined
      if (read?.isExpired) return 'expired'
      const asked = { client: String(client), scope: String(scope) }
      const userId = sub.slice(preset.subject.length)
      const session = { userId, sid: String(sid), authTime: iat * 1000 }
      return { ...toGrant('', asked, session), issuedAt: iat * 1000, due: exp * 1000 }
    },
    reset() {
      trustedBefore = 0
      for (const entries of Object.values(state)) entries.clear()
    },
  }
}

/** The users who can log in; without an exchange, also users whom behaviours hide. */
export interface ProviderUsers {
  get(id: string, exchange?: Exchange): JsonRecord | undefined
  all(exchange?: Exchange): JsonRecord[]
  idOf(user: JsonRecord): string
}

/** The provider of one mock or fork, as its endpoints use it. */
export interface Provider {
  settings: OidcSettings
  state: ProviderState
  users: ProviderUsers
  signer: Signer
  world: MockContext
  /** The URL of a path below the base, at an origin or at that of the option `issuer`. */
  urlOf(origin: string, path: string): string
  issuerOf(exchange: Pick<Exchange, 'origin'>): string
  /** The claim `sub` of the user with an id. */
  subjectOf(id: string): string
  sessionOf(exchange: Exchange): BrowserSession
  toCookie(exchange: Exchange, value: string, seconds: number): HeaderList[number]
  /** Logs a user in at the provider, and returns the new value of the cookie. */
  startSession(user: JsonRecord): [string, ProviderSession]
  /** Creates the grant of a client for the user of a session; without a session, for itself. */
  toGrant(grantType: string, asked: Asked, session?: Omit<ProviderSession, 'due'>): Grant
  /** Finds a user by id, e-mail or username. */
  userBy(hint: string, exchange?: Exchange): JsonRecord | undefined
  /** Issues the tokens of a grant at an origin, or renews them, perhaps with less than the scope of the grant. */
  issue(
    grant: Grant,
    user: JsonRecord | undefined,
    origin: string,
    renewedScope?: string,
  ): Promise<Omit<Login, 'cookie'>>
  claimsOf(grant: Grant, user: JsonRecord, origin: string): Record<string, unknown>
  /** Returns the grant of an access token; undefined for an unknown token. */
  verify(token: string): Promise<Issued | 'expired' | undefined>
  reset(): void
}

/** The parts of a grant for which a client asks; `isOffline` is `access_type=offline` of Google. */
type Asked = Pick<Grant, 'client' | 'scope'> & {
  audience?: string | undefined
  nonce?: string | undefined
  isOffline?: boolean
}

/** The value of a browser's cookie, with the login that it names. */
export interface BrowserSession {
  browser: string | undefined
  session?: ProviderSession
  user?: JsonRecord
}

/** The cookie of the login at the provider. */
export const cookieName = 'fixtura_login'
