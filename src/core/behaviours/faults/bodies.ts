import type { Clock } from '../../time/clock.ts'
import { wait } from '../../time/wait.ts'
import { isStream, type MockBody } from '../../http/contract/messages.ts'

/** A body that breaks off after a share of it with the error of a network, so that the connection does. */
export function cutOff(body: MockBody, share: number): MockBody {
  if (body === null || isStream(body)) return body
  const part = body.slice(0, Math.floor(body.length * share))
  return (async function* () {
    yield part
    throw new TypeError('The body was cut off, as a fault says.')
  })()
}

/** A body that comes in ten parts a second, at a pace in bytes a second. */
export function slowDown(body: MockBody, bytesPerSecond: number, clock: Clock): MockBody {
  if (body === null || isStream(body)) return body
  const size = Math.max(1, Math.ceil(bytesPerSecond / 10))
  return (async function* () {
    for (let at = 0; at < body.length; at += size) {
      const part = body.slice(at, at + size)
      yield part
      await wait(clock, (part.length / bytesPerSecond) * 1000)
    }
  })()
}
