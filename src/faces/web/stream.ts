import type { BodyStream } from '../../core/http/contract/messages.ts'
import { toChunks } from '../../core/http/response/chunks.ts'

/**
 * Converts a body of the mock that is a stream to the `ReadableStream` of a `Response`. An abort signal ends
 * it with an error, as in `fetch` (Fetch §5.6).
 */
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
        // The client is gone, so that an error on closing the source has no reader.
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
