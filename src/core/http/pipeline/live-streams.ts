import type { Exchange } from '../contract/exchange.ts'
import { type BodyStream, headerOf, isStream, type MockResponse } from '../contract/messages.ts'
import { toChunks } from '../response/chunks.ts'

/**
 * Creates the step of the pipeline that ends an event stream (server-sent events, `text/event-stream`) with its
 * owners: the fork of a session (`X-Mock-Session`) that has expired, or a login that `bindStream` has bound to
 * the response. The `EventSource` of the client then connects anew.
 */
export function createEndWithOwners(onWorldEnd: OnEnd): EndWithOwners {
  return (exchange, response) => {
    const { body, headers } = response
    if (!isStream(body)) return response
    if (!headerOf(headers, 'Content-Type')?.startsWith('text/event-stream')) return response
    const stream = toEndable(body)
    for (const bind of [onWorldEnd, ...(exchange.streamEnders ?? [])]) {
      stream.onEnd(bind(stream.end))
    }
    return { ...response, body: stream.body }
  }
}

/** Returns the response; an event stream in its body ends with the owners of the stream. */
export type EndWithOwners = (exchange: Exchange, response: MockResponse) => MockResponse

/** Registers a function that is called when the mock or fork ends. Returns a function that removes it. */
export type OnEnd = (callback: () => void) => () => void

/** A stream that can be ended while its reader waits for the next chunk. */
interface EndableStream {
  body: BodyStream
  end(): void
  /** Calls back when the stream has ended; at once if it already has. */
  onEnd(callback: () => void): void
}

const done: IteratorResult<never> = { done: true, value: undefined }

function toEndable(source: BodyStream): EndableStream {
  const chunks = toChunks(source)
  const endings: (() => void)[] = []
  let isOver = false
  let finish = (): void => undefined

  function close(): void {
    if (isOver) return
    isOver = true
    for (const ending of endings) ending()
    finish()
  }

  async function closeSource(): Promise<IteratorResult<never>> {
    close()
    await chunks.return?.()
    return done
  }

  const iterator: AsyncIterator<string | Uint8Array> = {
    next: () =>
      new Promise((resolve, reject) => {
        if (isOver) return resolve(done)
        finish = () => resolve(done)
        chunks.next().then(
          (result) => {
            if (result.done) close()
            return resolve(result)
          },
          (error: Error) => {
            close()
            return reject(error)
          },
        )
      }),
    return: closeSource,
  }
  return {
    body: { [Symbol.asyncIterator]: () => iterator },
    end() {
      // The reader does not wait for the source, so no code would handle an error of the source.
      if (!isOver) closeSource().catch(() => undefined)
    },
    onEnd(callback) {
      if (isOver) callback()
      else endings.push(callback)
    },
  }
}
