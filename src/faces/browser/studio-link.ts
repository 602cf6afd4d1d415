import { withControl } from '../../core/control/control.ts'
import { toMessage } from '../../core/errors/error-details.ts'
import { MockError } from '../../core/errors/mock-error.ts'
import type { MockInternals } from '../../core/http/contract/internals.ts'
import type { Call, Reply } from '../../studio/link/protocol.ts'
import { toMockRequest, toResponse } from '../web/web.ts'

/** Answers the requests of the studio, which runs in another tab, from the mock of this page. */
export function createStudioLink(
  mock: MockInternals,
  send: (reply: Reply) => void,
): (call: Call) => Promise<void> {
  // In a dev server of Vite, the fixtures of the page define how their files are written.
  mock.saveFixture ??= findSaver()
  const answerer = withControl(mock)
  const aborts = new Map<string, AbortController>()

  async function answer(call: string, ask: Required<Call>['ask']): Promise<void> {
    const abort = new AbortController()
    aborts.set(call, abort)
    const { method, headers, body } = ask
    const init = { method, headers, signal: abort.signal, ...(body !== undefined && { body }) }
    const request = new Request(new URL(ask.url, location.origin), init)
    const response = await answerer.handle(toMockRequest(request), { origins: 'any' })
    const { status } = response
    if (status === 0) throw new TypeError('The mock dropped the connection.')
    send({ reply: call, head: { status, headers: response.headers } })
    const reader = toResponse(response, abort.signal).body?.getReader()
    for (let part = await reader?.read(); part?.value; part = await reader?.read())
      send({ reply: call, chunk: part.value })
    send({ reply: call, isLast: true })
  }

  return async ({ call, ask }) => {
    if (!ask) return aborts.get(call)?.abort()
    try {
      await answer(call, ask)
    } catch (error) {
      send({ reply: call, error: (error as Error).message })
    }
    aborts.delete(call)
  }
}

/** The function by which a dev server writes the fixture files; undefined without a dev server. */
function findSaver(): MockInternals['saveFixture'] {
  const key = Symbol.for('fixtura.save')
  const save = (globalThis as { [key]?: MockInternals['saveFixture'] })[key]
  if (!save) return undefined
  return async (name, edits) => {
    try {
      await save(name, edits)
    } catch (cause) {
      throw new MockError(toMessage(cause), { status: 409, code: 'FIXTURES_UNWRITABLE', cause })
    }
  }
}
