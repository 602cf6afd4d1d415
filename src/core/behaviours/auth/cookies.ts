import type { Clock } from '../../time/clock.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { Random } from '../../time/random.ts'
import { cookiesOf } from '../../text/cookies.ts'
import type { AuthSettings } from './options.ts'
import { addExpiring, drawNew, knownUserOf, type Logins } from './logins.ts'

/** Creates the login sessions of the scheme `cookie`; the same seed and clock give the same ones. */
export function createCookies(
  { cookie: name, expires, known }: AuthSettings,
  { cookies: sessions }: Logins,
  clock: Clock,
  random: Random,
): Cookies {
  /** Returns the first valid session: a client may send several cookies of one name. */
  function find({ headers }: Exchange): LoginSession | undefined {
    for (const id of cookiesOf(headers['cookie'], name)) {
      const userId = knownUserOf(known, id)
      if (userId !== undefined) return { id, userId, due: Infinity }
      const session = sessions.get(id)
      if (session && session.due > clock.now()) return { id, ...session }
    }
    return undefined
  }

  function write(value: string, seconds: number, exchange: Exchange): string {
    const path = exchange.service.base || '/'
    return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; ${sameSiteOf(exchange)}`
  }

  function set(id: string, userId: string, exchange: Exchange): string {
    const now = clock.now()
    addExpiring(sessions, id, { userId, due: now + expires }, now)
    return write(id, Math.floor(expires / 1000), exchange)
  }

  return {
    start: (userId, exchange) => set(drawNew(random, 24, sessions), userId, exchange),
    read: find,
    renew(exchange) {
      const session = find(exchange)
      return session && set(session.id, session.userId, exchange)
    },
    end(exchange) {
      const session = find(exchange)
      if (session) sessions.delete(session.id)
      return write('', 0, exchange)
    },
  }
}

/** Starts, finds, renews and ends the login sessions that requests name by a cookie. */
export interface Cookies {
  /** Starts the session of a user. Returns the value of `Set-Cookie`. */
  start(userId: string, exchange: Exchange): string
  read(exchange: Exchange): LoginSession | undefined
  /** Extends the session of the request to its full lifetime; undefined without a session. */
  renew(exchange: Exchange): string | undefined
  /** Ends the session of the request. Returns the `Set-Cookie` that deletes the cookie. */
  end(exchange: Exchange): string
}

/** A login session with the value of its cookie; `due` is the expiry in milliseconds since 1970. */
interface LoginSession {
  id: string
  userId: string
  due: number
}

/** A browser stores cookies of another site only with `SameSite=None` (RFC 6265bis §5.7), partitioned by page. */
function sameSiteOf({ headers, origin }: Exchange): string {
  if (headers['sec-fetch-site'] === 'cross-site') return 'SameSite=None; Secure; Partitioned'
  return origin.startsWith('https:') ? 'SameSite=Lax; Secure' : 'SameSite=Lax'
}
