import type { Exchange } from '../../http/contract/exchange.ts'
import { andThen, type MaybePromise, tryOr } from '../../http/contract/messages.ts'
import { type JsonRecord, ownValue } from '../../json/json.ts'
import { passwordCheck, toStandIn } from '../../text/stand-in.ts'
import type { Clock } from '../../time/clock.ts'
import { type Random, randomText } from '../../time/random.ts'
import type { AuthSettings } from './options.ts'
import { rolesOf } from './users.ts'

/** The tokens and cookies of the users who are logged in: the state of `auth`, which a fork copies. */
export interface Logins {
  access: Map<string, IssuedToken>
  refresh: Map<string, IssuedToken>
  /** An entry of a session is removed at `due`; a session of an earlier process has one once it has ended. */
  sessions: Map<string, { isEnded: boolean; due: number }>
  cookies: Map<string, { userId: string; due: number }>
}

/** A token and its expiry, in milliseconds since 1970; Infinity for a token that does not expire. */
export interface IssuedToken {
  userId: string
  session: string
  due: number
}

/** Adds an entry, and drops expired and surplus ones, the oldest first: all entries of a map live equally long. */
export function addExpiring<Entry extends { due: number }>(
  entries: Map<string, Entry>,
  key: string,
  entry: Entry,
  now: number,
): void {
  entries.delete(key)
  for (const [oldest, { due }] of entries) {
    if (due > now && entries.size < maxLogins) break
    entries.delete(oldest)
  }
  entries.set(key, entry)
}

/** Returns the id of the user of a token of the option `known`, or of a credential with such a stand-in. */
export function knownUserOf(known: AuthSettings['known'], text: string): string | undefined {
  if (Object.keys(known).length === 0) return undefined
  const id = ownValue(known, text) ?? ownValue(known, toStandIn(passwordCheck([text])))
  return id === undefined ? undefined : String(id)
}

/** The most entries of each kind of {@link Logins}. */
export const maxLogins = 10_000

/** Draws a random text that is not in use: a fork draws the same texts as its origin. */
export function drawNew(
  random: Random,
  length: number,
  used: ReadonlyMap<string, unknown>,
): string {
  const text = randomText(random, length)
  return used.has(text) ? drawNew(random, length, used) : text
}

/** A user whom the credentials of a request identify. */
export interface Login {
  user: JsonRecord
  id: string | number
  /** The expiry of the credentials, in milliseconds since 1970; Infinity if they do not expire. */
  due: number
  /** The bearer token of the request. */
  token?: string
}

/**
 * Returns the user whose credentials a request has; undefined for a request without credentials, or with only
 * an invalid cookie. Throws MockError 401 for invalid and 400 for malformed credentials.
 */
export type Authenticate = (exchange: Exchange) => MaybePromise<Login | undefined>

/** Creates the watch that ends an event stream once its login has ended or has other roles. */
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

      function check(): void {
        const current = tryOr(
          () => authenticate({ ...exchange }),
          () => undefined,
        )
        void andThen(current, (current) => {
          if (!checks.has(check)) return
          if (current && isSameUser(current, login)) waitForExpiry(current)
          else end()
        })
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
  /** Calls `end` when the credentials no longer identify the user. Returns a stop function. */
  bind(exchange: Exchange, login: Login, end: () => void): () => void
  recheck(): void
}

function isSameUser(one: Login, other: Login): boolean {
  return one.id === other.id && String(rolesOf(one.user)) === String(rolesOf(other.user))
}
