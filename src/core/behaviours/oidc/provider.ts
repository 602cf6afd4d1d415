import type { MockContext } from '../../http/contract/behaviour.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
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
import { createSigner, sha256, type Signer } from './signing.ts'
import type { Grant, Issued, ProviderState } from './state.ts'

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
    return signer.sign(
      {
        iss: facts.issuer,
        sub: userId === undefined ? issued.client : subjectOf(userId),
        ...presetClaims(settings, facts, 'accessClaims'),
        ...ownClaims(settings, facts),
        iat: Math.floor(clock.now() / 1000),
        exp: issued.due / 1000,
        jti: drawNew(random, 10, state.access),
        ...(userId !== undefined && { sid }),
      },
      'at+jwt',
    )
  }

  async function issueRefresh(grant: Grant, issuer: string, now: number): Promise<string> {
    const due = now + refreshExpires
    const id = drawNew(random, 40, state.refresh)
    const claims = {
      iss: issuer,
      aud: issuer,
      sub: grant.userId,
      typ: 'Refresh',
      azp: grant.client,
    }
    const times = {
      iat: Math.floor(now / 1000),
      exp: Math.floor(due / 1000),
      jti: id,
      sid: grant.sid,
    }
    const token =
      preset.refreshToken === 'jwt'
        ? await signer.sign({ ...claims, ...times, scope: grant.scope })
        : id
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

  return {
    settings,
    state,
    users,
    signer,
    world,
    urlOf,
    issuerOf: (exchange) => urlOf(exchange.origin, paths.issuer),
    subjectOf,
    userBy(hint, exchange) {
      const wanted = hint.toLowerCase()
      return users.all(exchange).find((user) => {
        const id = users.idOf(user)
        const { email, username } = toProfile(user, id)
        return id === hint || email?.toLowerCase() === wanted || username?.toLowerCase() === wanted
      })
    },
    async issue(grant, user, origin, renewal) {
      const now = clock.now()
      const issuer = urlOf(origin, paths.issuer)
      const due = Math.floor((now + expires) / 1000) * 1000
      const scope = renewal?.scope ?? grant.scope
      const facts = factsOf({ ...grant, scope }, user, issuer)
      const issued: Issued = { ...grant, scope, due, issuedAt: now }
      const accessToken = await issueAccess(issued, facts)
      addExpiring(state.access, accessToken, issued, now)
      const hasRefresh = grant.isRenewable && (!renewal || preset.isRotating)
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
      return {
        grant: token,
        grantType: '',
        client: String(client),
        userId: sub.slice(preset.subject.length),
        scope: String(scope),
        audience: undefined,
        sid: String(sid),
        authTime: iat * 1000,
        nonce: undefined,
        isRenewable: false,
        issuedAt: iat * 1000,
        due: exp * 1000,
      }
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
  /** Finds a user by id, e-mail or username. */
  userBy(hint: string, exchange?: Exchange): JsonRecord | undefined
  /** Issues the tokens of a grant at an origin, or renews them. */
  issue(
    grant: Grant,
    user: JsonRecord | undefined,
    origin: string,
    renewal?: Renewal,
  ): Promise<OidcTokens>
  /** Returns the claims of the user info. */
  claimsOf(grant: Grant, user: JsonRecord, origin: string): Record<string, unknown>
  /** Returns the grant of an access token; undefined for an unknown token. */
  verify(token: string): Promise<Issued | 'expired' | undefined>
  reset(): void
}

/** The use of a refresh token, which may ask for less than the scope of the grant. */
export interface Renewal {
  scope: string
}

/** The tokens of a login (RFC 6749 §5.1, OpenID Connect Core §3.1.3.3). */
export interface OidcTokens {
  access_token: string
  token_type: string
  /** Seconds. */
  expires_in: number
  refresh_token?: string
  id_token?: string
  scope: string
}
