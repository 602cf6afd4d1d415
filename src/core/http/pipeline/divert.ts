import type { Access } from '../contract/answerer.ts'
import type { Hooks } from '../contract/hooks.ts'
import { internalsOf } from '../contract/internals.ts'
import type { MaybePromise, MockRequest, MockResponse } from '../contract/messages.ts'

/**
 * Creates the step of the pipeline in which behaviours may send a request to another mock, such as a fork (a
 * copy of the mock with data of its own): `sessions` chooses the fork of a client (`X-Mock-Session`),
 * `scenarios` the fork of a scenario.
 */
export function createDivert(hooks: readonly (Hooks & { name: string })[]): Divert {
  const diverting = hooks.filter(({ divert }) => divert)
  return (request, access) => {
    // A fork has the behaviours of its origin, which must not fork again for the same request.
    const { diverted = [] } = request
    for (const { name, divert } of diverting) {
      const other = diverted.includes(name) ? undefined : divert?.(request)
      if (other)
        return internalsOf(other).handle({ ...request, diverted: [...diverted, name] }, access)
    }
    return undefined
  }
}

/**
 * Sends a request to another mock if a behaviour, such as sessions, chooses another mock for the
 * request; otherwise returns undefined, and this mock answers.
 */
export type Divert = (
  request: MockRequest,
  access: Access,
) => MaybePromise<MockResponse> | undefined
