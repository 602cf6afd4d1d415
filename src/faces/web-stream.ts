/** Makes a stream of bytes, which ends with the signal too. */
export function toStream(
  body: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  signal?.addEventListener('abort', () => void chunks.return?.(), { once: true })
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
    },
    async cancel() {
      await chunks.return?.()
    },
  })
}
