import {
  describeSessions,
  createSessionNameOf,
  wrongSessionName,
} from '../../core/behaviours/sessions.ts'
import type { Behaviour } from '../../core/http/contract/behaviour.ts'
import type { SessionSettings } from './options.ts'

/**
 * Creates the behaviour that lists and ends sessions at `/__mock/sessions`, and refuses requests without a session if
 * sessions are required. A request that names a session never reaches the shared mock.
 */
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
