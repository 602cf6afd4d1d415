/** A body that is written to while it is read. */
export interface Stream {
  body: AsyncIterable<string>
  write(text: string): void
  /** Calls back once nobody reads any more. */
  onEnd(callback: () => void): void
}

/** How much may wait for a reader that does not read, in characters; past that it is cut off. */
const mostWaiting = 1024 * 1024

/** Creates a body that ends when its reader goes. */
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
      // Who waits for more reads it in a moment, however much comes at once.
      if (size > mostWaiting && !wake) return end()
      size += text.length
      waiting.push(text)
      wake?.()
    },
    onEnd: (callback) => void endings.push(callback),
  }
}
