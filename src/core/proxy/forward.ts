import type { BodyStream, HeaderList } from '../http/contract/messages.ts'

/** Sends a request of `proxy()` to the server behind it. Rejects without a response, and when the request is cancelled. */
export type Forward = (request: ForwardRequest) => Promise<ForwardResponse>

/** A request for the server behind a proxy. */
export interface ForwardRequest {
  method: string
  /** The absolute URL. */
  url: string
  headers: HeaderList
  body: string | Uint8Array | undefined
  /** Whether to accept any certificate. */
  isInsecure: boolean
  /** Calls the listener when the request is to be aborted, until the response has begun. */
  onCancel(listener: () => void): void
}

/** A response of the server behind a proxy. The body is decoded, and null if there is none. */
export interface ForwardResponse {
  status: number
  headers: HeaderList
  body: BodyStream | null
}
