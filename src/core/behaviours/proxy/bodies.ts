import type { BodyStream } from '../../http/contract/messages.ts'
import { toChunks } from '../../http/response/chunks.ts'

/** Reads the whole body of a response of the real server. */
export async function readBytes(body: BodyStream): Promise<Uint8Array> {
  const chunks = toChunks(body)
  const read: Uint8Array[] = []
  for (;;) {
    const { done, value } = await chunks.next()
    if (done) return concat(read)
    read.push(value as Uint8Array)
  }
}

/**
 * Returns the same body, and captures its bytes while the client reads, for a recording: calls `onEnd` with all
 * bytes at the end if there are at most `limit`.
 */
export function captureBody(
  body: BodyStream,
  limit: number,
  onEnd: (bytes: Uint8Array) => void,
): BodyStream {
  const chunks = toChunks(body)
  let read: Uint8Array[] = []
  let size = 0
  // No generator: its `return` would wait for the next chunk.
  const iterator = {
    async next(): Promise<IteratorResult<Uint8Array, undefined>> {
      const { done, value } = await chunks.next()
      if (done) {
        if (size <= limit) onEnd(concat(read))
        return { done, value: undefined }
      }
      const chunk = value as Uint8Array
      size += chunk.length
      if (size <= limit) read.push(chunk)
      else read = []
      return { done: false, value: chunk }
    },
    async return(): Promise<IteratorResult<Uint8Array, undefined>> {
      await chunks.return?.()
      return { done: true, value: undefined }
    },
  }
  return { [Symbol.asyncIterator]: () => iterator }
}

function concat(chunks: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(chunks.reduce((size, { length }) => size + length, 0))
  let at = 0
  for (const chunk of chunks) {
    whole.set(chunk, at)
    at += chunk.length
  }
  return whole
}
