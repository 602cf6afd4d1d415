import type { Exchange } from '../../http/contract/exchange.ts'
import { andThen, tryOr } from '../../http/contract/messages.ts'
import type { Clock } from '../../time/clock.ts'
import type { Authenticate, Login } from './schemes.ts'
import { rolesOf } from './users.ts'

/**
 * Creates the watch over the logins of event streams, which ends a stream whose login has ended: by a logout,
 * because a token or cookie has expired, or because the user was removed or has other roles.
 */
export function createStreamLogins(authenticate: Authenticate, clock: Clock): StreamLogins {
  const checks = new Set<() => void>()
  return {
    bind(exchange, login, end) {
      let stopTimer = (): void => undefined

      function waitForExpiry({ due }: Login): void {
        stopTimer()
        if (due === Infinity) return
        stopTimer = clock.after(Math.max(0, due - clock.now()), check, true)
      }

      function judge(now: Login | undefined): void {
        if (!checks.has(check)) return
        if (now && isSameUser(now, login)) waitForExpiry(now)
        else end()
      }

      const check = (): void => {
        const answered = tryOr(
          () => authenticate({ ...exchange }),
          () => undefined,
        )
        void andThen(answered, judge)
      }
      checks.add(check)
      waitForExpiry(login)
      return () => {
        checks.delete(check)
        stopTimer()
      }
    },
    recheck() {
      for (const check of checks) check()
    },
  }
}

/** The watch over the streams of one mock or fork. */
export interface StreamLogins {
  /**
   * Calls `end` when the credentials of the request no longer identify its user. Returns a function that
   * stops watching.
   */
  bind(exchange: Exchange, login: Login, end: () => void): () => void
  /** Authenticates the requests of all open streams again. */
  recheck(): void
}

/** Whether two logins are of one user with the same roles. */
function isSameUser(one: Login, other: Login): boolean {
  return one.id === other.id && String(rolesOf(one.user)) === String(rolesOf(other.user))
}
