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

/**
 * A response body that the server writes while the client reads the body. The body ends when the client
 * disconnects, or leaves more than 1048576 characters unread.
 */
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
