import type { BodyStream } from '../../core/http/contract/messages.ts'

/** Makes a stream of bytes, which breaks off with the signal at once, as a response does (Fetch §5.6). */
export function toStream(
  body: BodyStream | ReadableStream<string | Uint8Array>,
  signal: AbortSignal,
): ReadableStream<Uint8Array> {
  const chunks = toChunks(body)
  const end = async (): Promise<void> => void (await chunks.return?.())
  return new ReadableStream({
    start(controller) {
      const breakOff = (): void => {
        controller.error(signal.reason)
        // Where even its end fails, nobody is left to be told.
        end().catch(() => undefined)
      }
      if (signal.aborted) breakOff()
      else signal.addEventListener('abort', breakOff)
    },
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? new TextEncoder().encode(value) : value)
    },
    cancel: end,
  })
}

interface Chunks {
  next(): Promise<IteratorResult<string | Uint8Array, unknown>>
  return?(): Promise<unknown>
}

/** A `ReadableStream` that is iterated over, as it cannot be in every page, ends only with its next chunk. */
function toChunks(body: Parameters<typeof toStream>[0]): Chunks {
  if (!('getReader' in body)) return body[Symbol.asyncIterator]()
  const reader = body.getReader()
  return { next: () => reader.read(), return: () => reader.cancel() }
}
