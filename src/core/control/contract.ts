import type { Json } from '../json/json.ts'
import type { MockError } from '../errors/mock-error.ts'
import { wrongMethod } from '../http/routing/wrong-method.ts'
import { controlPath } from '../url/control-path.ts'
import type { MockInternals } from '../http/contract/internals.ts'
import type { Access } from '../http/contract/answerer.ts'
import type {
  MaybePromise,
  MockBody,
  MockRequest,
  MockResponse,
} from '../http/contract/messages.ts'
import { parseParams } from '../url/params.ts'

/** Endpoints below `/__mock`: by first segment, then by method with further segments: `GET`, `DELETE :name`, `GET *`. */
export type Controls = Readonly<Record<string, Readonly<Record<string, Control>>>>

/** Handles a request to an endpoint of the control API; a `MockResponse` is sent as it is. */
export type Control = (request: ControlRequest) => MaybePromise<ControlAnswer | MockResponse>

/** A request to the control API: the mock or the fork that it controls, and its parsed parts. */
export interface ControlRequest {
  mock: MockInternals
  /** The mock that the server serves: `mock`, or the mock that `mock` was forked from. */
  whole: MockInternals
  input: Json
  /** The path segment after the name of the control, and the segment after it; empty if missing. */
  name: string
  id: string
  rest: readonly string[]
  request: MockRequest
  access: Access
}

/** The answer of an endpoint of the control API: a JSON value, or a body of another type. */
export interface ControlAnswer {
  status?: number
  tag?: string | undefined
  value?: unknown
  type?: string
  body?: MockBody
}

/** `problem` completes "Failed to …"; `keys` are methods with the segments after `path`, such as `DELETE :name`. */
export function noSuchRequest(problem: string, path: string, keys: readonly string[]): MockError {
  const methods = keys.map((key) => key.split(' ', 1)[0] ?? '')
  // `DELETE :name` becomes `DELETE /__mock/rules/:name`.
  const known = keys.map((key) =>
    key.replaceAll(' ', '/').replace(/\/|$/, ` ${controlPath}/${path}$&`),
  )
  return wrongMethod(problem, [...new Set(methods)], known, 'METHOD_NOT_ALLOWED')
}

/** Returns the first value of a query parameter of a request to the control API. */
export function paramOf({ search }: MockRequest, wanted: string): string | undefined {
  return parseParams(search).find(([name]) => name === wanted)?.[1]
}
