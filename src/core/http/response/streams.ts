import type { BodyStream, HeaderList } from '../contract/messages.ts'

/** Creates a response body for server-sent events, which the server writes while the client reads. */
export function createStream(): Stream {
  let waiting: string[] = []
  let size = 0
  let wake: (() => void) | undefined
  let isOver = false
  const endings: (() => void)[] = []

  function end(): void {
    if (isOver) return
    isOver = true
    for (const ending of endings) ending()
    wake?.()
  }

  const iterator: AsyncIterator<string> = {
    async next() {
      if (waiting.length === 0 && !isOver) {
        await new Promise<void>((resolve) => {
          wake = resolve
        })
        wake = undefined
      }
      if (isOver) return { done: true, value: undefined }
      const value = waiting.join('')
      waiting = []
      size = 0
      return { done: false, value }
    },
    return() {
      end()
      return Promise.resolve({ done: true, value: undefined })
    },
  }

  return {
    body: { [Symbol.asyncIterator]: () => iterator },
    write(text) {
      // A client that waits for the next chunk is not behind, however large the chunk is.
      if (size > mostWaiting && !wake) return end()
      size += text.length
      waiting.push(text)
      wake?.()
    },
    end,
    onEnd: (callback) => void endings.push(callback),
  }
}

/** The headers of a stream of server-sent events, which no proxy buffers. */
export const streamHeaders: HeaderList = [
  ['Content-Type', 'text/event-stream; charset=utf-8'],
  ['Cache-Control', 'no-store'],
  ['X-Accel-Buffering', 'no'],
]

/** A body that is written while the client reads it, until it disconnects or leaves 1048576 characters unread. */
export interface Stream {
  body: AsyncIterable<string>
  write(text: string): void
  /** Ends the body. Unread text is dropped. */
  end(): void
  /** Calls the function when the client has disconnected. */
  onEnd(callback: () => void): void
}

/** The most unread characters; a client that falls further behind is disconnected. */
const mostWaiting = 1024 * 1024

/** The chunks of a body. A `ReadableStream` has a reader: iterating it would end only with the next chunk. */
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

/** A stream that can be ended while its reader waits for the next chunk. */
export interface EndableStream {
  body: BodyStream
  end(): void
  /** Calls back when the stream has ended; at once if it already has. */
  onEnd(callback: () => void): void
}

const done: IteratorResult<never> = { done: true, value: undefined }

/** Returns a stream of the same chunks that can be ended while its reader waits for the next chunk. */
export function toEndable(source: BodyStream): EndableStream {
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
