import type { AllowedOrigins } from '../cors/cors.ts'
import { after, type MaybePromise, type MockRequest, type MockResponse } from './messages.ts'

/**
 * The rules with which a face (the HTTP server, the MSW handlers or the fetch function) passes requests
 * to the mock: the allowed origins, the check of requests from the network, and the token for
 * `/__mock`.
 */
export interface Access {
  /** The origins whose pages may read responses. */
  origins: AllowedOrigins
  /** Refuses a request from outside, on faces that listen on a network. @throws MockError 403 */
  check?(request: MockRequest): void
  /** A path besides the base that lists the resources: the root of a server of its own. */
  root?: string
  /** The token that the control requires when the server listens beyond loopback. */
  token?: string
  /** Whether the control reads for the home page: without rules, delays, faults, limits and log. */
  isInspection?: boolean
}

/** The part of a mock that a face uses. */
export interface Answerer {
  /** The prefix of every path, or an empty string. */
  readonly base: string
  /** Answers a request; without a promise where nothing has to be awaited. */
  handle(request: MockRequest, access: Access): MaybePromise<MockResponse>
  /** Whether this mock answers requests for a path and its query. */
  owns(path: string, search?: string): boolean
  /** Work that goes on after responses, such as persisting. */
  background?: Background | undefined
}

/** Work that goes on after responses, such as persisting the writes of requests. */
export interface Background {
  /** Resolves when every write so far is safe; undefined if none is pending. Rejects if one never will be. */
  settled(): Promise<unknown> | undefined
  /** Finishes the work. The last server calls it after its last response. @throws MockError if work is left */
  finish(): Promise<void>
}

/**
 * Delays a response until the writes that it acknowledges are persisted. Drops the connection instead if they
 * cannot be persisted anymore, so that the client does not take them for done.
 */
export function afterPersisted(
  answered: MaybePromise<MockResponse>,
  background: Background | undefined,
): MaybePromise<MockResponse> {
  if (!background) return answered
  return after(answered, (response) => {
    const settled = background.settled()
    return settled
      ? settled.then(
          () => response,
          () => dropped,
        )
      : response
  })
}

const dropped: MockResponse = { status: 0, headers: [], body: null }
