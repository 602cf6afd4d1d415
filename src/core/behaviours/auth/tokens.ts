import type { Clock } from '../../time/clock.ts'
import { after, type MaybePromise } from '../../http/contract/messages.ts'
import { type JsonRecord, ownValue } from '../../json/json.ts'
import { type Random, randomText } from '../../time/random.ts'
import type { AuthSettings } from './options.ts'
import { createJwt } from './jwt.ts'

/** The tokens that a login or a refresh returns, with the member names of OAuth 2.0 (RFC 6749 §5.1). */
export interface Grant {
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  refresh_token: string
}

/** The result of verifying a token. */
export type Verdict = { userId: string; session: string } | 'expired' | 'unknown'

/** The tokens of one world. */
export interface Tokens {
  issue(userId: string, user: JsonRecord): MaybePromise<Grant>
  verify(token: string): MaybePromise<Verdict>
  /** Consumes a refresh token; undefined for an invalid or expired token. */
  redeem(refreshToken: string): { userId: string; session: string } | undefined
  /** Issues new tokens for a session. */
  renew(session: string, userId: string, user: JsonRecord): MaybePromise<Grant>
  /** Ends a session, which revokes its tokens. */
  end(session: string): void
  reset(): void
}

interface IssuedToken {
  userId: string
  session: string
  /** The expiry, in milliseconds since 1970. */
  due: number
}

/** The issued tokens. */
export interface TokenState {
  access: Map<string, IssuedToken>
  refresh: Map<string, IssuedToken>
  /** Whether each session has ended. A session of an earlier process is added when it ends. */
  sessions: Map<string, boolean>
}

/** Creates empty token state, or a copy of the token state of another world. */
export function toTokenState({ access, refresh, sessions }: Partial<TokenState>): TokenState {
  return { access: new Map(access), refresh: new Map(refresh), sessions: new Map(sessions) }
}

/** Creates the tokens of a world. The same seed and clock give the same tokens. */
export function createTokens(
  settings: AuthSettings,
  state: TokenState,
  clock: Clock,
  random: Random,
): Tokens {
  const { expires, refreshExpires, claims, known } = settings
  const jwt = settings.tokens === 'jwt' ? createJwt(settings.secret) : undefined
  const { access, refresh, sessions } = state

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

  function renew(session: string, userId: string, user: JsonRecord): MaybePromise<Grant> {
    // The claim `exp` has whole seconds.
    const due = Math.floor((clock.now() + expires) / 1000) * 1000
    const issued: IssuedToken = { userId, session, due }
    const refreshToken = drawNew(random, 32, refresh)
    refresh.set(refreshToken, { userId, session, due: clock.now() + refreshExpires })
    return after(sign(issued, user), (token) => {
      access.set(token, issued)
      return {
        access_token: token,
        token_type: 'Bearer',
        expires_in: Math.floor(expires / 1000),
        refresh_token: refreshToken,
      }
    })
  }

  function judge(issued: IssuedToken): Verdict {
    if (sessions.get(issued.session)) return 'unknown'
    return issued.due > clock.now() ? issued : 'expired'
  }

  return {
    issue(userId, user) {
      const session = drawNew(random, 10, sessions)
      sessions.set(session, false)
      return renew(session, userId, user)
    },
    renew,
    verify(token) {
      if (Object.hasOwn(known, token)) return { userId: String(known[token]), session: token }
      const issued = access.get(token)
      if (issued) return judge(issued)
      if (!jwt) return 'unknown'
      return after(jwt.verify(token, clock.now()), (read) => {
        if (typeof read !== 'object') return read ?? 'unknown'
        const { sub, sid = token } = read
        return judge({ userId: sub, session: sid, due: Infinity })
      })
    },
    redeem(token) {
      const issued = refresh.get(token)
      refresh.delete(token)
      const verdict = issued && judge(issued)
      return typeof verdict === 'object' ? verdict : undefined
    },
    end: (session) => void sessions.set(session, true),
    reset() {
      access.clear()
      refresh.clear()
      sessions.clear()
    },
  }
}

/** Draws a random text that is not in use: a fork draws the same texts as its origin. */
export function drawNew(
  random: Random,
  length: number,
  used: ReadonlyMap<string, unknown>,
): string {
  const text = randomText(random, length)
  return used.has(text) ? drawNew(random, length, used) : text
}
