import type { AllowedOrigins } from './cors.ts'
import type { MaybePromise, MockRequest, MockResponse } from './messages.ts'

/** Whom a face lets talk to the mock. */
export interface Access {
  origins: AllowedOrigins
}

/** What a face needs of a mock. */
export interface Answerer {
  /** In front of every path, or nothing. */
  readonly base: string
  /** Answers a request; at once where nothing has to be waited for. */
  handle(request: MockRequest, access: Access): MaybePromise<MockResponse>
  /** Whether a path is this mock's to answer. */
  owns(path: string): boolean
}
