import { MockError } from '../errors/mock-error.ts'
import { internalsOf, type MockInternals } from '../http/contract/internals.ts'
import type { MockRequest } from '../http/contract/messages.ts'
import { sessionHeader } from '../text/session-name.ts'

/** Returns the fork of the session that a request names, otherwise the mock. @throws MockError 400 */
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
