import type { HeaderList } from '../core/http/contract/messages.ts'

/** A request that a proxy has passed on, and the response, with copies of both bodies. */
export interface ProxiedExchange {
  /** When the request arrived, in milliseconds since 1970. */
  startedAt: number
  /** The time until the response was sent, in milliseconds. */
  ms: number
  method: string
  /** Path and query. */
  path: string
  /** The URL at the server behind the proxy. */
  url: string
  requestHeaders: HeaderList
  requestBody: Capture
  /** The status of the response, or of the proxy's own error; 0 if the client aborted before a response began. */
  status: number
  /** The headers of the response as the server sent them. */
  headers: HeaderList
  body: Capture
  /** Why the response of the server is missing or incomplete; empty for a complete response. */
  failure: string
}

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
