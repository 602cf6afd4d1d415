import type { BodyStream, HeaderList } from '../http/contract/messages.ts'

/** Sends a request to the server behind a proxy. Rejects where no response arrives, and when it is cancelled. */
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

/** A response of the server behind a proxy, whose body is decoded; null for no body. */
export interface ForwardResponse {
  status: number
  headers: HeaderList
  body: BodyStream | null
}
