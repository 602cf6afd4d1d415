import type { ServerResponse } from 'node:http'
// Imported, because fake timers replace the globals and Jest's jsdom removes them.
import { clearTimeout, setTimeout } from 'node:timers'
import { type MockRequest, isSafe } from '../../../core/http/contract/messages.ts'

/**
 * Creates the `onAbort` of a request, by which the mock notices that the client has gone. The client aborts
 * the request by closing the connection, or the stream of HTTP/2, before the response is complete. A client
 * that has gone looks like a client that has only ended its side and waits, as netcat does, until the server
 * writes twice: the first write makes the other machine reset the connection, and the second write fails. So
 * the probes are interim responses (RFC 9110 §15.2).
 */
export function toOnAbort(response: ServerResponse): MockRequest['onAbort'] {
  return (listener) => {
    const { socket, httpVersion, method = '' } = response.req
    let timer: NodeJS.Timeout | undefined
    const probeAfter = (milliseconds: number): void => {
      timer = setTimeout(() => {
        response.writeProcessing()
        probeAfter(2 * milliseconds)
      }, milliseconds).unref()
    }
    const probe = (): void => probeAfter(PROBE_AFTER_MS)
    const stop = (): void => {
      clearTimeout(timer)
      response.off('close', end)
      socket.off('end', probe)
    }
    // A connection outlives its responses.
    const end = (): void => {
      stop()
      listener()
    }
    if (response.destroyed) listener()
    response.once('close', end)
    const canProbe = httpVersion === '1.1' && !isSafe(method)
    if (canProbe && socket.readableEnded) probe()
    else if (canProbe) socket.once('end', probe)
    return stop
  }
}

/**
 * The time until the server first probes whether a client that has ended its side is still there, in
 * milliseconds.
 */
const PROBE_AFTER_MS = 50
