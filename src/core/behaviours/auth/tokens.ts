import type { Clock } from '../../time/clock.ts'
import type { LoginTokens } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { toBase64Url } from '../../text/base64.ts'
import { type Random, randomText } from '../../time/random.ts'
import type { Issuer, Issuers } from '../shared/issuers.ts'
import { signJwt, verifyJwt } from '../shared/jwt.ts'
import type { AuthSettings } from './options.ts'
import { addExpiring, drawNew, type IssuedToken, knownUserOf, type Logins } from './logins.ts'

/** Creates the tokens of a mock or fork. A login starts a session, which its tokens share and a logout ends. */
export function createTokens(
  settings: AuthSettings,
  { access, refresh, sessions }: Logins,
  clock: Clock,
  random: Random,
  issuers: Issuers,
): Tokens {
  const { expires, refreshExpires, claims, known, word = 'Bearer' } = settings
  const jwt = settings.tokens === 'jwt' ? createJwt(settings.secret, clock) : undefined

  function setSession(session: string, isEnded: boolean): void {
    const now = clock.now()
    const due = now + Math.max(expires, refreshExpires)
    addExpiring(sessions, session, { isEnded, due }, now)
  }

  function sign(issued: IssuedToken, user: JsonRecord): MaybePromise<string> {
    if (!jwt) return drawNew(random, 32, access)
    return jwt.sign({
      sub: issued.userId,
      ...Object.fromEntries(claims.map((name) => [name, ownValue(user, name)])),
      iat: Math.floor(clock.now() / 1000),
      exp: issued.due / 1000,
      jti: randomText(random),
      sid: issued.session,
    })
  }

  function renew(session: string, userId: string, user: JsonRecord): MaybePromise<LoginTokens> {
    const now = clock.now()
    // The claim `exp` has whole seconds.
    const due = Math.floor((now + expires) / 1000) * 1000
    const issued: IssuedToken = { userId, session, due }
    const refreshToken = drawNew(random, 32, refresh)
    addExpiring(refresh, refreshToken, { userId, session, due: now + refreshExpires }, now)
    setSession(session, false)
    return andThen(sign(issued, user), (token) => {
      addExpiring(access, token, issued, now)
      return {
        access_token: token,
        token_type: word,
        expires_in: Math.floor(expires / 1000),
        refresh_token: refreshToken,
      }
    })
  }

  function toVerdict(issued: IssuedToken): Verdict {
    if (sessions.get(issued.session)?.isEnded) return 'unknown'
    return issued.due > clock.now() ? issued : 'expired'
  }

  return {
    issue: (userId, user) => renew(drawNew(random, 10, sessions), userId, user),
    renew,
    verify(token) {
      const userId = knownUserOf(known, token)
      if (userId !== undefined) return { userId, session: token, due: Infinity }
      const issued = access.get(token)
      if (issued) return toVerdict(issued)
      return andThen(verifyByIssuers(token, issuers.list), (issued) => {
        if (issued === 'expired') return issued
        if (issued) return toVerdict(issued)
        if (!jwt) return 'unknown'
        return andThen(jwt.verify(token), (read) =>
          typeof read === 'object' ? toVerdict(read) : read,
        )
      })
    },
    redeem(token) {
      const issued = refresh.get(token)
      refresh.delete(token)
      return issued ? toVerdict(issued) : 'unknown'
    },
    end: (session) => setSession(session, true),
  }
}

/** Asks the providers of the mock for a token, one after the other; undefined if none of them has issued it. */
function verifyByIssuers(
  token: string,
  [issuer, ...others]: readonly Issuer[],
): MaybePromise<IssuedToken | 'expired' | undefined> {
  if (!issuer) return undefined
  return andThen(issuer.verify(token), (verdict) => verdict ?? verifyByIssuers(token, others))
}

/** Issues, verifies, renews and revokes tokens. */
export interface Tokens {
  issue(userId: string, user: JsonRecord): MaybePromise<LoginTokens>
  verify(token: string): MaybePromise<Verdict>
  /** Consumes a refresh token. */
  redeem(refreshToken: string): Verdict
  renew(session: string, userId: string, user: JsonRecord): MaybePromise<LoginTokens>
  end(session: string): void
}

/** The result of verifying a token. */
export type Verdict = IssuedToken | 'expired' | 'unknown'

/** Signs and verifies tokens by HS256 (RFC 7518 §3.2). */
function createJwt(secret: string, clock: Clock) {
  const key = { kty: 'oct', k: toBase64Url(secret) }
  const header = { alg: 'HS256', typ: 'JWT' }
  return {
    sign: (claims: Record<string, Json | undefined>): Promise<string> =>
      signJwt(claims, header, key, ', or give "auth" the option tokens: "opaque"'),
    /** Returns the login of a token; tokens of other issuers may lack `sid`, the id of the session. */
    async verify(token: string): Promise<Verdict> {
      const options = { algorithms: ['HS256'], currentDate: new Date(clock.now()) }
      const read = await verifyJwt(token, key, options)
      if (read?.isExpired) return 'expired'
      const { sub, sid, exp } = read?.claims ?? {}
      if (typeof sub !== 'string') return 'unknown'
      const due = typeof exp === 'number' ? exp * 1000 : Infinity
      return { userId: sub, session: typeof sid === 'string' ? sid : token, due }
    },
  }
}
