import {
  type Check,
  checkOptions,
  isCookieName,
  isCount,
  isFlag,
  isHeaderName,
} from '../errors/check.ts'
import { type Duration, isSpan, toMilliseconds } from '../time/duration.ts'
import { MockError } from '../errors/mock-error.ts'
import type { Behaviour } from '../http/contract/behaviour.ts'
import type { MockInternals } from '../http/contract/internals.ts'
import type { OperationDescription } from '../http/contract/description.ts'
import { isHandshake, type MockRequest } from '../http/contract/messages.ts'
import { isSessionName, sessionCookie, sessionHeader } from '../text/session-name.ts'
import { cookiesOf } from '../text/cookies.ts'
import { decode } from '../url/pattern.ts'
import { forkFor, type OwnFork } from './shared/own-fork.ts'

/**
 * Gives each session, which a client names by a header or a cookie, its own fork of the mock with its own data, so
 * that parallel tests share one server.
 * @throws MockError when an option is wrong
 * @example sessions({ ttl: '10m' })
 */
export function sessions(options: SessionOptions = {}): Behaviour {
  checkOptions('the options of "sessions"', options, sessionChecks)
  const { ttl = '30m', limit = 100, required = false } = options
  const { header = sessionHeader, cookie = sessionCookie } = options
  const lifetime = toMilliseconds(ttl)
  const nameOf = createSessionNameOf(header.toLowerCase(), cookie)
  return {
    name: 'sessions',
    create(world) {
      const { clock } = world
      const open = new Map<string, Session>()
      let stopTimer: (() => void) | undefined

      function leaveExpired(): void {
        const now = clock.now()
        for (const [name, { used }] of open) if (now - used > lifetime) leave(name)
      }

      /** Ends a session without requests when its time is over, so that its event streams end too. */
      function watchOldest(): void {
        stopTimer = undefined
        leaveExpired()
        const [oldest] = open.values()
        if (!oldest) return
        const left = oldest.used + lifetime - clock.now()
        stopTimer = clock.after(left + 1, watchOldest, true)
      }

      function enter(name: string): MockInternals {
        leaveExpired()
        const now = clock.now()
        const existing = open.get(name)
        open.delete(name)
        const session = existing ?? { ...forkFor(world, `session ${name}`), used: now }
        session.used = now
        open.set(name, session)
        const [oldest] = open.keys()
        if (open.size > limit && oldest !== undefined) leave(oldest)
        if (!stopTimer) watchOldest()
        session.updateFixtures()
        return session.host
      }

      function leave(name: string): void {
        open.get(name)?.end()
        open.delete(name)
        if (open.size > 0) return
        stopTimer?.()
        stopTimer = undefined
      }

      const leaveAll = (): void => {
        for (const name of open.keys()) leave(name)
      }

      return {
        divert(request) {
          const name = nameOf(request)
          return isSessionName(name) ? enter(name) : undefined
        },
        at: {
          entry({ request }) {
            const name = nameOf(request)
            if (name === undefined ? required : !isSessionName(name))
              throw wrongSessionName(header, name)
          },
        },
        describe: () => ({ operation: () => describeSessions(header, required) }),
        controls: {
          GET: () => Array.from(open, ([name, { used }]) => ({ name, used })),
          DELETE(input) {
            if (typeof input === 'string') leave(input)
            else leaveAll()
            return open.size
          },
        },
        reset: leaveAll,
        end: leaveAll,
      }
    },
  }
}

/** The options of {@link sessions}. */
export interface SessionOptions {
  /** The header that names a session. @default 'X-Mock-Session' */
  header?: string
  /** The cookie, and for sockets the parameter, that names a session if the header is missing. @default 'mock-session' */
  cookie?: string
  /** How long a session, and with it its event streams, is kept after its last request. @default '30m' */
  ttl?: Duration
  /** The largest number of sessions. A new session replaces the least recently used. @default 100 */
  limit?: number
  /** Whether a request without a session gets 400. @default false */
  required?: boolean
}

interface Session extends OwnFork {
  /** The time of the last request, in milliseconds since 1970. */
  used: number
}

/** The checks of {@link SessionOptions}. */
export const sessionChecks: Readonly<Record<keyof SessionOptions, Check>> = {
  header: isHeaderName,
  cookie: isCookieName,
  ttl: isSpan,
  limit: isCount,
  required: isFlag,
}

/** Describes, for the OpenAPI document, the header that names a session, and the error of a wrong name. */
export function describeSessions(header: string, required: boolean): OperationDescription {
  const schema = {
    type: 'string',
    minLength: 1,
    maxLength: 128,
    pattern: String.raw`^[\x20-\x7E]*$`,
  }
  const description = 'A session, which has data of its own.'
  return {
    parameters: [{ name: header, in: 'header', required, description, schema }],
    errors: { 400: 'The name of the session is missing or invalid.' },
  }
}

/**
 * Creates a function that reads the session name of a request: its header, or its cookie. The handshake of a socket
 * can name it by a parameter, as a page can give a socket no header.
 */
export function createSessionNameOf(
  header: string,
  cookie: string,
): (request: Pick<MockRequest, 'method' | 'search' | 'headers'>) => string | undefined {
  return (request) => {
    const { headers, search } = request
    const inHeader = headers[header]?.trim()
    if (inHeader) return inHeader
    const pairs = isHandshake(request) ? search.slice(1).split('&') : []
    const inQuery = pairs.find((pair) => pair.startsWith(`${cookie}=`))?.slice(cookie.length + 1)
    return decode(inQuery ?? '') || cookiesOf(headers['cookie'], cookie)[0] || undefined
  }
}

/** Creates the error for a wrong name, without which the request would use shared data. */
export function wrongSessionName(header: string, name: string | undefined): MockError {
  const [reason, code] =
    name === undefined
      ? ['the request names no session', 'SESSION_MISSING']
      : ['the session name is invalid', 'SESSION_INVALID']
  return new MockError(
    `Failed to find the session: ${reason}. Please send the header "${header}" with 1 to 128 printable ASCII characters.`,
    { status: 400, code },
  )
}
