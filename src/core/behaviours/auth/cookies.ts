import type { Clock } from '../../time/clock.ts'
import type { Exchange } from '../../http/contract/exchange.ts'
import type { Random } from '../../time/random.ts'
import type { AuthSettings } from './options.ts'
import { drawNew } from './tokens.ts'
import { cookiesOf } from '../shared/cookies.ts'

/** Those who are logged in by a cookie. */
export interface Cookies {
  /** Logs a user in. Returns the value of `Set-Cookie`. */
  start(userId: string, exchange: Exchange): string
  /** The user whom the request's cookie names. */
  read(exchange: Exchange): string | undefined
  /** Gives the session of the request its full time again; undefined where there is none. */
  renew(exchange: Exchange): string | undefined
  /** Logs out. Returns the value of `Set-Cookie` that takes the cookie away. */
  end(exchange: Exchange): string
  reset(): void
}

/** Who is logged in until when (milliseconds since 1970), by the value of their cookie. */
export type CookieState = Map<string, { userId: string; due: number }>

/** Creates the cookie sessions of a world, the same for the same seed and clock. */
export function createCookies(
  { cookie: name, expires }: AuthSettings,
  open: CookieState,
  clock: Clock,
  random: Random,
): Cookies {
  /** A client may send more than one of the name; the first that is good counts. */
  function find({ headers }: Exchange): { id: string; userId: string } | undefined {
    for (const id of cookiesOf(headers['cookie'], name)) {
      const session = open.get(id)
      if (session && session.due > clock.now()) return { id, userId: session.userId }
    }
    return undefined
  }

  function write(value: string, seconds: number, exchange: Exchange): string {
    const path = exchange.service.base || '/'
    return `${name}=${value}; Path=${path}; Max-Age=${seconds}; HttpOnly; ${reachOf(exchange)}`
  }

  function set(id: string, userId: string, exchange: Exchange): string {
    open.set(id, { userId, due: clock.now() + expires })
    return write(id, Math.floor(expires / 1000), exchange)
  }

  return {
    start: (userId, exchange) => set(drawNew(random, 24, open), userId, exchange),
    read: (exchange) => find(exchange)?.userId,
    renew(exchange) {
      const held = find(exchange)
      return held && set(held.id, held.userId, exchange)
    },
    end(exchange) {
      const held = find(exchange)
      if (held) open.delete(held.id)
      return write('', 0, exchange)
    },
    reset: () => open.clear(),
  }
}

/**
 * Where a cookie goes. That of a page of another site, as one of 127.0.0.1 is to localhost, a browser
 * keeps only so (RFC 6265bis §5.7), and for that page alone.
 */
function reachOf({ headers, origin }: Exchange): string {
  if (headers['sec-fetch-site'] === 'cross-site') return 'SameSite=None; Secure; Partitioned'
  return origin.startsWith('https:') ? 'SameSite=Lax; Secure' : 'SameSite=Lax'
}
