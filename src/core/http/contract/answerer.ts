import type { AllowedOrigins } from '../cors/cors.ts'
import type { MaybePromise, MockRequest, MockResponse } from './messages.ts'

/** A mock as a face (HTTP server, MSW handlers, fetch function) uses it. */
export interface Answerer {
  /** The path prefix of all resources (option `base`), or an empty string. */
  readonly base: string
  /** Answers a request; returns no promise if nothing has to be awaited. */
  handle(request: MockRequest, access: Access): MaybePromise<MockResponse>
  /** Whether this mock answers requests for a path and its query. */
  owns(path: string, search?: string): boolean
  /** Work that goes on after responses, such as persisting. */
  background?: Background | undefined
}

/** The rules of a face: origins whose pages read responses, the check of network requests, the token for `/__mock`. */
export interface Access {
  /** The origins whose pages may read responses. */
  origins: AllowedOrigins
  /** Refuses a request from outside, on faces that listen on a network. @throws MockError 403 */
  check?(request: MockRequest): void
  /** A further path that lists the resources, as the path of `base` does: the root of the server. */
  root?: string
  /** Whether the face can open the sockets of responses. */
  hasSockets?: boolean
  /** The token that the control API requires when the server listens beyond loopback. */
  token?: string
  /** Whether the control API reads for the home page: without rules, delays, faults, limits and log entries. */
  isInspection?: boolean
}

/** Work that goes on after responses, such as writing changes to the fixture files (`--persist`). */
export interface Background {
  /** Resolves when all writes so far are persisted, rejects when they cannot be; undefined if no write is pending. */
  settled(): Promise<unknown> | undefined
  /** Finishes the work. The last server calls it after its last response. @throws MockError if work is left */
  finish(): Promise<void>
}
