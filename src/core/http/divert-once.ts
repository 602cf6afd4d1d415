import type { Access } from './answerer.ts'
import type { Hooks } from './behaviour.ts'
import type { MaybePromise, MockRequest, MockResponse } from './messages.ts'

/**
 * Lets another mock answer where a behaviour names one. A fork has the behaviours of its origin, which
 * must not fork again for the same request.
 */
export function divertOnce(
  behaviours: readonly (Pick<Hooks, 'divert'> & { name: string })[],
  request: MockRequest,
  access: Access,
): MaybePromise<MockResponse> | undefined {
  const { diverted = [] } = request
  for (const { name, divert } of behaviours) {
    const other = diverted.includes(name) ? undefined : divert?.(request)
    if (other) return other.handle({ ...request, diverted: [...diverted, name] }, access)
  }
  return undefined
}
