import {
  createSessionNameOf,
  describeSessions,
  wrongSessionName,
} from '../../core/behaviours/sessions.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { Behaviour } from '../../core/http/contract/behaviour.ts'
import type { Calls } from './calls.ts'
import type { Items, StoredSession } from './items.ts'
import type { SessionSettings } from './options.ts'
import { toProblemResponse } from './web.ts'

/** Opens the list of sessions in the storage of the shared mock, and answers the calls of sessions. */
export function createSessionList(items: Items, calls: Calls): StoredSessionList {
  const all = (): [string, StoredSession][] => items.all('session')
  return {
    all: () => all().map(([name, { used }]) => ({ name, used })),
    async end(name) {
      const names = all().map(([one]) => one)
      for (const one of names) {
        if (name !== undefined && name !== one) continue
        await calls.end(one)
        items.remove('session', one)
      }
      return all().length
    },
    answer(call, name, limit) {
      const isKnown = items.get('session', name) !== undefined
      if (call === 'leave') items.remove('session', name)
      if (call === 'admit' && !isKnown && all().length >= limit)
        return toProblemResponse(tooMany(limit))
      if (call === 'admit' || (call === 'use' && isKnown))
        items.put('session', name, { used: Date.now() })
      return Response.json(call === 'admit' ? items.dump(ownKinds) : null)
    },
  }
}

/** The list of sessions; see {@link createSessionList}. */
export interface StoredSessionList extends SessionList {
  /** Answers a call of a session. */
  answer(call: string, name: string, limit: number): Response
}

/** The kinds of values that belong to one object; a new session does not copy these from the shared mock. */
const ownKinds = ['session', 'setting', 'snapshot'] as const

function tooMany(limit: number): MockError {
  return new MockError(
    `Failed to begin a session: there are ${limit} already. Please end some with DELETE /__mock/sessions, or raise "sessions.limit" of createWorker.`,
    { status: 429, code: 'SESSIONS_FULL', headers: [['Retry-After', '60']] },
  )
}

/** Lists and ends sessions at `/__mock/sessions`, and refuses requests without one if they are required. */
export function createSessionsBehaviour(
  { header, cookie, required }: SessionSettings,
  list: SessionList | undefined,
): Behaviour {
  const nameOf = createSessionNameOf(header, cookie)
  return {
    name: 'sessions',
    create: () => ({
      ...(list && {
        at: {
          entry({ request }) {
            const name = nameOf(request)
            if (name !== undefined || required) throw wrongSessionName(header, name)
          },
        },
        controls: {
          GET: () => list.all(),
          DELETE: (input) => list.end(typeof input === 'string' ? input : undefined),
        },
      }),
      describe: () => ({ operation: () => describeSessions(header, required) }),
    }),
  }
}

/** The list of all sessions, which the shared mock keeps. */
export interface SessionList {
  all(): { name: string; used: number }[]
  /** Ends a session, or all sessions. Resolves with the number of sessions that are left. */
  end(name?: string): Promise<number>
}
