import type { IncomingMessage, ServerResponse } from 'node:http'

// The types of Express that the mock uses, written here so that it needs no package of types.

/** The request of Express, as far as the mock uses and sets it. */
export interface ExpressRequest extends IncomingMessage {
  originalUrl: string
  query: unknown
  body: unknown
}

/** The response of Express, as far as the mock uses it. */
export interface ExpressResponse extends ServerResponse {
  send(body: unknown): unknown
  jsonp(value: unknown): unknown
}

/** Continues with the next middleware, or with the error handlers. */
export type Next = (error?: unknown) => void

/** A middleware as Express calls it: with four parameters, the first is an error. */
export type ExpressHandler =
  | ((request: ExpressRequest, response: ExpressResponse, next: Next) => unknown)
  | ((error: unknown, request: ExpressRequest, response: ExpressResponse, next: Next) => unknown)

/** An application of Express 4 or 5. */
export interface ExpressApp {
  (request: IncomingMessage, response: ServerResponse): void
  use(handler: ExpressHandler): void
  set(name: string, value: unknown): void
}
