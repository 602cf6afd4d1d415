import type { HeaderList } from '../core/http/contract/messages.ts'
import type { Capture } from './capture.ts'

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
