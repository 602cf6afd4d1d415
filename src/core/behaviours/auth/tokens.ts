import type { Clock } from '../../time/clock.ts'
import { after, type MaybePromise } from '../../http/contract/messages.ts'
import { type JsonRecord, ownValue } from '../../json/json.ts'
import { type Random, randomText } from '../../time/random.ts'
import type { AuthSettings } from './options.ts'
import { createJwt } from './jwt.ts'

/** What a login gives (RFC 6749 §5.1). */
export interface Grant {
  access_token: string
  token_type: 'Bearer'
  /** Seconds. */
  expires_in: number
  refresh_token: string
}

/** What has been found out about a token. */
export type Verdict = { userId: string; session: string } | 'expired' | 'unknown'

/** The tokens of one world. */
export interface Tokens {
  issue(userId: string, user: JsonRecord): MaybePromise<Grant>
  verify(token: string): MaybePromise<Verdict>
  /** Uses up a refresh token; undefined where it is not good. */
  redeem(refreshToken: string): { userId: string; session: string } | undefined
  /** New tokens in the place of those of the session. */
  renew(session: string, userId: string, user: JsonRecord): MaybePromise<Grant>
  /** Makes every token of the session worthless. */
  end(session: string): void
  reset(): void
}

interface Held {
  userId: string
  session: string
  due: number
}

/** Which tokens there are. */
export interface TokenState {
  access: Map<string, Held>
  refresh: Map<string, Held>
  /** The sessions, and whether each is over; one of an earlier run is known once it is. */
  sessions: Map<string, boolean>
}

/** The tokens of a world in which nobody has logged in, or a copy of those of another. */
export function toTokenState({ access, refresh, sessions }: Partial<TokenState>): TokenState {
  return { access: new Map(access), refresh: new Map(refresh), sessions: new Map(sessions) }
}

/** Creates the tokens of a world, the same for the same seed and clock. */
export function createTokens(
  settings: AuthSettings,
  state: TokenState,
  clock: Clock,
  random: Random,
): Tokens {
  const { expires, refreshExpires, claims, known } = settings
  const jwt = settings.tokens === 'jwt' ? createJwt(settings.secret) : undefined
  const { access, refresh, sessions } = state

  function sign(held: Held, user: JsonRecord): MaybePromise<string> {
    if (!jwt) return drawNew(random, 32, access)
    return jwt.sign({
      sub: held.userId,
      ...Object.fromEntries(claims.map((name) => [name, ownValue(user, name)])),
      iat: Math.floor(clock.now() / 1000),
      exp: held.due / 1000,
      jti: randomText(random),
      sid: held.session,
    })
  }

  function renew(session: string, userId: string, user: JsonRecord): MaybePromise<Grant> {
    // A signed token counts in whole seconds.
    const due = Math.floor((clock.now() + expires) / 1000) * 1000
    const held: Held = { userId, session, due }
    const refreshToken = drawNew(random, 32, refresh)
    refresh.set(refreshToken, { userId, session, due: clock.now() + refreshExpires })
    return after(sign(held, user), (token) => {
      access.set(token, held)
      return {
        access_token: token,
        token_type: 'Bearer',
        expires_in: Math.floor(expires / 1000),
        refresh_token: refreshToken,
      }
    })
  }

  function judge(held: Held): Verdict {
    if (sessions.get(held.session)) return 'unknown'
    return held.due > clock.now() ? held : 'expired'
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
      const held = access.get(token)
      if (held) return judge(held)
      if (!jwt) return 'unknown'
      return after(jwt.verify(token, clock.now()), (read) => {
        if (typeof read !== 'object') return read ?? 'unknown'
        const { sub, sid = token } = read
        return judge({ userId: sub, session: sid, due: Infinity })
      })
    },
    redeem(token) {
      const held = refresh.get(token)
      refresh.delete(token)
      const verdict = held && judge(held)
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

/** Draws a text that is not taken: a fork draws what its origin has drawn, for others. */
export function drawNew(
  random: Random,
  length: number,
  taken: ReadonlyMap<string, unknown>,
): string {
  const text = randomText(random, length)
  return taken.has(text) ? drawNew(random, length, taken) : text
}
