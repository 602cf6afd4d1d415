import type { Clock } from '../../time/clock.ts'
import type { MockContext } from '../../http/contract/behaviour.ts'
import { andThen, type MaybePromise } from '../../http/contract/messages.ts'
import { type JsonRecord, ownValue } from '../../json/json.ts'
import { type Random, randomText } from '../../time/random.ts'
import { openStored } from '../shared/world-state.ts'
import type { AuthSettings } from './options.ts'
import { createJwt } from './jwt.ts'
import { remember } from './remember.ts'

/**
 * Creates the bearer tokens of a mock or of one of its forks: access tokens, and the refresh tokens that renew
 * them. A login starts a session, which its tokens share and a logout ends. The same seed and clock give the
 * same tokens.
 */
export function createTokens(
  settings: AuthSettings,
  state: TokenState,
  clock: Clock,
  random: Random,
): Tokens {
  const { expires, refreshExpires, claims, known } = settings
  const jwt = settings.tokens === 'jwt' ? createJwt(settings.secret) : undefined
  const { access, refresh, sessions } = state

  /** Remembers a session until the last of its tokens has expired. */
  function setSession(session: string, isEnded: boolean): void {
    const now = clock.now()
    const due = now + Math.max(expires, refreshExpires)
    remember(sessions, session, { isEnded, due }, now)
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

  function renew(session: string, userId: string, user: JsonRecord): MaybePromise<Grant> {
    const now = clock.now()
    // The claim `exp` has whole seconds.
    const due = Math.floor((now + expires) / 1000) * 1000
    const issued: IssuedToken = { userId, session, due }
    const refreshToken = drawNew(random, 32, refresh)
    remember(refresh, refreshToken, { userId, session, due: now + refreshExpires }, now)
    setSession(session, false)
    return andThen(sign(issued, user), (token) => {
      remember(access, token, issued, now)
      return {
        access_token: token,
        token_type: 'Bearer',
        expires_in: Math.floor(expires / 1000),
        refresh_token: refreshToken,
      }
    })
  }

  function judge(issued: IssuedToken): Verdict {
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
      if (issued) return judge(issued)
      if (!jwt) return 'unknown'
      return andThen(jwt.verify(token, clock.now()), (read) => {
        if (typeof read !== 'object') return read ?? 'unknown'
        const { sub, sid = token, due } = read
        return judge({ userId: sub, session: sid, due })
      })
    },
    redeem(token) {
      const issued = refresh.get(token)
      refresh.delete(token)
      const verdict = issued && judge(issued)
      return typeof verdict === 'object' ? verdict : undefined
    },
    end: (session) => setSession(session, true),
    reset() {
      access.clear()
      refresh.clear()
      sessions.clear()
    },
  }
}

/** Issues, verifies, renews and revokes tokens. */
export interface Tokens {
  issue(userId: string, user: JsonRecord): MaybePromise<Grant>
  verify(token: string): MaybePromise<Verdict>
  /** Consumes a refresh token; undefined for an invalid or expired token. */
  redeem(refreshToken: string): IssuedToken | undefined
  /** Issues new tokens for a login session. */
  renew(session: string, userId: string, user: JsonRecord): MaybePromise<Grant>
  /** Ends a login session, which revokes its tokens. */
  end(session: string): void
  reset(): void
}

/** The tokens that a login or a refresh returns, with the member names of OAuth 2.0 (RFC 6749 §5.1). */
export interface Grant {
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  refresh_token: string
}

/** The result of verifying a token. */
export type Verdict = IssuedToken | 'expired' | 'unknown'

/** A valid token. */
export interface IssuedToken {
  userId: string
  session: string
  /** The expiry, in milliseconds since 1970; Infinity for a token that does not expire. */
  due: number
}

/** The issued tokens and their login sessions. */
export interface TokenState {
  access: Map<string, IssuedToken>
  refresh: Map<string, IssuedToken>
  /**
   * Whether each session has ended; `due` is the time when the entry is removed, in milliseconds since 1970. A
   * session of an earlier process has an entry once the session has ended.
   */
  sessions: Map<string, { isEnded: boolean; due: number }>
}

/** Opens the token state of a mock: empty or, if the mock has storage, as the last process left it. */
export function openTokenState(world: MockContext): TokenState {
  return {
    access: openStored(world, 'access'),
    refresh: openStored(world, 'refresh'),
    sessions: openStored(world, 'sessions'),
  }
}

/** Copies the token state of a mock for its fork. */
export function copyTokenState({ access, refresh, sessions }: TokenState): TokenState {
  return { access: new Map(access), refresh: new Map(refresh), sessions: new Map(sessions) }
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
