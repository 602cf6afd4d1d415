import type { AllowedOrigins } from '../cors/cors.ts'
import { after, type MaybePromise, type MockRequest, type MockResponse } from './messages.ts'

/** Whom a face lets talk to the mock. */
export interface Access {
  /** Whose pages may read the answers. */
  origins: AllowedOrigins
  /** Refuses who may not talk to the mock; for faces with a network. @throws MockError 403 */
  check?(request: MockRequest): void
  /** Another path that tells what there is, beside the base: that of a whole server. */
  root?: string
  /** What a caller of the control has to show, where it can be reached from beyond this machine. */
  token?: string
}

/** What a face needs of a mock. */
export interface Answerer {
  /** In front of every path, or nothing. */
  readonly base: string
  /** Answers a request; at once where nothing has to be waited for. */
  handle(request: MockRequest, access: Access): MaybePromise<MockResponse>
  /** Whether a path is this mock's to answer. */
  owns(path: string): boolean
  /** What goes on behind the answers, where something does. */
  background?: Background | undefined
}

/** What goes on behind the answers of a mock, such as keeping what requests write. */
export interface Background {
  /** What an answer waits for before it is given; undefined for nothing. */
  settled(): Promise<unknown> | undefined
  /** Brings it to an end. A server calls it behind its last answer. */
  finish(): Promise<void>
}

/** Holds an answer back until what it tells is safe. */
export function hold(
  answered: MaybePromise<MockResponse>,
  background: Background | undefined,
): MaybePromise<MockResponse> {
  if (!background) return answered
  return after(answered, (response) => {
    const settled = background.settled()
    return settled ? settled.then(() => response) : response
  })
}
