import { wrongValue } from '../../errors/check.ts'
import type { FixtureSource } from '../../fixtures/fixtures.ts'
import type { Diversion } from '../pipeline/diversions.ts'
import type { AnyMock } from './any-mock.ts'
import type { Answerer } from './answerer.ts'
import type { Controlled } from './behaviour.ts'

/**
 * Returns the functions of a mock that faces need and the types for users hide. `subject` names the argument in
 * messages: `the mock of handlers`.
 * @throws MockError for any other value, such as the promise of a mock
 */
export function internalsOf(mock: AnyMock | Answerer, subject = 'the mock'): Internals {
  const { handle } = ((mock as unknown) ?? {}) as Partial<Internals>
  if (typeof handle === 'function') return mock as unknown as Internals
  throw wrongValue(subject, mock, 'a mock from createMock or loadMock')
}

/** All functions of a mock: those for behaviours and the control API, and those for faces. */
export interface Internals extends Controlled {
  /** Sends requests to the mock that the function chooses. Returns a function that stops this. */
  divert(choose: Diversion): () => void
  /** Takes over every further change of a source of fixtures. Returns a function that stops this. */
  follow(source: FixtureSource): () => void
}
