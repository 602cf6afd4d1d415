import type { Clock } from '../../time/clock.ts'
import type { LoginTokens } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { type Json, type JsonRecord, ownValue } from '../../json/json.ts'
import { codeOf } from '../../errors/error-details.ts'
import { MockError } from '../../errors/mock-error.ts'
import { toBase64Url } from '../../text/base64.ts'
import { type Random, randomText } from '../../time/random.ts'
import type { Issuer, Issuers } from '../shared/issuers.ts'
import type { AuthSettings } from './options.ts'
import { addExpiring, drawNew, type IssuedToken, type Logins } from './logins.ts'

/** Creates the tokens of a mock or fork. A login starts a session, which its tokens share and a logout ends. */
export function createTokens(
  settings: AuthSettings,
  { access, refresh, sessions }: Logins,
  clock: Clock,
  random: Random,
  issuers: Issuers,
): Tokens {
  const { expires, refreshExpires, claims, known, word = 'Bearer' } = settings
  const jwt = settings.tokens === 'jwt' ? createJwt(settings.secret) : undefined

  /** Remembers a session until the last of its tokens has expired. */
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
      if (Object.hasOwn(known, token)) {
        return { userId: String(known[token]), session: token, due: Infinity }
      }
      const issued = access.get(token)
      if (issued) return toVerdict(issued)
      return andThen(verifyByIssuers(token, issuers.list), (issued) => {
        if (issued === 'expired') return issued
        if (issued) return toVerdict(issued)
        if (!jwt) return 'unknown'
        return andThen(jwt.verify(token, clock.now()), (read) => {
          if (typeof read !== 'object') return read ?? 'unknown'
          const { sub, sid = token, due } = read
          return toVerdict({ userId: sub, session: sid, due })
        })
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

/** HS256 (RFC 7519) by two modules of `jose`, because a bundle contains all of what is imported dynamically. */
function createJwt(secret: string) {
  const key = { kty: 'oct', k: toBase64Url(secret) }
  return {
    async sign(claims: Record<string, Json | undefined>): Promise<string> {
      if (!hasWebCrypto()) throw noWebCrypto()
      const { SignJWT } = await import('jose/jwt/sign')
      return new SignJWT(claims).setProtectedHeader({ alg: 'HS256', typ: 'JWT' }).sign(key)
    },
    /** Returns the claims of a token; undefined for a wrong signature or a token that is not valid yet. */
    async verify(token: string, now: number): Promise<Claims | 'expired' | undefined> {
      const { jwtVerify } = await import('jose/jwt/verify')
      try {
        const options = { algorithms: ['HS256'], currentDate: new Date(now) }
        const { sub, sid, exp = Infinity } = (await jwtVerify(token, key, options)).payload
        if (sub === undefined) return undefined
        return { sub, sid: typeof sid === 'string' ? sid : undefined, due: exp * 1000 }
      } catch (error) {
        return codeOf(error) === 'ERR_JWT_EXPIRED' ? 'expired' : undefined
      }
    },
  }
}

/** Claims of RFC 7519 §4; tokens of other issuers may lack `sid`, the id of the login session. */
interface Claims {
  sub: string
  sid: string | undefined
  /** The expiry; Infinity for a token without `exp`. */
  due: number
}

/** Whether `jose` can sign: Jest's jsdom has a `crypto` without `subtle`. */
function hasWebCrypto(): boolean {
  const { crypto } = globalThis as { crypto?: { subtle?: unknown } }
  return crypto?.subtle !== undefined
}

function noWebCrypto(): MockError {
  return new MockError(
    'Failed to sign a token: this runtime has no WebCrypto (crypto.subtle). Please set it, or give "auth" the option tokens: "opaque".',
  )
}
