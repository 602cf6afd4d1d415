import type { HeaderList } from '../core/http/contract/messages.ts'
import type { Capture } from './capture.ts'

/** A request that a proxy has passed on, and the response. */
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
  /** The status of the response; 0 where the connection broke off before the response was complete. */
  status: number
  /** The headers of the response as the server sent them. */
  headers: HeaderList
  body: Capture
  /** Why there is no response of the server; empty if there is one. */
  failure: string
}
