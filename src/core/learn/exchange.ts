import type { HeaderList } from '../http/contract/messages.ts'

/** A request to a real API and its response, as recorded: bodies are text. */
export interface RecordedExchange {
  /** When the request was sent, in milliseconds since 1970. */
  startedAt: number
  method: string
  /** Absolute, of the real API. */
  url: string
  requestHeaders: HeaderList
  /** Undefined for a request without a body, or with a body that is no text. */
  requestBody: string | undefined
  status: number
  /** The headers of the response. */
  headers: HeaderList
  /** The decoded body of the response; undefined for no body, and for a body that is no text. */
  body: string | undefined
}
