/** A copy of a body that passes through the proxy, up to a limit, for the recorder. */
export interface Capture {
  add(chunk: Uint8Array): void
  /** The size of the body so far, in bytes. */
  size(): number
  /** The body; undefined if it has more bytes than the limit. */
  bytes(): Uint8Array | undefined
}

/** Creates an empty capture, which keeps references to the chunks, and drops them when the body is too long. */
export function createCapture(limit: number): Capture {
  let chunks: Uint8Array[] = []
  let size = 0
  return {
    add(chunk) {
      size += chunk.length
      if (size <= limit) chunks.push(chunk)
      else chunks = []
    },
    size: () => size,
    bytes: () => (size > limit ? undefined : Buffer.concat(chunks)),
  }
}
