import { checkOptions, isCount, isFlag, isText } from '../errors/check.ts'
import { type Duration, isDuration, toMilliseconds } from '../time/duration.ts'
import { MockError } from '../errors/mock-error.ts'
import type { Behaviour, Controlled } from '../http/contract/behaviour.ts'
import type { MockRequest } from '../http/contract/messages.ts'
import { cookiesOf } from './shared/cookies.ts'
import { forkFor, type OwnFork } from './shared/own-fork.ts'

/** How callers are given worlds of their own. */
export interface SessionOptions {
  /** The header that names a session. @default 'X-Mock-Session' */
  header?: string
  /** The cookie that names one where the header does not. @default none */
  cookie?: string
  /** How long a session is kept after its last request. @default '30m' */
  ttl?: Duration
  /** How many are kept; past that the one unused for longest goes. @default 100 */
  limit?: number
  /** Whether a request without a session is refused (400). @default false */
  required?: boolean
}

interface Session extends OwnFork {
  used: number
}

/**
 * Gives every session a fork of its own of everything, so that parallel tests share one server.
 * @throws MockError when an option is wrong
 * @example sessions({ ttl: '10m' })
 */
export function sessions(options: SessionOptions = {}): Behaviour {
  checkOptions('the options of "sessions"', options, {
    header: isText,
    cookie: isText,
    ttl: isDuration,
    limit: isCount,
    required: isFlag,
  })
  const { header = 'X-Mock-Session', cookie, ttl = '30m', limit = 100, required = false } = options
  const lifetime = toMilliseconds(ttl)
  const nameOf = createNameOf(header.toLowerCase(), cookie)
  return {
    name: 'sessions',
    create(world) {
      const { clock } = world
      const open = new Map<string, Session>()

      function enter(name: string): Controlled {
        const now = clock.now()
        for (const [other, { used }] of open) if (now - used > lifetime) leave(other)
        const known = open.get(name)
        open.delete(name)
        const session = known ?? { ...forkFor(world, `session ${name}`), used: now }
        session.used = now
        open.set(name, session)
        const [oldest] = open.keys()
        if (open.size > limit && oldest !== undefined) leave(oldest)
        session.follow()
        return session.host
      }

      function leave(name: string): void {
        open.get(name)?.end()
        open.delete(name)
      }

      const leaveAll = (): void => {
        for (const name of open.keys()) leave(name)
      }

      return {
        divert(request) {
          const name = nameOf(request)
          return name !== undefined && isName(name) ? enter(name) : undefined
        },
        at: {
          entry({ request }) {
            const name = nameOf(request)
            if (name === undefined ? required : !isName(name)) throw unnamed(header, name)
          },
        },
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

/** A name can stand in the log and below `/__mock`. */
function isName(text: string): boolean {
  return /^[\x20-\x7e]{1,128}$/.test(text)
}

/** Reads the name of a session, where there is one. */
function createNameOf(
  header: string,
  cookie?: string,
): (request: MockRequest) => string | undefined {
  return ({ headers }) =>
    headers[header]?.trim() ||
    (cookie === undefined ? undefined : cookiesOf(headers['cookie'], cookie)[0]) ||
    undefined
}

/** Whoever is told nothing would share the data of all others without knowing. */
function unnamed(header: string, name: string | undefined): MockError {
  const [reason, code] =
    name === undefined
      ? ['names no session', 'SESSION_MISSING']
      : ['names a session by what is no name', 'SESSION_INVALID']
  return new MockError(
    `Failed to answer: the request ${reason}. Please send the header "${header}", up to 128 characters of ASCII.`,
    { status: 400, code },
  )
}
