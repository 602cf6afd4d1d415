import { MockError } from '../../core/errors/mock-error.ts'
import { toProblem } from './problem.ts'
import type { Calls } from './calls.ts'
import type { Items } from './items.ts'
import type { SessionList } from './sessions-behaviour.ts'

/**
 * Opens the list of sessions, which is in the storage of the shared mock, and answers the calls by which
 * sessions register, report their use and leave.
 */
export function createSessionList(items: Items, calls: Calls): StoredSessionList {
  const all = (): [string, StoredSession][] => items.all('session') as [string, StoredSession][]
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
      if (call === 'admit' && !isKnown && all().length >= limit) return toProblem(tooMany(limit))
      if (call === 'admit' || (call === 'use' && isKnown))
        items.put('session', name, { used: Date.now() } satisfies StoredSession)
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
const ownKinds = ['session', 'setting', 'snapshot']

interface StoredSession {
  /** The time of the last use that the session has reported, in milliseconds since 1970. */
  used: number
}

function tooMany(limit: number): MockError {
  return new MockError(
    `Failed to begin a session: there are ${limit} already. Please end some with DELETE /__mock/sessions, or raise "sessions.limit" of createWorker.`,
    { status: 429, code: 'SESSIONS_FULL', headers: [['Retry-After', '60']] },
  )
}
