import type { BodyStream } from '../contract/messages.ts'

/**
 * Reads the chunks of a response body. A `ReadableStream` is read by its reader: iterating it would end only
 * with the next chunk, and some browsers cannot iterate it.
 */
export function toChunks(body: BodyStream | Readable): Chunks {
  if (!('getReader' in body)) return body[Symbol.asyncIterator]()
  const reader = body.getReader()
  return {
    next: () => reader.read() as ReturnType<Chunks['next']>,
    return: () => reader.cancel(),
  }
}

/** The chunks of a body, one after the other; `return` closes the source. */
export interface Chunks {
  next(): Promise<IteratorResult<string | Uint8Array, unknown>>
  return?(): Promise<unknown>
}

/** The part of a `ReadableStream` that is read here. */
interface Readable {
  getReader(): {
    read(): Promise<{ done: false; value: string | Uint8Array } | { done: true; value?: unknown }>
    cancel(): Promise<unknown>
  }
}
