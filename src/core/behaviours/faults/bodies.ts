import type { Clock } from '../../time/clock.ts'
import { wait } from '../../time/wait.ts'
import { isStream, type MockBody } from '../../http/contract/messages.ts'

/**
 * Truncates the body of a response, for the fault `truncate`: returns a stream of the first `share` (0 to below
 * 1) of the body, which then throws a TypeError, so that the connection to the client breaks. Null and streamed
 * bodies are returned unchanged.
 */
export function truncateBody(body: MockBody, share: number): MockBody {
  if (body === null || isStream(body)) return body
  const end = Math.floor(body.length * share)
  const stream = (async function* () {
    yield body.slice(0, end)
    throw new TypeError('A fault truncated the body.')
  })()
  return Object.assign(stream, { source: { body, end } })
}

/** Slows the body of a response down, for the fault `bytesPerSecond`: streams ten chunks per second. */
export function throttleBody(body: MockBody, bytesPerSecond: number, clock: Clock): MockBody {
  if (body === null || isStream(body)) return body
  const size = Math.max(1, Math.ceil(bytesPerSecond / 10))
  const stream = (async function* () {
    for (let at = 0; at < body.length; at += size) {
      const chunk = body.slice(at, at + size)
      yield chunk
      await wait(clock, (chunk.length / bytesPerSecond) * 1000)
    }
  })()
  return Object.assign(stream, { source: { body, end: body.length } })
}
