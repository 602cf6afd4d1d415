/** Makes a stream of bytes, which breaks off with the signal, as a response does (Fetch §5.6). */
export function toStream(
  body: AsyncIterable<string | Uint8Array>,
  signal: AbortSignal | undefined,
): ReadableStream<Uint8Array> {
  const chunks = body[Symbol.asyncIterator]()
  const encoder = new TextEncoder()
  const end = async (): Promise<void> => void (await chunks.return?.())
  // Where even its end fails, nobody is left to be told.
  signal?.addEventListener('abort', () => void end().catch(() => undefined), { once: true })
  return new ReadableStream({
    async pull(controller) {
      const { done, value } = await chunks.next()
      if (signal?.aborted) controller.error(signal.reason)
      else if (done) controller.close()
      else controller.enqueue(typeof value === 'string' ? encoder.encode(value) : value)
    },
    cancel: end,
  })
}
