import { MockError } from '../errors/mock-error.ts'
import { internalsOf, type MockInternals } from '../http/contract/internals.ts'
import type { MockRequest } from '../http/contract/messages.ts'
import { sessionHeader } from '../text/session-name.ts'

/**
 * Returns what a request to the control API controls: the fork of the session that the request names, otherwise
 * the whole mock. A session is a copy of the mock for one client, which the behaviour `sessions` makes.
 * @throws MockError 400 if the header names a session that the mock cannot have
 */
export function sessionOf(mock: MockInternals, request: MockRequest): MockInternals {
  const sessions = mock.behaviours.find(({ name }) => name === 'sessions')
  const session = sessions?.divert?.(request)
  if (session) return internalsOf(session)
  const name = request.headers[sessionHeader.toLowerCase()]?.trim()
  if (!name) return mock
  const advice = sessions
    ? 'Please send 1 to 128 printable ASCII characters, and use sessions() without "header".'
    : 'Please add sessions() to "use", or start the command with --session-ttl 30m.'
  throw new MockError(
    `Failed to control the session "${name}": the mock has no such session. ${advice}`,
    { status: 400, code: 'SESSION_UNKNOWN' },
  )
}
